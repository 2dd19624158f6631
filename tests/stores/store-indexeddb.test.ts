import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { createStore, entries, keys, set } from 'idb-keyval';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openIndexedDbStore } from '../../src/stores/indexeddb.ts';
import { readWhole, toCreate, toFact, toHash, toWrite } from '../support/changes.ts';
import { testStore } from '../support/store-contract.ts';

const shared = `careers-${randomUUID()}`;
testStore('the IndexedDB store', () => openIndexedDbStore(shared), { shared: true });

const own = suite('the IndexedDB store by itself');

/** What stands in a database, by its keys. */
const read = (name: string) => entries<IDBValidKey, unknown>(createStore(name, 'workspaces'));

own('forgets what expired when it is swept, all that belongs to it too, and nothing else', async () => {
  const name = `careers-${randomUUID()}`;
  const store = openIndexedDbStore(name);
  const now = Date.now();
  const key = () => ({ name: toHash(), fingerprint: toHash() });
  const kept = toCreate({ now, expiresAt: now + 1001, fact: toFact({ ref: 'x' }) });
  const { workspace } = kept;
  await store.change(kept);
  const before = await read(name);
  await store.change(toCreate({ now, expiresAt: now + 1000, key: key(), reply: '{}' }));
  const late = { workspace, mint: false, now, expiresAt: now + 1000 };
  await store.change(toWrite({ reply: 'Zoë' }, { ...late, key: key() }));
  assert.ok((await read(name)).length > before.length);
  await store.sweep(now + 1000);
  const after = await read(name);
  assert.equal(
    after.map(([one]) => one),
    before.map(([one]) => one),
  );
  const [head, old] = [await store.open(workspace, now), JSON.stringify(kept.record.fact)];
  assert.equal([head?.bytes, head?.revision], [old.length, 2]);
  await store.sweep(now + 1001);
  assert.equal(await read(name), []);
});

own('leaves nothing of what was forgotten', async () => {
  const name = `careers-${randomUUID()}`;
  const store = openIndexedDbStore(name);
  const key = { name: toHash(), fingerprint: toHash() };
  const { workspace, ...first } = toCreate({ key, reply: '{}', fact: toFact({ ref: 'x' }) });
  await store.change({ ...first, workspace });
  await store.change(
    toWrite({ rename: toHash('next'), occupies: { cand_036: 1 } }, { workspace, mint: false }),
  );
  await store.change(toWrite({ forget: true }, { workspace: toHash('next'), mint: false }));
  assert.equal(await read(name), []);
});

own('brings a workspace of the version before over when it is first used', async () => {
  const name = `careers-${randomUUID()}`;
  const store = openIndexedDbStore(name);
  const objects = createStore(name, 'workspaces');
  const made = Date.now() - 5000;
  const expiresAt = made + 3_600_000;
  const placement = toFact({ id: 'plc_1', candidateId: 'cand_1', jobOrderId: 'job_036' });
  const records = [
    { kind: 'candidate', fact: toFact({ id: 'cand_1' }) },
    { kind: 'placement', fact: placement },
  ];
  const writeBefore = async () => {
    const hash = (made % 2 ** 35).toString(16).padStart(9, '0') + toHash().slice(9);
    await set(`workspace:${hash}`, { expiresAt, records }, objects);
    return hash;
  };
  const [one, other, gone] = [await writeBefore(), await writeBefore(), await writeBefore()];
  const { key, createdAt, revision, counts, ...whole } = (await readWhole(store, one))!;
  assert.equal([createdAt, whole.expiresAt, revision], [made, expiresAt, 2]);
  assert.equal(counts, { candidate: 1, placement: 1 });
  assert.equal(
    whole.records,
    records.map(({ kind, fact }, at) => ({ kind, seq: at + 1, fact: { ...fact, createdAt: made } })),
  );
  const held = (await store.find(key, ['cand_1', 'job_036', 'plc_1'])).map((found) => found.occupants);
  assert.equal(held, [1, 1, 0]);
  await store.change(toCreate({ workspace: other, mint: false }));
  assert.is((await readWhole(store, other))?.records.length, 3);
  assert.is(await store.open(gone, expiresAt), undefined);
  assert.is((await keys(objects)).filter((one) => typeof one === 'string').length, 1);
  await store.sweep(expiresAt + 3_600_000);
  assert.equal(await read(name), []);
});

own('refuses while the database cannot be opened', async () => {
  const { open } = indexedDB;
  indexedDB.open = () => {
    throw new DOMException('no', 'InvalidStateError');
  };
  const store = openIndexedDbStore(`careers-${randomUUID()}`);
  for (const use of [() => store.check(), () => readWhole(store, toHash()), () => store.change(toCreate())]) {
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
