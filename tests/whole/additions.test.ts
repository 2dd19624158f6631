import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Kind } from '../../src/records/kind.ts';
import { kinds } from '../../src/records/kinds.ts';
import { interview } from '../scratch/interview.ts';
import { renameWorkspace } from '../scratch/rename-workspace.ts';
import { type Contract, toContractCheck } from '../support/contract.ts';
import { makeFolder } from '../support/server.ts';
import { settings } from '../support/settings.ts';

// The line in the list of kinds, before anything is made of that list.
(kinds as Kind[]).push(interview);
const { createAnswer } = await import('../../src/kernel/answer.ts');
const { createService } = await import('../../src/service.ts');
const { toTools } = await import('../../src/mcp/tools.ts');
const { operations } = await import('../../src/table.ts');
const { readContent } = await import('../../src/hosts/build/read-content.ts');
const { openSqliteStore } = await import('../../src/stores/sqlite.ts');
const { nodePlatform } = await import('../../src/hosts/node-platform.ts');

type Answer = ReturnType<typeof createAnswer>;

const test = suite('what a newcomer adds');
const table = [...operations, renameWorkspace];
const legal = table.filter(({ listed }) => listed).map(({ operationId }) => operationId);
const content = join(makeFolder(), 'content');
cpSync(join(import.meta.dirname, '..', '..', 'content'), content, { recursive: true });

/** The answers of a service. */
function toCall(answer: Answer) {
  return async (method: string, target: string, body?: object, headers: Record<string, string> = {}) => {
    const [path = '', query = ''] = target.split('?');
    const bytes = new TextEncoder().encode(body ? JSON.stringify(body) : '');
    const reply = await answer({ method, path, query, headers, body: bytes });
    const isJson = /json/.test(reply.headers['Content-Type'] ?? '');
    return { ...reply, json: isJson ? JSON.parse(reply.body) : undefined };
  };
}

/** A service with the scratch kind and the scratch row. */
const makeService = () =>
  createService({
    operations: table,
    toTools,
    catalogue: readContent(content, legal),
    store: openSqliteStore(':memory:'),
    platform: nodePlatform,
    settings,
  });

test('a kind without its seed content stops the build, which names the file', () => {
  assert.throws(() => readContent(content, legal), /interviews\.json/);
});

test('a kind is one file: HTTP, tools, contract, card, home, seed and store have it', async () => {
  const seed = { id: 'int_001', example: true, ...interview.sample };
  writeFileSync(join(content, 'seed', 'interviews.json'), JSON.stringify([seed]));
  const call = toCall(createAnswer(makeService()));
  const contract = (await call('GET', '/openapi.json')).json as Contract;
  const { check } = toContractCheck(contract);
  const ask = async (method: string, target: string, body?: object, headers?: Record<string, string>) => {
    const reply = await call(method, target, body, headers);
    check(method, target.split('?')[0]!, reply.status, 'application/json', reply.body);
    return reply;
  };
  assert.ok(contract.components.schemas.Interview);
  assert.is((await ask('GET', '/interviews')).json.interviews[0].status, 'planned');
  assert.is((await ask('GET', '/interviews/int_001')).json.interview.links.candidate, '/candidates/cand_036');
  const made = await ask('POST', '/interviews', interview.sample);
  assert.is(made.status, 201);
  const inside = { 'x-workspace': made.json.workspace };
  const id = made.json.interview.id;
  assert.match(id, /^int_/);
  assert.is((await ask('GET', `/interviews/${id}`, undefined, inside)).json.interview.id, id);
  assert.is((await ask('GET', '/interviews?status=planned&limit=1', undefined, inside)).json.total, 2);
  const lost = await ask('POST', '/interviews', { ...interview.sample, candidateId: 'cand_none' });
  assert.is(lost.json.warnings[0].path, 'candidateId');
  const card = (await call('GET', '/.well-known/agents.json')).json;
  assert.ok(card.interfaces.mcp.tools.includes('createInterview'));
  assert.is((await call('GET', '/')).json.seed.interviews, 1);
  assert.match(
    (await call('GET', '/llms.txt')).body,
    /POST \/interviews with \{"candidateId", "jobOrderId", "onetCode", "day"\}/,
  );

  const rpc = (name: string, args: object) =>
    call(
      'POST',
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      { 'content-type': 'application/json' },
    );
  const { workspace } = made.json;
  const found = (await rpc('getInterview', { id, workspace })).json.result.structuredContent;
  assert.is(found.interview.id, id);

  const renamed = await ask('PATCH', '/workspace-name/one', { name: 'New' }, inside);
  assert.equal(renamed.json, { type: 'OK', name: 'New', of: 'a workspace' });
  assert.is((await ask('PATCH', '/workspace-name/one', {})).status, 400);
  assert.is((await call('GET', '/workspace-name/one')).status, 405);
  const options = await call('OPTIONS', '/workspace-name/one');
  assert.is(options.headers.Allow, 'PATCH, OPTIONS');
  assert.match(options.headers['Access-Control-Allow-Methods']!, /PATCH/);
  const tool = (await rpc('renameWorkspace', { id: 'one', name: 'By tool' })).json.result;
  assert.equal(tool.structuredContent, { type: 'OK', name: 'By tool', of: 'one' });
  const listed = await call(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { 'content-type': 'application/json' },
  );
  const { annotations } = listed.json.result.tools.find(
    ({ name }: { name: string }) => name === 'renameWorkspace',
  );
  assert.equal([annotations.readOnlyHint, annotations.destructiveHint], [false, true]);
  const described = contract.paths['/workspace-name/{id}']!.patch! as {
    requestBody?: object;
    parameters?: object[];
  };
  assert.ok(described.requestBody);
  assert.match(JSON.stringify(described.parameters), /Idempotency-?Key/);
});

test.run();
