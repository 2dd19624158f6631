import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operations } from '../../../src/table.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { makeSandbox, nurseCode as onetCode, refused, toBody } from '../../support/sandbox.ts';

const shortlists = suite('decisions on shortlists');

const names = ['Ann', 'Bo', 'Cy'];
const secret = { onetCode, note: 'secret', payRateUsdHour: 51.5 };

/** An order with three people proposed for it, with private members. */
async function propose() {
  const [ann, bo, cy] = names.map((name) => toBody.candidate({ name, ref: `secret-${name}`, ...secret }));
  const proposed = { jobOrderId: '#secret-o', onetCode, status: 'proposed', note: 'secret' };
  const sandbox = await makeSandbox(client, {
    candidates: [ann, { ...bo, credentials: ['PA RN license'], title: 'Night nurse' }, cy],
    jobOrders: [
      toBody.jobOrder({ ref: 'secret-o', requires: ['RN license - PA'], ...secret }),
      toBody.jobOrder({ ref: 'other', onetCode }),
    ],
    placements: names.map((name) => ({ candidateId: `#secret-${name}`, ...proposed })),
  });
  const [order, other] = sandbox.jobOrders;
  const made = await client.post(`/job-orders/${order!.id}/shortlist`, {}, sandbox.mine);
  assert.is(made.status, 201, made.text);
  const { token } = made.body.shortlist;
  return { ...sandbox, order: order!, other: other!, token: token as string, ...toHolder(token) };
}

/** The calls of a caller with a token. */
function toHolder(token: string) {
  const held = { 'X-Shortlist': token };
  return {
    held,
    see: () => client.get('/shortlist', held),
    row: async (id: string) =>
      (await client.get('/shortlist', held)).body.shortlist.placements.find((one: Body) => one.id === id),
    decide: (body: object) => client.post('/shortlist', body, held),
  };
}

shortlists('a shortlist shows one order and the people proposed, and nothing private', async () => {
  const { token, held, see, order, placements, workspace, mine } = await propose();
  const { body, text, headers } = await see();
  const { jobOrder, placements: rows, expiresAt } = body.shortlist;
  const told = rows.map((row: Body) => `${row.candidate.name} ${row.status} ${row.unmet.length}`);
  assert.equal(told, ['Bo proposed 0', 'Ann proposed 1', 'Cy proposed 1']);
  assert.is(jobOrder.title, 'Developer');
  assert.is(jobOrder.openings, 1);
  assert.is(jobOrder.openingsLeft, 1);
  assert.equal(rows[0].met, [{ phrase: 'RN license - PA', by: 'PA RN license' }]);
  assert.is(new Set(rows.map(({ id }: Body) => id)).size, placements.length);
  for (const secret of ['secret', '51.5', workspace, order.id, 'cand_']) assert.not.match(text, secret);
  const read = await client.get(`/job-orders/${order.id}`, mine);
  assert.ok(read.body.jobOrder.shortlist.expiresAt >= expiresAt);
  assert.not.match(read.text, token);
  assert.not.match((await client.get('/workspace/export', mine)).text, token);
  const since = { ...held, 'If-None-Match': headers.get('etag')! };
  assert.is((await client.get('/shortlist', since)).status, 304);
});

shortlists('lists those with the least unmet first', async () => {
  const requires = ['ACLS', 'BLS', 'TNCC'];
  const shown = { None: [], Two: ['ACLS', 'BLS'], One: ['ACLS'], All: requires };
  const refs = Object.keys(shown);
  const sandbox = await makeSandbox(client, {
    candidates: Object.entries(shown).map(([name, credentials]) =>
      toBody.candidate({ ref: name, name, onetCode, credentials }),
    ),
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode, requires })],
    placements: refs.map((name) => ({
      candidateId: `#${name}`,
      jobOrderId: '#o',
      onetCode,
      status: 'proposed',
    })),
  });
  const { body } = await client.post('/job-orders/%23o/shortlist', {}, sandbox.mine);
  const read = await toHolder(body.shortlist.token).see();
  const listed = read.body.shortlist.placements.map(({ candidate }: Body) => candidate.name);
  assert.equal(listed, ['All', 'Two', 'One', 'None']);
});

/** Proposes a person who lacks one must-have, and whose credential for another ends on a day. Returns the row. */
async function proposeMissing(until: string, startDate: string): Promise<Body> {
  const credentials = ['BLS', `TNCC until ${until}`];
  const order = { requires: ['ACLS', 'BLS', 'TNCC'], shift: 'night', startDate };
  const sandbox = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'c', onetCode, credentials, shifts: ['day'] })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode, ...order })],
    placements: [{ candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed' }],
  });
  const { body } = await client.post('/job-orders/%23o/shortlist', {}, sandbox.mine);
  return (await toHolder(body.shortlist.token).see()).body.shortlist.placements[0];
}

for (const [when, until, startDate] of [
  ['is over', '2020-01-31', '2020-03-01'],
  ['ends before the work starts', '2099-01-31', '2099-03-01'],
] as const) {
  shortlists(`says until when a credential for a missing must-have is valid, if it ${when}`, async () => {
    const { missing } = await proposeMissing(until, startDate);
    assert.equal(missing, [{ phrase: 'ACLS' }, { phrase: 'TNCC', until }]);
  });

  shortlists(`says first of what is unmet which must-haves are, if a credential ${when}`, async () => {
    const { unmet } = await proposeMissing(until, startDate);
    assert.equal(unmet.slice(0, 2), ['shows no "ACLS"', `"TNCC" expired ${until}`]);
  });
}

shortlists('a decision moves the placement once, and stays on the list', async () => {
  const { row, decide, see, placements, mine, order } = await propose();
  const [ann, bo] = placements.map(({ id }) => id);
  const { tag } = await row(bo);
  const sent = { placementId: bo, decision: 'interview', reason: 'Nights suit us.', tag };
  const first = await decide(sent);
  const { status, decision } = first.body.placement;
  assert.is(first.status, 200);
  assert.is(status, 'interviewing');
  assert.is(decision, 'interview');
  assert.equal((await decide(sent)).body, first.body, 'the same decision is repeated');
  assert.equal((await decide({ ...sent, tag: 'x' })).body, first.body, 'with any tag');
  refused(await decide({ ...sent, decision: 'decline' }), 412, 'changed');
  const { tag: after } = await row(bo);
  refused(await decide({ ...sent, decision: 'decline', tag: after }), 409, 'already_decided');
  const { transitions } = (await client.get(`/placements/${bo}`, mine)).body.placement;
  const [{ at, ...move }] = transitions;
  assert.equal(transitions.length, 1);
  assert.equal(move, { from: 'proposed', to: 'interviewing', reason: 'Nights suit us.', by: 'shortlist' });
  const { tag: ofAnn } = await row(ann);
  await decide({ placementId: ann, decision: 'decline', tag: ofAnn });
  const declined = (await client.get(`/placements/${ann}`, mine)).body.placement;
  assert.is(declined.status, 'declined');
  assert.is(declined.declineReason, 'client');
  const rows: Body[] = (await see()).body.shortlist.placements;
  const told = rows.map(({ candidate: { name }, decision }) => `${name} ${decision}`);
  assert.equal(told, ['Cy undefined', 'Bo interview', 'Ann decline']);
  await client.patch(`/placements/${bo}`, { status: 'scheduled' }, mine);
  assert.is((await row(bo)).status, 'scheduled', 'the refusal names the status');
  const exported = (await client.get('/workspace/export', mine)).body;
  const copy = await client.post('/batch', exported);
  const copied = copy.body.placements.flatMap((one: Body) => one.transitions);
  assert.is(copied.length, 3);
  for (const one of copied) assert.not('by' in one, 'an import has no sign of a link');
  assert.is((await client.get(`/job-orders/${order.id}`, mine)).body.jobOrder.status, 'filled');
});

shortlists('refuses a decision on a changed placement, an unlisted one, or a closed order', async () => {
  const { row, decide, placements, mine, order, other } = await propose();
  const [ann, bo, cy] = placements.map(({ id }) => id);
  const tags = { ann: (await row(ann)).tag, bo: (await row(bo)).tag };
  await client.patch(`/placements/${ann}`, { status: 'declined', declineReason: 'candidate' }, mine);
  const beside = { candidateId: '#secret-Ann', jobOrderId: other.id, onetCode, status: 'proposed' };
  const elsewhere = await client.post('/placements', beside, mine);
  for (const placementId of [ann, elsewhere.body.placement.id, 'plc_001', 'plc_none', order.id]) {
    const { status, body } = await decide({ placementId, decision: 'interview', tag: tags.ann });
    assert.is(status, 404, placementId);
    assert.is(body.type, 'EMPTY', placementId);
  }
  await client.patch(`/candidates/%23secret-Bo`, { title: 'Another' }, mine);
  refused(await decide({ placementId: bo, decision: 'interview', tag: tags.bo }), 412, 'changed');
  await client.patch(`/placements/${cy}`, { status: 'interviewing' }, mine);
  const { tag } = await row(cy);
  refused(await decide({ placementId: cy, decision: 'interview', tag }), 409, 'already_decided');
  for (const [body, path] of [
    [{ placementId: bo, decision: 'hire', tag }, 'decision'],
    [{ placementId: bo, decision: 'decline' }, 'tag'],
    [{ decision: 'decline', tag }, 'placementId'],
    [{ placementId: bo, decision: 'decline', tag, reason: 'x'.repeat(201) }, 'reason'],
  ] as const)
    refused(await decide(body), 400, 'invalid_request', [path]);
  await client.patch(`/job-orders/${order.id}`, { status: 'closed' }, mine);
  const { tag: now } = await row(bo);
  refused(await decide({ placementId: bo, decision: 'interview', tag: now }), 409, 'order_closed');
});

shortlists('a link is voided on request only, and ends with its order', async () => {
  const { token, mine, order, other } = await propose();
  const path = `/job-orders/${order.id}/shortlist`;
  refused(await client.post(path, {}, mine), 409, 'pending');
  refused(await client.post(`/job-orders/${other.id}/shortlist`, {}, mine), 409, 'nothing_proposed');
  refused(await client.post('/job-orders/job_001/shortlist', {}, mine), 403, 'read_only');
  const second = await client.post(path, { replace: true }, mine);
  const held = { 'X-Shortlist': second.body.shortlist.token };
  assert.is((await client.get('/shortlist', held)).status, 200);
  for (const wrong of [token, 'sl_', `sl_${'0'.repeat(32)}`, `cnf_${'0'.repeat(32)}`, mine['X-Workspace']!])
    refused(await client.get('/shortlist', { 'X-Shortlist': wrong }), 401, 'unknown_shortlist');
  assert.is((await client.delete(`/job-orders/${order.id}`, mine)).status, 200);
  refused(await client.get('/shortlist', held), 401, 'unknown_shortlist');
});

shortlists('a token opens only its shortlist', async () => {
  const { token, placements, held } = await propose();
  const named = [held, { 'X-Workspace': token }, { 'X-Confirmation': token }, { 'X-Claim': token }];
  for (const { operationId, method, path, access, contract } of operations) {
    const { workspace, capability } = access;
    const { sample = {} } = contract;
    if (workspace !== 'required' && (!capability || path === '/shortlist')) continue;
    const address = path.replace('{id}', placements[0]!.id);
    for (const headers of named) {
      const isRead = method === 'GET' || method === 'DELETE';
      const body = isRead ? undefined : { ...sample, id: undefined };
      const { status } = await client.ask(method, address, body, headers);
      assert.ok(status === 401 || status === 400, `${operationId} answers ${status}`);
    }
  }
});

shortlists('one of two managers decides', async () => {
  const { row, decide, placements, mine } = await propose();
  const placementId = placements[0]!.id;
  const { tag } = await row(placementId);
  const decisions = ['interview', 'decline', 'interview', 'decline'];
  const answers = await Promise.all(decisions.map((decision) => decide({ placementId, decision, tag })));
  const won = answers.filter(({ status }) => status === 200);
  assert.is(won.length, 2, 'equal decisions both succeed');
  assert.is(new Set(won.map(({ text }) => text)).size, 1);
  for (const { status } of answers.filter((one) => one.status !== 200)) assert.is(status, 412);
  const { transitions } = (await client.get(`/placements/${placementId}`, mine)).body.placement;
  assert.is(transitions.length, 1);
});

shortlists.run();
