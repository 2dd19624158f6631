import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { dayFromNow, makeSandbox, refused, toBody, unchanged } from '../../support/sandbox.ts';

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

close('with declineProposals declines its open proposals and no others', async () => {
  const { mine, jobOrders } = await world();
  const sent = { status: 'closed', declineProposals: true, reason: 'Budget cut' };

  const { jobOrder } = (await client.patch(jobOrders[0]!.links.self, sent, mine)).body;

  assert.is(jobOrder.status, 'closed');
  assert.is(jobOrder.proposals, 0);
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
});

/** How an order can be closed while proposals on it are open. */
const closedBefore: [how: string, patch: object][] = [
  ['its last day is over', { endDate: dayFromNow(-1) }],
  ['it was closed without them', { status: 'closed' }],
];

for (const [how, sent] of closedBefore)
  close(`with declineProposals declines the proposals of an order if ${how}`, async () => {
    const { mine, jobOrders } = await world();
    const { self } = jobOrders[0]!.links;
    const before = (await client.patch(self, sent, mine)).body.jobOrder;
    assert.is(before.status, 'closed');
    assert.is(before.proposals, 2);

    const { body } = await client.patch(self, { status: 'closed', declineProposals: true }, mine);

    assert.is(body.type, 'OK', JSON.stringify(body));
    assert.not('warnings' in body);
    assert.is(body.jobOrder.status, 'closed');
    assert.is(body.jobOrder.proposals, 0);
    assert.equal(body.jobOrder.transitions, before.transitions, 'the order makes no move');
    const { a, b, c, d } = await readPlacements(mine);
    assert.equal(pluck([a!, b!, c!, d!], 'status'), ['declined', 'declined', 'scheduled', 'proposed']);

    const later = (await client.patch(self, { endDate: dayFromNow(9) }, mine)).body.jobOrder;
    assert.is(later.status, 'endDate' in sent ? 'open' : 'closed', 'why it is closed stays the same');
  });

close('an order that is closed already is refused without declineProposals', async () => {
  const sandbox = await world();
  const { mine, jobOrders } = sandbox;
  const { links } = jobOrders[0]!;
  await client.patch(links.self, { endDate: dayFromNow(-1) }, mine);
  await unchanged(client, sandbox, async () => {
    for (const more of [{}, { declineProposals: false }]) {
      const sent = { status: 'closed', ...more };
      refused(await client.patch(links.self, sent, mine), 409, 'illegal_transition', ['status']);
    }
  });
});

close('an order that is closed already warns of a reason, which no move keeps', async () => {
  const { mine, jobOrders } = await world();
  const { self } = jobOrders[0]!.links;
  await client.patch(self, { status: 'closed' }, mine);
  const sent = { status: 'closed', declineProposals: true, reason: 'Budget cut' };
  const strict = { ...mine, Prefer: 'handling=strict' };
  const { issues } = refused(await client.patch(self, sent, strict), 409, 'conflict', ['reason']);
  assert.match(issues[0].message, /reads so already.*leave it out/);
  const { body } = await client.patch(self, sent, mine);
  assert.equal(pluck(body.warnings, 'code'), ['not_taken']);
  assert.is(body.jobOrder.proposals, 0);
});

close('in one batch may come first, and the decline of its proposals after it', async () => {
  const { mine, jobOrders } = await world();
  const { id } = jobOrders[0]!;
  const changes = [
    { id, status: 'closed', reason: 'Budget cut' },
    { id, status: 'closed', declineProposals: true },
  ];
  const { body } = await client.post('/batch', { changes }, mine);
  assert.is(body.changes[1].jobOrder.proposals, 0);
  assert.equal(pluck(body.changes[1].jobOrder.transitions, 'reason'), ['Budget cut']);
});

close('without declineProposals keeps them, and false is no different', async () => {
  for (const more of [{}, { declineProposals: false }]) {
    const { mine, jobOrders } = await world();
    const { body } = await client.patch(jobOrders[0]!.links.self, { status: 'closed', ...more }, mine);
    assert.is(body.jobOrder.proposals, 2);
    assert.not('declineProposals' in body.jobOrder);
  }
});

close('rejects declineProposals without status closed', async () => {
  const sandbox = await world();
  const { mine, jobOrders, placements } = sandbox;
  const { links } = jobOrders[0]!;
  await unchanged(client, sandbox, async () => {
    for (const sent of [
      { declineProposals: true },
      { declineProposals: true, status: 'open' },
      { declineProposals: 'yes', status: 'closed' },
    ]) {
      const answer = await client.patch(links.self, sent, mine);
      refused(answer, 400, 'invalid_request', ['declineProposals']);
    }
    const { issues } = refused(
      await client.patch(links.self, { declineProposals: true }, mine),
      400,
      'invalid_request',
    );
    assert.match(issues[0].message, /send status "closed" with it/);
    const body = { declineProposals: true, status: 'declined' };
    const strict = { ...mine, Prefer: 'handling=strict' };
    refused(await client.patch(placements[0]!.links.self, body, strict), 400, 'invalid_request');
  });
});

close('an order is closed after its last day, and is no longer matched', async () => {
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
