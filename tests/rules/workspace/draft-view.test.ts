import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredRecord } from '../../../src/workspace/record.ts';
import { DraftView } from '../../../src/workspace/view.ts';
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

test('finds a record by its key as it was drafted last', () => {
  const view = createViews();
  const toName = ({ name }: StoredRecord) => name as string;
  const listIds = (name: string) => [...view.eachByKey('candidate', toName, name)].map(({ id }) => id);
  view.put('candidate', toRecord('cand_1', { name: 'Bo' }));
  assert.equal(listIds('Bo'), ['cand_1']);
  view.put('candidate', toRecord('cand_1', { name: 'Ann' }));
  assert.equal(listIds('Bo'), []);
  assert.equal(listIds('Ann'), ['cand_0', 'cand_1']);
});

test('finds a record by what it refers to as it was drafted last', () => {
  const view = createViews();
  const listIds = (id: string) => view.listReferring('placement', id).map((record) => record.id);
  view.put('placement', toRecord('plc_1', { candidateId: 'cand_0' }));
  view.put('placement', toRecord('plc_2', { candidateId: 'cand_0' }));
  view.put('placement', toRecord('plc_1', { candidateId: 'cand_9' }));
  assert.equal(listIds('cand_0'), ['plc_2']);
  assert.equal(listIds('cand_9'), ['plc_1']);
});

test.run();
