import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import type { Operation } from '../../../src/kernel/operation.ts';
import { operations } from '../../../src/table.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';

const kinds = { Candidate: '/candidates', JobOrder: '/job-orders', Placement: '/placements' };
/** Every operation of the contract: its id, method and path. */
const promised = [
  ...Object.entries(kinds).flatMap(([kind, path]) => [
    [`list${kind}s`, 'GET', path] as const,
    [`create${kind}`, 'POST', path] as const,
    [`get${kind}`, 'GET', `${path}/{id}`] as const,
    [`update${kind}`, 'PATCH', `${path}/{id}`] as const,
    [`delete${kind}`, 'DELETE', `${path}/{id}`] as const,
  ]),
  ['listOccupations', 'GET', '/occupations'],
  ['getOccupation', 'GET', '/occupations/{id}'],
  ['codeTitles', 'POST', '/titles'],
  ['getPricing', 'GET', '/pricing'],
  ['getOffer', 'GET', '/offer'],
  ['getFamily', 'GET', '/family.json'],
  ['getIcp', 'GET', '/icp.json'],
  ['getVerify', 'GET', '/verify'],
  ['getProjection', 'GET', '/projection.json'],
  ['getOpenApi', 'GET', '/openapi.json'],
  ['getAgentCard', 'GET', '/.well-known/agents.json'],
  ['getLlmsTxt', 'GET', '/llms.txt'],
  ['getApiPart', 'GET', '/api/{id}.md'],
  ['callMcp', 'POST', '/mcp'],
  ['createBatch', 'POST', '/batch'],
  ['importRecords', 'POST', '/imports'],
  ['exportCsv', 'GET', '/workspace/export.csv'],
  ['getJobPosting', 'GET', '/job-orders/{id}/posting.jsonld'],
  ['getResume', 'GET', '/candidates/{id}/resume.json'],
  ['getWorkspace', 'GET', '/workspace'],
  ['getActivity', 'GET', '/workspace/activity'],
  ['matchCandidates', 'GET', '/job-orders/{id}/matches'],
  ['matchJobOrders', 'GET', '/candidates/{id}/matches'],
  ['matchWorkspace', 'GET', '/workspace/matches'],
  ['planWorkspace', 'GET', '/workspace/plan'],
  ['deleteWorkspace', 'DELETE', '/workspace'],
  ['exportWorkspace', 'GET', '/workspace/export'],
  ['createShortlist', 'POST', '/job-orders/{id}/shortlist'],
  ['getShortlist', 'GET', '/shortlist'],
  ['decideShortlist', 'POST', '/shortlist'],
  ['listBriefs', 'GET', '/briefs'],
  ['getBrief', 'GET', '/briefs/{id}'],
  ['startBrief', 'POST', '/briefs/{id}/start'],
  ['gradeBrief', 'GET', '/grade'],
  ['stateOutcome', 'POST', '/placements/{id}/outcome'],
  ['requestConfirmation', 'POST', '/placements/{id}/confirmations'],
  ['getConfirmation', 'GET', '/confirmation'],
  ['answerConfirmation', 'POST', '/confirmation'],
  ['getReceipt', 'GET', '/placements/{id}/receipt'],
  ['getKeys', 'GET', '/.well-known/jwks.json'],
  ['startClaim', 'POST', '/workspace/claim'],
  ['getWork', 'GET', '/work'],
  ['submitWork', 'POST', '/work'],
  ['authorizeSpend', 'POST', '/workspace/authorization'],
] as const;

/** Operations without a tool: documents, and those for a party or a person. */
const noTools =
  /^(get(ApiPart|Family|Icp|Verify|Projection|OpenApi|AgentCard|LlmsTxt|Keys|JobPosting|Resume|Work|Shortlist)|callMcp|exportCsv|submitWork|authorizeSpend|decideShortlist|(list|get)Briefs?)$/;
const toolNames = promised.map(([name]) => name).filter((name) => !noTools.test(name));

const table = suite('the table of operations');
const { contract } = client;

const toRow = ({ operationId, method, path }: Operation) => `${operationId} ${method} ${path}`;

interface Told {
  operationId: string;
  tags: string[];
}

const inContract = Object.entries(contract.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), ...operation })),
);

table('lists exactly the expected operations, and the contract lists them too', () => {
  const listed = operations.filter((row) => row.listed).map(toRow);
  assert.equal(listed.sort(), promised.map((row) => row.join(' ')).sort());
  assert.equal(
    inContract.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`).sort(),
    listed,
  );
  const doors = operations.map(({ method, path }) => `${method} ${path}`);
  assert.is(new Set(doors).size, doors.length, 'one row per method and address');
  for (const { operationId, path, listed, contract } of operations)
    assert.is(
      listed && path.includes('{id}'),
      contract.idText !== undefined,
      `${operationId} says what {id} is`,
    );
});

table('describes every operation of the contract, with a described tag', () => {
  const { tags } = contract as unknown as { tags: { name: string; description: string }[] };
  for (const operation of inContract as unknown as (Operation['contract'] & Told)[]) {
    assert.match(operation.summary, /\S/, operation.operationId);
    assert.match(operation.description, /\S/, operation.operationId);
    assert.is(operation.tags.length, 1, operation.operationId);
    const tag = tags.find(({ name }) => name === operation.tags[0]);
    assert.ok(tag, `${operation.operationId}: tag ${operation.tags[0]} is described`);
    assert.match(tag.description, /\S/);
  }
});

table('makes the list of tools: a tool for every row that has one, under its operationId', async () => {
  const { body } = await client.rpc('tools/list');
  const names = pluck(body.result.tools, 'name');
  assert.equal([...names].sort(), [...toolNames].sort());
  assert.equal(
    names,
    operations.filter(({ tool }) => tool).map(({ operationId }) => operationId),
  );
  for (const { name, title, description, inputSchema } of body.result.tools) {
    for (const text of [title, description]) assert.match(text, /\S/, name);
    assert.is(inputSchema.type, 'object', name);
  }
});

table('makes the card: every interface is an operation of the contract, at its address', async () => {
  const { body } = await client.get('/.well-known/agents.json');
  const { http, mcp } = body.interfaces;
  const told = Object.entries<{ method: string; url: string }>(http).map(
    ([operationId, { method, url }]) => `${operationId} ${method} ${url}`,
  );
  const doors = promised.filter(([operationId]) => operationId !== 'callMcp').map((row) => row.join(' '));
  assert.equal(told.sort(), doors.sort());
  assert.is(mcp.url, '/mcp');
  assert.equal([...mcp.tools].sort(), [...toolNames].sort());
  for (const [operationId, { auth, summary }] of Object.entries<{ auth: string; summary: string }>(http)) {
    assert.is(auth, 'none', operationId);
    assert.match(summary, /^\S[^\n]*\S$/, operationId);
  }
});

table('makes the card: each rung says whether it is live', async () => {
  const { body } = await client.get('/.well-known/agents.json');
  assert.ok(body.attestationLadder.length > 1);
  for (const { rung, live, statement, evidence } of body.attestationLadder) {
    assert.is(typeof live, 'boolean', rung);
    assert.is(typeof statement, 'string', rung);
    if (live) assert.is((await client.get(evidence)).status, 200, rung);
  }
});

table('makes llms.txt, which names every operation except the discovery documents', async () => {
  const { text } = await client.get('/llms.txt');
  for (const { path, listed, contract: row } of operations) {
    if (!listed || row.tag === 'discovery') continue;
    const [, door = ''] = path.split('/');
    assert.match(text, new RegExp(`(?<![\\w/])/${door}\\b`), `llms.txt names ${path}`);
  }
});

table('makes the answers of the built host', () => {
  const manifest = join(import.meta.dirname, '..', '..', '..', 'dist', 'host', 'manifest.json');
  const { addresses } = JSON.parse(readFileSync(manifest, 'utf8'));
  process.chdir(join(import.meta.dirname, '..', '..', '..'));
  const service = buildService();
  for (const { path, method, caching } of operations) {
    const { rule, frozen } = caching;
    if (method !== 'GET' || path.includes('{id}') || path === '/') continue;
    const isFrozen = frozen?.(service).includes(path) === true;
    assert.is(path in addresses, isFrozen, `${path} is frozen as its row says`);
    assert.is(rule === 'never', frozen === undefined, `${path} may be cached only if it is frozen`);
  }
});

table.run();
