import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RedisStore } from '../../../src/stores/redis.ts';
import type { Store } from '../../../src/workspace/store.ts';
import { openRedis, toCreate, toFault, toHash, toName, toWord } from '../../support/changes.ts';
import { askRedis, type RedisProcess, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { readNodes, startClusterSet } from '../../support/redis-sets.ts';

const isFailing = async (store: Pick<Store, 'check'>, said: RegExp) =>
  said.test(String(await toFault(store.check())));
const toUrl = ({ port }: RedisProcess) => `redis://127.0.0.1:${port}`;

if (!skipsRedis()) {
  const master = await startRedis();
  const replica = await startRedis(['--replicaof', '127.0.0.1', `${master.port}`]);
  const store = await openRedis(toUrl(master), 1);
  const replicas = suite('writes that wait for a replica');
  const away = 'too_few_replicas';

  replicas('repeats a reply of a key only if a replica has it', async () => {
    const made = toCreate({ key: { name: toName(), fingerprint: toName() }, reply: 'made' });
    assert.is(await toWord(store, made), 'done');
    const { hash } = made;
    const key = { name: toName(), fingerprint: toName() };
    const added = toCreate({ hash, mint: false, key, reply: 'added' });
    assert.is(await toWord(store, added), 'done');
    const again = [{ ...made, hash: toHash() }, added];
    const tell = async () => [await toWord(store, again[0]!), await toWord(store, again[1]!)];
    assert.equal(await tell(), ['replay', 'replay']);
    await replica.stop('SIGKILL');
    assert.equal(await tell(), [away, away]);
    await replica.start();
    await until(async () => (await tell()).every((told) => told === 'replay'), 'both are replayed', 20_000);
  });

  replicas('a workspace that is missing is unknown if a replica follows the master', async () => {
    assert.is(await store.open(toHash()), undefined);
  });

  replicas('answers many unknown workspaces with few writes', async () => {
    const count = 200;
    const countWrites = () =>
      Number(/cmdstat_set:calls=(\d+)/.exec(askRedis(master.port, 'INFO', 'commandstats'))![1]);
    const before = countWrites();
    const opened = await Promise.all(Array.from({ length: count }, () => store.open(toHash())));
    const writes = countWrites() - before;
    assert.is(opened.filter((head) => head === undefined).length, count);
    assert.ok(writes <= count / 10, `${count} workspaces took ${writes} writes`);
  });

  replicas('finds a workspace that comes with many unknown ones', async () => {
    const made = toCreate();
    assert.is(await toWord(store, made), 'done');
    const unknown = Array.from({ length: 50 }, () => toHash());
    const opened = await Promise.all([...unknown, made.hash, ...unknown].map((hash) => store.open(hash)));
    assert.equal(
      opened.flatMap((head) => head?.hash ?? []),
      [made.hash],
    );
  });

  replicas('a master without its replica says of no workspace that it is unknown', async () => {
    const alone = await startRedis();
    const asking = new RedisStore(toUrl(alone), 1);
    const open = () => toFault(asking.open(toHash()));
    await until(async () => (await open())?.word === away, 'the replica is missed');
    await asking.close();
  });

  replicas('asks in a cluster the server that would have a missing workspace', async () => {
    const set = await startClusterSet();
    const asking = await openRedis(set.url, 1);
    const nodes = readNodes(set.started[0]!.port);
    const [alone] = nodes.filter(({ isMaster }) => isMaster);
    const follower = nodes.find(({ master }) => master === alone!.id)!;
    await set.started.find(({ port }) => port === follower.port)!.stop('SIGKILL');
    const isAlone = (hash: string) => {
      const key = `careers:3:{${Buffer.from(hash.slice(0, 32), 'hex').toString('base64url')}}`;
      return !askRedis(alone!.port, 'TYPE', key).startsWith('MOVED');
    };
    const hashes = Array.from({ length: 50 }, () => toHash());

    const lonely = hashes.find(isAlone)!;
    const other = hashes.find((hash) => !isAlone(hash))!;

    assert.is((await toFault(asking.store.open(lonely)))?.word, away);
    assert.is(await asking.store.open(other), undefined);
    await asking.close();
    for (const one of set.started) await one.stop();
  });

  replicas('names the setting that asks for more replicas than there are', async () => {
    const asking = new RedisStore(toUrl(master), 3);
    await until(
      () => isFailing(asking, /^StoreFault: too_few_replicas: [^(]*STORE_REPLICAS/),
      'the setting is named',
    );
    await asking.close();
  });

  replicas('reports a replica as such, also one that accepts writes or was a master', async () => {
    askRedis(replica.port, 'CONFIG', 'SET', 'replica-read-only', 'no');
    const astray = new RedisStore(toUrl(replica), 1);
    await until(() => isFailing(astray, /^StoreFault: read_only: .*WAIT cannot/), 'WAIT is refused');
    await astray.close();
    replica.process.kill('SIGSTOP');
    const cut = isFailing(store, /^StoreFault: read_only: .*UNBLOCKED/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    askRedis(master.port, 'REPLICAOF', '127.0.0.1', `${replica.port}`);
    assert.ok(await cut);
    replica.process.kill('SIGCONT');
  });

  replicas.run();
}
