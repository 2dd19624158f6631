import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { createStore, keys } from 'idb-keyval';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openIndexedDbStore } from '../src/stores/indexeddb.ts';
import { readWhole, toAddition, toHash } from './support/additions.ts';
import { testStore } from './support/store-contract.ts';

const shared = `careers-${randomUUID()}`;
testStore('the IndexedDB store', () => openIndexedDbStore(shared), { shared: true });

const own = suite('the IndexedDB store by itself');

own('forgets what expired when it is swept, keys too, and nothing else', async () => {
  const name = `careers-${randomUUID()}`;
  const store = openIndexedDbStore(name);
  const now = Date.now();
  const key = { name: toHash(), fingerprint: toHash(), reply: '{}' };
  const gone = toAddition({ now, expiresAt: now + 1000, key });
  const kept = toAddition({ now, expiresAt: now + 1001 });
  await store.add(gone);
  await store.add(kept);
  await store.sweep(now + 1000);
  assert.equal(await keys(createStore(name, 'workspaces')), [`workspace:${kept.workspace}`]);
});

own('refuses while the database cannot be opened', async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new DOMException('no', 'InvalidStateError');
  };
  const store = openIndexedDbStore(`careers-${randomUUID()}`);
  for (const use of [
    () => store.check(),
    () => readWhole(store, toHash(), 0),
    () => store.add(toAddition()),
  ]) {
    try {
      await use();
      assert.unreachable();
    } catch (error) {
      assert.is((error as { status?: number }).status, 503);
    }
  }
  indexedDB.open = open;
  await store.check();
});

own.run();
