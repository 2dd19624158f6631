import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../src/records/workspace.ts';
import { type Body, type Client, connect } from '../support/http.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const stories = suite('the stories, by tool');
const code = '15-1252.00';
const candidate = { name: 'Ada Example-Sample', onetCode: code, skills: ['TypeScript'], metro: 'Austin, TX' };
const jobOrder = { client: 'Example Works', title: 'Engineer', onetCode: code, billRateUsdHour: 95 };
const lists = [
  ['listOccupations', '/occupations', 'occupations'],
  ['listCandidates', '/candidates', 'candidates'],
  ['listJobOrders', '/job-orders', 'jobOrders'],
  ['listPlacements', '/placements', 'placements'],
] as const;
let server: RunningServer;
let http: Client;

stories.before(async () => {
  server = await startServer({ RECORD_CEILING: '3' });
  http = await connect(server.origin);
});
stories.after(async () => {
  await server.stop();
});

/** Holds a tool to HTTP: the same envelope, and an error exactly where `isError` says. */
async function same(tool: string, args: object, path: string, isError = false, workspace?: string) {
  const result = await http.tool(tool, workspace ? { ...args, workspace } : args);
  const { body } = await http.get(path, workspace ? { 'X-Workspace': workspace } : {});
  assert.equal(result.structuredContent, body, `${tool} and ${path} differ`);
  assert.is(result.isError, isError ? true : undefined, `${tool} ${JSON.stringify(args)} isError`);
  return body;
}

/** A created envelope without what differs from one create to the next. */
function toKind({ workspace, retention, ...body }: Body) {
  assert.match(workspace, new RegExp(workspaceIdPattern));
  const { expiresAt, ...disclosure } = retention;
  assert.ok(Date.parse(expiresAt) > Date.now());
  const text = JSON.stringify({ ...body, disclosure });
  return JSON.parse(
    text.replaceAll(/(?<=(cand|job|plc)_)[0-9a-z]{16}|(?<="(created|updated)At":")[^"]+/g, ''),
  );
}

function countRows(): unknown {
  const database = new DatabaseSync(join(server.dataDir, 'workspaces.sqlite'), { readOnly: true });
  const sql = 'SELECT count(DISTINCT workspace) AS workspaces, count(*) AS records FROM records';
  const row = { ...database.prepare(sql).get() };
  database.close();
  return row;
}

stories('a bare list tool answers the first 20 rows of the plain list', async () => {
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
      ids.push(...page[member].map(({ id }: Body) => id));
      cursor = page.nextCursor;
    } while (cursor);
    const whole = (await http.get(path)).body;
    assert.equal(
      ids,
      whole[member].map(({ id }: Body) => id),
    );
    assert.is(ids.length, whole.total);
  }
});

stories('filters, search and an own limit answer as HTTP does', async () => {
  await same('listCandidates', { status: 'available', limit: 3 }, '/candidates?status=available&limit=3');
  await same('listJobOrders', { occupation: '15' }, '/job-orders?occupation=15&limit=20');
  await same('listPlacements', { scope: 'public', spend: 25 }, '/placements?scope=public&spend=25&limit=20');
  await same('listOccupations', { q: 'android developer' }, '/occupations?q=android+developer&limit=20');
  await same(
    'listOccupations',
    { jobZone: 5, majorGroup: '29' },
    '/occupations?jobZone=5&majorGroup=29&limit=20',
  );
});

stories('one record, the pricing and the offer answer as HTTP does', async () => {
  await same('getOccupation', { id: code }, `/occupations/${code}`);
  for (const [tool, path, member] of lists.slice(1)) {
    const id = (await http.get(`${path}?limit=1`)).body[member][0].id;
    const one = tool.replace('list', 'get').replace(/s$/, '');
    assert.is((await same(one, { id }, `${path}/${id}`)).type, 'OK');
  }
  assert.is((await same('getPricing', {}, '/pricing')).type, 'OK');
  assert.is((await same('getOffer', {}, '/offer')).type, 'OFFER');
});

stories('rule 1: what matches nothing is EMPTY and no error', async () => {
  for (const [tool, path] of lists.slice(1)) {
    assert.is((await same(tool, { status: 'nonesuch' }, `${path}?status=nonesuch&limit=20`)).type, 'EMPTY');
    assert.is((await same(tool, { occupation: 'x' }, `${path}?occupation=x&limit=20`)).type, 'EMPTY');
  }
  await same('listOccupations', { majorGroup: '99' }, '/occupations?majorGroup=99&limit=20');
  for (const name of ['candidate', 'job-order', 'placement', 'occupation']) {
    const tool = `get${name === 'job-order' ? 'JobOrder' : name[0]!.toUpperCase() + name.slice(1)}`;
    assert.is((await same(tool, { id: 'never' }, `/${name}s/never`)).type, 'EMPTY');
  }
});

stories(
  'rules 2 and 3: a closed scope is BLOCKED, a spend above the ceiling an OFFER; both are errors',
  async () => {
    for (const scope of ['admin', 'internal']) {
      assert.is(
        (await same('listPlacements', { scope }, `/placements?scope=${scope}`, true)).code,
        'forbidden_scope',
      );
    }
    await same('listPlacements', { scope: 'admin', limit: 0 }, '/placements?scope=admin&limit=0', true);
    const offer = await same('listPlacements', { spend: 25.01 }, '/placements?spend=25.01', true);
    assert.is(offer.id, 'offer-spend-ceiling');
  },
);

stories('rule 4: a create without a workspace mints one, with the record, as HTTP does', async () => {
  const { structuredContent, isError } = await http.tool('createCandidate', candidate);
  assert.is(isError, undefined);
  assert.equal(toKind(structuredContent), toKind((await http.post('/candidates', candidate)).body));
  const { workspace } = structuredContent;
  const { id } = structuredContent.candidate;
  assert.equal((await same('getCandidate', { id }, `/candidates/${id}`, false, workspace)).candidate.id, id);
  assert.is((await same('getCandidate', { id }, `/candidates/${id}`)).type, 'EMPTY');
});

stories('a workspace grows by either door and reads merged by both; full, it answers an OFFER', async () => {
  const made = (await http.tool('createCandidate', candidate)).structuredContent;
  const { workspace } = made;
  const job = (await http.post('/job-orders', jobOrder, { 'X-Workspace': workspace })).body;
  const placement = { candidateId: made.candidate.id, jobOrderId: job.jobOrder.id, onetCode: code };
  const placed = (await http.tool('createPlacement', { ...placement, workspace })).structuredContent;
  assert.is(placed.workspace, workspace);
  assert.is(placed.warnings, undefined);
  assert.is(placed.placement.links.candidate, made.candidate.links.self);
  const ids = [made.candidate.id, job.jobOrder.id, placed.placement.id];
  for (const [index, [tool, path, member]] of lists.slice(1).entries()) {
    const body = await same(tool, {}, `${path}?limit=20`, false, workspace);
    assert.is(body[member][0].id, ids[index]);
    assert.is(body.total, (await http.get(path)).body.total + 1);
  }
  const read = await same('getCandidate', { id: ids[0] }, `/candidates/${ids[0]}`, false, workspace);
  assert.is(read.candidate.status, 'placed');
  assert.is(
    (await same('listPlacements', { scope: 'workspace' }, '/placements?scope=workspace', false, workspace))
      .total,
    1,
  );
  const full = await http.tool('createJobOrder', { ...jobOrder, workspace });
  assert.equal(
    full.structuredContent,
    (await http.post('/job-orders', jobOrder, { 'X-Workspace': workspace })).body,
  );
  assert.is(full.structuredContent.type, 'OFFER');
  assert.is(full.isError, true);
});

/** A refusal without its words, which speak of tools to a model, and of addresses over HTTP. */
const toPlaces = ({ code, issues }: Body) => [code, ...issues.map((issue: Body) => issue.path)];

stories('a refused create is BLOCKED with the issues of HTTP, and keeps and mints nothing', async () => {
  const before = countRows();
  const cases = [
    ['createCandidate', '/candidates', {}],
    ['createCandidate', '/candidates', { name: 7, onetCode: 'x', skills: 'none' }],
    ['createCandidate', '/candidates', { ...candidate, onetCode: '15-1252.99' }],
    ['createJobOrder', '/job-orders', { ...jobOrder, billRateUsdHour: '95' }],
    ['createPlacement', '/placements', { candidateId: null, onetCode: code, startDate: '2026-02-31' }],
  ] as const;
  for (const [tool, path, args] of cases) {
    const { structuredContent, isError } = await http.tool(tool, args);
    const { body, status } = await http.post(path, args);
    assert.is(status, 400);
    assert.is(isError, true);
    assert.equal(toPlaces(structuredContent), toPlaces(body));
    assert.ok(body.issues.length > 0);
  }
  assert.equal(countRows(), before);
});

stories.run();
