import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Found, Store, StoreEntry, WorkspaceHead } from '../../src/records/store.ts';
import { readWhole, toChange, toCreate, toFact, toHash } from './changes.ts';

/** Holds a driver to a decision that sees what is there, and to one step for all that follows from it. */
export function testDecisions(test: Test<{ store: Store; other: Store }>): void {
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
    const { workspace, ...first } = toCreate();
    await store.change({ ...first, workspace });
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
    const { workspace, ...first } = toCreate({ fact: toFact({ id: 'a', count: 0 }) });
    await store.change({ ...first, workspace });
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
