import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client as http } from '../../support/front.ts';
import { unknownWorkspace as ghost } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';

const tools = suite('the arguments of the tools');
const code = '15-1252.00';
const creates = [
  ['createCandidate', { name: 'Ada Example-Sample', onetCode: code }],
  ['createJobOrder', { client: 'Example Works', title: 'Engineer', onetCode: code }],
  ['createPlacement', { candidateId: 'cand_001', jobOrderId: 'job_001', onetCode: code }],
] as const;
const reads = ['getCandidate', 'getJobOrder', 'getPlacement'];
const lists = ['listCandidates', 'listJobOrders', 'listPlacements'];

async function refuses(tool: string, args: object, paths: string[]) {
  const { structuredContent, isError } = await http.tool(tool, args);
  assert.is(isError, true, `${tool} ${JSON.stringify(args)} is an error`);
  assert.is(structuredContent.type, 'BLOCKED');
  assert.is(structuredContent.code, 'invalid_request');
  assert.equal(pluck(structuredContent.issues, 'path'), paths);
}

tools('an unknown or invalid workspace is refused before all else, as over HTTP', async () => {
  const { body: unknown } = await http.get('/candidates', { 'X-Workspace': ghost });
  const { body: misshapen } = await http.get('/candidates', { 'X-Workspace': 'ws_' });
  assert.is.not(misshapen.reason, unknown.reason);
  for (const tool of [...reads, ...lists, ...creates.map(([name]) => name)]) {
    const ask = async (workspace: unknown) =>
      (await http.tool(tool, { workspace, limit: 0 })).structuredContent;
    assert.equal(await ask(ghost), unknown, tool);
    for (const workspace of ['ws_', 'x'.repeat(500), 7, [ghost], { id: ghost }])
      assert.equal(await ask(workspace), misshapen, `${tool} ${JSON.stringify(workspace)}`);
  }
  const answer = await http.rpc('tools/call', { name: 'listCandidates', arguments: { workspace: ghost } });
  const headers = ['www-authenticate', 'x-workspace'].map((name) => answer.headers.get(name));
  assert.equal([answer.status, ...headers], [200, null, null]);
});

const candidate = creates[0][1];

/** Calls of a tool that are refused, and the arguments that the refusal names. */
const wrong: [tool: string, args: object, paths: string[]][] = [
  ['listOccupations', { q: {}, majorGroup: 1.5, jobZone: 'four' }, ['q', 'majorGroup', 'jobZone']],
  ['listCandidates', { status: [{}], occupation: {} }, ['status', 'occupation']],
  ['listPlacements', { validated: 'maybe' }, ['validated']],
  ['createCandidate', { ...candidate, name: ' ', skills: ['', {}] }, ['name', 'skills[0]', 'skills[1]']],
  ['createCandidate', { ...candidate, name: [7] }, ['name']],
  ['createCandidate', { ...candidate, skills: '["SQL"' }, ['skills']],
  ['createCandidate', { ...candidate, skills: 'SQL' }, ['skills']],
  ['createCandidate', { ...candidate, payRateUsdHour: '$50' }, ['payRateUsdHour']],
  ['createCandidate', { ...candidate, strict: 'yes' }, ['strict']],
];

tools('rejects an argument of the wrong type and names it', async () => {
  for (const [tool, args, paths] of wrong) await refuses(tool, args, paths);
  for (const tool of ['getOccupation', ...reads])
    for (const id of [undefined, null, ['cand_001'], {}]) await refuses(tool, { id }, ['id']);
  for (const tool of ['listOccupations', ...lists]) {
    for (const limit of ['five', '0', 0, 201, 1.5]) await refuses(tool, { limit }, ['limit']);
    for (const cursor of [5, 'not a cursor']) await refuses(tool, { cursor }, ['cursor']);
  }
  for (const spend of ['much', -1, true]) await refuses('listPlacements', { spend }, ['spend']);
});

tools('names the argument that was probably meant, and warns of unusual ones', async () => {
  const { structuredContent } = await http.tool('listCandidates', { ocupation: '15' });
  const [{ message }] = structuredContent.issues;
  assert.match(message, /^is no argument of this tool; did you mean occupation \(/);
  const warned = (await http.tool('listPlacements', { scope: 'galaxy' })).structuredContent;
  assert.is(warned.warnings[0].path, 'scope');
  const { body } = await http.rpc('tools/call', { name: 'getPricing' });
  assert.is(body.result.structuredContent.type, 'OK', 'arguments may be left out');
});

tools('a delete without a workspace is refused, whatever stands in its place', async () => {
  const made = await http.tool('createCandidate', candidate);
  const { id } = made.structuredContent.candidate;
  for (const workspace of [undefined, null, '']) {
    const { structuredContent } = await http.tool('deleteCandidate', { id, workspace });
    assert.is(structuredContent.code, 'unknown_workspace', String(workspace));
  }
});

tools('a refusal names arguments where HTTP has headers', async () => {
  const taken = { candidateId: 'cand_none', jobOrderId: 'job_none', onetCode: code };
  const key = `arguments-${process.pid}-${'k'.repeat(24)}`;
  await http.tool('createCandidate', { ...candidate, idempotencyKey: key });
  for (const [tool, args, reason] of [
    ['createPlacement', { ...taken, strict: true }, /Leave out the argument strict to get a warning instead/],
    ['createCandidate', { ...candidate, name: 'B', idempotencyKey: key }, /This idempotencyKey was used/],
    [
      'createCandidate',
      { ...candidate, idempotencyKey: 'k' },
      /^idempotencyKey must .* without the argument/,
    ],
    ['getWorkspace', {}, /^This needs a workspace: send the argument workspace with/],
    ['answerConfirmation', { agrees: true }, /^This needs the argument confirmation\. /],
  ] as const) {
    const { structuredContent, isError } = await http.tool(tool, args);
    assert.is(isError, true);
    assert.match(structuredContent.reason, reason);
    assert.not.match(JSON.stringify(structuredContent), /handling=|Idempotency-Key|X-[A-Z]/);
  }
  const { body } = await http.post('/placements', taken, { Prefer: 'handling=strict' });
  assert.match(body.reason, /Leave out handling=strict/);
});

tools.run();
