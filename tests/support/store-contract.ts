import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/records/store.ts';
import { idsOf, readWhole, toCreate, toFact, toHash, toWrite } from './changes.ts';
import { testCharges } from './store-charges.ts';
import { testDecisions } from './store-decisions.ts';
import { testKeys } from './store-keys.ts';
import { testPoints } from './store-points.ts';
import { testReads } from './store-reads.ts';
import { testSeries } from './store-series.ts';
import { testWhole } from './store-whole.ts';

const hour = 3_600_000;
const done = { result: 'done', answer: null };

/**
 * Holds a driver to what src/records/store.ts promises. `open` gives a store; several calls give stores over
 * the same data where `shared` is true, otherwise it is called once.
 */
export function testStore(name: string, open: () => Store | Promise<Store>, { shared = false } = {}): void {
  const test = suite<{ store: Store; other: Store }>(name);

  test.before(async (context) => {
    context.store = await open();
    context.other = shared ? await open() : context.store;
  });
  test.after(async ({ store, other }) => {
    await store.close();
    if (other !== store) await other.close();
  });

  test('reads its own writes at once, oldest first, counted from 1', async ({ store }) => {
    const first = toCreate();
    const { workspace, now } = first;
    assert.equal(await store.change(first), done);
    const second = toCreate({ workspace, mint: false, expiresAt: now + 2 * hour });
    assert.equal(await store.change(second), done);
    const found = (await readWhole(store, workspace))!;
    assert.equal(found.records, [
      { ...first.record, seq: 1 },
      { ...second.record, seq: 2 },
    ]);
    assert.equal([found.createdAt, found.expiresAt, found.revision], [now, now + 2 * hour, 2]);
    assert.equal([found.counts, found.state], [{ candidate: 2 }, {}]);
  });

  test('keeps every character of a fact, of a reply and of what else is kept', async ({ store }) => {
    const text = 'Zoë "\\\u0000\u2028 🧑‍💻 \ud800';
    const fact = toFact({ id: 'cand_x', name: text, ref: `#${text}`, skills: ['', '{}', text], empty: {} });
    const reply = JSON.stringify(text);
    const key = { name: toHash(), fingerprint: toHash() };
    const writing = { puts: [{ kind: 'candidate', fact }], state: { [text]: [text] }, reply };
    const change = toWrite(writing, { key });
    await store.change(change);
    const whole = (await readWhole(store, change.workspace))!;
    assert.equal([whole.records[0]?.fact, whole.state], [fact, { [text]: [text] }]);
    const [found] = await store.find(whole.key, [`candidate##${text}`]);
    assert.equal(found?.record?.fact, fact);
    assert.equal(await store.change(change), { result: 'replay', reply });
  });

  test('keeps the expiry to the millisecond, and never shortens it', async ({ store }) => {
    const now = Date.now();
    const workspace = toHash();
    await store.change(toCreate({ workspace, now, expiresAt: now + hour }));
    await store.change(toCreate({ workspace, mint: false, now, expiresAt: now + 500 }));
    assert.is((await idsOf(store, workspace, now + hour - 1))?.length, 2);
    assert.is(await idsOf(store, workspace, now + hour), undefined);
    const late = toCreate({ workspace, mint: false, now: now + hour, expiresAt: now + 2 * hour });
    assert.equal(await store.change(late), { result: 'unknown' });
  });

  test('stops at the ceiling and loses nothing there', async ({ store }) => {
    const ceiling = { records: 3, bytes: 4_096_000 };
    const { workspace, ...first } = toCreate({ ceiling });
    await store.change({ ...first, workspace });
    const rest = Array.from({ length: 9 }, () => store.change(toCreate({ workspace, mint: false, ceiling })));
    const results = (await Promise.all(rest)).map(({ result }) => result);
    assert.equal(results.sort(), [...Array(2).fill('done'), ...Array(7).fill('full')]);
    assert.is((await idsOf(store, workspace))?.length, 3);
    const many = { puts: [1, 2].map(() => ({ kind: 'candidate', fact: toFact() })) };
    assert.equal(await store.change(toWrite(many, { ceiling: { records: 1, bytes: 1 } })), {
      result: 'full',
    });
    assert.equal(await store.change(toWrite(many, { ceiling: { records: 2, bytes: 1 } })), done);
  });

  test('above a ceiling that was lowered, takes what does not add to it', async ({ store }) => {
    const { record, workspace, ...first } = toCreate();
    await store.change({ ...first, workspace });
    await store.change(toCreate({ workspace, mint: false }));
    const more = { workspace, mint: false, ceiling: { records: 1, bytes: 1 } };
    const was = { ...record, seq: 1 };
    const fact = { ...was.fact, name: 'Eve Sample' };
    const shorter = { ...was, fact };
    assert.equal(await store.change(toWrite({ puts: [{ kind: 'candidate', fact, was }] }, more)), done);
    const added = { kind: 'candidate', fact: toFact({ name: '' }) };
    assert.equal(await store.change(toWrite({ removes: [shorter], puts: [added] }, more)), done);
    assert.equal(await store.change(toWrite({ puts: [added] }, more)), { result: 'full' });
    const longer = { ...added.fact, name: 'Zoë' };
    const replaced = { kind: 'candidate', fact: longer, was: { ...added, seq: 3 } };
    assert.equal(await store.change(toWrite({ puts: [replaced] }, more)), { result: 'full' });
  });

  test('takes what just fits the bytes of facts in UTF-8, and any that make a workspace', async ({
    store,
  }) => {
    const toZoe = (number: number) => toFact({ id: `cand_${number}`, name: 'Zoë 🧑‍💻' });
    const size = Buffer.byteLength(JSON.stringify(toZoe(1)));
    const workspace = toHash();
    const add = (number: number, bytes: number, mint = false) =>
      store.change(toCreate({ workspace, mint, fact: toZoe(number), ceiling: { records: 9, bytes } }));
    assert.equal(await add(1, 1, true), done);
    for (const count of [2, 3]) {
      assert.equal(await add(count, count * size - 1), { result: 'full' });
      assert.equal(await add(count, count * size), done);
    }
    const { bytes, records } = (await readWhole(store, workspace))!;
    assert.equal([bytes, records.length], [3 * size, 3]);
  });

  testReads(test);
  testDecisions(test);
  testKeys(test);
  testWhole(test);
  testPoints(test);
  testCharges(test);
  testSeries(test);

  if (shared) {
    test('is one store for several instances', async ({ store, other }) => {
      const key = { name: toHash(), fingerprint: toHash() };
      const first = toCreate({ key, reply: '{}' });
      await store.change(first);
      assert.equal(await idsOf(other, first.workspace), [first.record.fact.id]);
      assert.equal(await other.change(first), { result: 'replay', reply: '{}' });
    });
  }

  test.run();
}
