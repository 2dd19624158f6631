import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Rate, toExactRate, toSharedRate } from '../../../src/hosts/node/shared-rate.ts';
import { createRateLimit, type RateState } from '../../../src/kernel/rate-limit.ts';
import type { Count } from '../../../src/records/store.ts';
import { openRedisStore } from '../../../src/stores/redis.ts';
import { isUp } from '../../support/failover.ts';
import { connect } from '../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { startServer } from '../../support/server.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const windowSeconds = 2;
let last = 0;
/** A caller that nobody was before. */
const toCaller = () => `203.0.113.${++last}`;

const toLimit = (quota: number) => createRateLimit({ name: 'live', quota, windowSeconds });
const toRates = (instances: number, count: Count, quota: number) =>
  Array.from({ length: instances }, () => toSharedRate(toLimit(quota), count));
const toExact = (instances: number, count: Count, quota: number) =>
  Array.from({ length: instances }, () => toExactRate(toLimit(quota), count));
const toWord = ({ cause }: { cause?: { word?: string } }) => cause?.word;

/** Asks all instances in turn, a few at once, until the window that opens now is nearly over. */
async function flood(rates: readonly Pick<Rate, 'take'>[], caller: string, ms: number): Promise<RateState[]> {
  const states: RateState[] = [];
  const end = performance.now() + ms;
  while (performance.now() < end) {
    states.push(...(await Promise.all(rates.flatMap((rate) => [rate.take(caller), rate.take(caller)]))));
    await pause(1);
  }
  return states;
}

if (!skipsRedis()) {
  const redis = await startRedis(['--appendfsync', 'no']);
  const store = openRedisStore(`redis://127.0.0.1:${redis.port}`);
  await until(() => isUp(store), 'it answers');
  const count = store.count!;
  const rate = suite('one quota for all instances');

  for (const instances of [1, 2, 8]) {
    rate(`live requests over ${instances} are within a tenth of the quota`, async () => {
      const quota = 400;
      let asked = 0;
      const counted: Count = (...args) => {
        asked += 1;
        return count(...args);
      };
      const states = await flood(toRates(instances, counted, quota), toCaller(), 1500);
      const allowed = states.filter((state) => state.allowed).length;
      assert.ok(states.length > 1.3 * quota, `${states.length} asked`);
      assert.ok(Math.abs(allowed - quota) <= 0.1 * quota, `${allowed} allowed`);
      assert.ok(asked < states.length / 3, `${asked} round trips for ${states.length}`);
      const refused = states.filter((state) => !state.allowed);
      assert.ok(refused.every(({ remaining, seconds }) => remaining === 0 && seconds <= 2 * windowSeconds));
    });
  }

  rate(
    'live requests that come in crowds while the store is slow are within a tenth of the quota',
    async () => {
      const quota = 400;
      const slow: Count = async (...args) => {
        await pause(60 + 80 * Math.random());
        return count(...args);
      };
      const rates = toRates(8, slow, quota);
      const caller = toCaller();
      await Promise.all(rates.map((one) => one.take(caller)));
      let allowed = rates.length;
      for (let times = 0; times < 8; times += 1) {
        const crowd = rates.flatMap((one) => Array.from({ length: 100 }, async () => one.take(caller)));
        const states = await Promise.all(crowd);
        allowed += states.filter((state) => state.allowed).length;
      }
      assert.ok(Math.abs(allowed - quota) <= 0.1 * quota, `${allowed} allowed`);
    },
  );

  rate('what is minted is shared exactly, and given back to all', async () => {
    const rates = toExact(8, count, 50);
    const caller = toCaller();
    const take = () =>
      Promise.all(rates.flatMap((one) => Array.from({ length: 10 }, () => one.take(caller))));
    const states = await take();
    const allowed = states.filter((state) => state.allowed);
    assert.equal(
      allowed.map(({ remaining }) => remaining).sort((a, b) => b - a),
      Array.from({ length: 50 }, (_, index) => 49 - index),
    );
    for (const one of rates.slice(0, 3)) one.giveBack(caller);
    await pause(50);
    assert.is((await take()).filter((state) => state.allowed).length, 3);
  });

  rate('tells what others used, and lets go with the window', async () => {
    const [one, other] = toRates(2, count, 400);
    const caller = toCaller();
    for (let times = 0; times < 100; times += 1) await one!.take(caller);
    await pause(20);
    const { remaining } = await other!.take(caller);
    assert.ok(Math.abs(remaining - 299) <= 4, `${remaining} remaining`);
    await flood([one!, other!], caller, 700);
    assert.not((await other!.take(caller)).allowed);
    await pause(2 * windowSeconds * 1000);
    assert.ok((await one!.take(caller)).allowed);
    assert.ok((await other!.take(caller)).remaining > 390);
  });

  rate('goes on by itself while the store is away, at the share of one', async () => {
    let isAway = false;
    const failing: Count = (...args) => (isAway ? Promise.reject(new Error('away')) : count(...args));
    const rates = toRates(2, failing, 200);
    const caller = toCaller();
    for (let times = 0; times < 20; times += 1) await rates[times % 2]!.take(caller);
    isAway = true;
    const states = await flood(rates, caller, 1000);
    const allowed = states.filter((state) => state.allowed).length;
    assert.ok(allowed >= 180 && allowed <= 400, `${allowed} allowed`);
    const hanging: Count = () => new Promise(() => {});
    const [slow] = toRates(1, hanging, 200);
    const from = performance.now();
    assert.ok((await slow!.take(toCaller())).allowed);
    assert.ok(performance.now() - from < 500);
  });

  rate('what is minted is shared exactly while the store hangs, and not allowed where it fails', async () => {
    const rates = toExact(3, count, 50);
    const caller = toCaller();
    redis.process.kill('SIGSTOP');
    setTimeout(() => redis.process.kill('SIGCONT'), 300);
    const take = () =>
      Promise.all(rates.flatMap((one) => Array.from({ length: 40 }, () => one.take(caller))));
    const states = await take();
    assert.is(states.filter(({ allowed }) => allowed).length, 50);
    assert.not((await take()).some(({ allowed }) => allowed));
    askRedis(redis.port, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
    const words = await Promise.all(
      rates.map(async (one) => one.take(toCaller())).map((one) => one.catch(toWord)),
    );
    askRedis(redis.port, 'CONFIG', 'SET', 'min-replicas-to-write', '0');
    assert.equal(words, Array(3).fill('too_few_replicas'));
    assert.is(store.faults!().too_few_replicas, 3);
  });

  rate('keeps no address in the store', async () => {
    const caller = '198.51.100.77';
    await toRates(1, count, 400)[0]!.take(caller);
    const keys = askRedis(redis.port, 'KEYS', '*');
    assert.match(keys, /careers:1:rate:/);
    assert.not.match(keys, /198\.51|live/);
  });

  rate('holds over two hosts', async () => {
    const env = {
      STORE_URL: `redis://127.0.0.1:${redis.port}`,
      STORE_DURABILITY: 'none',
      TRUST_PROXY: '1',
      RATE_LIMIT_LIVE: '100',
      RATE_LIMIT_MINT: '5',
    };
    const hosts = await Promise.all([startServer(env), startServer(env)]);
    const clients = await Promise.all(hosts.map(({ origin }) => connect(origin)));
    const candidate = { name: 'A', onetCode: '15-1252.00' };
    const caller = { 'X-Forwarded-For': toCaller() };
    await until(async () => (await clients[1]!.get('/readyz')).status === 200, 'the second is ready');
    await until(async () => (await clients[0]!.get('/readyz')).status === 200, 'the first is ready');
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, index) => clients[index % 2]!.post('/candidates', candidate, caller)),
    );
    assert.is(made.filter(({ status }) => status === 201).length, 5);
    const mints = made.map(({ headers }) => /"mint";r=(\d+)/.exec(headers.get('ratelimit')!)?.[1]);
    assert.equal([...mints].sort(), [...Array(11).fill('0'), '0', '1', '2', '3', '4']);
    const bad = await clients[0]!.post('/candidates', {}, { 'X-Forwarded-For': toCaller() });
    assert.is(bad.status, 400);
    const statuses: number[] = [];
    for (let times = 0; times < 120; times += 1)
      statuses.push((await clients[times % 2]!.get('/candidates?limit=1', caller)).status);
    const allowed = statuses.filter((status) => status === 200).length;
    assert.ok(Math.abs(allowed - 84) <= 10, `${allowed} allowed after 16 others`);
    await Promise.all(hosts.map((host) => host.stop()));
  });

  rate.after(async () => {
    await store.close();
    await redis.stop();
  });
  rate.run();
}
