import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import desk from '../../content/live-desk.json' with { type: 'json' };
import { fillDates } from '../../src/pages/_scripts/desk-dates.ts';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

const desks = suite('the records of a live desk');
const { origin } = await useServer();
const { then: next, ...records } = JSON.parse(fillDates(JSON.stringify(desk)));

const create = async (): Promise<Body> => {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${origin}/batch`, { method: 'POST', headers, body: JSON.stringify(records) });
  return (await response.json()) as Body;
};

desks('replace each distance by a date', () => {
  assert.is(fillDates('from @-2 to @+3', '2026-02-27'), 'from 2026-02-25 to 2026-03-02');
});

desks('are 60 people, 12 orders and 25 placements', () => {
  assert.equal(
    Object.values<object[]>(records).map((rows) => rows.length),
    [60, 12, 25],
  );
});

desks('are accepted in one call', async () => {
  assert.is((await create()).type, 'OK');
});

desks('have a placement in every stage', async () => {
  const statuses = new Set((await create()).placements.map(({ status }: Body) => status));
  const all = ['proposed', 'interviewing', 'offered', 'scheduled', 'active', 'completed', 'ended-early'];
  assert.equal(
    [...all, 'declined'].filter((status) => !statuses.has(status)),
    [],
  );
});

desks('have no misspelled member', async () => {
  const { warnings } = await create();
  assert.equal(
    warnings.filter(({ code }: Body) => code === 'unknown_member'),
    [],
  );
});

desks('have outcomes to validate within a week', async () => {
  const { placements } = await create();
  const soon = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const due = placements.filter(
    ({ status, outcome }: Body) => status === 'active' && outcome.validateBy <= soon,
  );
  assert.ok(due.length >= 3, String(due.length));
});

desks('name the order and the placements of the next steps', () => {
  const refs = new Set([...records.jobOrders, ...records.placements].map(({ ref }: Body) => ref));
  assert.equal(
    [next.shortlist, ...next.retained, next.agreed].filter((ref) => !refs.has(ref)),
    [],
  );
});

desks.run();
