import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { holdToSense } from '../../support/sense.ts';

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
  const { candidates = [], jobOrders = [], placements = [] } = all;
  const withMoves = (rows: Body[]) => rows.map((row) => ({ transitions: [], ...row }));
  holdToSense(
    { candidate: withMoves(candidates), jobOrder: withMoves(jobOrders), placement: withMoves(placements) },
    asOf,
  );
  for (const { id, startDate, endDate, endReason, outcome } of placements) {
    const validateBy = startDate === undefined ? null : dayAfter(startDate, 90);
    assert.is(outcome.validateBy, validateBy, id);
    const isFallOff = endDate !== undefined && !['finished', 'converted'].includes(endReason);
    assert.is(outcome.result === 'attrited', isFallOff, id);
  }
  for (const [many, wanted] of Object.entries(statuses))
    assert.equal(new Set(pluck(all[many]!, 'status')), new Set(wanted), many);
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
