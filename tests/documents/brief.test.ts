import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Door, inside, openHttp, openMcp } from '../support/doors.ts';
import { client, server } from '../support/front.ts';
import type { Body } from '../support/http.ts';
import { pluck } from '../support/rows.ts';

const brief = suite('the whole brief');
const mostCalls = 8;
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Who is wanted and who there is, by the job titles that people use. */
const work = [
  { title: 'Android developer', openings: 4, people: ['Ada', 'Bob', 'Cleo', 'Dan', 'Eva'] },
  { title: 'Registered nurse', openings: 3, people: ['Fay', 'Gus', 'Hal', 'Ivy'] },
  { title: 'Electrician', openings: 1, people: ['Jon', 'Kim', 'Leo'] },
];
const lists = [
  ['candidates', '/candidates'],
  ['jobOrders', '/job-orders'],
  ['placements', '/placements'],
] as const;

/** Everything in the brief, as one batch: 12 people, 8 openings, and a placement for each opening. */
function toBatch(codes: string[]) {
  const each = work.map((one, index) => ({ ...one, onetCode: codes[index]! }));
  return {
    candidates: each.flatMap(({ people, onetCode }) =>
      people.map((name) => ({ ref: name.toLowerCase(), name: `${name} Sampel`, onetCode, skills: [name] })),
    ),
    jobOrders: each.map(({ title, openings, onetCode }) => ({
      ref: `order:${title.split(' ')[0]}`,
      client: 'Example Works',
      title,
      onetCode,
      openings,
      metro: 'Columbus, OH',
    })),
    placements: each.flatMap(({ title, openings, people, onetCode }) =>
      people.slice(0, openings).map((name) => ({
        candidateId: `#${name.toLowerCase()}`,
        jobOrderId: `#order:${title.split(' ')[0]}`,
        onetCode,
        startDate: dayFromNow(-10),
        feeModel: 'contract-markup',
      })),
    ),
  };
}

/** The three lists as a caller of this workspace sees its own records. */
async function readLists(workspace: string): Promise<Record<string, Body[]>> {
  const rows = lists.map(async ([member, path]) => {
    const { body } = await client.get(`${path}?scope=workspace&limit=200`, inside(workspace));
    return [member, body[member]] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** The same without what an import makes anew; each id is written as the ref that an export gives it. */
function toComparable(rows: Record<string, Body[]>): Record<string, Body[]> {
  const named = Object.values(rows)
    .flat()
    .map(({ id, ref = id }) => [id, ref]);
  const write = ({ id, ref = id, createdAt, updatedAt, revision, transitions, ...rest }: Body) => {
    const text = named.reduce((sum, [old, name]) => sum.replaceAll(old, `#${name}`), JSON.stringify(rest));
    return { ...JSON.parse(text), ref };
  };
  return Object.fromEntries(Object.entries(rows).map(([member, all]) => [member, all.map(write)]));
}

const countBy = (rows: Body[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ status }) => status)].map(([status, group]) => [status, group.length]),
  );

async function live(door: Door): Promise<void> {
  let calls = 0;
  const ok = async (call: Promise<Body>): Promise<Body> => {
    calls += 1;
    const body = await call;
    assert.is(body.type, 'OK', JSON.stringify(body).slice(0, 600));
    assert.is(body.warnings, undefined, JSON.stringify(body.warnings));
    return body;
  };
  const codes: string[] = [];
  for (const { title } of work) codes.push((await door.search(title)).occupations[0].id);
  assert.is(new Set(codes).size, work.length);

  const made = await ok(door.batch(toBatch(codes)));
  const { workspace } = made;
  assert.equal(
    lists.map(([member]) => made[member].length),
    [12, 3, 8],
  );
  assert.is(
    made.jobOrders.reduce((sum: number, { openings }: Body) => sum + openings, 0),
    8,
  );
  assert.equal(countBy(made.jobOrders), { filled: 3 });
  assert.equal(countBy(made.candidates), { placed: 8, available: 4 });
  const byRef = (member: string, ref: string) => made[member].find((row: Body) => row.ref === ref);
  const of = (ref: string) => byRef('candidates', ref).id;

  const mended = await ok(door.update('candidate', of('ada'), { name: 'Ada Sample' }, workspace));
  assert.is(mended.candidate.name, 'Ada Sample');
  const away = await ok(door.update('candidate', of('leo'), { status: 'withdrawn' }, workspace));
  assert.is(away.candidate.status, 'withdrawn');
  const first = made.placements.find(({ candidateId }: Body) => candidateId === of('fay'));
  const ending = { status: 'ended-early', endDate: dayFromNow(-1), endReason: 'candidate-left' };
  const ended = await ok(door.update('placement', first.id, ending, workspace));
  assert.equal(
    ended.placement.transitions.map(({ from, to, reason }: Body) => [from, to, reason]),
    [['active', 'ended-early', 'candidate-left']],
  );
  const order = byRef('jobOrders', 'order:Electrician').id;
  const closed = await ok(door.update('jobOrder', order, { status: 'closed' }, workspace));
  assert.is(closed.jobOrder.status, 'closed');

  const before = await readLists(workspace);
  assert.equal(countBy(before.candidates!), { placed: 7, available: 4, withdrawn: 1 });
  assert.equal(countBy(before.jobOrders!), { filled: 1, open: 1, closed: 1 });
  assert.equal(countBy(before.placements!), { active: 7, 'ended-early': 1 });

  const page = await ok(door.exportPage(workspace));
  assert.equal([page.total, page.nextCursor], [23, undefined]);
  const copy = await ok(door.batch(page));
  assert.is.not(copy.workspace, workspace);
  const after = await readLists(copy.workspace);
  assert.equal(toComparable(after), toComparable(before));
  const oldIds = new Set(Object.values(before).flatMap((rows) => pluck(rows, 'id')));
  for (const { id, revision } of Object.values(after).flat())
    assert.equal([oldIds.has(id), revision], [false, 1], id);

  const erased = await ok(door.erase(workspace));
  assert.equal(erased.deleted, { candidates: 12, jobOrders: 3, placements: 8 });
  assert.ok(calls <= mostCalls, `${calls} calls`);
  for (const [, path] of lists) assert.is((await client.get(path, inside(workspace))).status, 401);
  assert.equal(await readLists(copy.workspace), after, 'the copy stays');
}

brief('by HTTP', () => live(openHttp(client)));

brief('by tool, with the official client', async () => {
  const door = await openMcp(server.origin, client);
  await live(door);
  await door.close();
});

brief.run();
