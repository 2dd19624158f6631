import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import type { Operation } from '../../../src/kernel/operation.ts';
import { operations } from '../../../src/table.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';

const table = suite('the table of operations');
const { contract } = client;
const toolNames = operations.filter(({ tool }) => tool).map(({ operationId }) => operationId);

interface Told {
  operationId: string;
  tags: string[];
}

const inContract = Object.entries(contract.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, method: verb.toUpperCase(), ...operation })),
);

/** The operations that the contract lists, with their methods and addresses. */
const listed = operations
  .filter((row) => row.listed)
  .map(({ operationId, method, path }) => `${operationId} ${method} ${path}`)
  .sort();

table('makes the contract: each listed operation, and no other', () => {
  const told = inContract.map(({ operationId, method, path }) => `${operationId} ${method} ${path}`);
  assert.equal(told.sort(), listed);
});

table('has one row for each method of an address', () => {
  const doors = operations.map(({ method, path }) => `${method} ${path}`);
  assert.is(new Set(doors).size, doors.length);
});

table('says what {id} is in each listed row that has one', () => {
  for (const { operationId, path, listed, contract } of operations)
    assert.is(listed && path.includes('{id}'), contract.idText !== undefined, operationId);
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
  assert.equal(pluck(body.result.tools, 'name'), toolNames);
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
  assert.equal(
    told.sort(),
    listed.filter((row) => !row.startsWith('callMcp ')),
  );
  assert.is(mcp.url, '/mcp');
  assert.equal([...mcp.tools].sort(), toolNames.toSorted());
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
