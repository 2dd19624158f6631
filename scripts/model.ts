/**
 * Holds the service to a plain model of it, over random sequences of calls:
 * `node scripts/model.ts [--sequences 10000] [--seed N] [--store sqlite|redis|indexeddb]`. SQLite in memory takes
 * as many as are said, Redis and IndexedDB a tenth and a fiftieth, unless one store is named. Ends at the first
 * reply that differs, with the seed that shows it again.
 */
import { parseArgs } from 'node:util';
import { runModel } from '../tests/support/model/run.ts';
import { openEmpty, type StoreName } from '../tests/support/model/stores.ts';
import { redisBinary } from '../tests/support/redis.ts';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    store: { type: 'string' },
  },
});
const [sequences, first] = [Number(values.sequences), Number(values.seed)];
if (!Number.isInteger(sequences) || sequences < 1)
  throw new Error('--sequences must be a whole number from 1');
if (!Number.isInteger(first)) throw new Error('--seed must be a whole number');
const chunk = 1000;
const shares: Record<StoreName, number> = { sqlite: 1, redis: 10, indexeddb: 50 };
const names = Object.keys(shares) as StoreName[];
if (values.store !== undefined && !names.includes(values.store as StoreName)) {
  throw new Error(`--store must be one of ${names.join(', ')}`);
}

async function run(name: StoreName, count: number): Promise<void> {
  const sum: Record<string, number> = {};
  const from = performance.now();
  for (let done = 0; done < count; done += chunk) {
    const seed = first + done / chunk;
    const { store, end } = await openEmpty[name]();
    const tally = await runModel(store, Math.min(chunk, count - done), seed);
    await end();
    for (const [what, times] of Object.entries(tally)) sum[what] = (sum[what] ?? 0) + times;
    console.log(`  ${name} seed ${seed}: ${Math.min(done + chunk, count)} sequences`);
  }
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  console.log(`${name}: ${count} sequences in ${seconds} s, 0 differ: ${JSON.stringify(sum)}`);
}

try {
  for (const name of names.filter((one) => one === (values.store ?? one))) {
    const count = values.store ? sequences : Math.ceil(sequences / shares[name]);
    if (name === 'redis' && !redisBinary) console.log('skipped: no redis-server on this machine');
    else await run(name, count);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
process.exit();
