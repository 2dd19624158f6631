import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tortureChanges } from '../../../scripts/soak/torture-changes.ts';
import { redisBinary, startRedis } from '../../support/redis.ts';

const test = suite('kills during changes, batches and deletes');
const clean = { lost: 0, extra: 0, unfaithful: 0, senseless: 0, refused: 0 };

async function holdOut(env: Record<string, string>): Promise<void> {
  const { acknowledged, repeated: _, ...toll } = await tortureChanges(env, 3);
  assert.ok(acknowledged > 0, 'no change was acknowledged');
  assert.equal(toll, clean);
}

test('SQLite has every acknowledged change, and the others whole or not at all', () => holdOut({}));

test('Redis has every acknowledged change, and the others whole or not at all', async () => {
  if (!redisBinary) {
    console.log('\nskipped: no redis-server on this machine');
    assert.not(process.env.CI, 'CI needs a Redis server');
    return;
  }
  const redis = await startRedis();
  try {
    await holdOut({ STORE_URL: `redis://127.0.0.1:${redis.port}` });
  } finally {
    await redis.stop();
  }
});

test.run();
