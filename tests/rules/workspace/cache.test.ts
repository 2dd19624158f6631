import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import {
  done,
  make,
  TestedStore,
  toCreate,
  toHash,
  toName,
  toRecord,
  toWrite,
} from '../../support/changes.ts';
import { watchLoads } from '../../support/watched-loads.ts';

const cache = suite('the cache of workspaces');

/** A note that makes a workspace as large as the cache of `openSmall`. */
const note = 'x'.repeat(10_000);

/** Opens a store in memory whose cache has room for one workspace with a `note`. */
const openSmall = () => new TestedStore(new SqliteStore(':memory:'), 40_000);
const makeLarge = (tested: TestedStore) => make(tested, { record: toRecord({ note }) });

cache('answers from memory while a workspace is in the cache', async () => {
  const tested = openSmall();
  const loads = watchLoads(tested.store);
  const { hash } = await makeLarge(tested);
  await tested.open(hash);
  assert.equal(loads.started, []);
});

cache('loads a workspace again that left the cache', async () => {
  const tested = openSmall();
  const loads = watchLoads(tested.store);
  const { hash, record } = await makeLarge(tested);
  const { key } = (await tested.open(hash))!;
  await makeLarge(tested);

  const workspace = (await tested.workspaces.open(hash))!;

  assert.equal(loads.started, [key]);
  assert.equal(workspace.find('candidate', record.id)?.record, record);
});

cache('drops the workspace that was used least recently', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'), 80_000);
  const [one, two] = [await makeLarge(tested), await makeLarge(tested)];
  await tested.open(one.hash);
  const loads = watchLoads(tested.store);

  await makeLarge(tested);

  await tested.open(one.hash);
  assert.equal(loads.started, [], 'the first is still there');
  await tested.open(two.hash);
  assert.is(loads.started.length, 1, 'the second left the cache');
});

cache('keeps a workspace that is larger than the cache, until another is used', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'), 1);
  const loads = watchLoads(tested.store);
  const { hash } = await makeLarge(tested);
  await tested.open(hash);
  assert.equal(loads.started, []);
});

cache('makes a change of a workspace that leaves the cache while the change waits', async () => {
  const tested = openSmall();
  const { hash, record } = await makeLarge(tested);
  const loads = watchLoads(tested.store);
  const write = tested.store.write.bind(tested.store);
  tested.store.write = async (commit) => {
    tested.store.write = write;
    await makeLarge(tested);
    return write(commit);
  };
  const change = toCreate({ hash, mint: false });

  assert.equal(await tested.change(change), done);

  assert.equal(loads.started, [], 'it was decided already');
  assert.equal(await tested.listIds(hash), [record.id, change.record.id]);
  assert.ok((await tested.workspaces.open(hash))!.find('candidate', change.record.id));
});

cache('decides a change on what another change wrote after the workspace left the cache', async () => {
  const tested = openSmall();
  const { hash } = await make(tested, { record: toRecord({ id: 'cand_a', note, count: 0 }) });
  const increment = () =>
    toWrite({}, { hash, mint: false }, (draft) => {
      const before = draft.findOwn('candidate', 'cand_a')!;
      draft.put('candidate', { ...before.record, count: Number(before.record.count) + 1 }, before);
    });
  let other: Promise<unknown> | undefined;
  const write = tested.store.write.bind(tested.store);
  tested.store.write = async (commit) => {
    tested.store.write = write;
    await makeLarge(tested);
    other = tested.change(increment());
    return write(commit);
  };

  await tested.change(increment());
  await other;

  assert.is((await tested.readWhole(hash))!.records[0]?.record.count, 2);
});

cache('makes every one of many changes over more workspaces than fit in the cache', async () => {
  const tested = openSmall();
  const made = await Promise.all(Array.from({ length: 5 }, () => makeLarge(tested)));
  const changes = made.flatMap(({ hash }) =>
    Array.from({ length: 4 }, () => tested.change(toCreate({ hash, mint: false }))),
  );
  for (const changed of await Promise.all(changes)) assert.equal(changed, done);
  for (const { hash } of made) assert.is((await tested.listIds(hash))?.length, 5);
});

cache('opens a workspace by its new hash after it left the cache', async () => {
  const tested = openSmall();
  const { hash, write } = await makeLarge(tested);
  const rename = toHash();
  await write({ rename });
  await makeLarge(tested);
  assert.is((await tested.open(rename))?.hash, rename);
  assert.is(await tested.open(hash), undefined);
});

cache('removes replies that have expired also after the workspace was loaded again', async () => {
  const tested = openSmall();
  const now = Date.now();
  const { hash } = await make(tested, { now });
  const { bytes } = (await tested.open(hash, now))!;
  // Their names sort in another order than their expiries.
  for (const [name, expiresAt] of [
    ['a'.repeat(32), now + 2000],
    ['b'.repeat(32), now + 1000],
  ] as const) {
    const key = { name, fingerprint: toName() };
    await tested.change(toWrite({ keptReply: 'kept' }, { hash, mint: false, now, expiresAt, key }));
  }
  tested.workspaces.forgetAll();

  await tested.change(toWrite({}, { hash, mint: false, now: now + 1000 }));

  assert.is((await tested.open(hash, now))!.bytes, bytes + 'kept'.length);
});

cache.run();
