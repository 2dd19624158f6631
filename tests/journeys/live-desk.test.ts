import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import desk from '../../content/live-desk.json' with { type: 'json' };
import { exampleDesk } from '../../src/pages/_parts/example-desk.ts';
import { fillDates } from '../../src/pages/_scripts/desk-dates.ts';
import type { Body, Reply } from '../support/http.ts';
import { World } from '../support/world.ts';

const desks = suite('the records of a live desk');
const { past, then: next } = JSON.parse(fillDates(JSON.stringify(desk))) as typeof desk;
const world = new World();

/** Makes the changes of the past as the pages do. Returns the workspace, and the replies. */
async function makePast(): Promise<{ mine: { 'x-workspace': string }; replies: Reply[] }> {
  const replies: Reply[] = [];
  let mine = {};
  for (const { actor, batch } of past) {
    const reply = await world.post('/batch', batch, { 'x-actor': encodeURIComponent(actor), ...mine });
    assert.is(reply.status, 201, reply.text);
    mine = { 'x-workspace': replies[0]?.body.workspace ?? reply.body.workspace };
    replies.push(reply);
  }
  return { mine: mine as { 'x-workspace': string }, replies };
}

const { mine, replies } = await makePast();
const read = async (path: string): Promise<Body> => (await world.get(path, mine)).body;
const { placements } = await read('/placements?limit=100');
const { activity } = await read('/workspace/activity?limit=100');

desks('replace each distance by a date', () => {
  assert.is(fillDates('from @-2 to @+3', '2026-02-27'), 'from 2026-02-25 to 2026-03-02');
});

desks('are 60 people, 12 orders and 25 placements', async () => {
  const { candidates, jobOrders, placements } = exampleDesk;
  assert.equal([candidates.length, jobOrders.length, placements.length], [60, 12, 25]);
  const { records } = (await read('/workspace')).workspace;
  assert.equal(records, { candidates: 60, jobOrders: 12, placements: 25 });
});

desks('have a placement in every stage', () => {
  const statuses = new Set(placements.map(({ status }: Body) => status));
  const all = ['proposed', 'interviewing', 'offered', 'scheduled', 'active', 'completed', 'ended-early'];
  assert.equal(
    [...all, 'declined'].filter((status) => !statuses.has(status)),
    [],
  );
});

desks('have no misspelled member', () => {
  const warnings = replies.flatMap(({ body }) => body.warnings ?? []);
  assert.equal(
    warnings.filter(({ code }: Body) => code === 'unknown_member'),
    [],
  );
});

desks('have outcomes to validate within a week', () => {
  const soon = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const due = placements.filter(
    ({ status, outcome }: Body) => status === 'active' && outcome.validateBy <= soon,
  );
  assert.ok(due.length >= 3, String(due.length));
});

desks('name the order and the placements of the next steps', () => {
  const refs = new Set([...exampleDesk.jobOrders, ...placements].map(({ ref }: Body) => ref));
  const { shortlist, declined, retained, agreed } = next;
  assert.equal(
    [shortlist, declined.placement, ...retained, agreed].filter((ref) => !refs.has(ref)),
    [],
  );
});

desks('have a past over several days, each change with the name of an example', () => {
  const days = new Set(activity.map(({ effectiveDate }: Body) => effectiveDate));
  assert.ok(days.size >= 5 && !days.has(undefined), [...days].join());
  assert.ok(activity.every(({ actor }: Body) => /\(example( agent)?\)$/.test(actor)));
});

desks('have a reason for each proposal', () => {
  const since = activity.filter(({ actor }: Body) => /agent/.test(actor));
  const records: Body[] = since.flatMap(({ reason, records }: Body) =>
    records.map((record: Body) => ({ reason, ...record })),
  );
  assert.ok(records.length >= 12, String(records.length));
  assert.equal(
    records.filter(({ reason }) => reason === undefined),
    [],
  );
});

desks.run();
