import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Found, Store, StoreEntry, WorkspaceHead } from '../../src/records/store.ts';
import { idsOf, make, readWhole, toChange, toCreate, toFact, toHash, toWrite } from './changes.ts';
import { testKeys, testPoints } from './store-keys.ts';
import { testReads } from './store-reads.ts';
import { testCharges, testWhole } from './store-whole.ts';

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
    const { workspace } = await make(store, { ceiling });
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
    const { record, workspace } = await make(store);
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

  test.run();
}

/** Holds a driver to a decision that sees what is there, and to one step for all that follows from it. */
function testDecisions(test: Test<{ store: Store; other: Store }>): void {
  test('tells a decision what stands under each name that it needs, and the workspace', async ({ store }) => {
    let seen: [readonly Found[], WorkspaceHead | undefined] | undefined;
    const needs = ['a', 'candidate#x', 'cand_036'];
    const toAsk = (more: object) =>
      toChange(
        (found, head) => {
          seen = [found, head];
          const puts = head ? [] : [{ kind: 'candidate', fact: toFact({ id: 'a', ref: 'x' }) }];
          return { answer: found.length, writing: { puts, occupies: { cand_036: 1 }, state: { n: 1 } } };
        },
        { needs, ...more },
      );
    const first = toAsk({});
    const { workspace, now } = first;
    assert.equal(await store.change(first), { result: 'done', answer: 3 });
    assert.equal(seen, [[{ occupants: 0 }, { occupants: 0 }, { occupants: 0 }], undefined]);
    const head = (await store.open(workspace, now))!;
    assert.equal(await store.change(toAsk({ workspace, mint: false })), { result: 'done', answer: 3 });
    const [found, before] = seen as unknown as [Found[], WorkspaceHead];
    assert.equal(
      found.map(({ record, occupants }) => [record?.fact.id, record?.seq, occupants]),
      [
        ['a', 1, 0],
        ['a', 1, 0],
        [undefined, undefined, 1],
      ],
    );
    const { key, createdAt, expiresAt, revision, bytes, counts, state } = before;
    const told = { key, createdAt, expiresAt, revision, bytes, counts, state };
    assert.equal({ ...head, ...told }, { ...head });
    assert.equal([createdAt, revision, counts, state], [now, 1, { candidate: 1 }, { n: 1 }]);
  });

  test('writes nothing where a decision throws, and tells what it threw; others are unharmed', async ({
    store,
  }) => {
    const { workspace } = await make(store);
    const before = await readWhole(store, workspace);
    const faults = JSON.stringify(store.faults?.());
    const error = new Error('no');
    const refuse = (): never => {
      throw error;
    };
    const place = { workspace, mint: false };
    const key = { name: toHash(), fingerprint: toHash() };
    const lost = toHash();
    const answers = await Promise.allSettled([
      store.change(toChange(refuse, { ...place, key })),
      store.change(toCreate(place)),
      store.change(toChange(refuse, { workspace: lost, key })),
      store.change(toCreate(place)),
      store.change(toChange(refuse, { ...place, workspace: toHash() })),
    ]);
    const rejected = { status: 'rejected', reason: error };
    const fulfilled = { status: 'fulfilled', value: { result: 'done', answer: null } };
    const unknown = { status: 'fulfilled', value: { result: 'unknown' } };
    assert.equal(answers, [rejected, fulfilled, rejected, fulfilled, unknown]);
    const after = (await readWhole(store, workspace))!;
    assert.equal([after.revision, after.records.length], [before!.revision + 2, 3]);
    assert.is(await store.open(lost, 0), undefined);
    assert.equal(await store.change(toCreate({ ...place, key })), { result: 'done', answer: null });
    assert.is(JSON.stringify(store.faults?.()), faults);
  });

  test('loses none of many changes that each read what they write', async ({ store, other }) => {
    const { workspace } = await make(store, { fact: toFact({ id: 'a', count: 0 }) });
    const step = () =>
      toChange(
        ([found], head) => {
          const was = (found as { record: StoreEntry }).record;
          const count = Number(was.fact.count) + 1;
          const state = { steps: Number(head!.state.steps ?? 0) + 1 };
          const fact = { ...was.fact, count };
          return { answer: count, writing: { puts: [{ kind: was.kind, fact, was }], state } };
        },
        { workspace, mint: false, needs: ['a'] },
      );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? store : other).change(step())),
    );
    const told = answers.map((one) => (one as { answer: number }).answer).sort((a, b) => a - b);
    assert.equal(
      told,
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
    const { records, counts, state, revision } = (await readWhole(other, workspace))!;
    assert.equal([records[0]?.fact.count, state, revision], [50, { steps: 50 }, 51]);
    assert.equal(counts, { candidate: 1 });
  });
}
