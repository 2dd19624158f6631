/**
 * Kills the service under a stream of creates, and then under changes, batches and deletes, again and again, and
 * counts what is missing, doubled or half done afterwards: `node scripts/torture.ts [--rounds 50]
 * [--store sqlite|redis]`. Both stores unless one is named. Needs a build.
 */
import { parseArgs } from 'node:util';
import { redisBinary, startRedis } from '../tests/support/redis.ts';
import { torture } from '../tests/support/torture.ts';
import { tortureChanges } from '../tests/support/torture-changes.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, store: { type: 'string' } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1');
process.setMaxListeners(0);

/** What may be above 0. */
const harmless = ['acknowledged', 'repeated', 'unheard'];
const streams = { creates: torture, changes: tortureChanges };

async function run(store: string, env: Record<string, string>): Promise<void> {
  for (const [stream, kill] of Object.entries(streams)) {
    const from = performance.now();
    const toll = await kill(env, rounds, (round, { acknowledged, lost }) => {
      if (round % 10 !== 0) return;
      console.log(`  ${store}, ${stream}, round ${round}: acknowledged ${acknowledged}, lost ${lost}`);
    });
    const seconds = ((performance.now() - from) / 1000).toFixed(0);
    const { acknowledged, lost, ...rest } = toll;
    const others = Object.entries(rest).map(([what, count]) => `${what} ${count}`);
    console.log(`${store}, ${stream}, ${rounds} rounds in ${seconds} s: ${others.join(', ')}`);
    console.log(`acknowledged ${acknowledged}, lost ${lost}`);
    const harm = Object.entries(toll).filter(([what, count]) => count > 0 && !harmless.includes(what));
    if (harm.length > 0) process.exitCode = 1;
  }
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
