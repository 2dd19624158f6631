import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmpty, runModel, type StoreName } from '../support/model/run.ts';
import { redisBinary } from '../support/redis.ts';

const test = suite('random sequences of calls');

/** What has to have come up, or nothing was tried. */
const wanted = [
  'create 201',
  'create 409',
  'create 422',
  'batch 201',
  'batch 400',
  'update 200',
  'update 400',
  'update 409',
  'update 412',
  'remove 200',
  'erase 200',
  'share 201',
  'share 409',
  'decide 200',
  'replayed',
];

/** One seed, so that the same tree is judged alike each time; `npm run soak -- model` draws others. */
const seed = 20_261_122;

async function hold(name: StoreName, sequences: number): Promise<void> {
  console.log(`\nfigure: ${name}: ${sequences} sequences under seed ${seed}`);
  const { store, end } = await openEmpty[name]();
  try {
    const tally = await runModel(store, sequences, seed);
    for (const what of wanted) assert.ok(tally[what], `none came to ${what}`);
  } finally {
    await end();
  }
}

test('SQLite is as the model has it', () => hold('sqlite', 200));

test('Redis is as the model has it', async () => {
  if (redisBinary) return hold('redis', 200);
  console.log('\nskipped: no redis-server on this machine');
  assert.not(process.env.CI, 'under CI there must be one');
});

test('IndexedDB is as the model has it', () => hold('indexeddb', 100));

test.run();
