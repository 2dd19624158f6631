import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeOperations } from '../../src/kernel/contract.ts';
import { kinds } from '../../src/kinds.ts';
import type { Kind } from '../../src/records/kind/kind.ts';
import { interview } from '../scratch/interview.ts';
import { renameContracts, renameWorkspace } from '../scratch/rename-workspace.ts';
import { type Contract, toContractCheck } from '../support/contract.ts';
import type { Body } from '../support/http.ts';
import { makeFolder } from '../support/server.ts';

// The line in the list of kinds, and content that the new kind adds to.
(kinds as Kind[]).push(interview);
const folder = makeFolder();
cpSync('content', join(folder, 'content'), { recursive: true });
process.chdir(folder);
const { makeCore } = await import('../support/core.ts');
const { operations } = await import('../../src/table.ts');

const test = suite('extending the service');

test('a kind without its seed content stops the build, which names the file', () => {
  assert.throws(() => makeCore(), /interviews\.json/);
});

test('a kind is one file, and appears in HTTP, tools, contract, card, home, seed and store', async () => {
  const seed = { id: 'int_001', example: true, ...interview.sample };
  writeFileSync(join(folder, 'content', 'seed', 'interviews.json'), JSON.stringify([seed]));
  const { ask: call, tool } = makeCore({
    operations: [...operations, ...describeOperations([renameWorkspace], renameContracts)],
  });
  const contract = (await call('GET', '/openapi.json')).body as Contract;
  const { check } = toContractCheck(contract);
  const ask = async (...[method, target, ...more]: Parameters<typeof call>) => {
    const reply = await call(method, target, ...more);
    const { status, text } = reply;
    check(method, target.split('?')[0]!, { status, type: 'application/json', text });
    return reply;
  };
  assert.ok(contract.components.schemas.Interview);
  assert.is((await ask('GET', '/interviews')).body.interviews[0].status, 'planned');
  assert.is((await ask('GET', '/interviews/int_001')).body.interview.links.candidate, '/candidates/cand_036');
  const made = await ask('POST', '/interviews', interview.sample);
  assert.is(made.status, 201);
  const inside = { 'x-workspace': made.body.workspace };
  const id = made.body.interview.id;
  assert.match(id, /^int_/);
  assert.is((await ask('GET', `/interviews/${id}`, undefined, inside)).body.interview.id, id);
  assert.is((await ask('GET', '/interviews?status=planned&limit=1', undefined, inside)).body.total, 1);
  const lost = await ask('POST', '/interviews', { ...interview.sample, candidateId: 'cand_none' });
  assert.is(lost.body.warnings[0].path, 'candidateId');
  const card = (await call('GET', '/.well-known/agents.json')).body;
  assert.ok(card.interfaces.mcp.tools.includes('createInterview'));
  assert.is((await call('GET', '/')).body.seed.interviews, 1);
  assert.match(
    (await call('GET', '/llms.txt')).text,
    /POST \/interviews with \{"candidateId", "jobOrderId", "onetCode", "day"\}/,
  );

  const { workspace } = made.body;
  assert.is((await tool('getInterview', { id, workspace })).structuredContent.interview.id, id);

  const renamed = await ask('PATCH', '/workspace-name/one', { name: 'New' }, inside);
  assert.equal(renamed.body, { type: 'OK', name: 'New', of: 'a workspace' });
  assert.is((await ask('PATCH', '/workspace-name/one', {})).status, 400);
  assert.is((await call('GET', '/workspace-name/one')).status, 405);
  const options = await call('OPTIONS', '/workspace-name/one');
  assert.is(options.headers.Allow, 'PATCH, OPTIONS');
  assert.match(options.headers['Access-Control-Allow-Methods']!, /PATCH/);
  const byTool = await tool('renameWorkspace', { id: 'one', name: 'By tool' });
  assert.equal(byTool.structuredContent, { type: 'OK', name: 'By tool', of: 'one' });
  const listed = await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { annotations } = listed.body.result.tools.find((one: Body) => one.name === 'renameWorkspace');
  assert.is(annotations.readOnlyHint, false);
  assert.is(annotations.destructiveHint, true);
  const { requestBody, parameters } = contract.paths['/workspace-name/{id}']!.patch!;
  assert.ok(requestBody);
  assert.match(JSON.stringify(parameters), /Idempotency-?Key/);
});

test.run();
