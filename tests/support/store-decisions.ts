import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DraftView } from '../../src/workspace/view.ts';
import { done, make, toChange, toCreate, toHash, toRecord, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

const error = new Error('no');
const refuse = (): never => {
  throw error;
};

/** Increments a counter in a record and one in the state, and returns the count. */
const toIncrement = (hash: string) =>
  toChange(
    (change) => {
      const before = change.findOwn('candidate', 'cand_a')!;
      const count = Number(before.record.count) + 1;
      change.put('candidate', { ...before.record, count }, before);
      change.state = { steps: Number(change.state.steps ?? 0) + 1 };
      return count;
    },
    { hash, mint: false },
  );

/** Tests how a decision becomes a change of the store. */
export function testDecisions(test: Test<Instances>): void {
  test('rejects a change with what its decision throws', async ({ first }) => {
    const { hash } = await make(first);
    const reason = await first.change(toChange(refuse, { hash, mint: false })).catch((thrown) => thrown);
    assert.is(reason, error);
  });

  test('makes no workspace if the decision throws', async ({ first }) => {
    const hash = toHash();
    await first.change(toChange(refuse, { hash })).catch(() => {});
    assert.is(await first.open(hash), undefined);
  });

  test('makes the changes beside one whose decision throws, and nothing else', async ({ first }) => {
    const { hash } = await make(first);
    const request = { hash, mint: false };

    const changes = await Promise.allSettled([
      first.change(toChange(refuse, request)),
      first.change(toCreate(request)),
      first.change(toChange(refuse, request)),
      first.change(toCreate(request)),
    ]);

    const statuses = changes.map(({ status }) => status);
    assert.equal(statuses, ['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    assert.is((await first.listIds(hash))?.length, 3);
    assert.is((await first.readWhole(hash))!.revision, 3);
  });

  test('writes nothing for a decision that is unchanged', async ({ first }) => {
    const { hash } = await make(first);
    const before = await first.readWhole(hash);
    const draft = (view: DraftView) => view.put('candidate', toRecord());

    const changed = await first.change(toWrite({ isDiscarded: true }, { hash, mint: false }, draft));

    assert.equal(changed, done);
    assert.equal(await first.readWhole(hash), before);
  });

  test('loses none of many increments over two instances', async ({ first, other }) => {
    const { hash } = await make(first, { record: toRecord({ id: 'cand_a', count: 0 }) });
    const increments = Array.from({ length: 50 }, (_, at) =>
      (at % 2 ? other : first).change(toIncrement(hash)),
    );

    const answers = new Set((await Promise.all(increments)).map((one) => (one as { answer: number }).answer));

    assert.is(answers.size, 50, 'each increment returns another count');
    const { records, state, revision } = (await other.readWhole(hash))!;
    assert.is(records[0]?.record.count, 50);
    assert.equal(state, { steps: 50 });
    assert.is(revision, 51);
  });

  test('another instance sees a change before its next answer', async ({ first, other }) => {
    const { hash, record } = await make(first);
    await other.workspaces.open(hash);
    await first.change(
      toWrite({}, { hash, mint: false }, (draft) =>
        draft.put('candidate', { ...record, name: 'Zoe' }, draft.findOwn('candidate', record.id)),
      ),
    );

    const workspace = (await other.workspaces.open(hash))!;

    assert.is(workspace.find('candidate', record.id)?.record.name, 'Zoe');
  });

  test('gives each version once', async ({ first, other }) => {
    const { hash, write } = await make(first);
    const versions = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      await write({ state: { count } });
      versions.add((await other.open(hash))!.version);
    }
    assert.is(versions.size, 5);
  });
}
