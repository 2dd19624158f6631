import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import {
  done,
  make,
  TestedStore,
  toChange,
  toCreate,
  toHash,
  toName,
  toRecord,
  toWord,
  toWrite,
} from '../../support/changes.ts';
import { openFailing } from '../../support/failing-file.ts';
import { testStore } from '../../support/store-contract.ts';

testStore('a store in memory', () => new SqliteStore(':memory:'));

const changes = suite('changes of a workspace');

const taken = new Error('the ref is taken');

/** Returns a create that is refused if a record has its ref. */
const toUnique = (hash: string, ref: string) =>
  toChange(
    (draft) => {
      if (draft.findByRef('candidate', ref)) throw taken;
      draft.put('candidate', toRecord({ ref }));
      return null;
    },
    { hash, mint: false },
  );

changes('a record whose create failed was never in memory', async () => {
  const { tested, fail, close } = openFailing();
  const { hash, record } = await make(tested);
  // As a read has it that pauses.
  const held = (await tested.workspaces.open(hash))!;
  fail();
  assert.is(await toWord(tested, toCreate({ hash, mint: false })), 'other');
  assert.equal(
    held.list('candidate').map((entry) => entry.record.id),
    [record.id],
  );
  await close();
});

changes('what is refused for a change that failed is decided again', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash } = await make(tested);
  fail();
  const first = toWord(tested, toUnique(hash, 'ann'));
  const second = tested.change(toUnique(hash, 'ann'));
  assert.is(await first, 'other');
  work();
  assert.equal(await second, done);
  await close();
});

changes('a refusal for a change that waits is sent once that is durable', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const { hash } = await make(tested);
  const order: string[] = [];
  await Promise.all([
    tested.change(toUnique(hash, 'ann')).then(() => order.push('created')),
    tested.change(toUnique(hash, 'ann')).catch((error) => {
      assert.is(error, taken);
      order.push('refused');
    }),
  ]);
  assert.equal(order, ['created', 'refused']);
});

changes('a reply is repeated only once it is durable', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash } = await make(tested);
  const key = { name: toName(), fingerprint: toName() };
  const create = (reply: string) => tested.change(toCreate({ hash, mint: false, key, reply }));
  fail();
  const first = create('first').catch(() => 'failed');
  const second = create('second');
  assert.is(await first, 'failed');
  work();
  assert.equal(await second, done);
  assert.equal(await create('third'), { result: 'replay', reply: 'second' });
  await close();
});

changes('many creates of one workspace share few transactions', async () => {
  const store = new SqliteStore(':memory:');
  const tested = new TestedStore(store);
  const { hash } = await make(tested);
  const before = store.stats().commits!;
  await Promise.all(Array.from({ length: 800 }, () => tested.change(toCreate({ hash, mint: false }))));
  const commits = store.stats().commits! - before;
  assert.ok(commits < 60, `${commits} transactions`);
  assert.is((await tested.listIds(hash))?.length, 801);
});

changes('a change that others always overtake is refused after 50 tries', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const { hash } = await make(tested);
  let tries = 0;
  tested.store.write = async () => {
    tries += 1;
    return 'moved';
  };
  assert.is(await toWord(tested, toCreate({ hash, mint: false })).catch(() => 'refused'), 'refused');
  assert.is(tries, 50);
});

changes('a charge is reported once its change is durable, and not if that is refused', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash } = await make(tested);
  const reported: unknown[] = [];
  const charge = { period: '2026-11', calls: { create: 1 } };
  const write = (effects: Parameters<typeof toWrite>[0]) =>
    tested.change(toWrite(effects, { hash, mint: false, onCharge: (one) => reported.push(one) }));
  await write({ charge });
  assert.equal(reported, [charge]);
  await write({});
  const limit = { rates: { create: { price: 1, included: 0 } }, authorised: 0 };
  assert.equal(await write({ charge: { ...charge, limit } }), { result: 'over' });
  fail();
  await write({ charge }).catch(() => {});
  assert.is(reported.length, 1);
  work();
  await close();
});

changes('a change of a workspace that its caller has opened does not read its head again', async () => {
  const tested = new TestedStore(new IndexedDbStore(`careers-${randomUUID()}`));
  const { hash } = await make(tested);
  const opened = await tested.workspaces.open(hash);
  let reads = 0;
  const open = tested.store.open.bind(tested.store);
  tested.store.open = (hash) => {
    reads += 1;
    return open(hash);
  };
  assert.equal(await tested.change(toCreate({ hash, mint: false, opened })), done);
  assert.is(reads, 0);
  assert.equal(await tested.change(toCreate({ hash, mint: false })), done);
  assert.is(reads, 1);
  tested.workspaces.forgetAll();
  assert.equal(await tested.change(toCreate({ hash, mint: false, opened })), done);
  assert.is(reads, 2);
});

changes('a charge of a read beside many changes is counted', async () => {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const { hash } = await make(tested);
  const charge = { period: '2026-11', calls: { read: 1 } };
  const calls = Array.from({ length: 40 }, (_, at) =>
    at % 2 ? tested.charge(hash, charge) : tested.change(toWrite({ charge }, { hash, mint: false })),
  );
  await Promise.all(calls);
  assert.is((await tested.open(hash))!.used.calls.read, 40);
});

changes('a change beside a rename that waits does not find the workspace', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash, write } = await make(tested);
  fail();
  const renamed = write({ rename: toHash() }).catch(() => 'failed');
  const created = tested.change(toCreate({ hash, mint: false }));
  assert.is(await renamed, 'failed');
  work();
  assert.equal(await created, done, 'it was not renamed');
  await close();
});

changes.run();
