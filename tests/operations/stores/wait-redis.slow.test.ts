import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import { connect } from '../../support/http.ts';
import { readMetrics } from '../../support/metrics.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { toBody } from '../../support/sandbox.ts';
import { startServer } from '../../support/server.ts';

const wait = suite('waits with several instances');

if (!skipsRedis()) {
  const redis = await startRedis();
  const env = { STORE_URL: `redis://127.0.0.1:${redis.port}`, METRICS: 'on', LOG: 'off' };
  const servers = await Promise.all([startServer(env), startServer(env)]);
  const [one, two] = await Promise.all(servers.map(({ origin }) => connect(origin)));
  const countListeners = () =>
    Number(askRedis(redis.port, 'PUBSUB', 'NUMSUB', 'careers:3:changed').trim().split('\n').at(-1));
  await until(() => countListeners() === 2, 'each instance has one subscribed connection', 20_000);

  const waiting = (count: number) =>
    until(
      async () => (await readMetrics(servers[0]!)).get('careers_waiting_calls') === count,
      `${count} wait`,
    );

  /** Makes a placement, and starts a read of it that waits at the first instance. */
  async function begin() {
    const made = await one!.post('/placements', toBody.placement());
    const mine = inside(made.body.workspace);
    const path = `/placements/${made.body.placement.id}`;
    const tag = (await one!.get(path, mine)).headers.get('ETag')!;
    const answer = one!.get(path, { ...mine, Prefer: 'wait=25', 'If-None-Match': tag });
    await waiting(1);
    // The waiting read is answered before this one, over the same connection to the store.
    await one!.get(path, mine);
    return { mine, path, tag, answer, change: (note: string) => two!.patch(path, { note }, mine) };
  }

  wait('a change or a deletion at another instance ends a wait early', async () => {
    const { answer, change, mine, path } = await begin();
    await until(() => countListeners() === 2, 'both are subscribed');
    assert.is((await change('from the other')).status, 200);
    const since = performance.now();
    const { status, headers, body } = await answer;
    const ms = performance.now() - since;
    assert.is(status, 200);
    assert.is(body.placement.note, 'from the other');
    assert.ok(ms < 10_000, `${ms}`);
    const next = { ...mine, Prefer: 'wait=25', 'If-None-Match': headers.get('ETag')! };
    const last = one!.get(path, next);
    await waiting(1);
    assert.is((await two!.delete('/workspace', mine)).status, 200);
    assert.is((await last).status, 401);
  });

  wait('after the store was killed and is back, all waits read again and see changes as before', async () => {
    const { answer, change } = await begin();
    await redis.stop('SIGKILL');
    await redis.start();
    await until(async () => (await change('after it')).status === 200, 'it is written', 30_000);
    const told = await answer;
    assert.is(told.status, 200);
    assert.is(told.body.code ?? told.body.placement.note, 'after it');
    await until(() => countListeners() === 2, 'both subscribe again', 20_000);
    const again = await begin();
    assert.is((await again.change('once more')).status, 200);
    assert.is((await again.answer).body.placement.note, 'once more');
  });

  wait('an instance that stops ends its waits, and the caller continues at the other', async () => {
    const { answer, change, mine, path, tag } = await begin();
    const stopped = servers[0]!.stop();
    assert.is((await answer).status, 304);
    assert.is(await stopped, 0);
    const next = two!.get(path, { ...mine, Prefer: 'wait=25', 'If-None-Match': tag });
    await change('at the other');
    assert.is((await next).body.placement.note, 'at the other');
  });

  wait.after(async () => {
    await servers[1]!.stop();
    await redis.stop();
  });
}

wait.run();
