import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import { make, TestedStore, toCreate, toHash, toRecord, toWrite } from '../../support/changes.ts';
import { until } from '../../support/redis.ts';
import { watchLoads } from '../../support/watched-loads.ts';

const loading = suite('loading a workspace');

/** Opens two instances over one database. The first has nothing in memory. */
async function openTwo() {
  const name = `careers-${randomUUID()}`;
  const [first, other] = [
    new TestedStore(new IndexedDbStore(name)),
    new TestedStore(new IndexedDbStore(name)),
  ];
  const made = await make(other);
  const { key } = (await other.open(made.hash))!;
  return { ...made, first, other, key, loads: watchLoads(first.store) };
}

/** Makes a workspace of this many records that is not in memory. Returns its hash and its key. */
async function makeMany(tested: TestedStore, count: number) {
  const change = toWrite({}, { ceiling: { records: count, bytes: 1 } }, (draft) => {
    for (let at = 0; at < count; at += 1) draft.put('candidate', toRecord());
  });
  await tested.change(change);
  const { key } = (await tested.open(change.hash))!;
  tested.workspaces.forgetAll();
  return { hash: change.hash, key };
}

loading('is shared by all readers that open it meanwhile', async () => {
  const { first, hash, key, loads } = await openTwo();
  const opened = await Promise.all(Array.from({ length: 10 }, () => first.workspaces.open(hash)));
  assert.equal(loads.started, [key]);
  assert.is(new Set(opened).size, 1);
});

loading('leaves one workspace in memory if it changed while it was loaded', async () => {
  const { first, other, hash, key, loads } = await openTwo();
  const release = loads.hold(key);
  const early = first.workspaces.open(hash);
  await until(() => loads.started.length === 1, 'the first load has begun');
  const change = toCreate({ hash, mint: false });
  await other.change(change);
  const late = first.workspaces.open(hash);
  await until(() => loads.started.length === 2, 'the second load has begun');

  release();

  const loaded = [await early, await late];
  const workspace = (await first.workspaces.open(hash))!;
  for (const one of loaded) assert.ok(one?.find('candidate', change.record.id), 'it has the change');
  const others = loaded.filter((one) => one !== workspace);
  for (const one of others) assert.ok(one?.isForgotten, 'a change loads it again');
});

loading('is not repeated if this instance changed the workspace after its head was read', async () => {
  const { first, hash, loads } = await openTwo();
  await first.open(hash);
  const change = toCreate({ hash, mint: false });
  const open = first.store.open.bind(first.store);
  first.store.open = async (hash) => {
    first.store.open = open;
    const head = await open(hash);
    await first.change(change);
    return head;
  };

  const workspace = await first.workspaces.open(hash);

  assert.ok(workspace?.find('candidate', change.record.id), 'it has the change');
  assert.is(loads.started.length, 1);
});

loading('is repeated if another instance changed the workspace after the last change here', async () => {
  const { first, other, hash } = await openTwo();
  await first.change(toCreate({ hash, mint: false }));
  const change = toCreate({ hash, mint: false });
  await other.change(change);

  const workspace = await first.workspaces.open(hash);

  assert.ok(workspace?.find('candidate', change.record.id), 'it has the change');
});

loading('ends even if another instance changes the workspace during every load', async () => {
  const { first, other, hash, loads } = await openTwo();
  const { load } = first.store;
  first.store.load = async function* (head) {
    yield* load.call(first.store, head);
    await other.change(toCreate({ hash, mint: false }));
  };

  const workspace = await first.workspaces.open(hash);

  assert.is(loads.started.length, 3);
  assert.ok(workspace!.count('candidate') >= 3, 'it has what was read last');
});

loading('writes no change on a workspace that changed during every load', async () => {
  const { first, other, hash } = await openTwo();
  const { load } = first.store;
  let changes = 0;
  first.store.load = async function* (head) {
    yield* load.call(first.store, head);
    if (changes === 5) return;
    changes += 1;
    await other.change(toCreate({ hash, mint: false }));
  };

  await first.change(toCreate({ hash, mint: false }));

  assert.is((await other.listIds(hash))?.length, 1 + 5 + 1);
});

loading('makes a change whose workspace was replaced in memory by a later load', async () => {
  const { first, other, hash, record } = await openTwo();
  const opened = await first.workspaces.open(hash);
  const [byOther, byFirst] = [toCreate({ hash, mint: false }), toCreate({ hash, mint: false, opened })];
  await other.change(byOther);
  await first.open(hash);

  await first.change(byFirst);

  assert.equal(await other.listIds(hash), [record.id, byOther.record.id, byFirst.record.id]);
});

loading('does not open a workspace by a hash that was replaced meanwhile', async () => {
  const { first, hash, key, loads, write } = await openTwo();
  const release = loads.hold(key);
  const opened = first.workspaces.open(hash);
  await until(() => loads.started.length === 1, 'the load has begun');
  await write({ rename: toHash() });
  release();
  assert.is(await opened, undefined);
});

loading('opens nothing that was deleted meanwhile', async () => {
  const { first, hash, key, loads, write } = await openTwo();
  const release = loads.hold(key);
  const opened = first.workspaces.open(hash);
  await until(() => loads.started.length === 1, 'the load has begun');
  await write({ deletesWorkspace: true });
  release();
  assert.is(await opened, undefined);
});

// A busy machine takes the small load for long work, and that of one client is done one after the other.
loading('of a workspace does not wait for a larger one of another client', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const [large, small] = [await makeMany(tested, 1001), await makeMany(tested, 1000)];
  const loads = watchLoads(tested.store);
  const release = loads.hold(large.key);
  const opened = tested.workspaces.open(large.hash, 'large');
  await until(() => loads.started.length === 1, 'the large load has begun');
  assert.is((await tested.workspaces.open(small.hash, 'small'))?.count('candidate'), 1000);
  release();
  assert.is((await opened)?.count('candidate'), 1001);
});

loading('of a large workspace does not delay a change of another client', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const large = await makeMany(tested, 1001);
  const small = await make(tested);
  const loads = watchLoads(tested.store);
  const release = loads.hold(large.key);
  const opened = tested.workspaces.open(large.hash, 'large');
  await until(() => loads.started.length === 1, 'the large load has begun');
  assert.is((await small.write({ state: { changed: true } })).result, 'done');
  release();
  assert.ok(await opened);
});

loading('serves clients in turns, so that one with many loads does not delay others', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const busy: { hash: string }[] = [];
  for (let at = 0; at < 5; at += 1) busy.push(await makeMany(tested, 2000));
  const bystander = await makeMany(tested, 2000);
  const order: string[] = [];
  const open = (hash: string, client: string) =>
    tested.workspaces.open(hash, client).then(() => order.push(client));
  const opened = busy.map(({ hash }) => open(hash, 'busy'));
  opened.push(open(bystander.hash, 'bystander'));
  await Promise.all(opened);
  assert.ok(order.indexOf('bystander') < 5, 'it was loaded before the last of the busy client');
});

loading.run();
