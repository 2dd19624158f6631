import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, refused, type Sandbox, toBody, unchanged } from '../../support/sandbox.ts';

const changes = suite('bad changes in a batch');

const world = () =>
  makeSandbox(client, {
    candidates: [
      toBody.candidate({ ref: 'ann', name: 'Ann Lee', metro: 'Austin, TX', title: 'Welder' }),
      toBody.candidate({ ref: 'bob', name: 'Bob Ray' }),
    ],
    jobOrders: [toBody.jobOrder({ ref: 'job', openings: 2 }), toBody.jobOrder({ ref: 'ann' })],
    placements: [
      toBody.placement({ ref: 'p', candidateId: '#ann', jobOrderId: '#job', status: 'proposed' }),
      toBody.placement({ ref: 'q', candidateId: '#bob', jobOrderId: '#job', status: 'proposed' }),
    ],
  });

const send = ({ mine }: Sandbox, sent: unknown[], more: object = {}, headers: object = {}) =>
  client.post('/batch', { ...more, changes: sent }, { ...mine, ...headers });

/** Lists the places of issues. A mistake in the whole batch may be named beside them. */
const listPlaces = (issues: Body[]) =>
  [...new Set(pluck(issues, 'path') as string[])].filter((path) => path !== '').toSorted();

const statuses = { invalid_request: 400, read_only: 403, illegal_transition: 409, duplicate_ref: 409 };

type Case = [sent: unknown[], code: keyof typeof statuses, paths: string[], says?: RegExp];

/** Changes that are refused. An id without # stands for the id of the record with that ref. */
const cases: Record<string, Case> = {
  'a status that cannot follow': [
    [
      { id: 'p', status: 'offered' },
      { id: 'q', note: 'x' },
      { id: 'q', status: 'completed' },
    ],
    'illegal_transition',
    ['changes[2].status'],
  ],
  'two moves of one record, of which the first cannot follow': [
    [
      { id: 'p', status: 'completed' },
      { id: 'p', status: 'active' },
    ],
    'illegal_transition',
    ['changes[0].status'],
  ],
  'values that are wrong, each at its place': [
    [
      { id: 'ann', skills: ['Go', ''] },
      { id: 'job', openings: 0, title: null },
      { id: '#p', guaranteeDays: 0 },
    ],
    'invalid_request',
    ['changes[0].skills[1]', 'changes[1].openings', 'changes[1].title', 'changes[2].guaranteeDays'],
  ],
  'several rules, each at its place': [
    [
      { id: 'job', startDate: '2026-05-02', endDate: '2026-05-01' },
      { id: 'p', candidateId: '#nobody', jobOrderId: 'cand_006' },
    ],
    'invalid_request',
    ['changes[0].endDate', 'changes[1].jobOrderId'],
  ],
  'a ref that another record has': [[{ id: 'ann', ref: 'bob' }], 'duplicate_ref', ['changes[0].ref']],
  'a record of the seed': [[{ id: 'cand_001', note: 'x' }], 'read_only', ['changes[0].id']],
  'an id that no record has': [
    [{ id: 'cand_zzzz', note: 'x' }],
    'invalid_request',
    ['changes[0].id'],
    /no candidate in your workspace/,
  ],
  'an id of no kind': [
    [{ id: 'ws_1', note: 'x' }],
    'invalid_request',
    ['changes[0].id'],
    /cand_…, job_…, plc_…/,
  ],
  'no id': [[{ note: 'x' }], 'invalid_request', ['changes[0].id'], /is missing/],
  'a ref of two kinds': [
    [{ id: '#ann', note: 'x' }],
    'invalid_request',
    ['changes[0].id'],
    /a candidate and a job order/,
  ],
  'a ref that no record has': [[{ id: '#nobody', note: 'x' }], 'invalid_request', ['changes[0].id']],
  'a ref that another change sets': [
    [
      { id: 'ann', ref: 'new' },
      { id: '#new', note: 'x' },
    ],
    'invalid_request',
    ['changes[1].id'],
    /neither your workspace before this batch nor a record that it creates has that ref/,
  ],
  'a nearly known member beside a wrong value': [
    [{ id: '#bob', skills: [''], hours: 30 }],
    'invalid_request',
    ['changes[0].hours', 'changes[0].skills[0]'],
  ],
  'what is no object': [[7], 'invalid_request', ['changes[0]']],
  '200 changes, the last with a code that is none': [
    [...Array(199).fill({ id: 'ann', note: 'x' }), { id: 'ann', onetCode: '15-1252.99' }],
    'invalid_request',
    ['changes[199].onetCode'],
  ],
  '201 changes': [Array(201).fill({ id: 'ann', note: 'x' }), 'invalid_request', ['changes'], /200/],
};

/** Returns changes with ids in the place of the refs that stand for them. */
function withIds(sent: unknown[], { candidates, jobOrders, placements }: Sandbox): unknown[] {
  const records = [...placements, ...jobOrders, ...candidates];
  const idOf = new Map(records.map(({ ref, id }) => [ref, id]));
  return (sent as Body[]).map((one) => (idOf.has(one.id) ? { ...one, id: idOf.get(one.id) } : one));
}

for (const [what, [sent, code, paths, says]] of Object.entries(cases))
  changes(`with ${what} are refused, and nothing is written`, async () => {
    const sandbox = await world();
    const more = { candidates: [toBody.candidate({ name: 'Dee Fox' })] };
    await unchanged(client, sandbox, async () => {
      for (const extra of sent.length < 200 ? [{}, more] : [{}]) {
        const answer = await send(sandbox, withIds(sent, sandbox), extra);
        const { issues } = refused(answer, statuses[code], code);
        assert.equal(listPlaces(issues), paths, answer.text);
        if (says) assert.match(issues[0].message, says);
      }
    });
  });

changes('rejects more than 200 creates and changes together', async () => {
  const sandbox = await world();
  const { id } = sandbox.candidates[0]!;
  const people = Array.from({ length: 150 }, (_, at) => toBody.candidate({ name: `P${at}` }));
  const toChanges = (length: number) => Array.from({ length }, (_, at) => ({ id, note: `${at}` }));
  await unchanged(client, sandbox, async () => {
    const answer = await send(sandbox, toChanges(51), { candidates: people });
    const { issues } = refused(answer, 400, 'invalid_request', ['']);
    assert.match(issues[0].message, /holds 201 records and changes; send at most 200/);
    refused(await send(sandbox, []), 400, 'invalid_request', ['']);
  });
  const { status, body } = await send(sandbox, toChanges(50), { candidates: people });
  assert.is(status, 201);
  assert.is(body.changes.length, 50);
  assert.is(body.changes[0].candidate.note, '49');
  assert.is(body.changes[0].candidate.revision, 51);
});

changes('without a workspace are refused, and none is made', async () => {
  const { commits } = client.store.stats();
  const sent = [{ id: 'cand_zzzz', note: 'x' }];
  for (const more of [{}, { candidates: [toBody.candidate()] }]) {
    const answer = await client.post('/batch', { ...more, changes: sent });
    const { issues } = refused(answer, 400, 'invalid_request', ['changes[0].id']);
    assert.match(issues[0].message, /X-Workspace.* was not sent/);
  }
  assert.is(client.store.stats().commits, commits);
});

/** Batches with a mistake in a create and one in a change. Each names both places. */
const twice: Record<string, [more: object, sent: (sandbox: Sandbox) => unknown[], paths: string[]]> = {
  'a schema, and the change names a ref': [
    { candidates: [toBody.candidate({ name: [7] })] },
    () => [{ id: '#bob', skills: 7 }],
    ['candidates[0].name', 'changes[0].skills'],
  ],
  'a schema, and the ref of the change is unknown': [
    { candidates: [toBody.candidate({ name: [7] })] },
    () => [{ id: '#nobody', note: 'x' }],
    ['candidates[0].name', 'changes[0].id'],
  ],
  'a reference, and the move of the change is not legal': [
    { placements: [toBody.placement({ candidateId: '#nobody', jobOrderId: '#job' })] },
    ({ placements: [p] }) => [{ id: p!.id, status: 'completed' }],
    ['changes[0].status', 'placements[0].candidateId'],
  ],
  'its days, and the change names the created record': [
    { jobOrders: [toBody.jobOrder({ ref: 'new', startDate: '2026-12-02', endDate: '2026-12-01' })] },
    () => [
      { id: '#new', salaryUsdYear: 2, salaryMaxUsdYear: 1, endDate: '2026-12-03' },
      { id: '#job', salaryUsdYear: 2, salaryMaxUsdYear: 1 },
    ],
    ['changes[0].salaryMaxUsdYear', 'changes[1].salaryMaxUsdYear', 'jobOrders[0].endDate'],
  ],
};

for (const [what, [more, sent, paths]] of Object.entries(twice))
  changes(`are named together with a create that breaks ${what}`, async () => {
    const sandbox = await world();
    await unchanged(client, sandbox, async () => {
      const { issues } = refused(await send(sandbox, sent(sandbox), more), 400, 'invalid_request');
      assert.equal(listPlaces(issues), paths);
    });
  });

changes.run();
