import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { briefRefusals } from '../../../src/briefs/refusals.ts';
import { commonRefusals, type RefusalKind } from '../../../src/kernel/refusal.ts';
import { formatWording } from '../../../src/kernel/wording.ts';
import { ladderRefusals } from '../../../src/ladder/refusals.ts';
import { wordForMcp } from '../../../src/mcp/wording.ts';
import { outcomeRefusals, placementRefusals } from '../../../src/placements/refusals.ts';
import { storeRefusals } from '../../../src/records/refusals.ts';
import { shortlistRefusals } from '../../../src/shortlists/refusals.ts';
import type { Body } from '../../support/http.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const texts = suite('the words of a refusal by HTTP and by MCP');

const world = new World({ now: Date.parse('2026-11-02T12:00:00Z') });

interface Sample {
  method: string;
  path: string;
  body?: object;
  headers?: object;
  /** The tool of the same operation, if there is one, and its arguments. */
  tool?: string;
  args?: object;
}

const made = await world.post('/batch', {
  candidates: [toBody.candidate({ ref: 'free' })],
  jobOrders: [toBody.jobOrder({ ref: 'open' })],
});
const { workspace } = made.body;
const mine = { 'X-Workspace': workspace };
const strict = { Prefer: 'handling=strict' };
const key = 'k'.repeat(20);
await world.post('/candidates', toBody.candidate(), { ...mine, 'Idempotency-Key': key });

async function confirm(): Promise<string> {
  const body = toBody.placement({ candidateId: '#free', jobOrderId: '#open', startDate: '2026-10-01' });
  const placed = await world.post('/placements', body, mine);
  const { id } = placed.body.placement;
  const stated = { result: 'retained' };
  await world.post(`/placements/${id}/outcome`, stated, mine);
  const asked = await world.post(`/placements/${id}/confirmations`, { party: 'client' }, mine);
  return asked.body.confirmation.token;
}
const confirmation = await confirm();

const unresolved = toBody.placement({ candidateId: 'cand_none', jobOrderId: 'job_none' });
const create = (body: object, headers: object = {}, args: object = {}): Sample => ({
  method: 'POST',
  path: '/candidates',
  body,
  headers,
  tool: 'createCandidate',
  args: { ...body, ...args },
});
const propose = (body: object, headers: object = {}, args: object = {}): Sample => ({
  ...create(body, headers, args),
  path: '/placements',
  tool: 'createPlacement',
});
const list = (query: Record<string, string>, headers: object = {}, args: object = {}): Sample => ({
  method: 'GET',
  path: `/placements?${new URLSearchParams(query)}`,
  headers,
  tool: 'listPlacements',
  args: { ...query, ...args },
});
const ofRecord = (method: string, id: string, tool: string, body?: object): Sample => ({
  method,
  path: `/candidates/${encodeURIComponent(id)}`,
  ...(body && { body }),
  headers: mine,
  tool,
  args: { id, workspace, ...body },
});

/** Every way to a text that names a header, an argument, an address or an operation. */
const samples: Record<string, Sample> = {
  'no workspace': { method: 'GET', path: '/workspace', tool: 'getWorkspace', args: {} },
  'no workspace to delete': { method: 'DELETE', path: '/workspace', tool: 'deleteWorkspace', args: {} },
  'a workspace of no shape': {
    method: 'GET',
    path: '/workspace',
    headers: { 'X-Workspace': 'x' },
    tool: 'getWorkspace',
    args: { workspace: 'x' },
  },
  'no confirmation': { method: 'GET', path: '/confirmation', tool: 'getConfirmation', args: {} },
  'no confirmation to answer': {
    method: 'POST',
    path: '/confirmation',
    body: { agrees: true },
    tool: 'answerConfirmation',
    args: { agrees: true },
  },
  'no tag of a statement': {
    method: 'POST',
    path: '/confirmation',
    body: { agrees: true },
    headers: { 'X-Confirmation': confirmation },
    tool: 'answerConfirmation',
    args: { agrees: true, confirmation },
  },
  'no grader': { method: 'GET', path: '/grade', tool: 'gradeBrief', args: {} },
  'no shortlist': { method: 'GET', path: '/shortlist' },
  'no shortlist to decide on': { method: 'POST', path: '/shortlist', body: { decision: 'interview' } },
  'no claim': { method: 'GET', path: '/claim' },
  'a short key that mints': create(toBody.candidate(), { 'Idempotency-Key': 'k' }, { idempotencyKey: 'k' }),
  'a key of wrong characters': create(
    toBody.candidate(),
    { ...mine, 'Idempotency-Key': 'a b' },
    { workspace, idempotencyKey: 'a b' },
  ),
  'a key of another request': create(
    toBody.candidate({ name: 'Other' }),
    { ...mine, 'Idempotency-Key': key },
    { workspace, idempotencyKey: key },
  ),
  'a strict reference to nothing, without a workspace': propose(unresolved, strict, { strict: true }),
  'a strict reference to nothing in a workspace': propose(
    unresolved,
    { ...strict, ...mine },
    { strict: true, workspace },
  ),
  'a strict reference that is no id': propose(
    { ...unresolved, candidateId: 'nobody' },
    { ...strict, ...mine },
    { strict: true, workspace },
  ),
  'a reference to nothing, which warns': propose(unresolved),
  'a reference to another kind': propose({ ...unresolved, candidateId: 'job_001' }, mine, { workspace }),
  'a batch with an unknown ref': {
    method: 'POST',
    path: '/batch',
    body: { placements: [{ ...unresolved, candidateId: '#none' }] },
    headers: mine,
    tool: 'createBatch',
    args: { placements: [{ ...unresolved, candidateId: '#none' }], workspace },
  },
  'a filter by a ref, without a workspace': list({ candidateId: '#none' }),
  'a filter by an unknown ref': list({ candidateId: '#none' }, mine, { workspace }),
  'a filter by another kind': list({ candidateId: 'job_001' }),
  'a code that is none': create(toBody.candidate({ onetCode: '99-9999.99' })),
  'a code that is a title': create(toBody.candidate({ onetCode: 'nurse' })),
  'a filter that is nearly one': {
    method: 'GET',
    path: '/candidates?ocupation=x',
    headers: strict,
    tool: 'listCandidates',
    args: { ocupation: 'x' },
  },
  'a workspace in the query': {
    method: 'GET',
    path: '/candidates?workspace_id=x',
    headers: strict,
    tool: 'listCandidates',
    args: { workspace_id: 'x' },
  },
  'a second name for the workspace': {
    method: 'GET',
    path: '/candidates?xWorkspaceId=x',
    headers: { ...strict, ...mine },
    tool: 'createCandidate',
    args: { ...toBody.candidate(), xWorkspaceId: 'x', workspace, strict: true },
  },
  'a second name for the workspace, which warns': {
    method: 'GET',
    path: '/candidates/cand_001?xWorkspaceId=x',
    headers: mine,
    tool: 'getCandidate',
    args: { id: 'cand_001', xWorkspaceId: 'x', workspace },
  },
  'a name like an address': create(toBody.candidate({ '/candidates': 1 }), strict, { strict: true }),
  'no record to change': ofRecord('PATCH', 'cand_none', 'updateCandidate', { name: 'A' }),
  'no record to delete': ofRecord('DELETE', 'cand_none', 'deleteCandidate'),
  'no record to read': ofRecord('GET', 'cand_none', 'getCandidate'),
  'a change of another kind': ofRecord('PATCH', 'job_none', 'updateCandidate', { name: 'A' }),
  'a record of the seed': ofRecord('PATCH', 'cand_001', 'updateCandidate', { name: 'A' }),
  'members to clear': ofRecord('PATCH', '#free', 'updateCandidate', { clear: ['note'] }),
  'a name that is none to clear': ofRecord('PATCH', '#free', 'updateCandidate', { clear: ['nope'] }),
  'an outcome of no placement': {
    method: 'POST',
    path: '/placements/plc_none/outcome',
    body: { result: 'retained' },
    headers: mine,
    tool: 'stateOutcome',
    args: { id: 'plc_none', result: 'retained', workspace },
  },
  'a status of a create': create(toBody.candidate({ status: 'placed' }), strict, { strict: true }),
  'many in a create': create(toBody.candidate({ candidates: [] }), strict, { strict: true }),
};

const listPlaces = (places: Body[]) => places.map(({ path, message }) => `${path} ${message}`);

const pick = ({ type, reason, message, issues, warnings }: Body) => ({
  type,
  ...(reason && { reason }),
  ...(message && { message }),
  ...(issues && { issues: listPlaces(issues) }),
  ...(warnings && { warnings: listPlaces(warnings) }),
});

async function readTexts({ method, path, body, headers, tool, args = {} }: Sample): Promise<object> {
  const reply = await world.ask(method, path, body, headers);
  const result = tool && (await world.tool(tool, args));
  return { http: pick(reply.body), ...(result && { mcp: pick(result.structuredContent) }) };
}

const readPinned = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
const pinned = readPinned('refusal-texts.json');

for (const [name, sample] of Object.entries(samples)) {
  texts(name, async () => {
    assert.equal(await readTexts(sample), pinned[name]);
  });
}

texts('every kind of refusal has its pinned text in both protocols', () => {
  const kinds: RefusalKind[] = [
    commonRefusals,
    storeRefusals,
    placementRefusals,
    shortlistRefusals,
    outcomeRefusals,
    ladderRefusals,
    briefRefusals,
  ].flatMap((one) => Object.values(one));
  const readReason = (kind: RefusalKind) => {
    const http = formatWording(kind.reason);
    const mcp = formatWording(kind.reason, wordForMcp);
    return [kind.code, { http, ...(mcp !== http && { mcp }) }];
  };
  assert.equal(Object.fromEntries(kinds.map(readReason)), readPinned('refusal-kinds.json'));
});

texts('a refusal over MCP names no header', () => {
  for (const name of Object.keys(samples)) {
    const { mcp = {} } = pinned[name];
    const { type, warnings: _, ...refusal } = mcp;
    if (type === 'BLOCKED')
      assert.not.match(JSON.stringify(refusal), /X-[A-Z]|Idempotency-Key|handling=/, name);
  }
});

texts('a change over HTTP that sends clear is told to send null, and one by tool clears', async () => {
  const hint = /to remove a member, send it as null: \{"note": null\}/;
  const sent = { clear: ['note'] };
  const warned = await world.patch('/candidates/%23free', sent, mine);
  assert.match(warned.body.warnings[0].message, hint);
  const refused = await world.patch('/candidates/%23free', sent, { ...mine, ...strict });
  assert.match(refused.body.reason, hint);
  const { structuredContent } = await world.tool('updateCandidate', { id: '#free', workspace, ...sent });
  assert.equal([structuredContent.type, structuredContent.warnings], ['OK', undefined]);
});

texts('a refusal names an argument of MCP only where a tool has it', async () => {
  const ofShortlist = await world.get('/shortlist');
  assert.match(ofShortlist.body.reason, /^This needs the header X-Shortlist\. /);
  const ofConfirmation = await world.get('/confirmation');
  assert.match(ofConfirmation.body.reason, /\(over MCP the argument confirmation\)/);
});

texts('no pinned text is left over', () => {
  assert.equal(Object.keys(pinned), Object.keys(samples));
});

texts.run();
