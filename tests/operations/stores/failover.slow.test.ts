import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cases, quickCases } from '../../../scripts/soak/failover.ts';
import { skipsRedis } from '../../support/redis.ts';

if (!skipsRedis()) {
  const failover = suite('servers of Redis that go under creates');
  for (const name of quickCases) {
    failover(name, async () => {
      const told = await cases[name]!();
      assert.is(told.lost, 0, JSON.stringify(told));
      assert.is(told.doubled, 0, JSON.stringify(told));
    });
  }
  failover.run();
}
