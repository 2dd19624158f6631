import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PlanSize } from '../../../src/matches/plan-size.ts';
import { nurse, order, readPlan, world } from '../../support/plans.ts';

const size = suite('the size of a plan');

/** Returns a record with this many phrases, spread over the members that can have some. */
function withPhrases(id: string, count: number) {
  const list = (length: number) => Array.from({ length }, () => 'ICU');
  const few = Math.floor(count / 3);
  return {
    id,
    onetCode: '29-1141.03',
    skills: list(count - 2 * few),
    ...(few > 0 && { requires: list(few), credentials: list(few) }),
  };
}

/** Counts the equal orders that a plan takes, with equal people. */
function countOrders(
  people: { count: number; phrases: number },
  each: { openings: number; phrases: number },
) {
  const plan = new PlanSize();
  const [person, order] = [withPhrases('cand_a', people.phrases), withPhrases('job_a', each.phrases)];
  for (let at = 0; at < people.count; at += 1) plan.addPerson(person);
  let count = 0;
  while (plan.addOrder(each.openings, order)) count += 1;
  return count;
}

for (const openings of [1, 3, 250, 1000])
  size(`is at most 1,000 openings, in orders of ${openings}`, () => {
    const count = countOrders({ count: 1, phrases: 0 }, { openings, phrases: 0 });
    assert.is(count, Math.floor(1000 / openings));
  });

for (const people of [2500, 4000, 7001, 100_000])
  size(`is at most 2,000,000 pairs, with ${people} people`, () => {
    const count = countOrders({ count: people, phrases: 0 }, { openings: 1, phrases: 0 });
    assert.is(count, Math.floor(2_000_000 / people));
  });

for (const [people, ofPerson, ofOrder] of [
  [10_000, 9, 100],
  [15_000, 99, 30],
  [1000, 49, 40_000],
] as const)
  size(`is at most 300,000,000 comparisons, of ${people} people with ${ofPerson} phrases`, () => {
    const each = people * (ofPerson + 1) * (ofOrder + 20);
    const count = countOrders({ count: people, phrases: ofPerson }, { openings: 1, phrases: ofOrder });
    assert.is(count, Math.floor(300_000_000 / each));
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
    unfilled.map(({ jobOrder }: { jobOrder: { ref: string } }) => jobOrder.ref),
    ['new', 'mid'],
  );
});

size('says nothing of more orders if the plan has all', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o', { openings: 1000 })] });
  assert.not('more' in (await readPlan(desk)));
});

size.run();
