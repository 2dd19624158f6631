/**
 * Kills the service under a stream of creates, again and again, and counts what is missing afterwards:
 * `node scripts/torture.ts [--rounds 50] [--store sqlite|redis]`. Both stores unless one is named. Needs a build.
 */
import { parseArgs } from 'node:util';
import { redisBinary, startRedis } from '../tests/support/redis.ts';
import { type Toll, torture } from '../tests/support/torture.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, store: { type: 'string' } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
process.setMaxListeners(0);

const isClean = ({ lost, doubled, unfaithful, refused }: Toll) => lost + doubled + unfaithful + refused === 0;

async function run(store: string, env: Record<string, string>): Promise<void> {
  const from = performance.now();
  const toll = await torture(env, rounds, (round, { acknowledged, lost }) => {
    if (round % 10 === 0)
      console.log(`  ${store} round ${round}: acknowledged ${acknowledged}, lost ${lost}`);
  });
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  console.log(
    `${store}, ${rounds} rounds in ${seconds} s: repeated ${toll.repeated}, doubled ${toll.doubled}, unfaithful ${toll.unfaithful}, refused ${toll.refused}`,
  );
  console.log(`acknowledged ${toll.acknowledged}, lost ${toll.lost}`);
  if (!isClean(toll)) process.exitCode = 1;
}

if (values.store !== 'redis') await run('sqlite', {});
if (values.store !== 'sqlite') {
  if (redisBinary) {
    const redis = await startRedis();
    await run('redis', { STORE_URL: `redis://127.0.0.1:${redis.port}` });
    await redis.stop();
  } else console.log('skipped: no redis-server on this machine');
}
process.exit();
