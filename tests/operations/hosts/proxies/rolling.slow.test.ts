import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ProxyName, roll } from '../../../../scripts/soak/rolling.ts';
import { skipsRedis } from '../../../support/redis.ts';
import { skipsWithout } from '../../../support/tools.ts';

const rolling = suite('a rolling restart behind a proxy');

const names = (['nginx', 'haproxy'] satisfies ProxyName[]).filter((name) => !skipsWithout(name));
const rolled = skipsRedis() ? [] : names.map((name) => [name, roll(name, 1)] as const);

for (const [name, result] of rolled) {
  rolling(`loses nothing behind ${name}, and no caller sees a fault`, async () => {
    const { gets, posts, waits, restarts, failed, lost } = await result;
    assert.is(restarts, 2);
    assert.ok(gets > 300 && posts > 300, `${gets} reads, ${posts} creates`);
    assert.ok(waits > 20, `${waits} waits`);
    assert.equal(failed, []);
    assert.is(lost, 0);
  });
}

rolling.run();
