import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchContracts } from '../../../src/matches/contract.ts';
import type { MatchService } from '../../../src/matches/matcher.ts';
import { createGatedWorld } from '../../support/gated-people.ts';
import type { Body } from '../../support/http.ts';
import { changeRecord, nurse, world } from '../../support/plans.ts';
import { pluck } from '../../support/rows.ts';

const matches = suite('the matches of a workspace');

const { chance, drawOrder, drawCandidate } = createGatedWorld(7);
const mostRecords = 45;
const listAll = (draw: (at: number) => object, more: object) =>
  Array.from({ length: mostRecords }, (_, at) => {
    const { id, ...members } = draw(at) as { id: string };
    return { ...members, ref: id.replace('_', ''), ...more };
  });
const desk = await world.open({
  jobOrders: listAll(drawOrder, { client: 'Example Works', title: 'Work' }),
  candidates: listAll(drawCandidate, { name: 'Ann Sample' }),
});

async function read(path: string): Promise<Body> {
  const { status, body, text } = await desk.get(path);
  assert.is(status, 200, text);
  return body;
}

/** Reads all pages of the matches of the workspace. */
async function readPages(query = ''): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor = ''; pages.length < 10; ) {
    const page = await read(`/workspace/matches?${query}${cursor}`);
    pages.push(page);
    if (page.nextCursor === undefined) return pages;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
  throw new Error('the pages do not end');
}

matches('are those of its open orders, newest first, on pages of 20', async () => {
  const pages = await readPages();
  assert.equal(
    pages.map(({ orders }) => orders.length),
    [20, 20, 5],
  );
  const { jobOrders } = await read('/job-orders?limit=200');
  assert.equal(
    pages.flatMap(({ orders }) => orders.map(({ jobOrder }: Body) => jobOrder.id)),
    pluck(jobOrders, 'id'),
  );
  for (const { total } of pages) assert.is(total, mostRecords);
});

for (const query of [
  '',
  'limit=1',
  'limit=10',
  'minScore=0',
  'minScore=60.5',
  'meets=true',
  'unstated=unmet',
])
  matches(`are those that each order has alone, with "${query}"`, async () => {
    const sent = new URLSearchParams(query);
    const own = new URLSearchParams({
      limit: '3',
      minScore: '30',
      ...Object.fromEntries(sent),
      scope: 'workspace',
    });
    for (const { jobOrder, matches: given } of (await readPages(`${query}&scope=workspace`)).flatMap(
      ({ orders }) => orders,
    )) {
      if (chance(5) > 0) continue;
      const alone = await read(`/job-orders/${jobOrder.id}/matches?${own}`);
      assert.equal(given, alone.matches ?? []);
    }
  });

const openSmall = (count: number) =>
  world.open({ jobOrders: listAll(drawOrder, { client: 'Example Works', title: 'Work' }).slice(0, count) });

matches('have no next page after exactly 20 orders', async () => {
  const small = await openSmall(20);
  const { body } = await small.get('/workspace/matches');
  assert.is(body.orders.length, 20);
  assert.not('nextCursor' in body);
});

matches('say how many orders came before a cursor that has none behind it', async () => {
  const small = await openSmall(21);
  const first = (await small.get('/workspace/matches')).body;
  const oldest = (await small.get('/job-orders?limit=200')).body.jobOrders.at(-1);
  await changeRecord(small, `/job-orders/${oldest.id}`, { status: 'closed' });
  const cursor = encodeURIComponent(first.nextCursor);
  const { body } = await small.get(`/workspace/matches?cursor=${cursor}`);
  assert.is(body.type, 'EMPTY');
  assert.match(body.message, /all 20 came before it/);
});

type Example = (service: MatchService) => Promise<Body>;

for (const [operationId, path] of [
  ['matchCandidates', '/job-orders/job_001/matches?status=available,placed,withdrawn'],
  ['matchJobOrders', '/candidates/cand_001/matches?status=open,filled,closed'],
] as const)
  matches(`have the example of ${operationId} in its contract`, async () => {
    const example = matchContracts[operationId]!.replies[200]!.example as unknown as Example;
    const [match] = (await example(world.service as unknown as MatchService)).matches;
    const idOf = ({ candidate, jobOrder }: Body) => (candidate ?? jobOrder).id;
    const { body } = await world.get(`${path}&limit=200`);
    const live = body.matches.find((one: Body) => idOf(one) === idOf(match));
    // The example leaves out the placements of the seed. They count for gates alone.
    for (const member of ['score', 'reasons', 'candidate', 'jobOrder'])
      assert.equal(match[member], live[member], member);
  });

for (const [operationId, path] of [
  ['matchWorkspace', '/workspace/matches'],
  ['planWorkspace', '/workspace/plan'],
] as const)
  matches(`have in the contract of ${operationId} what a workspace without orders gets`, async () => {
    const example = matchContracts[operationId]!.replies[200]!.example as unknown as Example;
    const { message, ...rest } = await example(world.service as unknown as MatchService);
    const { body } = await (await world.open({ candidates: [nurse('a')] })).get(path);
    assert.ok(body.message.startsWith(message), body.message);
    for (const [member, value] of Object.entries(rest)) assert.is(value, body[member], member);
  });

matches.run();
