import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../../src/records/account/workspace.ts';
import { type Body, connect } from '../../support/http.ts';
import { lean } from '../../support/lean.ts';
import { openFor } from '../../support/open-host.ts';
import { pluck } from '../../support/rows.ts';

const stories = suite('the tools, story by story');
const code = '15-1252.00';
const candidate = { name: 'Ada Example-Sample', onetCode: code, skills: ['TypeScript'], metro: 'Austin, TX' };
const jobOrder = { client: 'Example Works', title: 'Engineer', onetCode: code, billRateUsdHour: 95 };
const lists = [
  ['listOccupations', '/occupations', 'occupations'],
  ['listCandidates', '/candidates', 'candidates'],
  ['listJobOrders', '/job-orders', 'jobOrders'],
  ['listPlacements', '/placements', 'placements'],
] as const;
const server = await openFor(stories, { RECORD_CEILING: '3' });
const http = await connect(server.origin);

/** Returns an envelope without the message of an EMPTY, which each protocol words in its own way. */
const withoutWording = ({ message, ...body }: Body) => (body.type === 'EMPTY' ? body : { ...body, message });

/** Asserts that a tool answers the envelope of HTTP, and an error exactly if `isError` says so. */
async function same(tool: string, args: object, path: string, isError = false, workspace?: string) {
  const result = await http.tool(tool, workspace ? { ...args, workspace } : args);
  const { body } = await http.get(path, workspace ? { 'X-Workspace': workspace } : {});
  assert.equal(
    withoutWording(result.structuredContent),
    withoutWording(lean(body)),
    `${tool} and ${path} differ`,
  );
  assert.is(result.isError, isError ? true : undefined, `${tool} ${JSON.stringify(args)} isError`);
  return body;
}

/** Returns a created envelope without what differs from one create to the next. */
function toKind({ workspace, retention, ...body }: Body) {
  assert.match(workspace, new RegExp(workspaceIdPattern));
  const { expiresAt, ...disclosure } = retention;
  assert.ok(Date.parse(expiresAt) > Date.now());
  const text = JSON.stringify({ ...body, disclosure });
  return JSON.parse(
    text.replaceAll(/(?<=(cand|job|plc)_)[0-9a-z]{16}|(?<="(created|updated)At":")[^"]+/g, ''),
  );
}

stories('a list tool without arguments answers the first 20 rows of the plain list', async () => {
  for (const [tool, path, member] of lists) {
    const body = await same(tool, {}, `${path}?limit=20`);
    assert.is(body[member].length, 20);
    assert.ok(body.nextCursor);
  }
});

stories('the cursor of a list tool walks to every row once', async () => {
  for (const [tool, path, member] of lists) {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = (await http.tool(tool, { ...(cursor && { cursor }) })).structuredContent;
      assert.ok(page[member].length <= 20);
      ids.push(...(pluck(page[member], 'id') as string[]));
      cursor = page.nextCursor;
    } while (cursor);
    const whole = (await http.get(path)).body;
    assert.equal(ids, pluck(whole[member], 'id'));
    assert.is(ids.length, whole.total);
  }
});

/** Calls by tool, the addresses that answer the same, and the type of both answers. */
const alike: [tool: string, args: object, path: string, type: string][] = [
  ['listCandidates', { status: 'available', limit: 3 }, '/candidates?status=available&limit=3', 'OK'],
  ['listJobOrders', { occupation: '15' }, '/job-orders?occupation=15&limit=20', 'OK'],
  ['listPlacements', { scope: 'public', spend: 25 }, '/placements?scope=public&spend=25&limit=20', 'OK'],
  ['listOccupations', { q: 'android developer' }, '/occupations?q=android+developer&limit=20', 'OK'],
  [
    'listOccupations',
    { jobZone: 5, majorGroup: '29' },
    '/occupations?jobZone=5&majorGroup=29&limit=20',
    'OK',
  ],
  ['getOccupation', { id: code }, `/occupations/${code}`, 'OK'],
  ['getCandidate', { id: 'cand_001' }, '/candidates/cand_001', 'OK'],
  ['getJobOrder', { id: 'job_001' }, '/job-orders/job_001', 'OK'],
  ['getPlacement', { id: 'plc_001' }, '/placements/plc_001', 'OK'],
  ['getPricing', {}, '/pricing', 'OK'],
  ['matchCandidates', { id: 'job_001', limit: 3 }, '/job-orders/job_001/matches?limit=3', 'OK'],
  ['matchJobOrders', { id: 'cand_001', limit: 3 }, '/candidates/cand_001/matches?limit=3', 'OK'],
  [
    'matchCandidates',
    { id: 'job_001', minScore: 101 },
    '/job-orders/job_001/matches?minScore=101',
    'BLOCKED',
  ],
  ['listCandidates', { status: 'nonesuch' }, '/candidates?status=nonesuch&limit=20', 'EMPTY'],
  ['listJobOrders', { occupation: 'x' }, '/job-orders?occupation=x&limit=20', 'EMPTY'],
  ['listPlacements', { status: 'nonesuch' }, '/placements?status=nonesuch&limit=20', 'EMPTY'],
  ['listOccupations', { majorGroup: '99' }, '/occupations?majorGroup=99&limit=20', 'EMPTY'],
  ['getCandidate', { id: 'never' }, '/candidates/never', 'EMPTY'],
  ['getJobOrder', { id: 'never' }, '/job-orders/never', 'EMPTY'],
  ['getPlacement', { id: 'never' }, '/placements/never', 'EMPTY'],
  ['getOccupation', { id: 'never' }, '/occupations/never', 'EMPTY'],
  ['listPlacements', { scope: 'admin', limit: 0 }, '/placements?scope=admin&limit=0', 'BLOCKED'],
  ['listPlacements', { scope: 'internal' }, '/placements?scope=internal', 'BLOCKED'],
  ['listPlacements', { spend: 25.01 }, '/placements?spend=25.01', 'OFFER'],
];

stories('rules 1 to 3: a tool answers as HTTP does, a refusal is an error, and EMPTY is not', async () => {
  for (const [tool, args, path, type] of alike)
    assert.is((await same(tool, args, path, type === 'BLOCKED' || type === 'OFFER')).type, type, path);
  assert.is((await same('getOffer', {}, '/offer')).type, 'OFFER', 'the requested record');
});

stories('the EMPTY of a record names the list tool and an argument, and no header', async () => {
  for (const [tool, list, path] of [
    ['getCandidate', 'listCandidates', '/candidates'],
    ['getJobOrder', 'listJobOrders', '/job-orders'],
    ['getPlacement', 'listPlacements', '/placements'],
  ] as const) {
    const { message } = (await http.tool(tool, { id: 'never' })).structuredContent;
    assert.match(message, `See the tool ${list} for those there are`);
    assert.match(message, 'needs the argument workspace.');
    assert.not.match(message, /X-Workspace|\//);
    const { body } = await http.get(`${path}/never`);
    assert.match(body.message, `See ${path} for those there are`);
    assert.match(body.message, 'needs X-Workspace');
  }
});

stories('rule 4: a create without a workspace makes one with the record, as over HTTP', async () => {
  const { structuredContent, isError } = await http.tool('createCandidate', candidate);
  assert.is(isError, undefined);
  assert.equal(toKind(structuredContent), toKind(lean((await http.post('/candidates', candidate)).body)));
  const { workspace } = structuredContent;
  const { id } = structuredContent.candidate;
  assert.equal((await same('getCandidate', { id }, `/candidates/${id}`, false, workspace)).candidate.id, id);
  assert.is((await same('getCandidate', { id }, `/candidates/${id}`)).type, 'EMPTY');
});

stories('a workspace is the same over both protocols, and a full one answers an OFFER', async () => {
  const made = (await http.tool('createCandidate', candidate)).structuredContent;
  const { workspace } = made;
  const job = (await http.post('/job-orders', jobOrder, { 'X-Workspace': workspace })).body;
  const placement = { candidateId: made.candidate.id, jobOrderId: job.jobOrder.id, onetCode: code };
  const placed = (await http.tool('createPlacement', { ...placement, workspace })).structuredContent;
  assert.is(placed.workspace, workspace);
  assert.is(placed.warnings, undefined);
  assert.is(placed.placement.links.candidate, `/candidates/${made.candidate.id}`);
  const ids = [made.candidate.id, job.jobOrder.id, placed.placement.id];
  for (const [index, [tool, path, member]] of lists.slice(1).entries()) {
    const body = await same(tool, {}, `${path}?limit=20`, false, workspace);
    assert.is(body[member][0].id, ids[index]);
    assert.is(body.total, 1);
  }
  const read = await same('getCandidate', { id: ids[0] }, `/candidates/${ids[0]}`, false, workspace);
  assert.is(read.candidate.status, 'placed');
  const own = { scope: 'workspace' };
  const only = await same('listPlacements', own, '/placements?scope=workspace', false, workspace);
  assert.is(only.total, 1);
  const full = await http.tool('createJobOrder', { ...jobOrder, workspace });
  const { body } = await http.post('/job-orders', jobOrder, { 'X-Workspace': workspace });
  assert.equal(full.structuredContent, lean(body));
  assert.is(body.type, 'OFFER');
  assert.is(full.isError, true);
});

stories.run();
