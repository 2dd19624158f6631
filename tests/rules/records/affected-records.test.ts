import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { paths } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, onetCode, toBody } from '../../support/sandbox.ts';

const minimal = { Prefer: 'return=minimal' };
const proposed = { candidateId: '#ann', jobOrderId: '#dev', onetCode, ref: 'pair', status: 'proposed' };
const { status: _, ...accepted } = proposed;
const desk = {
  candidates: [toBody.candidate({ ref: 'ann', skills: ['SQL'], metro: 'Columbus, OH' })],
  jobOrders: [toBody.jobOrder({ ref: 'dev' })],
};
const open = { ...desk, placements: [proposed] };

/** Returns the affected records of a reply. The law of the random desk is about their changes. */
const withoutChanges = ({ affected: rows = [] }: Body) => rows.map(({ changes: _, ...row }: Body) => row);

const affected = suite('affected records');

affected('says what reads differently in each', async () => {
  const made = await makeSandbox(client, open);
  const sent = { status: 'scheduled', startDate: dayFromNow(3), plannedEndDate: dayFromNow(30) };
  const { body } = await client.patch(made.placements[0]!.links.self, sent, made.mine);
  const [person, order] = body.affected;
  assert.equal(person.changes[0], { member: 'status', from: 'available', to: 'placed' });
  assert.equal(order.changes, [
    { member: 'status', from: 'open', to: 'filled' },
    { member: 'openingsLeft', from: 1, to: 0 },
    { member: 'proposals', from: 1, to: 0 },
  ]);
});

affected('accepting names the candidate and the order that now read otherwise', async () => {
  const made = await makeSandbox(client, open);
  const sent = { status: 'scheduled', startDate: dayFromNow(3) };
  const { body } = await client.patch(made.placements[0]!.links.self, sent, made.mine);
  assert.equal(withoutChanges(body), [
    { id: made.candidates[0]!.id, kind: 'candidate', status: 'placed' },
    { id: made.jobOrders[0]!.id, kind: 'jobOrder', status: 'filled', openingsLeft: 0 },
  ]);
});

affected('a proposal names its order, which counts it', async () => {
  const made = await makeSandbox(client, desk);
  const { body } = await client.post(paths.placement, proposed, made.mine);
  assert.equal(withoutChanges(body), [
    { id: made.jobOrders[0]!.id, kind: 'jobOrder', status: 'open', openingsLeft: 1 },
  ]);
});

affected('a change that no other record shows names none', async () => {
  const made = await makeSandbox(client, open);
  const { body } = await client.patch(made.candidates[0]!.links.self, { metro: 'Austin, TX' }, made.mine);
  assert.not('affected' in body);
});

affected('a later end of a placement names its candidate, who is free later', async () => {
  const made = await makeSandbox(client, { ...desk, placements: [accepted] });
  const sent = { plannedEndDate: dayFromNow(200) };
  const { body } = await client.patch(made.placements[0]!.links.self, sent, made.mine);
  assert.equal(withoutChanges(body), [{ id: made.candidates[0]!.id, kind: 'candidate', status: 'placed' }]);
});

affected('a rename of a candidate names its placements', async () => {
  const made = await makeSandbox(client, open);
  const { body } = await client.patch(made.candidates[0]!.links.self, { name: 'Ann Other' }, made.mine);
  assert.equal(withoutChanges(body), [{ id: made.placements[0]!.id, kind: 'placement', status: 'proposed' }]);
});

affected('a new title of an order names its placements', async () => {
  const made = await makeSandbox(client, open);
  const { body } = await client.patch(made.jobOrders[0]!.links.self, { title: 'Tester' }, made.mine);
  assert.equal(withoutChanges(body), [{ id: made.placements[0]!.id, kind: 'placement', status: 'proposed' }]);
});

for (const collection of ['candidates', 'jobOrders'] as const)
  affected(`deleting a record of ${collection} names its placements`, async () => {
    const made = await makeSandbox(client, open);
    const { body } = await client.delete(made[collection][0]!.links.self, made.mine);
    assert.equal(withoutChanges(body), [
      { id: made.placements[0]!.id, kind: 'placement', status: 'proposed' },
    ]);
  });

affected('a batch names other records, and not its own', async () => {
  const made = await makeSandbox(client, open);
  const sent = { changes: [{ id: '#ann', name: 'Ann Other' }] };
  const { body } = await client.post('/batch', sent, made.mine);
  assert.equal(withoutChanges(body), [{ id: made.placements[0]!.id, kind: 'placement', status: 'proposed' }]);
});

affected('a batch that shows all records that read differently names none', async () => {
  const made = await makeSandbox(client, desk);
  const sent = { placements: [proposed], changes: [{ id: '#dev', openings: 2 }] };
  const { body } = await client.post('/batch', sent, made.mine);
  assert.not('affected' in body);
});

affected('stating a fall-off names whom it frees', async () => {
  const started = { ...accepted, startDate: dayFromNow(-10) };
  const made = await makeSandbox(client, { ...desk, placements: [started] });
  const path = `${made.placements[0]!.links.self}/outcome`;
  const { body } = await client.post(path, { result: 'attrited' }, made.mine);
  assert.equal(withoutChanges(body), [
    { id: made.candidates[0]!.id, kind: 'candidate', status: 'available' },
    { id: made.jobOrders[0]!.id, kind: 'jobOrder', status: 'open', openingsLeft: 1 },
  ]);
});

affected('return=minimal leaves affected out', async () => {
  const { mine } = await makeSandbox(client, desk);
  const { body } = await client.post(paths.placement, accepted, { ...mine, ...minimal });
  assert.not('affected' in body);
});

affected('return=minimal leaves the statement of an accepted placement out', async () => {
  const { mine } = await makeSandbox(client, desk);
  const { body } = await client.post(paths.placement, accepted, { ...mine, ...minimal });
  assert.not('statement' in body);
});

affected('creating an accepted placement names both', async () => {
  const { mine } = await makeSandbox(client, desk);
  const { body } = await client.post(paths.placement, accepted, mine);
  assert.equal(
    body.affected.map(({ kind, status }: Body) => [kind, status]),
    [
      ['candidate', 'placed'],
      ['jobOrder', 'filled'],
    ],
  );
});

affected('deleting a placement names whom it frees', async () => {
  const made = await makeSandbox(client, { ...desk, placements: [accepted] });
  const { body } = await client.delete(made.placements[0]!.links.self, made.mine);
  assert.equal(
    body.affected.map(({ kind, status }: Body) => [kind, status]),
    [
      ['candidate', 'available'],
      ['jobOrder', 'open'],
    ],
  );
});

affected('closing an order names the proposals that it declines', async () => {
  const made = await makeSandbox(client, open);
  const sent = { status: 'closed', declineProposals: true };
  const { body } = await client.patch(made.jobOrders[0]!.links.self, sent, made.mine);
  assert.equal(withoutChanges(body), [{ id: made.placements[0]!.id, kind: 'placement', status: 'declined' }]);
});

affected('a seed record that a placement holds is named', async () => {
  const [free] = (await client.get('/candidates?status=available')).body.candidates;
  const [wanted] = (await client.get('/job-orders?status=open')).body.jobOrders;
  const sent = toBody.placement({ candidateId: free.id, jobOrderId: wanted.id });
  const { body } = await client.post('/placements', sent);
  assert.equal(
    body.affected.map(({ id }: Body) => id),
    [free.id, wanted.id],
  );
});

affected('a reply names at most twenty', async () => {
  const candidates = Array.from({ length: 30 }, (_, at) => toBody.candidate({ ref: `p${at}` }));
  const placements = candidates.map(({ ref }) => ({ ...proposed, candidateId: `#${ref}`, ref: `on-${ref}` }));
  const made = await makeSandbox(client, { ...desk, candidates, placements });
  const sent = { status: 'closed', declineProposals: true };
  const { body } = await client.patch(made.jobOrders[0]!.links.self, sent, made.mine);
  assert.is(body.affected.length, 20);
});

affected.run();
