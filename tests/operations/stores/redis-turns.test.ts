import { createClient } from '@redis/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { done, make, openRedis, toCreate } from '../../support/changes.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';

const turns = suite('turns of instances on Redis');

if (!skipsRedis()) {
  const server = await startRedis();
  const url = `redis://127.0.0.1:${server.port}`;
  // A turn lasts half a second, so the test asks over a connection that is open: a process for each question is slower.
  const observer = await createClient({ url }).connect();
  const countScripts = async () =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await observer.info('commandstats'))?.[1] ?? 0);

  /** Opens two instances. `other` has an old version of a workspace in memory. */
  async function openStale() {
    const [first, other] = [await openRedis(url), await openRedis(url)];
    const { hash } = await make(first);
    const opened = await other.workspaces.open(hash);
    await first.change(toCreate({ hash, mint: false }));
    return { first, other, hash, opened, close: () => Promise.all([first.close(), other.close()]) };
  }

  turns('an instance that loads a changed workspace changes it before all others', async () => {
    const { first, other, hash, opened, close } = await openStale();
    const order: string[] = [];
    const { store } = other;
    const load = store.load.bind(store);
    let change = Promise.resolve();
    store.load = async function* (head) {
      const before = await countScripts();
      const created = first.change(toCreate({ hash, mint: false }));
      change = created.then(() => void order.push('first'));
      await until(async () => (await countScripts()) > before, 'the first instance tries to write');
      yield* load(head);
    };
    assert.equal(await other.change(toCreate({ hash, mint: false, opened })), done);
    order.push('other');
    await change;
    assert.equal(order, ['other', 'first']);
    await close();
  });

  turns('a turn ends with the change', async () => {
    const { other, hash, opened, close } = await openStale();
    await other.change(toCreate({ hash, mint: false, opened }));
    const { key } = (await other.open(hash))!;
    assert.is(askRedis(server.port, 'HEXISTS', key, 't').trim(), '0');
    await close();
  });

  turns.after(async () => {
    observer.destroy();
    await server.stop();
  });
}

turns.run();
