import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { describeOperations } from '../../../src/kernel/contract.ts';
import { defineOperation, type Operation } from '../../../src/kernel/operation.ts';
import { readArguments } from '../../../src/mcp/read-arguments.ts';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, onetCode, refusedTool, toBody, unchanged } from '../../support/sandbox.ts';

const fillers = suite('arguments as clients write them');
const candidate = toBody.candidate();
const jobOrder = toBody.jobOrder();

const call = async (tool: string, args: unknown): Promise<Body> => {
  const { body } = await client.rpc('tools/call', { name: tool, arguments: args });
  return body.result.structuredContent;
};

/** Calls as clients write them, and the same calls as the tools declare them. */
const alike: [what: string, tool: string, sent: unknown, meant: object][] = [
  ['a limit that is null', 'listCandidates', { limit: null }, {}],
  ['a limit that is empty', 'listCandidates', { limit: '' }, {}],
  ['a workspace that is null', 'listCandidates', { workspace: null }, {}],
  ['a workspace that is empty', 'listCandidates', { workspace: '' }, {}],
  [
    'filters that are null or empty',
    'listJobOrders',
    { status: null, q: '', cursor: null, limit: 2 },
    { limit: 2 },
  ],
  ['a limit in quotes', 'listCandidates', { limit: '2' }, { limit: 2 }],
  [
    'a score in quotes',
    'matchCandidates',
    { id: 'job_001', minScore: '5.5' },
    { id: 'job_001', minScore: 5.5 },
  ],
  ['a boolean in quotes', 'listPlacements', { validated: 'true', limit: 2 }, { validated: true, limit: 2 }],
  ['a boolean of Python', 'listPlacements', { validated: 'False', limit: 2 }, { validated: false, limit: 2 }],
  ['a number for a code', 'listCandidates', { occupation: 15, limit: 2 }, { occupation: '15', limit: 2 }],
  ['a number for a group', 'listOccupations', { majorGroup: 15 }, { majorGroup: '15' }],
  ['titles as JSON text', 'codeTitles', { titles: '["nurse"]' }, { titles: ['nurse'] }],
  ['arguments as JSON text', 'listCandidates', '{"limit": 2}', { limit: 2 }],
  ['arguments that are empty', 'getPricing', '', {}],
  ['arguments that are null', 'getPricing', null, {}],
];

for (const [what, tool, sent, meant] of alike)
  fillers(`${what}: read as it was meant`, async () => {
    const expected = await call(tool, meant);
    assert.is(expected.type, 'OK', JSON.stringify(expected));
    assert.equal(await call(tool, sent), expected);
  });

fillers('a create reads arrays, numbers and booleans in quotes', async () => {
  const made = await call('createCandidate', {
    ...candidate,
    skills: '["SQL", "Go"]',
    payRateUsdHour: '42.5',
    strict: 'true',
    workspace: '',
    idempotencyKey: null,
    note: null,
    metro: '',
  });
  assert.is(made.warnings, undefined);
  assert.equal(made.candidate.skills, ['SQL', 'Go']);
  assert.is(made.candidate.payRateUsdHour, 42.5);
  assert.is(made.candidate.metro, undefined);
});

fillers('a text that looks like JSON stays a text', async () => {
  const note = '["not", "a", "list"]';
  const made = await call('createCandidate', { ...candidate, note, title: '7' });
  assert.is(made.candidate.note, note);
  assert.is(made.candidate.title, '7');
});

fillers('a required argument that is null counts as missing', async () => {
  const { issues } = await call('createCandidate', { name: null, onetCode });
  assert.equal(issues, [{ path: 'name', message: 'is missing; send it' }]);
});

fillers('a batch reads its records in the same way', async () => {
  const made = await call('createBatch', {
    candidates: JSON.stringify([
      { ...candidate, skills: '["SQL"]', payRateUsdHour: '42', note: null, metro: '' },
    ]),
    jobOrders: [JSON.stringify({ ...jobOrder, openings: '2', requires: null, shift: '' })],
    placements: null,
    strict: 'true',
    workspace: null,
  });
  assert.is(made.type, 'OK', JSON.stringify(made));
  assert.equal(made.candidates[0].skills, ['SQL']);
  assert.is(made.candidates[0].payRateUsdHour, 42);
  assert.is(made.jobOrders[0].openings, 2);
});

fillers('JSON text does not get around the limits of a body', async () => {
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  const refused = await call('createCandidate', { ...candidate, skills: deep });
  assert.is(refused.code, 'invalid_json');
  const wide = `[${'0,'.repeat(20_000)}0]`;
  assert.is((await call('createCandidate', { ...candidate, skills: wide })).code, 'invalid_request');
});

fillers('arguments that are not an object are refused', async () => {
  for (const sent of ['{', '[]', 'limit', 7, true, []]) {
    const { body } = await client.rpc('tools/call', { name: 'getPricing', arguments: sent });
    assert.is(body.error.code, -32602, JSON.stringify(sent));
    assert.match(body.error.message, 'must be an object');
  }
});

/** Arguments that clients add to every call. */
const added = {
  task_progress: '- [x] step 1',
  sessionId: 'abc',
  toolCallId: 'call_1',
  requires_approval: false,
  security_risk: 'LOW',
  reasoning: 'because',
  thread_id: 'x',
  random_string: 'x',
  _meta: {},
  action: 'sendMessage',
};

fillers('an unknown argument gets a warning, and the tool runs', async () => {
  for (const [name, value] of Object.entries(added)) {
    const listed = await call('getCandidate', { id: 'cand_001', [name]: value });
    assert.is(listed.type, 'OK', name);
    assert.equal(pluck(listed.warnings, 'path'), [name]);
    assert.is(listed.warnings[0].code, 'unknown_name');
    const made = await call('createJobOrder', { ...jobOrder, [name]: value });
    assert.is(made.type, 'OK', name);
  }
});

fillers('an unknown argument without a value gets no warning', async () => {
  const listed = await call('getCandidate', { id: 'cand_001', task_progress: '', thread_id: null });
  assert.is(listed.warnings, undefined);
});

fillers('strict refuses an unknown argument, and creates nothing', async () => {
  const result = await client.tool('createCandidate', { ...candidate, task_progress: 'x', strict: true });
  const { issues } = refusedTool(result, 'invalid_request', ['task_progress']);
  assert.is(issues[0].code, 'unknown_name');
});

/** Misspelt arguments, what is sent beside them, and the argument that is meant. */
const near: [tool: string, sent: string, meant: string, beside?: object][] = [
  ['listCandidates', 'query', 'q'],
  ['listOccupations', 'query', 'q'],
  ['listCandidates', 'pageSize', 'limit'],
  ['listCandidates', 'ocupation', 'occupation'],
  ['listCandidates', 'workspace_id', 'workspace'],
  ['listCandidates', 'ws', 'workspace'],
  ['createCandidate', 'location', 'metro', candidate],
  ['createCandidate', 'idempotency_key', 'idempotencyKey', candidate],
  ['createCandidate', 'fullName', 'name', { onetCode }],
];

for (const [tool, sent, meant, beside] of near)
  fillers(`${tool} refuses ${sent}, and names ${meant}`, async () => {
    const { issues } = await call(tool, { ...beside, [sent]: 'x' });
    const { message } = issues.find(({ path }: Body) => path === sent);
    assert.match(message, new RegExp(`did you mean ${meant}\\b`));
  });

fillers('a near miss in a write is refused before anything is created', async () => {
  const made = await makeSandbox(client, { candidates: [candidate] });
  await unchanged(client, made, async () => {
    const { workspace } = made;
    refusedTool(
      await client.tool('createCandidate', { ...candidate, workspace, city: 'x' }),
      'invalid_request',
    );
  });
});

fillers('refuses a misspelt name beside the right one, and accepts one that is only similar', async () => {
  const { workspace } = await makeSandbox(client, { candidates: [candidate] });
  assert.is((await call('getWorkspace', { workspace, worksapce: 'x' })).code, 'invalid_request');
  assert.is((await call('getCandidate', { id: 'cand_001', messageId: 'x' })).type, 'OK');
  assert.is((await call('listOccupations', { q: 'nurse', query: 'nurse' })).type, 'OK');
});

fillers('names that every object inherits are not arguments', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const listed = await call(
      'listCandidates',
      JSON.parse(`{"limit": 1, "${name}": {"status": "nonesuch"}}`),
    );
    assert.is(listed.type, 'OK');
    assert.equal(pluck(listed.warnings, 'path'), [name]);
  }
});

/** A row with a list of changes, in each of which null removes members. */
const changesRow = defineOperation({
  operationId: 'changeAll',
  method: 'POST',
  path: '/all',
  listed: false,
  input: v.object({
    changes: v.array(v.object({ id: v.string(), note: v.optional(v.nullable(v.string())) })),
  }),
  run: () => ({ status: 200, body: '' }),
});
const [changes] = describeOperations([changesRow], {}) as [Operation];

fillers('inside a list of changes, null changes nothing', () => {
  const { args } = readArguments(changes, { changes: [{ id: 'a', note: null }] });
  assert.equal(args, { changes: [{ id: 'a' }] });
});

fillers('inside a list of changes, clear removes', () => {
  const { args } = readArguments(changes, { changes: '[{"id": "a", "clear": ["note"]}]' });
  assert.equal(args, { changes: [{ id: 'a', note: null }] });
});

fillers('inside a list of changes, refuses a wrong name in clear and names it', () => {
  const { issues } = readArguments(changes, { changes: [{ id: 'a' }, { id: 'b', clear: ['id'] }] });
  assert.equal(pluck(issues, 'path'), ['changes[1].clear[0]']);
});

fillers('over HTTP a query accepts booleans, and refuses any other text', async () => {
  const yes = await client.get('/placements?validated=true');
  const big = await client.get('/placements?validated=TRUE');
  assert.equal(big.body.total, yes.body.total);
  assert.is((await client.get('/placements?validated=yes')).status, 400);
  assert.is((await client.get('/job-orders/job_001/matches?meets=true')).status, 200);
  assert.is((await client.get('/job-orders/job_001/matches?meets=1')).status, 400);
});

fillers('the contract declares booleans', () => {
  const { parameters } = client.contract.paths['/placements']!.get as unknown as Body;
  const { schema } = parameters.find(({ name }: Body) => name === 'validated');
  assert.is(schema.type, 'boolean');
});

fillers('over HTTP a body must have the declared types', async () => {
  for (const body of [
    { ...candidate, note: null },
    { ...candidate, skills: '["SQL"]' },
  ])
    assert.is((await client.post('/candidates', body)).status, 400);
});

fillers.run();
