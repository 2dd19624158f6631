/**
 * Races metered calls over two instances and one Redis: `node scripts/meter-race.ts [--calls 100000]`. Fails at the
 * first reading of a meter above what is authorised, and where a meter does not count exactly what was answered.
 */
import { parseArgs } from 'node:util';
import { raceMeter } from '../tests/support/meter-race.ts';
import { skipsRedis, startRedis } from '../tests/support/redis.ts';

const { values } = parseArgs({ options: { calls: { type: 'string', default: '100000' } } });
const calls = Number(values.calls);
if (!Number.isInteger(calls) || calls < 1) throw new Error('--calls must be a whole number from 1');
if (!skipsRedis()) {
  const from = performance.now();
  const redis = await startRedis(['--appendfsync', 'everysec']);
  const race = await raceMeter(calls, { STORE_URL: `redis://127.0.0.1:${redis.port}` });
  await redis.stop();
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  console.log(`${race.calls} calls in ${seconds} s: ${JSON.stringify(race)}`);
}
