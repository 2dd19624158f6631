import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PlanSize } from '../../../src/matches/plan-size.ts';
import type { Body } from '../../support/http.ts';
import { nurse, order, readPlan, world } from '../../support/plans.ts';

const size = suite('the size of a plan');

/** Returns a record with this many phrases in a member. */
const withPhrases = (member: string, count: number) => ({
  id: 'any',
  onetCode: '29-1141.03',
  [member]: new Array(count),
});

/** People with so many phrases each, orders with so many openings and phrases each, and how many orders fit. */
const rows: [people: [number, number], orders: [openings: number, phrases: number], fit: number][] = [
  // 1,000 openings
  [[1, 0], [1, 0], 1000],
  [[1, 0], [3, 0], 333],
  [[1, 0], [1000, 0], 1],
  [[1, 0], [1001, 0], 0],
  // 2,000,000 pairs
  [[2500, 0], [1, 0], 800],
  [[7001, 0], [1, 0], 285],
  [[2_000_000, 0], [1, 0], 1],
  [[2_000_001, 0], [1, 0], 0],
  // 300,000,000 comparisons of a phrase more than those of each person with 20 more than those of each order
  [[10_000, 9], [1, 100], 25],
  [[15_000, 99], [1, 30], 4],
  [[1, 0], [1, 299_999_980], 1],
  [[1, 0], [1, 299_999_981], 0],
];

for (const [[count, phrases], [openings, ofOrder], fit] of rows)
  size(`${count} people and orders of ${openings} openings and ${ofOrder} phrases: ${fit}`, () => {
    const plan = new PlanSize();
    const person = withPhrases('credentials', phrases);
    for (let at = 0; at < count; at += 1) plan.addPerson(person);
    let orders = 0;
    while (plan.addOrder(openings, withPhrases('requires', ofOrder))) orders += 1;
    assert.is(orders, fit);
  });

for (const member of ['skills', 'requires', 'credentials'])
  size(`counts ${member} of people and of orders`, () => {
    const plan = new PlanSize();
    plan.addPerson(withPhrases(member, 9999));
    assert.ok(plan.addOrder(1, withPhrases(member, 29_980)));
    assert.not(plan.addOrder(1, withPhrases(member, 0)));
  });

size('leaves out older orders and counts them', async () => {
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [
      order('old', { openings: 1 }),
      order('next', { openings: 1 }),
      order('mid', { openings: 400 }),
      order('new', { openings: 600 }),
    ],
  });
  const { more, unfilled } = await readPlan(desk);
  assert.is(more, 2);
  assert.equal(
    unfilled.map(({ jobOrder }: Body) => jobOrder.ref),
    ['new', 'mid'],
  );
});

size('says nothing of more orders if the plan has all', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o', { openings: 1000 })] });
  assert.not('more' in (await readPlan(desk)));
});

size.run();
