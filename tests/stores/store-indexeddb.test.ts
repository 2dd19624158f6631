import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { createStore, entries } from 'idb-keyval';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openIndexedDbStore } from '../../src/stores/indexeddb.ts';
import { make, readWhole, toCreate, toFact, toHash, toWrite } from '../support/changes.ts';
import { testStore } from '../support/store-contract.ts';

const shared = `careers-${randomUUID()}`;
testStore('the IndexedDB store', () => openIndexedDbStore(shared), { shared: true });

const own = suite('the IndexedDB store by itself');

/** What is in a database, by its keys. */
const read = (name: string) => entries<IDBValidKey, unknown>(createStore(`${name}-1`, 'workspaces'));

own('forgets what expired when it is swept, all that belongs to it too, and nothing else', async () => {
  const name = `careers-${randomUUID()}`;
  const store = openIndexedDbStore(name);
  const now = Date.now();
  await store.change(toCreate({ now, expiresAt: now + 1001, fact: toFact({ ref: 'x' }) }));
  const before = await read(name);
  const key = { name: toHash(), fingerprint: toHash() };
  const points = { [toHash()]: { to: 'plc_1', expiresAt: now + 1000 } };
  const { workspace, ...made } = toWrite({ reply: '{}', points }, { now, expiresAt: now + 1000, key });
  await store.change({ ...made, workspace });
  const late = { workspace, mint: false, now, expiresAt: now + 1000 };
  await store.change(toWrite({ rename: toHash(), occupies: { cand_036: 1 } }, late));
  assert.ok((await read(name)).length > before.length);
  await store.sweep(now + 1000);
  assert.equal(await read(name), before);
  await store.sweep(now + 1001);
  assert.equal(await read(name), []);
});

own('leaves of what was forgotten a door to nowhere, until that expires', async () => {
  const name = `careers-${randomUUID()}`;
  const store = openIndexedDbStore(name);
  const key = { name: toHash(), fingerprint: toHash() };
  const { write } = await make(store, { key, reply: '{}', fact: toFact({ ref: 'x' }) });
  await write({ rename: toHash('next'), occupies: { cand_036: 1 } });
  await write({ forget: true }, toHash('next'));
  const left = (await read(name)).map(([one]) => (one as string[])[0]);
  assert.equal(left, ['door']);
  await store.sweep(Date.now() + 4_000_000);
  assert.equal(await read(name), []);
});

own('refuses while the database cannot be opened', async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new DOMException('no', 'InvalidStateError');
  };
  const store = openIndexedDbStore(`careers-${randomUUID()}`);
  for (const use of [() => store.check(), () => readWhole(store, toHash()), () => store.change(toCreate())]) {
    const error: unknown = await use().catch((reason) => reason);
    assert.is((error as { status?: number } | undefined)?.status, 503);
  }
  indexedDB.open = open;
  await store.check();
});

own.run();
