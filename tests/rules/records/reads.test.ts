import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';

const asOf: string = JSON.parse(
  readFileSync(new URL('../../../content/seed/as-of.json', import.meta.url), 'utf8'),
).asOf;

const kinds = [
  { path: '/placements', many: 'placements', one: 'placement' },
  { path: '/candidates', many: 'candidates', one: 'candidate' },
  { path: '/job-orders', many: 'jobOrders', one: 'jobOrder' },
];
const statuses: Record<string, string[]> = {
  placements: ['scheduled', 'active', 'completed', 'ended-early'],
  candidates: ['available', 'placed'],
  jobOrders: ['open', 'filled'],
};

const all: Record<string, Body[]> = {};
const reads = suite('reads');
reads.before(async () => {
  for (const { path, many } of kinds) all[many] = (await client.get(path)).body[many];
});

const toIds = (rows: Body[]) => pluck(rows, 'id');
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Reads every page by the Link header, and checks what each page says about the whole. */
async function walk(path: string, many: string): Promise<Body[]> {
  const rows: Body[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body, headers } = await client.get(next);
    assert.is(status, 200, next);
    rows.push(...(body[many] ?? []));
    const [, href] = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    assert.is(href === undefined, body.nextCursor === undefined, 'the header and the body agree');
    if (href) assert.is(new URL(href, 'http://localhost').searchParams.get('cursor'), body.nextCursor);
    next = href;
  }
  return rows;
}

reads('a list is complete, and each row reads the same at its own address', async () => {
  for (const { path, many, one } of kinds) {
    assert.ok(all[many]!.length >= 40);
    for (const row of all[many]!) {
      assert.is(row.links.self, `${path}/${row.id}`);
      const { status, body } = await client.get(row.links.self);
      assert.is(status, 200);
      assert.equal(body, { type: 'OK', [one]: row });
    }
  }
});

reads('links lead to the records and the code that the members name', async () => {
  for (const row of all.placements!) {
    assert.is(row.links.candidate, `/candidates/${row.candidateId}`);
    assert.is(row.links.jobOrder, `/job-orders/${row.jobOrderId}`);
  }
  for (const row of Object.values(all).flat())
    assert.is(row.links.occupation, `/occupations/${row.onetCode}`);
  for (const { onetCode, links } of all.candidates!) {
    const { body } = await client.get(links.jobOrders);
    const open = all.jobOrders!.filter((job) => job.onetCode === onetCode && job.status === 'open');
    assert.equal(toIds(body.jobOrders ?? []), toIds(open));
  }
});

reads('statuses and outcomes of the seed follow from its dates', () => {
  for (const { id, startDate, plannedEndDate, endDate, endReason, ...row } of all.placements!) {
    const { status, outcome } = row;
    const validateBy = startDate === undefined ? null : dayAfter(startDate, 90);
    assert.is(outcome.validateBy, validateBy, id);
    const started = startDate !== undefined && startDate <= asOf;
    const isFallOff = outcome.result === 'attrited';
    assert.is(endDate !== undefined && !['finished', 'converted'].includes(endReason), isFallOff, id);
    const isOver = endDate !== undefined || plannedEndDate < asOf;
    const byDate = started ? 'active' : 'scheduled';
    assert.is(status, isOver ? (isFallOff ? 'ended-early' : 'completed') : byDate, id);
    assert.type(outcome.validated, 'boolean');
  }
  const live = ['scheduled', 'active'];
  const holding = all.placements!.filter(
    ({ status, endReason }) => live.includes(status) || endReason === 'converted',
  );
  const placed = pluck(holding, 'candidateId');
  for (const { id, status } of all.candidates!)
    assert.is(status, placed.includes(id) ? 'placed' : 'available', id);
  const taking = all.placements!.filter(({ status }) => status !== 'ended-early');
  const taken = pluck(taking, 'jobOrderId');
  for (const { id, status } of all.jobOrders!) assert.is(status, taken.includes(id) ? 'filled' : 'open', id);
  assert.ok(all.placements!.some(({ status }) => status === 'completed'));
});

reads('status and occupation give exactly the matching rows, alone and together', async () => {
  for (const { path, many } of kinds) {
    const rows = all[many]!;
    const hold = async (query: string, expected: Body[]) => {
      const { body } = await client.get(`${path}?${query}`);
      assert.equal(body[many], expected, `${path}?${query}`);
      assert.equal(body.total, expected.length, `${path}?${query}`);
    };
    for (const status of statuses[many]!) {
      const expected = rows.filter((row) => row.status === status);
      assert.ok(expected.length > 0);
      await hold(`status=${status}`, expected);
    }
    const codes = new Set(rows.map(({ onetCode }) => onetCode as string));
    for (const filter of new Set([...codes].flatMap((code) => [code, code.slice(0, 7), code.slice(0, 2)])))
      await hold(
        `occupation=${filter}`,
        rows.filter(({ onetCode }) => onetCode.startsWith(filter)),
      );
    const [{ status, onetCode }] = rows as [Body];
    const group = onetCode.slice(0, 2);
    const both = rows.filter((row) => row.status === status && row.onetCode.startsWith(group));
    await hold(`status=${status}&occupation=${group}`, both);
    for (const part of [onetCode.slice(0, 1), onetCode.slice(0, 5), onetCode.slice(0, 9), `${group}-`])
      assert.is((await client.get(`${path}?occupation=${part}`)).body.type, 'EMPTY', part);
  }
});

reads('paging reads every row once, at any limit and under a filter', async () => {
  for (const { path, many } of kinds) {
    for (const limit of [1, 7, 49, 50, 200])
      assert.equal(await walk(`${path}?limit=${limit}`, many), all[many], `${path} ${limit}`);
    const [status] = statuses[many]!;
    const expected = all[many]!.filter((row) => row.status === status);
    assert.equal(toIds(await walk(`${path}?limit=3&status=${status}`, many)), toIds(expected));
    const { body } = await client.get(`${path}?limit=2&status=${status}`);
    assert.equal([body[many].length, body.total], [2, expected.length], 'total counts what matches');
  }
});

reads('the .json version of an address has the same bytes, and ignores workspaces', async () => {
  const { body: made } = await client.post('/candidates', { name: 'Twin', onetCode: '15-1252.00' });
  const records = kinds.flatMap(({ path, many }) => [path, all[many]![0]!.links.self]);
  for (const path of [...records, '/pricing', '/occupations/15-1252.00']) {
    const own = await client.get(path);
    for (const workspace of [made.workspace, 'ws_nobody']) {
      const twin = await client.get(`${path}.json`, { 'X-Workspace': workspace });
      assert.is(twin.status, 200, path);
      assert.equal(twin.text, own.text, path);
    }
  }
  for (const { path } of kinds) assert.is((await client.get(`${path}/nothing.json`)).body.type, 'EMPTY');
});

/** What the record of a real person would contain: an email address, a telephone or an identity number. */
const personal = /@|\d{7,}|\d{3}\)?[ .-]\d{4}\b|\b\d{3}-\d{2}-\d{4}\b|\b\d{3}[ .-]\d{3}\b/;

reads('the seed is synthetic and says so, spans many occupations, and holds no personal data', () => {
  const { placements = [], candidates = [], jobOrders = [] } = all;
  assert.is(placements.length, 48);
  assert.is(candidates.length, 48);
  assert.is(jobOrders.length, 40);
  const records = [...placements, ...candidates, ...jobOrders];
  for (const record of records) {
    assert.is(record.example, true, record.id);
    assert.not.match(JSON.stringify(record), personal);
  }
  for (const text of ['a@b.org', '(614) 555-0100', '555.0100', '000-12-3456', '12-3456789'])
    assert.match(text, personal);
  assert.ok(new Set(records.map(({ onetCode }) => onetCode.slice(0, 2))).size >= 20);
  for (const { id, name } of candidates) assert.match(name, /-Sample$/, id);
  for (const { id, client } of jobOrders) assert.match(client, /\bExample\b/, id);
  for (const { id, jobOrderId, onetCode } of placements)
    assert.is(jobOrders.find((order) => order.id === jobOrderId)?.onetCode, onetCode, id);
});

reads.run();
