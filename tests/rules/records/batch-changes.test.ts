import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, refused, type Sandbox, toBody, unchanged } from '../../support/sandbox.ts';

const changes = suite('changes in a batch');

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

changes('are made in their order, and reply with each record as it then reads', async () => {
  const sandbox = await world();
  const { candidates, jobOrders, placements } = sandbox;
  const { status, body } = await send(sandbox, [
    { id: placements[0]!.id, status: 'interviewing', reason: 'Thursday' },
    { id: jobOrders[0]!.id, openings: 3 },
    { id: candidates[0]!.id, metro: null, note: 'Moved.' },
    { id: placements[0]!.id, status: 'offered' },
  ]);
  assert.is(status, 200);
  assert.is(body.type, 'OK');
  assert.not('workspace' in body, 'nothing was created');
  assert.equal(
    body.changes.map((one: Body) => Object.keys(one)[0]),
    ['placement', 'jobOrder', 'candidate', 'placement'],
  );
  const [first, order, person, last] = body.changes.map((one: Body) => Object.values(one)[0]);
  assert.equal(first, last, 'both show the record after the batch');
  assert.is(last.status, 'offered');
  assert.is(last.revision, 3);
  assert.equal(pluck(last.transitions, 'to'), ['interviewing', 'offered']);
  assert.is(last.transitions[0].reason, 'Thursday');
  assert.is(order.openings, 3);
  assert.is(person.metro, undefined);
  for (const row of [order, person, last]) {
    const read = (await client.get(row.links.self, sandbox.mine)).body;
    assert.equal(Object.values(read)[1], row);
  }
  const { revision } = (await client.get('/workspace', sandbox.mine)).body.workspace;
  assert.is(revision, 2, 'the batch is one step');
});

changes('come after the creates, and may refer to what is created', async () => {
  const sandbox = await world();
  const { placements } = sandbox;
  const more = {
    candidates: [toBody.candidate({ ref: 'new', name: 'Cy Moe' })],
    jobOrders: [toBody.jobOrder({ ref: 'other' })],
  };
  const { status, body } = await send(
    sandbox,
    [
      { id: placements[0]!.id, jobOrderId: '#other' },
      { id: '#new', metro: 'Reno, NV' },
      { id: '#q', status: 'scheduled' },
    ],
    more,
  );
  assert.is(status, 201, JSON.stringify(body));
  assert.is(body.workspace, sandbox.workspace);
  assert.is(body.changes[0].placement.jobOrderId, body.jobOrders[0].id);
  assert.is(body.candidates[0].metro, 'Reno, NV', 'a created record shows the change too');
  assert.is(body.jobOrders[0].proposals, 1);
  assert.is(body.changes[2].placement.status, 'scheduled');
});

changes('may swap refs and free a ref that another takes', async () => {
  const sandbox = await world();
  const [ann, bob] = sandbox.candidates as [Body, Body];
  const { status, body } = await send(sandbox, [
    { id: ann.id, ref: 'x' },
    { id: bob.id, ref: 'ann' },
    { id: ann.id, ref: 'bob' },
  ]);
  assert.is(status, 200, JSON.stringify(body));
  const read = async (ref: string) => (await client.get(`/candidates/%23${ref}`, sandbox.mine)).body;
  assert.is((await read('ann')).candidate.id, bob.id);
  assert.is((await read('bob')).candidate.id, ann.id);
  assert.is((await read('x')).type, 'EMPTY');
});

const named: Record<string, (sandbox: Sandbox) => string> = {
  id: ({ candidates }) => candidates[1]!.id,
  ref: () => '#bob',
};

for (const [how, toId] of Object.entries(named))
  changes(`by ${how} warn of a nearly known member as an update does`, async () => {
    const sandbox = await world();
    const members = { note: 'x', hours: 30 };
    const single = await client.patch(sandbox.candidates[1]!.links.self, members, sandbox.mine);
    const [{ message }] = single.body.warnings;
    const { body } = await send(sandbox, [{ id: toId(sandbox), ...members }]);
    assert.equal(body.warnings, [{ code: 'unknown_name', path: 'changes[0].hours', message }]);
  });

for (const [how, toId] of Object.entries(named))
  changes(`by ${how} compare at most 20 unknown members with the known ones`, async () => {
    const sandbox = await world();
    const names = Array.from({ length: 20 }, (_, at) => `hoursPerWeek_${at}`);
    const unknown = Object.fromEntries(names.map((name) => [name, 1]));
    const sent = Array.from({ length: 30 }, () => ({ id: toId(sandbox), note: 7, ...unknown }));

    const { issues } = refused(await send(sandbox, sent), 400, 'invalid_request');

    // Each change has a wrong note.
    const more = Number(/^and at least (\d+) more$/.exec(issues.at(-1).message)![1]);
    assert.ok(issues.length - 1 + more <= 30 + 20);
  });

/** Reads the newest entry of the activity without its revision and time, and its members by name. */
async function readNewest({ mine }: Sandbox): Promise<Body> {
  const { activity } = (await client.get('/workspace/activity?limit=1', mine)).body;
  const { revision, at, members, changes: told, ...entry } = activity[0];
  const withoutIds = told?.map(({ id: _, ...change }: Body) => change);
  return { ...entry, changes: withoutIds, ...(members && { members: members.toSorted() }) };
}

changes('are listed in the activity as one entry', async () => {
  const sandbox = await world();
  await send(sandbox, [
    { id: sandbox.placements[0]!.id, status: 'interviewing' },
    { id: sandbox.placements[0]!.id, status: 'offered', note: 'x' },
  ]);
  const entry = await readNewest(sandbox);
  assert.is(entry.operation, 'createBatch');
  assert.equal(entry.members, ['note', 'status'], 'the members of both changes, each once');
  assert.is(`${entry.from} ${entry.to}`, 'interviewing offered', 'the last move');
});

/** Changes of a record, and how the activity lists its members. */
const single: [kind: 'candidates' | 'jobOrders' | 'placements', sent: object][] = [
  ['candidates', { metro: 'Reno, NV', skills: ['Go'] }],
  ['jobOrders', { status: 'closed', workplace: 'remote', reason: 'private' }],
  ['placements', { note: 'x', colour: 'red' }],
];

for (const [kind, sent] of single)
  changes(`of one record are listed as its update is: ${JSON.stringify(sent)}`, async () => {
    const updated = await world();
    await client.patch(updated[kind][0]!.links.self, sent, updated.mine);
    const { operation: _, records: __, ...expected } = await readNewest(updated);
    const sandbox = await world();
    const { id } = sandbox[kind][0]!;
    await send(sandbox, [{ id, revision: 1, ...sent }]);
    const { operation, records, ...entry } = await readNewest(sandbox);
    assert.is(operation, 'createBatch');
    assert.equal(pluck(records, 'id'), [id]);
    assert.equal(entry, expected);
  });

changes('of several records, or beside a create, list no members and no move', async () => {
  const sandbox = await world();
  const [first, second] = sandbox.placements as [Body, Body];
  await send(sandbox, [
    { id: first.id, status: 'interviewing' },
    { id: second.id, note: 'x' },
  ]);
  assert.not('members' in (await readNewest(sandbox)));
  await send(sandbox, [{ id: first.id, status: 'offered' }], { candidates: [toBody.candidate()] });
  const entry = await readNewest(sandbox);
  assert.not('members' in entry);
  assert.not('from' in entry);
});

changes('count the revision before the batch for each change of a record', async () => {
  const sandbox = await world();
  const { id, links } = sandbox.placements[0]!;
  const toSent = (revision: number) => [
    { id, revision: 1, note: 'First.' },
    { id, revision, note: 'Second.' },
  ];
  await unchanged(client, sandbox, async () => {
    refused(await send(sandbox, toSent(2)), 412, 'changed', ['changes[1].revision']);
  });
  assert.is((await send(sandbox, toSent(1))).status, 200);
  const { placement } = (await client.get(links.self, sandbox.mine)).body;
  assert.is(placement.note, 'Second.');
  assert.is(placement.revision, 3);
});

changes('let an order decline a proposal that the batch creates, and none of another order', async () => {
  const sandbox = await world();
  const jobOrders = [toBody.jobOrder({ ref: 'new' })];
  const created = { ref: 'r', candidateId: '#bob', jobOrderId: '#new', status: 'proposed' };
  const sent = [{ id: '#new', status: 'closed', declineProposals: true }];
  const { body } = await send(sandbox, sent, { jobOrders, placements: [toBody.placement(created)] });
  assert.is(body.placements[0].status, 'declined', JSON.stringify(body));
  assert.is(body.placements[0].declineReason, 'closed');
  const other = await client.get('/placements/%23p', sandbox.mine);
  assert.is(other.body.placement.status, 'proposed');
});

changes.run();
