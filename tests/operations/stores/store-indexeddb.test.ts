import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { createStore, entries } from 'idb-keyval';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { make, TestedStore, toCreate, toHash, toName, toRecord, toWrite } from '../../support/changes.ts';
import { testStore } from '../../support/store-contract.ts';

const shared = `careers-${randomUUID()}`;
testStore('the IndexedDB store', () => new IndexedDbStore(shared), { shared: true });

const own = suite('the IndexedDB store by itself');

/** What is in a database, by its keys. */
const read = (name: string) => entries<IDBValidKey, unknown>(createStore(`${name}-2`, 'workspaces'));

own('a sweep removes what expired with everything that belongs to it, and nothing else', async () => {
  const name = `careers-${randomUUID()}`;
  const store = new IndexedDbStore(name);
  const tested = new TestedStore(store);
  const now = Date.now();
  await tested.change(toCreate({ now, expiresAt: now + 1001, record: toRecord({ ref: 'x' }) }));
  const before = await read(name);
  const key = { name: toName(), fingerprint: toName() };
  const addedTokens = { [toHash()]: { to: 'plc_1', expiresAt: now + 1000 } };
  const made = toWrite({ keptReply: '{}', addedTokens }, { now, expiresAt: now + 1000, key });
  await tested.change(made);
  const late = { hash: made.hash, mint: false, now, expiresAt: now + 1000 };
  await tested.change(toWrite({ rename: toHash() }, late));
  assert.ok((await read(name)).length > before.length);
  await store.sweep(now + 1000);
  assert.equal(await read(name), before);
  await store.sweep(now + 1001);
  assert.equal(await read(name), []);
});

own('leaves nothing of a deleted workspace under any hash that it had', async () => {
  const name = `careers-${randomUUID()}`;
  const tested = new TestedStore(new IndexedDbStore(name));
  const key = { name: toName(), fingerprint: toName() };
  const { write } = await make(tested, { key, reply: '{}', record: toRecord({ ref: 'x' }) });
  const rename = toHash();
  await write({ rename });
  await write({ deletesWorkspace: true }, undefined, rename);
  assert.equal(await read(name), []);
});

own('keeps the token of a link into a deleted workspace until it expires', async () => {
  const name = `careers-${randomUUID()}`;
  const store = new IndexedDbStore(name);
  const tested = new TestedStore(store);
  const { write, expiresAt } = await make(tested);
  const token = toHash();
  await write({ addedTokens: { [token]: { to: 'plc_1', expiresAt } } });
  await write({ deletesWorkspace: true });
  assert.equal(
    (await read(name)).map(([key]) => key),
    [['token', token]],
  );
  await store.sweep(expiresAt);
  assert.equal(await read(name), []);
});

own('refuses while the database cannot be opened', async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new DOMException('no', 'InvalidStateError');
  };
  const store = new IndexedDbStore(`careers-${randomUUID()}`);
  const tested = new TestedStore(store);
  const uses = [() => store.check(), () => store.open(toHash()), () => tested.change(toCreate())];
  for (const use of uses) {
    const error: unknown = await use().catch((reason) => reason);
    assert.is((error as { status?: number } | undefined)?.status, 503);
  }
  indexedDB.open = open;
  await store.check();
});

own.run();
