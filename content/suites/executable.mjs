import { expect, it } from 'vitest';
import { origin } from 'suite:env';

const json = { 'Content-Type': 'application/json' };

async function get(path, headers = {}) {
  const response = await fetch(origin + path, { headers: { Accept: 'application/json', ...headers } });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function send(method, path, body, headers = {}) {
  const response = await fetch(origin + path, {
    method,
    headers: { ...(body && json), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const post = (path, body, headers) => send('POST', path, body, headers);

async function tool(name, args = {}) {
  const { status, body } = await post('/mcp', {
    jsonrpc: '2.0',
    id: name,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  expect(status).toBe(200);
  expect(body.id).toBe(name);
  return body.result;
}

const keptLinks = ['candidate', 'jobOrder', 'receipt', 'keys'];

/** A body of HTTP as a tool returns it: without addresses, empty lists and rows of no calls. */
function lean(value) {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, member]) => {
    if (name === 'links') {
      const links = Object.entries(member).filter(([link]) => keptLinks.includes(link));
      return links.length > 0 ? [[name, Object.fromEntries(links)]] : [];
    }
    if (!Array.isArray(member)) return [[name, lean(member)]];
    const rows = member.filter((row) => row?.calls !== 0).map(lean);
    return rows.length > 0 ? [[name, rows]] : [];
  });
  return Object.fromEntries(entries);
}

function expectCreated({ status, headers, body }, member, prefix) {
  expect(status).toBe(201);
  expect(body.type).toBe('OK');
  expect(body[member].id).toMatch(prefix);
  expect(body[member].example).toBe(false);
  expect(headers.get('x-workspace')).toBe(body.workspace);
  expect(headers.get('location')).toBe(body[member].links.self);
  expect(Date.parse(body.retention.expiresAt)).toBeGreaterThan(Date.now());
}

async function expectList(path, member) {
  const { status, body } = await get(path);
  expect(status).toBe(200);
  expect(body.type).toBe('OK');
  expect(body[member].length).toBeGreaterThan(0);
  expect(body.total).toBeGreaterThan(0);
  return body[member];
}

async function expectListAndFirst(path, member, single) {
  const [first] = await expectList(path, member);
  const { status, body } = await get(first.links.self);
  expect(status).toBe(200);
  expect(body[single]).toEqual(first);
  const missing = await get(`${path}/none`);
  expect(missing.status).toBe(404);
  expect(missing.body.type).toBe('EMPTY');
}

const candidate = { name: 'Suite Sample', onetCode: '15-1252.00', skills: ['Testing'] };
const jobOrder = { client: 'Suite Example Works', title: 'Tester', onetCode: '15-1252.00', billRateUsdHour: 80 };

it('candidates are listed and read [openapi:listCandidates] [openapi:getCandidate]', async () => {
  await expectListAndFirst('/candidates', 'candidates', 'candidate');
});

it('job orders are listed and read [openapi:listJobOrders] [openapi:getJobOrder]', async () => {
  await expectListAndFirst('/job-orders', 'jobOrders', 'jobOrder');
});

it('placements are listed and read [openapi:listPlacements] [openapi:getPlacement]', async () => {
  await expectListAndFirst('/placements', 'placements', 'placement');
  for (const row of await expectList('/placements?status=completed', 'placements')) {
    expect(row.status).toBe('completed');
  }
  const none = await get('/placements?status=no-such-status');
  expect(none.status).toBe(200);
  expect(none.body.type).toBe('EMPTY');
  expect((await get('/placements?scope=admin')).status).toBe(403);
  expect((await get('/placements?spend=0')).status).toBe(200);
  expect((await get('/placements?limit=0')).status).toBe(400);
});

it('a job title becomes a code [openapi:listOccupations] [openapi:getOccupation]', async () => {
  const [first] = await expectList('/occupations?q=registered%20nurse&limit=3', 'occupations');
  expect(first.id).toBe('29-1141.00');
  const { status, body } = await get('/occupations/29-1141.00');
  expect(status).toBe(200);
  expect(body.occupation.title).toBe('Registered Nurses');
  expect((await get('/occupations/00-0000.00')).status).toBe(404);
});

it('many job titles become codes at once [openapi:codeTitles] [mcp:codeTitles]', async () => {
  const titles = ['registered nurse', 'zzqxv'];
  const { status, body } = await post('/titles', { titles });
  expect(status).toBe(200);
  expect(body.titles.map(({ title }) => title)).toEqual(titles);
  expect(body.titles[0].occupations[0].id).toBe('29-1141.00');
  expect(body.titles[1].certainty).toBe('unsure');
  expect(body.titles[1].occupations).toEqual([]);
  expect((await tool('codeTitles', { titles })).structuredContent).toEqual(lean(body));
  expect((await post('/titles', { titles: [] })).status).toBe(400);
});

it('a first create mints a workspace, a refused one does not [openapi:createCandidate]', async () => {
  const made = await post('/candidates', candidate);
  expectCreated(made, 'candidate', /^cand_/);
  const read = await get(made.body.candidate.links.self, { 'X-Workspace': made.body.workspace });
  expect(read.body.candidate).toEqual(made.body.candidate);
  expect((await get(made.body.candidate.links.self)).status).toBe(404);
  const refused = await post('/candidates', { name: 'No code' });
  expect(refused.status).toBe(400);
  expect(refused.body.type).toBe('BLOCKED');
  expect(refused.headers.get('x-workspace')).toBe(null);
});

it('a workspace holds what was placed [openapi:createJobOrder] [openapi:createPlacement]', async () => {
  const person = await post('/candidates', candidate);
  const inside = { 'X-Workspace': person.body.workspace };
  const order = await post('/job-orders', jobOrder, inside);
  expectCreated(order, 'jobOrder', /^job_/);
  const placed = await post(
    '/placements',
    {
      candidateId: person.body.candidate.id,
      jobOrderId: order.body.jobOrder.id,
      onetCode: '15-1252.00',
    },
    inside,
  );
  expectCreated(placed, 'placement', /^plc_/);
  expect(placed.body.workspace).toBe(person.body.workspace);
  expect(placed.body.placement.links.candidate).toBe(person.body.candidate.links.self);
  const { body } = await get(person.body.candidate.links.self, inside);
  expect(body.candidate.status).toBe('placed');
  const wrong = await get('/candidates', { 'X-Workspace': 'ws_none' });
  expect(wrong.status).toBe(401);
  expect(wrong.body.type).toBe('BLOCKED');
});

const today = new Date().toISOString().slice(0, 10);
const batch = {
  candidates: [{ ...candidate, ref: 'ann' }],
  jobOrders: [{ ...jobOrder, ref: 'test' }],
  placements: [{ candidateId: '#ann', jobOrderId: '#test', onetCode: '15-1252.00', startDate: today }],
};

it('many records are made in one step, or none [openapi:createBatch]', async () => {
  const made = await post('/batch', batch);
  expect(made.status).toBe(201);
  expect(made.body.placements[0].candidateId).toBe(made.body.candidates[0].id);
  expect(made.body.jobOrders[0].status).toBe('filled');
  const bad = await post('/batch', { ...batch, candidates: [{ name: 'No code' }] });
  expect(bad.status).toBe(400);
  expect(bad.body.issues.map(({ path }) => path)).toContain('candidates[0].onetCode');
});

async function openProposed() {
  const [placement] = batch.placements;
  const proposed = { ...batch, placements: [{ ...placement, ref: 'p', status: 'proposed' }] };
  const { workspace } = (await post('/batch', proposed)).body;
  return { workspace, inside: { 'X-Workspace': workspace } };
}

it('a file is read dry, and then imported, by both doors [openapi:importRecords] [mcp:importRecords]', async () => {
  const text = 'First Name,Last Name,Job Title,E-mail\nAda,Example,Registered Nurse,ada@example.com\n';
  const file = { format: 'csv', kind: 'candidates', text };
  const dry = await post('/imports', file);
  expect(dry.status).toBe(200);
  expect(dry.body.notTaken.map(({ member }) => member)).toEqual(['E-mail']);
  const made = await post('/imports', { ...file, codes: dry.body.codes, dryRun: false });
  expect(made.status).toBe(201);
  expect(made.body.records.candidates[0].name).toBe('Ada Example');
  const { structuredContent } = await tool('importRecords', file);
  expect(structuredContent.records.candidates[0].name).toBe('Ada Example');
});

it('records leave as CSV, JobPosting and JSON Resume [openapi:exportCsv] [openapi:getJobPosting] [openapi:getResume]', async () => {
  const { inside } = await openProposed();
  const table = await fetch(`${origin}/workspace/export.csv?kind=candidates`, { headers: inside });
  expect(table.status).toBe(200);
  expect((await table.text()).startsWith('ref,name,')).toBe(true);
  const posting = await fetch(`${origin}/job-orders/job_001/posting.jsonld`);
  expect((await posting.json())['@type']).toBe('JobPosting');
  expect((await get('/candidates/cand_001/resume.json')).body.meta.version).toBe('v1.0.0');
});

it('a batch changes records in one step [openapi:createBatch]', async () => {
  const { inside } = await openProposed();
  const work = { hoursPerWeek: 20, workplace: 'remote', payRateUsdHour: 50, payRateMaxUsdHour: 60 };
  const changes = [{ id: '#test', ...work }, { id: '#ann', source: 'referral' }];
  const { status, body } = await post('/batch', { changes }, inside);
  expect(status).toBe(200);
  const [{ jobOrder: order }, { candidate: person }] = body.changes;
  expect(order.workplace).toBe('remote');
  expect(order.hoursPerWeek).toBe(20);
  expect(order.payRateMaxUsdHour).toBe(60);
  expect(person.source).toBe('referral');
  expect(person.revision).toBe(2);
  const { workspace } = (await get('/workspace', inside)).body;
  expect(workspace.revision).toBe(2);
});

it('a stale revision refuses the whole batch [openapi:createBatch]', async () => {
  const { inside } = await openProposed();
  const changes = [{ id: '#test', note: 'x' }, { id: '#ann', revision: 9, note: 'x' }];
  const { status, body } = await post('/batch', { changes }, inside);
  expect(status).toBe(412);
  expect(body.issues[0].path).toBe('changes[1].revision');
  expect((await get('/job-orders/%23test', inside)).body.jobOrder.note).toBe(undefined);
});

it('an illegal move refuses the whole batch [mcp:createBatch]', async () => {
  const { workspace, inside } = await openProposed();
  const changes = [{ id: '#ann', note: 'x' }, { id: '#p', status: 'completed' }];
  const { structuredContent: refused } = await tool('createBatch', { workspace, changes });
  expect(refused.code).toBe('illegal_transition');
  expect(refused.issues[0].path).toBe('changes[1].status');
  expect((await get('/candidates/%23ann', inside)).body.candidate.note).toBe(undefined);
});

it('closing with declineProposals declines the open proposals [openapi:createBatch]', async () => {
  const { inside } = await openProposed();
  const changes = [{ id: '#test', status: 'closed', declineProposals: true }];
  const { body } = await post('/batch', { changes }, inside);
  const [{ jobOrder: order }] = body.changes;
  expect(order.status).toBe('closed');
  expect(order.proposals).toBe(0);
  const { placement } = (await get('/placements/%23p', inside)).body;
  expect(placement.status).toBe('declined');
  expect(placement.declineReason).toBe('closed');
});

it('records change by legal moves [openapi:updateCandidate] [openapi:updateJobOrder] [openapi:updatePlacement]', async () => {
  const { body } = await post('/batch', batch);
  const inside = { 'X-Workspace': body.workspace };
  const [person, order, placed] = [body.candidates[0], body.jobOrders[0], body.placements[0]].map((one) => one.links.self);
  const illegal = await send('PATCH', person, { status: 'withdrawn' }, inside);
  expect(illegal.status).toBe(409);
  expect(illegal.body.code).toBe('illegal_transition');
  const ended = await send(
    'PATCH',
    placed,
    { status: 'ended-early', endDate: today, endReason: 'client-ended' },
    inside,
  );
  expect(ended.status).toBe(200);
  expect(ended.body.placement.status).toBe('ended-early');
  const named = await send('PATCH', person, { name: 'Suite Other', status: 'withdrawn' }, inside);
  expect(named.body.candidate.revision).toBe(2);
  expect(named.body.candidate.status).toBe('withdrawn');
  const stale = await send('PATCH', person, { name: 'Late' }, { ...inside, 'If-Match': '"other"' });
  expect(stale.status).toBe(412);
  expect((await send('PATCH', order, { status: 'closed' }, inside)).body.jobOrder.status).toBe('closed');
  expect((await send('PATCH', '/candidates/cand_001', { name: 'X' }, inside)).status).toBe(403);
});

it('a whole workspace is matched in one call [openapi:matchWorkspace] [mcp:matchWorkspace]', async () => {
  const jobOrder = { ...batch.jobOrders[0], requires: ['Testing'] };
  const sent = { candidates: batch.candidates, jobOrders: [jobOrder] };
  const { workspace, jobOrders } = (await post('/batch', sent)).body;
  const { status, body } = await get('/workspace/matches?limit=2', { 'X-Workspace': workspace });
  expect(status).toBe(200);
  expect(body.orders.map(({ jobOrder }) => jobOrder.id)).toEqual(jobOrders.map(({ id }) => id));
  expect(body.orders[0].matches[0].meets).toBe(true);
  const { structuredContent } = await tool('matchWorkspace', { workspace, limit: 2 });
  expect(structuredContent).toEqual(lean(body));
});

it('one plan for all open orders, by both doors [openapi:planWorkspace] [mcp:planWorkspace]', async () => {
  const sent = { candidates: batch.candidates, jobOrders: batch.jobOrders };
  const { workspace, jobOrders, candidates } = (await post('/batch', sent)).body;
  const { status, body } = await get('/workspace/plan', { 'X-Workspace': workspace });
  expect(status).toBe(200);
  expect(body.plan[0].jobOrder.id).toBe(jobOrders[0].id);
  expect(body.plan[0].candidate.id).toBe(candidates[0].id);
  const { structuredContent } = await tool('planWorkspace', { workspace });
  expect(structuredContent).toEqual(lean(body));
});

it('a workspace is looked at, taken along and erased [openapi:getWorkspace] [openapi:exportWorkspace] [openapi:deleteWorkspace]', async () => {
  const { body } = await post('/batch', batch);
  const inside = { 'X-Workspace': body.workspace };
  const { body: look } = await get('/workspace', inside);
  expect(look.workspace.records).toEqual({ candidates: 1, jobOrders: 1, placements: 1 });
  const { body: page } = await get('/workspace/export', inside);
  expect(page.total).toBe(3);
  const copy = await post('/batch', page);
  expect(copy.status).toBe(201);
  expect(copy.body.warnings).toBe(undefined);
  expect((await send('DELETE', '/workspace', undefined, inside)).status).toBe(200);
  expect((await get('/workspace', inside)).status).toBe(401);
});

it('a workspace says what changed, by both doors [openapi:getActivity] [mcp:getActivity]', async () => {
  const { body } = await post('/batch', batch);
  const { workspace, candidates } = body;
  const inside = { 'X-Workspace': workspace };
  expect((await send('DELETE', candidates[0].links.self, undefined, inside)).status).toBe(200);
  const { body: newest } = await get('/workspace/activity', inside);
  expect(newest.activity.map(({ operation }) => operation)).toEqual(['deleteCandidate', 'createBatch']);
  expect(newest.activity[0].records[0].name).toBe(null);
  const { structuredContent: after } = await tool('getActivity', { workspace, since: 1 });
  expect(after.activity).toEqual([newest.activity[0]]);
});

it('a record is erased, and what referred to it stays [openapi:deleteCandidate] [openapi:deleteJobOrder] [openapi:deletePlacement]', async () => {
  const { body } = await post('/batch', batch);
  const inside = { 'X-Workspace': body.workspace };
  const [person, order, placed] = [body.candidates[0], body.jobOrders[0], body.placements[0]];
  expect((await send('DELETE', person.links.self, undefined, inside)).body.deleted).toBe(person.id);
  expect((await get(placed.links.self, inside)).body.placement.links.candidate).toBe(null);
  expect((await send('DELETE', placed.links.self, undefined, inside)).status).toBe(200);
  expect((await get(order.links.self, inside)).body.jobOrder.status).toBe('open');
  expect((await send('DELETE', order.links.self, undefined, inside)).status).toBe(200);
  expect((await get(order.links.self, inside)).status).toBe(404);
});

it('strict handling refuses what would be warned of, and tools refuse names that they do not have [mcp:createBatch] [mcp:getWorkspace] [mcp:updateCandidate] [mcp:updateJobOrder] [mcp:updatePlacement]', async () => {
  const strict = await post('/candidates', { ...candidate, nickname: 'A' }, { Prefer: 'handling=strict' });
  expect(strict.status).toBe(400);
  expect(strict.headers.get('preference-applied')).toBe('handling=strict');
  const { structuredContent: made } = await tool('createBatch', batch);
  const { workspace } = made;
  const { structuredContent: look } = await tool('getWorkspace', { workspace });
  expect(look.workspace.records.placements).toBe(1);
  const changes = { updateCandidate: 'candidates', updateJobOrder: 'jobOrders', updatePlacement: 'placements' };
  for (const [name, collection] of Object.entries(changes)) {
    const [{ id }] = made[collection];
    const { structuredContent: changed } = await tool(name, { id, workspace, ref: 'again', revision: 1 });
    expect(changed.type).toBe('OK');
    expect((await tool(name, { id, workspace, ref: 'late', revision: 1 })).structuredContent.code).toBe('changed');
  }
  const guessed = await tool('getWorkspace', { workspace, worksapce: 'x' });
  expect(guessed.isError).toBe(true);
});

it('orders and people are matched with reasons that add up [openapi:matchCandidates] [openapi:matchJobOrders] [mcp:matchCandidates] [mcp:matchJobOrders]', async () => {
  const paths = { matchCandidates: '/job-orders/job_001/matches', matchJobOrders: '/candidates/cand_001/matches' };
  for (const [name, path] of Object.entries(paths)) {
    const { status, body } = await get(`${path}?limit=5`);
    expect(status).toBe(200);
    expect(body.matches.length).toBeGreaterThan(0);
    for (const { score, reasons } of body.matches) {
      expect(reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score);
    }
    const { structuredContent } = await tool(name, { id: path.split('/')[2], limit: 5 });
    expect(structuredContent).toEqual(lean(body));
  }
});

it('prices have a ceiling that holds [openapi:getPricing] [openapi:getOffer]', async () => {
  const { body } = await get('/pricing');
  expect(body.model).toBe('metered');
  expect(body.hardCeiling).toBeGreaterThan(0);
  const over = await get(`/placements?spend=${body.hardCeiling * 2.5}`);
  expect(over.status).toBe(402);
  expect(over.body.type).toBe('OFFER');
  expect((await get(`/placements?spend=${body.hardCeiling / 2}`)).status).toBe(200);
  const offer = await get('/offer');
  expect(offer.status).toBe(402);
  expect(offer.body.payable).toBe(false);
});

it('documents of our own are OK envelopes [openapi:getFamily] [openapi:getIcp] [openapi:getVerify] [openapi:getProjection]', async () => {
  for (const path of ['/family.json', '/icp.json', '/verify', '/projection.json']) {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.type).toBe('OK');
  }
});

/** A placement that started today, in a workspace of its own, and a token for its client. */
async function placeAndState() {
  const startDate = new Date().toISOString().slice(0, 10);
  const body = { candidateId: 'cand_001', jobOrderId: 'job_001', onetCode: '15-1252.00', startDate };
  const made = await post('/placements', body);
  const headers = { 'X-Workspace': made.body.workspace };
  const { self } = made.body.placement.links;
  const early = await post(`${self}/confirmations`, { party: 'client' }, headers);
  expect([early.status, early.body.code]).toEqual([409, 'no_outcome']);
  const stated = await post(`${self}/outcome`, { result: 'retained' }, headers);
  expect(stated.status).toBe(200);
  expect(stated.body.placement.outcome.result).toBe('retained');
  expect(stated.body.placement.outcome.validated).toBe(false);
  const asked = await post(`${self}/confirmations`, { party: 'client' }, headers);
  expect(asked.status).toBe(201);
  const { token, url } = asked.body.confirmation;
  expect(token).toMatch(/^cnf_/);
  expect(url).toMatch(/\/confirm\.html#cnf_/);
  return { self, headers, token, workspace: made.body.workspace, id: made.body.placement.id };
}

it('an outcome is stated, confirmed and validated [openapi:stateOutcome] [openapi:requestConfirmation] [openapi:getConfirmation] [openapi:answerConfirmation] [openapi:getReceipt]', async () => {
  const { self, headers, token } = await placeAndState();
  const none = await get(`${self}/receipt`, headers);
  expect([404, 409]).toContain(none.status);
  const party = { 'X-Confirmation': token };
  const shown = await get('/confirmation', party);
  expect(shown.status).toBe(200);
  expect(shown.body.answer).toBe(null);
  expect(Object.keys(shown.body.statement).sort()).toEqual(['asOf', 'client', 'guaranteeDays', 'occupation', 'reference', 'result', 'startDate', 'title']);
  expect((await get('/confirmation', { 'X-Confirmation': `cnf_${'0'.repeat(32)}` })).status).toBe(401);
  const { tag } = shown.body;
  expect((await post('/confirmation', { agrees: true }, party)).status).toBe(400);
  expect((await post('/confirmation', { agrees: true, tag: 'another' }, party)).body.code).toBe('changed');
  const answered = await post('/confirmation', { agrees: true, tag }, party);
  expect(answered.status).toBe(200);
  expect(answered.body.validated).toBe(true);
  expect((await post('/confirmation', { agrees: true, tag }, party)).body).toEqual(answered.body);
  expect((await post('/confirmation', { agrees: false, tag }, party)).body.code).toBe('already_answered');
  const { body } = await get(self, headers);
  expect(body.placement.outcome.validated).toBe(true);
  const { status, body: told } = await get(`${self}/receipt`, headers);
  expect([200, 409]).toContain(status);
  if (status === 200) {
    expect(told.receipt).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(told.claims.result).toBe(body.placement.outcome.result);
    expect(told.links.keys).toBe('/.well-known/jwks.json');
  }
  expect((await get('/placements/plc_001/receipt')).status).toBe(404);
});

it('the tools of an outcome do the same [mcp:stateOutcome] [mcp:requestConfirmation] [mcp:getConfirmation] [mcp:answerConfirmation]', async () => {
  const { id, workspace } = await placeAndState();
  const stated = await tool('stateOutcome', { id, workspace, result: 'converted' });
  expect(stated.structuredContent.placement.outcome.result).toBe('converted');
  const asked = await tool('requestConfirmation', { id, workspace, party: 'candidate' });
  const confirmation = asked.structuredContent.confirmation.token;
  const shown = await tool('getConfirmation', { confirmation });
  expect(shown.structuredContent.statement.result).toBe('converted');
  const { tag } = shown.structuredContent;
  const answered = await tool('answerConfirmation', { confirmation, agrees: false, tag, comment: 'Not so.' });
  expect(answered.structuredContent.answer.agrees).toBe(false);
  const read = await tool('getPlacement', { id, workspace });
  expect(read.structuredContent.placement.outcome.disputed).toBe(true);
});

it('people decide on who is proposed [mcp:createShortlist] [openapi:createShortlist] [openapi:getShortlist] [openapi:decideShortlist]', async () => {
  const onetCode = '15-1252.00';
  const made = await post('/batch', {
    candidates: [{ ref: 'c', name: 'Suite', onetCode }],
    jobOrders: [{ ref: 'o', client: 'Suite', title: 'Developer', onetCode }],
    placements: [{ ref: 'p', candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed' }],
  });
  expect(made.status).toBe(201);
  const { workspace } = made.body;
  const headers = { 'X-Workspace': workspace };
  const shared = await tool('createShortlist', { workspace, id: '#o' });
  expect(shared.structuredContent.shortlist.url).toMatch(/\/shortlist\.html#sl_/);
  const pending = await post('/job-orders/%23o/shortlist', {}, headers);
  expect([pending.status, pending.body.code]).toEqual([409, 'pending']);
  const held = { 'X-Shortlist': shared.structuredContent.shortlist.token };
  const seen = await get('/shortlist', held);
  expect(seen.status).toBe(200);
  const [{ id: placementId, tag, score }] = seen.body.shortlist.placements;
  expect(score).toBeGreaterThan(0);
  const decided = await post('/shortlist', { placementId, decision: 'interview', tag }, held);
  expect([decided.status, decided.body.placement.status]).toEqual([200, 'interviewing']);
  const { body } = await get('/placements/%23p', headers);
  expect(body.placement.transitions[0].by).toBe('shortlist');
});

it('an agent is graded by how its workspace stands [openapi:listBriefs] [openapi:getBrief] [openapi:startBrief] [openapi:gradeBrief]', async () => {
  const { body: listed } = await get('/briefs');
  const [{ id }] = listed.briefs;
  expect((await get(`/briefs/${id}`)).body.brief.id).toBe(id);
  const started = await post(`/briefs/${id}/start`, { variant: 1 });
  expect(started.status).toBe(201);
  const held = { 'X-Grader': started.body.grader };
  const graded = await get('/grade', held);
  expect([graded.status, graded.body.grade.passed]).toEqual([200, false]);
  expect((await get('/grade', held)).body).toEqual(graded.body);
});

it('tools alone delete one record [mcp:deleteCandidate] [mcp:deleteJobOrder] [mcp:deletePlacement]', async () => {
  const { structuredContent: made } = await tool('createBatch', batch);
  const { workspace } = made;
  const deletes = { deletePlacement: 'placements', deleteJobOrder: 'jobOrders', deleteCandidate: 'candidates' };
  for (const [name, collection] of Object.entries(deletes)) {
    const [{ id }] = made[collection];
    expect((await tool(name, { id, workspace })).structuredContent.deleted).toBe(id);
    expect((await tool(name, { id, workspace })).isError).toBe(true);
  }
});

it('tools alone run a brief [mcp:startBrief] [mcp:gradeBrief]', async () => {
  const { structuredContent: started } = await tool('startBrief', { id: 'messy-titles' });
  expect(started.brief.text.length).toBeGreaterThan(0);
  expect((await get('/workspace', { 'X-Workspace': started.workspace })).status).toBe(200);
  const { structuredContent: graded } = await tool('gradeBrief', { grader: started.grader });
  expect(graded.grade.passed).toBe(false);
  const { structuredContent: unknown } = await tool('startBrief', { id: 'nonesuch' });
  expect(unknown.type).toBe('EMPTY');
  expect(unknown.message).toContain('messy-titles');
});

it('tools alone can finish the job [mcp:exportWorkspace] [mcp:getReceipt] [mcp:deleteWorkspace]', async () => {
  const made = await tool('createPlacement', { candidateId: 'cand_001', jobOrderId: 'job_001', onetCode: '15-1252.00' });
  const { workspace, placement } = made.structuredContent;
  const exported = await tool('exportWorkspace', { workspace });
  expect(exported.structuredContent.placements.map(({ id }) => id)).toEqual([placement.id]);
  const receipt = await tool('getReceipt', { workspace, id: placement.id });
  expect(['EMPTY', 'BLOCKED']).toContain(receipt.structuredContent.type);
  const deleted = await tool('deleteWorkspace', { workspace });
  expect(deleted.structuredContent.deleted.placements).toBe(1);
  expect((await get('/workspace', { 'X-Workspace': workspace })).status).toBe(401);
});

it('each tag of the contract has a part of the reference [openapi:getApiPart]', async () => {
  const { body: contract } = await get('/openapi.json');
  const used = new Set(Object.values(contract.paths).flatMap((verbs) => Object.values(verbs).flatMap(({ tags }) => tags)));
  expect(used.size).toBeGreaterThan(3);
  for (const tag of used) {
    const part = await fetch(`${origin}/api/${tag}.md`);
    expect(part.status).toBe(200);
    expect(await part.text()).toContain(`# API: ${tag}`);
  }
  expect((await get('/api/none.md')).status).toBe(404);
});

it('discovery documents agree [openapi:getOpenApi] [openapi:getAgentCard] [openapi:getLlmsTxt]', async () => {
  const { body: contract } = await get('/openapi.json');
  const { body: card } = await get('/.well-known/agents.json');
  const declared = Object.values(contract.paths).flatMap((path) => Object.values(path).map((one) => one.operationId));
  for (const name of Object.keys(card.interfaces.http)) expect(declared).toContain(name);
  const text = await (await fetch(`${origin}/llms.txt`)).text();
  expect(text).toMatch(/^# /);
  expect(text).toContain('agents.json');
});

it('keys are published, and nothing of them that is private [openapi:getKeys]', async () => {
  const { status, headers, body } = await get('/.well-known/jwks.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('application/jwk-set+json');
  expect(Array.isArray(body.keys)).toBe(true);
  for (const { kty, crv, kid, d } of body.keys) {
    expect([kty, crv, d]).toEqual(['OKP', 'Ed25519', undefined]);
    expect(kid).toMatch(/^[\w-]{43}$/);
  }
});

it('the tool door lists its tools [openapi:callMcp]', async () => {
  const { body } = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { body: card } = await get('/.well-known/agents.json');
  expect(body.result.tools.map(({ name }) => name)).toEqual(card.interfaces.mcp.tools);
});

it('list tools answer as HTTP does [mcp:listCandidates] [mcp:listJobOrders] [mcp:listPlacements] [mcp:listOccupations]', async () => {
  const paths = {
    listCandidates: '/candidates',
    listJobOrders: '/job-orders',
    listPlacements: '/placements',
    listOccupations: '/occupations',
  };
  for (const [name, path] of Object.entries(paths)) {
    const { structuredContent } = await tool(name, { limit: 3 });
    expect(structuredContent).toEqual(lean((await get(`${path}?limit=3`)).body));
  }
});

it('read tools answer as HTTP does [mcp:getCandidate] [mcp:getJobOrder] [mcp:getPlacement] [mcp:getOccupation] [mcp:getPricing] [mcp:getOffer]', async () => {
  const calls = {
    getCandidate: '/candidates/cand_001',
    getJobOrder: '/job-orders/job_001',
    getPlacement: '/placements/plc_001',
    getOccupation: '/occupations/15-1252.00',
  };
  for (const [name, path] of Object.entries(calls)) {
    const { structuredContent } = await tool(name, { id: path.slice(path.lastIndexOf('/') + 1) });
    expect(structuredContent).toEqual(lean((await get(path)).body));
  }
  expect((await tool('getPricing')).structuredContent).toEqual(lean((await get('/pricing')).body));
  expect((await tool('getOffer')).structuredContent).toEqual(lean((await get('/offer')).body));
});

it('create tools share a workspace [mcp:createCandidate] [mcp:createJobOrder] [mcp:createPlacement]', async () => {
  const { structuredContent: person } = await tool('createCandidate', candidate);
  expect(person.type).toBe('OK');
  const { workspace } = person;
  const { structuredContent: order } = await tool('createJobOrder', { ...jobOrder, workspace });
  expect(order.workspace).toBe(workspace);
  const { structuredContent: placed } = await tool('createPlacement', {
    candidateId: person.candidate.id,
    jobOrderId: order.jobOrder.id,
    onetCode: '15-1252.00',
    workspace,
  });
  expect(placed.placement.links.jobOrder).toBe(`/job-orders/${order.jobOrder.id}`);
  const { body } = await get(`/placements/${placed.placement.id}`, { 'X-Workspace': workspace });
  expect(lean(body.placement)).toEqual(placed.placement);
  const refused = await tool('createCandidate', { name: 'No code' });
  expect(refused.isError).toBe(true);
  expect(refused.structuredContent.type).toBe('BLOCKED');
});

it('work earns a credit, and no proof earns none [openapi:getWork] [openapi:submitWork]', async () => {
  const made = await post('/candidates', candidate);
  const inside = { 'X-Workspace': made.body.workspace };
  const { status, body } = await get('/work', inside);
  expect(status).toBe(200);
  expect(body.challenge.algorithm).toBe('SHA-256');
  expect(body.howTo.snippet).toContain('salt');
  const changed = await post('/work', { challenge: { ...body.challenge, bits: 1 }, nonce: '1' }, inside);
  expect(changed.status).toBe(400);
  expect(changed.body.code).toBe('wrong_proof');
  expect((await get('/workspace', inside)).body.workspace.rung).toBe('sandbox');
  expect((await get('/work')).status).toBe(401);
});

it('a person is asked to claim, and an agent authorises nothing [openapi:startClaim] [mcp:startClaim] [openapi:authorizeSpend]', async () => {
  const made = await post('/candidates', candidate);
  const { workspace } = made.body;
  const inside = { 'X-Workspace': workspace };
  const { alternatives } = (await get('/offer')).body;
  const { live } = alternatives.find(({ kind }) => kind === 'claim');
  const started = await post('/workspace/claim', undefined, inside);
  expect(started.status).toBe(live ? 201 : 409);
  const again = (await tool('startClaim', { workspace })).structuredContent;
  expect(again.type).toBe(live ? 'OK' : 'BLOCKED');
  if (live) {
    expect(started.body.claim.url).toMatch(/\/claim\.html#clm_[0-9a-z]{32}$/);
    expect(again.claim.userCode === started.body.claim.userCode).toBe(false);
    expect((await get('/workspace', inside)).body.workspace.claim).toBe('pending');
  }
  const refused = await post('/workspace/authorization', { ceiling: 50 }, inside);
  expect([403, 409]).toContain(refused.status);
});
