import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredRecord } from '../../src/workspace/record.ts';
import type { DraftView } from '../../src/workspace/view.ts';
import { make, toCreate, toHash, toName, toRecord, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

/** Text with every kind of character that an encoding could lose: escapes, a line separator, a lone surrogate. */
const oddText = 'Zoë "\\\u0000\u2028 🧑‍💻 \ud800';

/** Drafts the next version of a candidate. */
const edit = (id: string, members: Partial<StoredRecord>) => (draft: DraftView) => {
  const before = draft.findOwn('candidate', id)!;
  draft.put('candidate', { ...before.record, ...members }, before);
};

/** Tests that a store returns the records that were written, and finds them. */
export function testRecords(test: Test<Instances>): void {
  test('numbers records from 1, in the order in which they were created', async ({ first, other }) => {
    const one = toCreate();
    await first.change(one);
    const two = toCreate({ hash: one.hash, mint: false });
    await other.change(two);

    const { records } = (await first.readWhole(one.hash))!;

    assert.equal(records, [
      { kind: 'candidate', seq: 1, record: one.record },
      { kind: 'candidate', seq: 2, record: two.record },
    ]);
  });

  test('counts the records of each kind', async ({ first, other }) => {
    const { hash } = await make(first);
    await other.change(toCreate({ hash, mint: false, kind: 'jobOrder' }));
    assert.equal((await first.open(hash))!.counts, { candidate: 1, jobOrder: 1 });
  });

  test('counts one revision per change', async ({ first, other }) => {
    const { hash, write } = await make(first);
    await write({}, (draft) => {
      draft.put('candidate', toRecord());
      draft.put('candidate', toRecord());
    });
    assert.is((await other.open(hash))!.revision, 2);
  });

  test('stores every character of a record', async ({ first, other }) => {
    const record = toRecord({ name: oddText, skills: ['', '{}', oddText], empty: {} });
    const { hash } = await make(first, { record });
    assert.equal((await other.readWhole(hash))!.records[0]?.record, record);
  });

  test('stores every character of the state', async ({ first, other }) => {
    const { hash, write } = await make(first);
    await write({ state: { [oddText]: [oddText] } });
    assert.equal((await other.readWhole(hash))!.state, { [oddText]: [oddText] });
  });

  test('stores every character of a kept reply', async ({ first, other }) => {
    const reply = JSON.stringify(oddText);
    const change = toCreate({ key: { name: toName(), fingerprint: toName() }, reply });
    await first.change(change);
    assert.equal(await other.change(change), { result: 'replay', reply });
  });

  test('keeps the number of a record that is replaced', async ({ first, other }) => {
    const { hash, record, write } = await make(first);
    await write({}, (draft) => draft.put('candidate', toRecord()));
    await write({}, edit(record.id, { name: 'Zoe' }));

    const { records } = (await other.readWhole(hash))!;

    assert.is(records[0]?.seq, 1);
    assert.is(records[0]?.record.name, 'Zoe');
  });

  test('gives no record the number of one that was removed', async ({ first, other }) => {
    const { hash, write } = await make(first);
    await write({}, (draft) => draft.put('candidate', toRecord({ id: 'cand_2' })));
    await write({}, (draft) => draft.remove(draft.findOwn('candidate', 'cand_2')!));
    await other.change(toCreate({ hash, mint: false }));

    const { records } = (await first.readWhole(hash))!;

    assert.equal(
      records.map(({ seq }) => seq),
      [1, 3],
    );
  });

  test('loads a workspace of many slices as it was written', async ({ first, other }) => {
    const records = Array.from({ length: 900 }, (_, at) =>
      toRecord({ id: `cand_${at}`, note: 'x'.repeat(900) }),
    );
    const change = toWrite({}, {}, (draft) => {
      for (const record of records) draft.put('candidate', record);
    });
    await first.change(change);

    const workspace = (await other.workspaces.open(change.hash))!;

    assert.equal(
      workspace.list('candidate').map((entry) => entry.record),
      records,
    );
  });

  test('finds two records that swapped their refs', async ({ first, other }) => {
    const { hash, write } = await make(first, { record: toRecord({ id: 'cand_a', ref: 'x' }) });
    await write({}, (draft) => draft.put('candidate', toRecord({ id: 'cand_b', ref: 'y' })));
    await write({}, (draft) => {
      edit('cand_a', { ref: 'y' })(draft);
      edit('cand_b', { ref: 'x' })(draft);
    });
    for (const { workspaces } of [first, other]) {
      const workspace = (await workspaces.open(hash))!;
      assert.is(workspace.findByRef('candidate', 'x')?.record.id, 'cand_b');
      assert.is(workspace.findByRef('candidate', 'y')?.record.id, 'cand_a');
    }
  });

  test('lists the records that refer to another, as of the last change', async ({ first, other }) => {
    const { hash, write } = await make(first, { record: toRecord({ id: 'cand_a' }) });
    const placement = toRecord({ id: 'plc_1', candidateId: 'cand_a', jobOrderId: 'job_1' });
    await write({}, (draft) => draft.put('placement', placement));
    await write({}, (draft) => {
      const before = draft.findOwn('placement', 'plc_1')!;
      draft.put('placement', { ...placement, jobOrderId: 'job_2' }, before);
    });
    for (const { workspaces } of [first, other]) {
      const workspace = (await workspaces.open(hash))!;
      const listIds = (id: string) => [...workspace.listReferring(id)].map(({ record }) => record.id);
      assert.equal(listIds('cand_a'), ['plc_1']);
      assert.equal(listIds('job_2'), ['plc_1']);
      assert.equal(listIds('job_1'), []);
    }
  });

  test('shows one workspace nothing of another', async ({ first }) => {
    const [one, two] = [await make(first), await make(first)];
    assert.equal(await first.listIds(one.hash), [one.record.id]);
    assert.equal(await first.listIds(two.hash), [two.record.id]);
  });

  test('opens no workspace for an unknown hash', async ({ first }) => {
    assert.is(await first.open(toHash()), undefined);
    assert.equal(await first.change(toCreate({ mint: false })), { result: 'unknown' });
  });
}
