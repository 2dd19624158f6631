import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
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
  return rows.map(({ id, createdAt, updatedAt, revision, transitions, history, ...rest }: Body) => {
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

/** Imports pages into a new workspace. Each must be accepted without a warning. */
async function importPages(pages: Body[], headers: Record<string, string> = {}) {
  let mine: Record<string, string> = {};
  for (const page of pages) {
    const { status, body, text } = await client.post('/batch', page, { ...headers, ...mine });
    assert.is(status, 201, text.slice(0, 400));
    assert.is(body.warnings, undefined, text.slice(0, 400));
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

const place = (mine: Record<string, string>, candidateId: string, jobOrderId: string) =>
  client.post('/placements', toBody.placement({ candidateId, jobOrderId }), mine);

/** What may have happened in a workspace, some of it with a warning. */
const odd: Record<string, (mine: Record<string, string>, page: Body) => Promise<unknown>> = {
  'a placement on an order that was closed since': (mine, { jobOrders }) =>
    client.patch(jobOrders[0].links.self, { status: 'closed' }, mine),
  'a candidate who is gone': (mine, { candidates }) => client.delete(candidates[0].links.self, mine),
  'an order that is gone': (mine, { jobOrders }) => client.delete(jobOrders[0].links.self, mine),
  'an order with fewer openings than placements': async (mine, { jobOrders }) => {
    await client.patch(jobOrders[0].links.self, { openings: 2 }, mine);
    await place(mine, '#c', '#a');
    await client.patch(jobOrders[0].links.self, { openings: 1 }, mine);
  },
  'a candidate whose code is another since': async (mine, { candidates, jobOrders }) => {
    for (const { links } of [candidates[0], jobOrders[0]])
      await client.patch(links.self, { onetCode: '29-1141.00' }, mine);
  },
  'a candidate placed twice, as was warned of': (mine) => place(mine, '#a', '#b'),
  'an order filled twice over, as was warned of': (mine) => place(mine, '#c', '#a'),
  'a candidate placed after withdrawing, as was warned of': async (mine, { candidates }) => {
    await client.patch(candidates[1].links.self, { status: 'withdrawn' }, mine);
    await place(mine, '#c', '#b');
  },
  'a reference of another kind, as was warned of': (mine, { jobOrders }) =>
    place(mine, jobOrders[1].id, '#b'),
};

for (const [what, make] of Object.entries(odd)) {
  back(`with ${what} is a copy too, at once and in pages of two`, async () => {
    const { mine } = await makeSandbox(client, {
      candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'c' })],
      jobOrders: [toBody.jobOrder({ ref: 'a' }), toBody.jobOrder({ ref: 'b' })],
      placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#a', startDate: dayFromNow(-10) })],
    });
    await make(mine, (await readPages(mine))[0]);
    for (const limit of [200, 2]) {
      const pages = await readPages(mine, limit);
      assert.equal(toComparable(await readPages(await importPages(pages))), toComparable(pages));
    }
  });
}

back('keeps the moves of every kind, with their times and reasons', async () => {
  const { mine, candidates, jobOrders, placements } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' })],
    jobOrders: [toBody.jobOrder({ ref: 'o' })],
    placements: [toBody.placement({ ref: 'p', candidateId: '#a', jobOrderId: '#o', status: 'proposed' })],
  });
  await client.patch(candidates[0]!.links.self, { status: 'withdrawn', reason: 'On leave' }, mine);
  await client.patch(candidates[0]!.links.self, { status: 'available' }, mine);
  await client.patch(placements[0]!.links.self, { status: 'offered', reason: 'Liked her' }, mine);
  await client.patch(jobOrders[0]!.links.self, { status: 'closed', declineProposals: true }, mine);
  const pages = await readPages(mine);
  const copies = await readPages(await importPages(pages));
  for (const name of collections) {
    assert.ok(pages[0]![name][0].transitions.length > 0, name);
    assert.equal(pluck(copies[0]![name], 'transitions'), pluck(pages[0]![name], 'transitions'));
  }
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
