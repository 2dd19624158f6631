import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { redisBinary, startRedis } from '../support/redis.ts';
import { torture } from '../support/torture.ts';

const test = suite('killed under a stream of creates');
const clean = { lost: 0, doubled: 0, unfaithful: 0, refused: 0 };

async function holdOut(store: string, env: Record<string, string>): Promise<void> {
  const { acknowledged, repeated, ...toll } = await torture(env, 3);
  console.log(`\nfigure: ${store}: acknowledged ${acknowledged}, repeated ${repeated}, lost ${toll.lost}`);
  assert.ok(acknowledged > 0, 'no create was acknowledged');
  assert.equal(toll, clean);
}

test('SQLite loses nothing that was acknowledged, and doubles nothing under a key', () =>
  holdOut('SQLite', {}));

test('Redis loses nothing that was acknowledged, and doubles nothing under a key', async () => {
  if (!redisBinary) {
    console.log('\nskipped: no redis-server on this machine');
    assert.not(process.env.CI, 'under CI there must be one');
    return;
  }
  const redis = await startRedis();
  await holdOut('Redis', { STORE_URL: `redis://127.0.0.1:${redis.port}` });
  await redis.stop();
});

test.run();
