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

/** That a reply names all records that read differently, and what in them does, is in `history-law`. */
const affected = suite('affected records');

const idsOf = ({ affected: rows = [] }: Body): string[] => rows.map(({ id }: Body) => id);

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

affected('a batch names other records, and not its own', async () => {
  const made = await makeSandbox(client, open);
  const sent = { changes: [{ id: '#ann', name: 'Ann Other' }] };
  const { body } = await client.post('/batch', sent, made.mine);
  assert.equal(idsOf(body), [made.placements[0]!.id]);
});

affected('stating a fall-off names whom it frees', async () => {
  const started = { ...accepted, startDate: dayFromNow(-10) };
  const made = await makeSandbox(client, { ...desk, placements: [started] });
  const path = `${made.placements[0]!.links.self}/outcome`;
  const { body } = await client.post(path, { result: 'attrited' }, made.mine);
  assert.equal(idsOf(body), [made.candidates[0]!.id, made.jobOrders[0]!.id]);
});

affected('deleting an order names its placements, and whom they held', async () => {
  const made = await makeSandbox(client, { ...desk, placements: [accepted] });
  const { body } = await client.delete(made.jobOrders[0]!.links.self, made.mine);
  assert.equal(idsOf(body), [made.placements[0]!.id, made.candidates[0]!.id]);
  assert.is(body.affected[1].status, 'available');
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

affected('closing an order names the proposals that it declines', async () => {
  const made = await makeSandbox(client, open);
  const sent = { status: 'closed', declineProposals: true };
  const { body } = await client.patch(made.jobOrders[0]!.links.self, sent, made.mine);
  assert.equal(idsOf(body), [made.placements[0]!.id]);
  assert.is(body.affected[0].status, 'declined');
});

affected('a seed record that a placement holds is named', async () => {
  const [free] = (await client.get('/candidates?status=available')).body.candidates;
  const [wanted] = (await client.get('/job-orders?status=open')).body.jobOrders;
  const sent = toBody.placement({ candidateId: free.id, jobOrderId: wanted.id });
  const { body } = await client.post('/placements', sent);
  assert.equal(idsOf(body), [free.id, wanted.id]);
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
