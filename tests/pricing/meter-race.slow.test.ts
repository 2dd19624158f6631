import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { raceMeter } from '../support/meter-race.ts';
import { skipsRedis, startRedis } from '../support/redis.ts';

const test = suite('the meter under a race');

test('never passes its ceiling over two instances, and counts exactly what was answered', async () => {
  if (skipsRedis()) return;
  const redis = await startRedis();
  try {
    const race = await raceMeter(3000, { STORE_URL: `redis://127.0.0.1:${redis.port}` });
    console.log(`\nfigure: ${JSON.stringify(race)}`);
    assert.ok(race.refused > 100 && race.readings > 5, JSON.stringify(race));
  } finally {
    await redis.stop();
  }
});

test.run();
