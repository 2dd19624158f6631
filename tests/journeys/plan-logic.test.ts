import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  assignRemarks,
  blankChoice,
  groupPlan,
  listProposable,
  listTicked,
} from '../../src/pages/_desk/plan/plan-groups.ts';
import type { PageRecord } from '../../src/pages/_desk/state/model.ts';

const logic = suite('logic of the plan');

const nurse = { id: 'job_1', title: 'Nurse' };
const driver = { id: 'job_2', title: 'Driver' };
const toRow = (jobOrder: typeof nurse, id: string, unknown: string[] = []) => ({
  ...{ jobOrder, score: 80, unknown, endsDuring: [] },
  candidate: { id, name: `Name of ${id}` },
  placement: { jobOrderId: jobOrder.id, candidateId: id },
});
const plan = [toRow(nurse, 'cand_1'), toRow(nurse, 'cand_2', ['pay not stated']), toRow(driver, 'cand_3')];
const rows = [
  { id: 'job_1', onetCode: '29-1141.00', startDate: '2026-12-10' },
  { id: 'job_2', onetCode: '53-3032.00', startDate: '2026-11-01' },
] as unknown as PageRecord[];
const orders = new Map(rows.map((row) => [row.id, row]));
const group = () => groupPlan(plan, [], orders);

logic('groups people by order, first the orders that start first', () => {
  assert.equal(
    group().map(({ order, people }) => `${order.title} ${people.length}`),
    ['Driver 1', 'Nurse 2'],
  );
});

logic('shows an order that nobody fits, with its reason', () => {
  const reason = 'No candidate reaches the score.';
  const [only] = groupPlan([], [{ jobOrder: nurse, openings: 2, reason }], orders);
  assert.equal(only, { order: nurse, people: [], empty: { openings: 2, reason } });
});

logic('offers to propose only the people whose row has a placement', () => {
  const { placement: _, ...row } = toRow(nurse, 'cand_4');
  const groups = groupPlan([{ ...row, placementId: 'plc_1' }, ...plan], [], orders);
  assert.equal(
    listProposable(groups, () => true).map(({ person }) => person),
    ['Name of cand_3', 'Name of cand_1', 'Name of cand_2'],
  );
});

const toPage = (groups: ReturnType<typeof group>) => ({
  ...{ groups, orders, more: 0, words: '' },
  ...{ people: new Map(), stages: new Map() },
});

logic('ticks the people of whom all is certain, until a person ticks', () => {
  const ending = { ...toRow(driver, 'cand_5'), endsDuring: [{ requirement: 'CDL', until: '2026-12-01' }] };
  const page = toPage(groupPlan([...plan, ending], [], orders));
  assert.equal([...listTicked(page, blankChoice)], ['job_2 cand_3', 'job_1 cand_1']);
  assert.equal([...listTicked(page, { ...blankChoice, ticked: new Set() })], []);
});

const proposals = listProposable(group(), () => true);

logic('shows a refusal at the person whom it is about', () => {
  const { byKey } = assignRemarks([{ path: 'placements[1].candidateId', message: 'is gone' }], proposals);
  assert.equal([...byKey], [[proposals[1]?.key, { person: 'Name of cand_1', messages: ['is gone'] }]]);
});

logic('keeps a refusal that is about no person', () => {
  const { others } = assignRemarks([{ path: '', message: 'is too large' }], proposals);
  assert.equal(others, ['is too large']);
});

logic.run();
