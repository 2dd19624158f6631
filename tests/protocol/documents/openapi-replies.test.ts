import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../../support/contract.ts';
import { inside } from '../../support/doors.ts';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import { withOpenServer } from '../../support/open-host.ts';
import { dayFromNow, makeSandbox, onetCode, toBody } from '../../support/sandbox.ts';
import { findPort } from '../../support/server.ts';

const replies = suite('the contract and the replies of the service');
const contract: Body = withResponses((await client.get('/openapi.json')).body);
const rows: Body[] = Object.entries<Body>(contract.paths).flatMap(([path, verbs]) =>
  Object.entries<Body>(verbs).map(([verb, row]) => ({ path, verb, ...row })),
);
const reads = rows.filter(({ verb, responses }) => verb === 'get' && responses[200]);
const toNames = (reply: Body) => Object.keys(reply.headers ?? {});

/** Makes a workspace in which every read answers 200. Returns its headers and ids. */
async function makeWorld() {
  const made = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'o', openings: 2 })],
    placements: [
      { candidateId: '#a', jobOrderId: '#o', onetCode, startDate: dayFromNow(-5) },
      { candidateId: '#b', jobOrderId: '#o', onetCode, status: 'proposed' },
    ],
  });
  const { mine, candidates, jobOrders, placements } = made;
  const at = placements[0]!.links.self;
  await client.post(`${at}/outcome`, { result: 'converted' }, mine);
  const { token } = (await client.post(`${at}/confirmations`, { party: 'client' }, mine)).body.confirmation;
  const confirmation = { 'X-Confirmation': token };
  const { tag } = (await client.get('/confirmation', confirmation)).body;
  await client.post('/confirmation', { agrees: true, tag }, confirmation);
  const order = jobOrders[0]!;
  const { shortlist } = (await client.post(`${order.links.self}/shortlist`, {}, mine)).body;
  const { grader } = (await client.post('/briefs/must-haves/start', {})).body;
  const ids: Record<string, string> = {
    candidates: candidates[0]!.id,
    'job-orders': order.id,
    placements: placements[0]!.id,
    occupations: onetCode,
    briefs: 'must-haves',
    api: 'placements',
  };
  return {
    headers: { ...mine, ...confirmation, 'X-Shortlist': shortlist.token, 'X-Grader': grader },
    toPath: (path: string) => path.replace('{id}', ids[path.split('/')[1]!] ?? ''),
  };
}
const world = await makeWorld();

/** Returns the query of the required parameters of an operation, with their examples. */
function toQuery(parameters: Body[]): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  const query = new URLSearchParams(required.map(({ name, example }) => [name, example]));
  return query.size > 0 ? `?${query}` : '';
}

for (const { operationId, path, parameters = [], responses } of reads) {
  const query = toQuery(parameters);
  replies(`${operationId} sends an ETag if the contract has one`, async () => {
    const { status, headers, text } = await client.get(world.toPath(path) + query, world.headers);
    assert.is(status, 200, text);
    assert.is(toNames(responses[200]).includes('ETag'), headers.has('etag'));
    assert.is(toNames(responses[304]).includes('ETag'), headers.has('etag'));
    const names = parameters.map(({ name }: Body) => name);
    assert.is(names.includes('If-None-Match'), headers.has('etag'));
  });

  replies(`${operationId} answers 304 if the contract has it`, async () => {
    assert.ok(responses[304]);
    assert.is(responses[304].content, undefined, 'a 304 has no body');
    const at = world.toPath(path) + query;
    const tag = (await client.get(at, world.headers)).headers.get('etag') ?? '*';
    assert.is((await client.get(at, { ...world.headers, 'If-None-Match': tag })).status, 304);
  });
}

for (const { operationId, path, verb, requestBody, responses } of rows)
  replies(`${operationId} has 413 if it takes a body`, async () => {
    assert.is(responses[413] !== undefined, requestBody !== undefined);
    if (!requestBody) return;
    const body = JSON.stringify({ note: 'x'.repeat(1_100_000) });
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await client.ask(verb.toUpperCase(), world.toPath(path), body, headers);
    assert.is(status, 413);
  });

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'contract', ...(await client.get('/openapi.json')).body });

/** Returns whether the contract accepts a body for an operation. */
function takes(path: string, verb: string, body: object): boolean {
  const place = ['paths', path, verb, 'requestBody', 'content', 'application/json', 'schema'];
  const pointer = place.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/');
  return ajv.getSchema(`contract#/${pointer}`)!(body) as boolean;
}

const placed = { candidateId: 'cand_006', jobOrderId: 'job_006', onetCode };
const inBatch = (more: object) => ({ placements: [{ ...placed, startDate: dayFromNow(-20), ...more }] });
const today = dayFromNow(0);

/** Bodies that lack a required member, or are empty. */
const lacking: [verb: 'post' | 'patch', path: string, body: object][] = [
  ['patch', '/placements/{id}', { declineReason: 'client' }],
  ['post', '/batch', inBatch({ endDate: today })],
  ['post', '/batch', inBatch({ endReason: 'cancelled' })],
  ['post', '/batch', inBatch({ declineReason: 'client' })],
  ['post', '/batch', inBatch({ status: 'ended-early', endDate: today })],
  ['post', '/batch', inBatch({ status: 'ended-early', endReason: 'cancelled' })],
  ['post', '/batch', {}],
  ['post', '/batch', { candidates: [] }],
  ['post', '/batch', { candidates: [], jobOrders: [], placements: [] }],
];

for (const [verb, path, body] of lacking)
  replies(`the contract and the service refuse ${verb} ${path} ${JSON.stringify(body)}`, async () => {
    assert.is(takes(path, verb, body), false);
    const at = world.toPath(path);
    const answer =
      verb === 'patch' ? await client.patch(at, body, world.headers) : await client.post(at, body);
    assert.is(answer.status, 400, answer.text);
  });

const whole: [verb: 'post' | 'patch', path: string, body: object][] = [
  ['post', '/batch', inBatch({ status: 'ended-early', endDate: today, endReason: 'client-ended' })],
  ['post', '/batch', inBatch({ status: 'declined', declineReason: 'client' })],
  ['post', '/batch', { candidates: [toBody.candidate()], placements: [] }],
];

for (const [verb, path, body] of whole)
  replies(`the contract and the service accept ${verb} ${path} ${JSON.stringify(body)}`, async () => {
    assert.ok(takes(path, verb, body));
    const answer = await client.post(path, body);
    assert.is(answer.status, 201, answer.text);
  });

replies('the end of a placement can be corrected by either of its two members', async () => {
  const { body } = await client.post('/placements', { ...placed, startDate: dayFromNow(-20) });
  const mine = inside(body.workspace);
  const at = body.placement.links.self;
  const end = { status: 'ended-early', endDate: today, endReason: 'other' };
  assert.is((await client.patch(at, end, mine)).status, 200);
  const correction = { endDate: dayFromNow(-1) };
  assert.ok(takes('/placements/{id}', 'patch', correction));
  assert.is((await client.patch(at, correction, mine)).status, 200);
});

/** Lists every description below a node, with its path. */
function* listDescriptions(node: unknown, place = ''): Generator<[place: string, text: string]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    if (name === 'description' && typeof value === 'string') yield [place, value];
    yield* listDescriptions(value, `${place}/${name}`);
  }
}

replies('no description is longer than importers of actions accept', async () => {
  const { body } = await client.get('/openapi.json');
  for (const [place, text] of listDescriptions(body))
    assert.ok(text.length <= 300, `${place}: ${text.length}`);
});

replies('servers name the published origin if the operator has set it', async () => {
  const env = { BASE_URL: 'https://careers.example', PORT: String(await findPort()), LOG: 'off' };
  await withOpenServer(env, async ({ port }) => {
    const { servers } = (await (await fetch(`http://localhost:${port}/openapi.json`)).json()) as Body;
    assert.is(servers[0].url, 'https://careers.example');
  });
});

replies('servers are relative if the operator has not set an origin', () => {
  assert.is(contract.servers[0].url, '/');
});

replies.run();
