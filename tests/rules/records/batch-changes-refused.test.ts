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

type Case = [
  sent: (sandbox: Sandbox) => unknown[],
  status: number,
  code: string,
  paths: string[],
  says?: RegExp,
];

const cases: Record<string, Case> = {
  'a status that cannot follow': [
    ({ placements: [p, q] }) => [
      { id: p!.id, note: 'x' },
      { id: p!.id, status: 'offered' },
      { id: q!.id, status: 'completed' },
    ],
    409,
    'illegal_transition',
    ['changes[2].status'],
  ],
  'two moves of one record, of which the first cannot follow': [
    ({ placements: [p] }) => [
      { id: p!.id, status: 'completed' },
      { id: p!.id, status: 'active' },
    ],
    409,
    'illegal_transition',
    ['changes[0].status'],
  ],
  'values that are wrong, each at its place': [
    ({ candidates: [ann], jobOrders: [job], placements: [p] }) => [
      { id: ann!.id, skills: ['Go', ''] },
      { id: job!.id, openings: 0, title: null },
      { id: p!.id, guaranteeDays: 91, startDate: '2026-02-31' },
    ],
    400,
    'invalid_request',
    [
      'changes[0].skills[1]',
      'changes[1].title',
      'changes[1].openings',
      'changes[2].startDate',
      'changes[2].guaranteeDays',
    ].toSorted(),
  ],
  'several rules, each at its place': [
    ({ jobOrders: [job], placements: [p] }) => [
      { id: job!.id, startDate: '2026-05-02', endDate: '2026-05-01' },
      { id: p!.id, candidateId: '#nobody', jobOrderId: 'cand_006' },
    ],
    400,
    'invalid_request',
    ['changes[0].endDate', 'changes[1].jobOrderId'],
  ],
  'a ref that another record has': [
    ({ candidates: [ann] }) => [{ id: ann!.id, ref: 'bob' }],
    409,
    'duplicate_ref',
    ['changes[0].ref'],
  ],
  'a record of the seed': [() => [{ id: 'cand_001', note: 'x' }], 403, 'read_only', ['changes[0].id']],
  'an id that no record has': [
    () => [{ id: 'cand_zzzz', note: 'x' }],
    400,
    'invalid_request',
    ['changes[0].id'],
    /no candidate in your workspace/,
  ],
  'an id of no kind': [
    () => [{ id: 'ws_1', note: 'x' }],
    400,
    'invalid_request',
    ['changes[0].id'],
    /cand_…, job_…, plc_…/,
  ],
  'no id': [() => [{ note: 'x' }], 400, 'invalid_request', ['changes[0].id'], /is missing/],
  'a ref of two kinds': [
    () => [{ id: '#ann', note: 'x' }],
    400,
    'invalid_request',
    ['changes[0].id'],
    /a candidate and a job order/,
  ],
  'a ref that no record has': [
    () => [{ id: '#nobody', note: 'x' }],
    400,
    'invalid_request',
    ['changes[0].id'],
  ],
  'a ref that another change sets': [
    ({ candidates: [ann] }) => [
      { id: ann!.id, ref: 'new' },
      { id: '#new', note: 'x' },
    ],
    400,
    'invalid_request',
    ['changes[1].id'],
    /neither your workspace before this batch nor a record that it creates has that ref/,
  ],
  'a wrong value by a ref': [
    () => [{ id: '#p', guaranteeDays: 0 }],
    400,
    'invalid_request',
    ['changes[0].guaranteeDays'],
  ],
  'a code that is none': [
    ({ candidates: [ann] }) => [{ id: ann!.id, onetCode: '15-1252.99' }],
    400,
    'invalid_request',
    ['changes[0].onetCode'],
  ],
  'a nearly known member beside a wrong value, by a ref': [
    () => [{ id: '#bob', skills: [''], hours: 30 }],
    400,
    'invalid_request',
    ['changes[0].hours', 'changes[0].skills[0]'],
  ],
  'what is no object': [() => [7], 400, 'invalid_request', ['changes[0]']],
  '200 changes, the last with a code that is none': [
    ({ candidates: [ann] }) => [
      ...Array.from({ length: 199 }, () => ({ id: ann!.id, note: 'x' })),
      { id: ann!.id, onetCode: '15-1252.99' },
    ],
    400,
    'invalid_request',
    ['changes[199].onetCode'],
  ],
  '201 changes': [
    ({ candidates: [ann] }) => Array.from({ length: 201 }, () => ({ id: ann!.id, note: 'x' })),
    400,
    'invalid_request',
    ['changes'],
    /200/,
  ],
};

for (const [what, [toSent, status, code, paths, says]] of Object.entries(cases))
  changes(`with ${what} are refused, and nothing is written`, async () => {
    const sandbox = await world();
    const more = { candidates: [toBody.candidate({ name: 'Dee Fox' })] };
    await unchanged(client, sandbox, async () => {
      for (const extra of toSent(sandbox).length < 200 ? [{}, more] : [{}]) {
        const answer = await send(sandbox, toSent(sandbox), extra);
        const { issues } = refused(answer, status, code);
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
