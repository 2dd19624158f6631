import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Change } from '../../../src/workspace/change.ts';
import type { StoredRecord } from '../../../src/workspace/record.ts';
import { DraftView, View } from '../../../src/workspace/view.ts';
import { Workspace } from '../../../src/workspace/workspace.ts';

const test = suite('the drafts of a change');

const head = {} as Workspace['head'];
const listReferences = (_: string, { candidateId }: StoredRecord) =>
  candidateId === undefined ? [] : [candidateId as string];
const toRecord = (id: string, members: object = {}) => ({ id, createdAt: 0, ...members }) as StoredRecord;

function createViews() {
  const seed = new Workspace(head, listReferences);
  const stored = new Workspace(head, listReferences);
  stored.put({
    kind: 'candidate',
    seq: 1,
    record: toRecord('cand_0', { name: 'Ann' }),
    bytes: 0,
  });
  return new DraftView(listReferences, seed, stored);
}

test('computes the key of each record once, however often records are found by it', () => {
  const view = createViews();
  let computed = 0;
  const toName = ({ name }: StoredRecord) => {
    computed += 1;
    return name as string;
  };
  const count = 200;
  for (let number = 1; number <= count; number += 1) {
    assert.is([...view.eachByKey('candidate', toName, 'Ann')].length, number);
    view.put('candidate', toRecord(`cand_${number}`, { name: 'Ann' }));
  }
  assert.ok(computed <= count + 1, `${computed} keys for ${count + 1} records`);
});

/** A candidate of the seed, and placements of it in the seed and in a workspace. */
function createReferring() {
  const [seed, stored] = [new Workspace(head, listReferences), new Workspace(head, listReferences)];
  const put = (workspace: Workspace, seq: number, id: string, members: object) =>
    workspace.put({ kind: id.split('_')[0]!, seq, record: toRecord(id, members), bytes: 0 });
  put(seed, 1, 'candidate_1', {});
  put(seed, 2, 'placement_1', { candidateId: 'candidate_1' });
  put(stored, 1, 'placement_2', { candidateId: 'candidate_1' });
  return { seed, stored };
}

test('records of the seed come before those of the workspace', () => {
  const { seed, stored } = createReferring();
  const listIds = (view: View) => view.listReferring('placement', 'candidate_1').map(({ id }) => id);
  assert.equal(listIds(new View(seed)), ['placement_1']);
  assert.equal(listIds(new View(seed, stored)), ['placement_1', 'placement_2']);
  const draft = new DraftView(listReferences, seed, stored);
  draft.put('placement', toRecord('placement_3', { candidateId: 'candidate_1' }));
  assert.equal(listIds(draft), ['placement_1', 'placement_2', 'placement_3']);
  assert.is(draft.find('candidate', 'candidate_1')?.id, 'candidate_1');
  assert.is(draft.findOwn('candidate', 'candidate_1'), undefined);
  assert.is(new View(seed, stored).find('candidate', 'candidate_1')?.id, 'candidate_1');
});

test('the refs of all drafted records can be dropped', () => {
  const view = createViews();
  view.put('candidate', toRecord('cand_1', { ref: 'a' }));
  assert.is(view.findByRef('candidate', 'a')?.id, 'cand_1');
  view.dropRefs();
  assert.is(view.findByRef('candidate', 'a'), undefined);
  assert.equal(
    view.drafted.map(({ record }) => record),
    [toRecord('cand_1')],
  );
  assert.equal(view.find('candidate', 'cand_1'), toRecord('cand_1'));
});

test('a drafted record has no bytes before it is written, and is behind all others', () => {
  const view = createViews();
  view.put('candidate', toRecord('cand_1'));
  const { bytes, seq } = view.findOwn('candidate', 'cand_1')!;
  assert.is(bytes, 0);
  assert.is(seq, Number.MAX_SAFE_INTEGER);
});

test('a remark stays until it is taken, and one without a word changes nothing', () => {
  const change = new Change({
    listReferences,
    seed: new Workspace(head, listReferences),
    workspace: undefined,
    now: 0,
  });
  change.remark('cand_1', { reason: 'moved' });
  change.remark('cand_1', {});
  change.remark('cand_2', { effectiveDate: '2026-11-01' });
  assert.equal(change.takeRemark('cand_1'), { reason: 'moved' });
  assert.equal(change.takeRemark('cand_1'), {});
  assert.equal(change.takeRemark('cand_2'), { effectiveDate: '2026-11-01' });
  assert.equal(change.takeRemark('cand_3'), {});
});

test.run();
