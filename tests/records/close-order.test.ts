import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patch } from '../support/doors.ts';
import { client } from '../support/front.ts';
import type { Body } from '../support/http.ts';
import { pluck } from '../support/rows.ts';
import { dayFromNow, makeSandbox, refused, refusedTool, toBody, unchanged } from '../support/sandbox.ts';

const close = suite('closing an order');

const people = ['a', 'b', 'c', 'd'].map((ref) => toBody.candidate({ ref, name: `Person ${ref}` }));
const place = (ref: string, status?: string, jobOrderId = '#job') =>
  toBody.placement({ ref, candidateId: `#${ref}`, jobOrderId, startDate: dayFromNow(20), status });

const world = () =>
  makeSandbox(client, {
    candidates: people,
    jobOrders: [toBody.jobOrder({ ref: 'job', openings: 4 }), toBody.jobOrder({ ref: 'other' })],
    placements: [place('a', 'proposed'), place('b', 'offered'), place('c'), place('d', 'proposed', '#other')],
  });

const readPlacements = async (mine: Record<string, string>): Promise<Record<string, Body>> => {
  const { placements } = (await client.get('/placements?scope=workspace', mine)).body;
  return Object.fromEntries(placements.map((row: Body) => [row.ref, row]));
};

close('with declineProposals declines its open proposals, and no others', async () => {
  for (const how of ['HTTP', 'MCP', 'batch']) {
    const { mine, workspace, jobOrders } = await world();
    const { id } = jobOrders[0]!;
    const sent = { status: 'closed', declineProposals: true, reason: 'Budget cut' };
    const answers: Record<string, () => Promise<Body>> = {
      HTTP: async () => (await patch(client, `/job-orders/${id}`, sent, mine)).body,
      MCP: async () => (await client.tool('updateJobOrder', { id, workspace, ...sent })).structuredContent,
      batch: async () => (await client.post('/batch', { changes: [{ id, ...sent }] }, mine)).body.changes[0],
    };
    const { jobOrder } = await answers[how]!();
    assert.is(jobOrder.status, 'closed', how);
    assert.is(jobOrder.proposals, 0, how);
    assert.is(jobOrder.transitions[0].reason, 'Budget cut');
    const { a, b, c, d } = await readPlacements(mine);
    for (const row of [a!, b!]) {
      assert.is(row.status, 'declined');
      assert.is(row.declineReason, 'closed');
      assert.is(row.transitions.at(-1).reason, 'closed');
      assert.is(row.revision, 2);
    }
    assert.is(c!.status, 'scheduled');
    assert.is(d!.status, 'proposed');
    const { revision } = (await client.get('/workspace', mine)).body.workspace;
    assert.is(revision, 2, 'it is one step');
  }
});

close('without declineProposals keeps them, and false is no different', async () => {
  for (const more of [{}, { declineProposals: false }]) {
    const { mine, jobOrders } = await world();
    const { body } = await patch(client, jobOrders[0]!.links.self, { status: 'closed', ...more }, mine);
    assert.is(body.jobOrder.proposals, 2);
    assert.not('declineProposals' in body.jobOrder);
  }
});

close('is what declineProposals needs', async () => {
  const sandbox = await world();
  const { mine, workspace, jobOrders, placements } = sandbox;
  const { id, links } = jobOrders[0]!;
  await unchanged(client, sandbox, async () => {
    for (const sent of [
      { declineProposals: true },
      { declineProposals: true, status: 'open' },
      { declineProposals: 'yes', status: 'closed' },
    ]) {
      const answer = await patch(client, links.self, sent, mine);
      refused(answer, 400, 'invalid_request', ['declineProposals']);
      const told = await client.tool('updateJobOrder', { id, workspace, ...sent });
      refusedTool(told, 'invalid_request', ['declineProposals']);
    }
    const { issues } = refused(
      await patch(client, links.self, { declineProposals: true }, mine),
      400,
      'invalid_request',
    );
    assert.match(issues[0].message, /send status "closed" with it/);
    const body = { declineProposals: true, status: 'declined' };
    const strict = { ...mine, Prefer: 'handling=strict' };
    refused(await patch(client, placements[0]!.links.self, body, strict), 400, 'invalid_request');
  });
});

close('follows from its last day, and it is matched no more', async () => {
  const { mine, jobOrders, candidates } = await makeSandbox(client, {
    candidates: [people[0]!],
    jobOrders: [
      toBody.jobOrder({ ref: 'over', endDate: dayFromNow(-1) }),
      toBody.jobOrder({ ref: 'last', endDate: dayFromNow(0) }),
    ],
  });
  assert.equal(pluck(jobOrders, 'status'), ['closed', 'open']);
  const { body } = await client.get(`/candidates/${candidates[0]!.id}/matches?scope=workspace`, mine);
  assert.equal(pluck(pluck(body.matches, 'jobOrder') as Body[], 'ref'), ['last']);
  const own = (await client.get(`/job-orders/${jobOrders[0]!.id}/matches`, mine)).body;
  assert.is(own.type, 'EMPTY');
  const { orders } = (await client.get('/workspace/matches', mine)).body;
  assert.equal(pluck(pluck(orders, 'jobOrder') as Body[], 'ref'), ['last']);
  const open = (await client.get('/job-orders?scope=workspace&status=open', mine)).body;
  assert.equal(pluck(open.jobOrders, 'ref'), ['last']);
});

close.run();
