import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { RandomDesk } from '../../support/random-desk.ts';
import { pluck } from '../../support/rows.ts';
import {
  dayFromNow,
  ending,
  makeSandbox,
  refused,
  strict,
  toBody,
  unchanged,
} from '../../support/sandbox.ts';

const back = suite('an export that is imported');

const collections = ['candidates', 'jobOrders', 'placements'] as const;

/** Reads every page of an export. */
async function readPages(mine: Record<string, string>, limit = 200): Promise<Body[]> {
  const pages: Body[] = [];
  for (let next = ''; ; ) {
    const path = `/workspace/export?limit=${limit}${next && `&cursor=${next}`}`;
    const { status, body, text } = await client.get(path, mine);
    assert.is(status, 200, text);
    pages.push(body);
    if (body.nextCursor === undefined) return pages;
    next = encodeURIComponent(body.nextCursor);
  }
}

/** Returns the records of pages without generated members, with references and links by ref. */
function toComparable(pages: Body[]): Body[] {
  const rows = collections.flatMap((name) => pages.flatMap((page) => page[name]));
  const ids = rows.map(({ id, ref }: Body) => [id, ref]);
  const refOf = new Map(ids as [string, string][]);
  return rows.map(({ id, createdAt, updatedAt, revision, history, ...rest }: Body) => {
    const references = ['candidateId', 'jobOrderId'].filter((member) => member in rest);
    const byRef = references.map((member) => [member, refOf.get(rest[member]) ?? rest[member]]);
    const named = { ...rest, ...Object.fromEntries(byRef) };
    const text = ids.reduce(
      (sum, [old, ref]) => sum.replaceAll(`/${old}`, `/#${ref}`),
      JSON.stringify(named),
    );
    return JSON.parse(text);
  });
}

/** Imports pages into a new workspace. Each must be accepted, without a warning of another code. */
async function importPages(pages: Body[], headers: Record<string, string> = {}, expected: string[] = []) {
  let mine: Record<string, string> = {};
  for (const page of pages) {
    const { status, body, text } = await client.post('/batch', page, { ...headers, ...mine });
    assert.is(status, 201, text.slice(0, 400));
    const codes: string[] = (body.warnings ?? []).map(({ code }: Body) => code);
    assert.equal(
      codes.filter((code) => !expected.includes(code)),
      [],
      text.slice(0, 400),
    );
    mine = inside(body.workspace);
  }
  return mine;
}

back('is a copy the first time, and refused the second', async () => {
  const sandbox = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate()],
    jobOrders: [toBody.jobOrder({ ref: 'o', openings: 2 })],
    placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#o' })],
  });
  const [page] = await readPages(sandbox.mine);
  const mine = await importPages([page]);
  assert.equal(toComparable(await readPages(mine)), toComparable([page]));
  await unchanged(client, { ...sandbox, mine }, async () => {
    const { issues } = refused(await client.post('/batch', page, mine), 409, 'duplicate_ref');
    assert.is(issues[0].path, 'candidates[0].ref');
  });
  await unchanged(client, sandbox, async () => {
    refused(await client.post('/batch', page, sandbox.mine), 409, 'duplicate_ref', ['candidates[0].ref']);
  });
});

back('can be imported page by page, with refs to earlier pages and statuses that were set', async () => {
  const { mine } = await makeSandbox(client, {
    candidates: Array.from({ length: 6 }, (_, index) => toBody.candidate({ ref: `p${index}` })),
    jobOrders: [toBody.jobOrder({ ref: 'o', openings: 3 }), toBody.jobOrder({ ref: 'shut' })],
    placements: [0, 1, 2].map((index) =>
      toBody.placement({ candidateId: `#p${index}`, jobOrderId: '#o', startDate: dayFromNow(-10) }),
    ),
  });
  const [{ candidates, jobOrders, placements }] = await readPages(mine);
  await client.patch(candidates[5].links.self, { status: 'withdrawn' }, mine);
  await client.patch(jobOrders[1].links.self, { status: 'closed' }, mine);
  await client.patch(placements[0].links.self, ending, mine);
  const pages = await readPages(mine, 4);
  const counts = pages.map((page) => collections.map((name) => page[name].length).join());
  assert.equal(counts, ['4,0,0', '2,2,0', '0,0,3']);
  const copy = await importPages(pages, strict);
  const whole = await readPages(copy);
  assert.equal(toComparable(whole), toComparable(pages));
  const { endDate, endReason, status, outcome } = whole[0].placements[0];
  assert.equal({ endDate, endReason, status }, ending);
  assert.is(outcome.result, 'pending');
  assert.is(outcome.validated, false);
});

back('says what it drops: a stated outcome, and what the service sets', async () => {
  const ofBoth = { candidateId: '#p', jobOrderId: '#o' };
  const { mine, candidates } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'p' })],
    jobOrders: [toBody.jobOrder({ ref: 'o' })],
    placements: [toBody.placement({ ref: 'x', ...ofBoth, startDate: dayFromNow(-10) })],
  });
  await client.post('/placements/%23x/outcome', { result: 'retained' }, mine);
  const { token } = (await client.post('/placements/%23x/confirmations', { party: 'client' }, mine)).body
    .confirmation;
  const party = { 'X-Confirmation': token };
  const { tag } = (await client.get('/confirmation', party)).body;
  await client.post('/confirmation', { agrees: true, tag }, party);
  const { receipt } = (await client.get('/placements/%23x/receipt', mine)).body;
  const [page] = await readPages(mine);
  assert.is(page.placements[0].outcome.validated, true);
  assert.equal(page.placements[0].receipt, receipt);
  const { warnings, placements } = (await client.post('/batch', page)).body;
  assert.equal(pluck(warnings, 'code'), ['not_taken']);
  assert.is(warnings[0].path, 'placements[0].outcome');
  assert.is(placements[0].outcome.result, 'pending');
  refused(await client.post('/batch', page, strict), 400, 'invalid_request', ['placements[0].outcome']);
  const copied = { candidates: [{ ...candidates[0], ref: undefined }] };
  const { warnings: given } = (await client.post('/batch', copied)).body;
  assert.ok(given.every(({ code }: Body) => code === 'not_taken'));
  assert.is(given[0].path, 'candidates[0].createdAt');
});

/** Makes a workspace by random calls. Some conflict with what it has, and some delete what others refer to. */
async function makeRandomDesk(seed: number): Promise<RandomDesk> {
  const desk = new RandomDesk(client, seed);
  for (const kind of ['candidate', 'jobOrder', 'placement', 'candidate', 'placement'] as const)
    await desk.create(kind);
  for (let step = 0; step < 40; step += 1) await desk.step();
  assert.ok(desk.deleted.length > 0);
  return desk;
}

/** Leaves out the outcomes, which are not imported. */
const withoutOutcomes = (rows: Body[]): Body[] => rows.map(({ outcome: _, ...row }) => row);

for (let seed = 1; seed <= 4; seed += 1)
  back(`of random desk ${seed} is a copy too, with its moves, at once and in pages of three`, async () => {
    const mine = inside((await makeRandomDesk(seed)).workspace);
    for (const limit of [200, 3]) {
      const pages = await readPages(mine, limit);
      const copy = await readPages(await importPages(pages, {}, ['not_taken']), limit);
      assert.equal(withoutOutcomes(toComparable(copy)), withoutOutcomes(toComparable(pages)));
    }
  });

back('keeps a reference of another kind, as was warned of', async () => {
  const { mine, jobOrders } = await makeSandbox(client, {
    jobOrders: [toBody.jobOrder({ ref: 'a' }), toBody.jobOrder({ ref: 'b' })],
  });
  const sent = toBody.placement({ candidateId: jobOrders[1].id, jobOrderId: '#b' });
  await client.post('/placements', sent, mine);
  const pages = await readPages(mine);
  assert.equal(toComparable(await readPages(await importPages(pages))), toComparable(pages));
});

back('a batch gets warnings for conflicts within itself, and an export gets none', async () => {
  const batch = {
    candidates: [toBody.candidate({ ref: 'gone', status: 'withdrawn' })],
    jobOrders: [toBody.jobOrder({ ref: 'shut', status: 'closed' })],
    placements: [toBody.placement({ candidateId: '#gone', jobOrderId: '#shut' })],
  };
  const paths = ['placements[0].candidateId', 'placements[0].jobOrderId'];
  refused(await client.post('/batch', batch, strict), 409, 'conflict', paths);
  refused(await client.post('/batch', { ...batch, exportedAt: 'once' }, strict), 409, 'conflict', paths);
  const { warnings } = (await client.post('/batch', batch)).body;
  assert.equal(pluck(warnings, 'code'), ['withdrawn', 'closed']);
  assert.equal(pluck(warnings, 'path'), paths);
  const exported = await client.post('/batch', { ...batch, exportedAt: new Date().toISOString() }, strict);
  assert.is(exported.status, 201);
  assert.is(exported.body.warnings, undefined);
});

back.run();
