import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

const contact = suite('what an agent reads that knows the origin alone');
const { origin } = await useServer();
const today = new Date().toISOString().slice(0, 10);
const nurse = '29-1141.03';
const goal = 60_000;

/** An agent that reads what leads it to the API on one page, and then calls only what that names; it counts. */
async function openAgent() {
  let bytes = 0;
  let api = '';
  const fetchText = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(origin + path, init);
    const text = await response.text();
    bytes += Buffer.byteLength(text);
    return { status: response.status, text };
  };
  const home = JSON.parse((await fetchText('/')).text);
  await fetchText(home.links.llms);
  api = (await fetchText(home.links.api)).text;
  const call = async (
    status: number,
    row: string,
    path: string,
    body?: object,
    headers = {},
  ): Promise<Body> => {
    const [method = ''] = row.split(' ');
    assert.match(api, new RegExp(`^### ${row.replace(/[{}]/g, '\\$&')}$`, 'm'), `${row} is on the page`);
    const members = Object.values(body ?? {}).every(Array.isArray) ? [] : Object.keys(body ?? {});
    for (const member of members) assert.match(api, new RegExp(`\\b${member}\\b`), `${row} ${member}`);
    const { text, status: got } = await fetchText(path, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.is(got, status, `${row}: ${text}`);
    return JSON.parse(text);
  };
  return { call, bytes: () => bytes };
}
type Call = Awaited<ReturnType<typeof openAgent>>['call'];

/** A candidate, an order and a placement between them, in a workspace. */
async function place(call: Call, status = {}) {
  const { workspace, ...made } = await call(201, 'POST /batch', '/batch', {
    candidates: [{ ref: 'ann', name: 'Ann Example', onetCode: nurse }],
    jobOrders: [{ ref: 'icu', client: 'Example Hospital', title: 'ICU nurse', onetCode: nurse }],
    placements: [{ candidateId: '#ann', jobOrderId: '#icu', onetCode: nurse, startDate: today, ...status }],
  });
  return { ids: made, id: made.placements[0].id, mine: { 'x-workspace': workspace } };
}

const tasks: Record<string, (call: Call) => Promise<unknown>> = {
  async 'turn a title into a code, and find people'(call) {
    const { occupations } = await call(200, 'GET /occupations', '/occupations?q=ICU+nurse&limit=5');
    await call(
      200,
      'GET /candidates',
      `/candidates?status=available&occupation=${occupations[0].id.slice(0, 2)}`,
    );
  },
  async 'create a record, change it, and read it back'(call) {
    const body = { name: 'Ada Example', onetCode: nurse, skills: ['ICU'] };
    const { workspace, candidate } = await call(201, 'POST /candidates', '/candidates', body);
    const mine = { 'x-workspace': workspace };
    const path = `/candidates/${candidate.id}`;
    await call(200, 'PATCH /candidates/{id}', path, { metro: 'Columbus, OH' }, mine);
    assert.is(
      (await call(200, 'GET /candidates/{id}', path, undefined, mine)).candidate.metro,
      'Columbus, OH',
    );
  },
  async 'find who fits an order of one’s own'(call) {
    const order = { client: 'Example Hospital', title: 'ICU nurse', onetCode: nurse, skills: ['ICU'] };
    const { workspace, jobOrder } = await call(201, 'POST /job-orders', '/job-orders', order);
    const path = `/job-orders/${jobOrder.id}/matches`;
    await call(200, 'GET /job-orders/{id}/matches', path, undefined, { 'x-workspace': workspace });
  },
  async 'match every order of a workspace'(call) {
    const { mine } = await place(call, { status: 'proposed' });
    await call(200, 'GET /workspace/matches', '/workspace/matches', undefined, mine);
  },
  async 'propose, accept, and end early'(call) {
    const { id, mine } = await place(call, { status: 'proposed' });
    const move = (body: object) => call(200, 'PATCH /placements/{id}', `/placements/${id}`, body, mine);
    await move({ status: 'scheduled' });
    await move({ status: 'ended-early', endDate: today, endReason: 'cancelled' });
  },
  async 'have people decide on a shortlist'(call) {
    const { ids, id, mine } = await place(call, { status: 'proposed' });
    const path = `/job-orders/${ids.jobOrders[0].id}/shortlist`;
    const { shortlist } = await call(201, 'POST /job-orders/{id}/shortlist', path, {}, mine);
    const theirs = { 'x-shortlist': shortlist.token };
    const read = await call(200, 'GET /shortlist', '/shortlist', undefined, theirs);
    const { tag } = read.shortlist.placements[0];
    await call(200, 'POST /shortlist', '/shortlist', { placementId: id, decision: 'interview', tag }, theirs);
  },
  async 'state an outcome, have it confirmed, and get the receipt'(call) {
    const { id, mine } = await place(call);
    const at = `/placements/${id}`;
    await call(200, 'POST /placements/{id}/outcome', `${at}/outcome`, { result: 'retained' }, mine);
    const row = 'POST /placements/{id}/confirmations';
    const { confirmation } = await call(201, row, `${at}/confirmations`, { party: 'client' }, mine);
    const theirs = { 'x-confirmation': confirmation.token };
    const { tag } = await call(200, 'GET /confirmation', '/confirmation', undefined, theirs);
    await call(200, 'POST /confirmation', '/confirmation', { agrees: true, tag }, theirs);
    await call(200, 'GET /placements/{id}/receipt', `${at}/receipt`, undefined, mine);
  },
  async 'view, export and delete a workspace'(call) {
    const { mine } = await place(call);
    await call(200, 'GET /workspace', '/workspace', undefined, mine);
    await call(200, 'GET /workspace/export', '/workspace/export', undefined, mine);
    await call(200, 'DELETE /workspace', '/workspace', undefined, mine);
  },
};

const read: number[] = [];
for (const [name, run] of Object.entries(tasks)) {
  contact(name, async () => {
    const { call, bytes } = await openAgent();
    await run(call);
    read.push(bytes());
    console.log(`\nfigure: ${name} ${bytes()}`);
  });
}

contact(`the median of the tasks is at most ${goal} bytes`, () => {
  const sorted = [...read].sort((a, b) => a - b);
  assert.is(sorted.length, Object.keys(tasks).length);
  const median = sorted[sorted.length / 2]!;
  console.log(`\nfigure: median of bytes read ${median}`);
  assert.ok(median <= goal, String(median));
});

contact.run();
