import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { nurse, order, pairsOf, placeOn, readPlan, world } from '../../support/plans.ts';
import { createRandom } from '../../support/random-desk.ts';

const rounds = suite('people who are planned more than once');

interface Work {
  ref: string;
  hoursPerWeek: number;
  openings: number;
  from: number;
  to: number;
}

interface Person {
  ref: string;
  hoursPerWeek: number;
  /** What a placement holds the person with before the plan. */
  held: Work[];
}

/** Whether the hours of works fit those of a person on each day. One work alone always does. */
function fits(works: readonly Work[], hours: number): boolean {
  for (let day = 0; day <= 40; day += 1) {
    const ofDay = works.filter(({ from, to }) => from <= day && day <= to);
    const sum = ofDay.reduce((total, work) => total + work.hoursPerWeek, 0);
    if (ofDay.length > 1 && sum > hours) return false;
  }
  return true;
}

/** Counts the most openings that people can fill with one order each, by trying all ways. */
function countMostOnce(works: readonly Work[], people: readonly Person[]): number {
  const left = new Map(works.map((work) => [work, work.openings]));
  const fill = (at: number): number => {
    const person = people[at];
    if (person === undefined) return 0;
    let most = fill(at + 1);
    for (const work of works) {
      if (left.get(work) === 0 || !fits([...person.held, work], person.hoursPerWeek)) continue;
      left.set(work, left.get(work)! - 1);
      most = Math.max(most, 1 + fill(at + 1));
      left.set(work, left.get(work)! + 1);
    }
    return most;
  };
  return fill(0);
}

function drawDesk(seed: number): { works: Work[]; people: Person[] } {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const drawWork = (ref: string, openings: number): Work => {
    const from = 1 + below(20);
    return { ref, hoursPerWeek: [10, 20, 40][below(3)]!, openings, from, to: from + below(15) };
  };
  const works = Array.from({ length: 4 }, (_, at) => drawWork(`o${at}`, 1 + below(2)));
  const people = [40, 20, 30].slice(0, 1 + below(3)).map((hoursPerWeek, at) => {
    return { ref: `c${at}`, hoursPerWeek, held: below(2) === 0 ? [drawWork(`held${at}`, 1)] : [] };
  });
  return { works, people };
}

/** Makes a desk of orders and of people with their placements. Returns the pairs of its plan. */
async function planDesk(works: readonly Work[], people: readonly Person[]): Promise<string[]> {
  const desk = await world.open({
    candidates: people.map(({ ref, hoursPerWeek }) => nurse(ref, { hoursPerWeek })),
    jobOrders: [...works, ...people.flatMap(({ held }) => held)].map(({ ref, from, to, ...more }) =>
      order(ref, { ...more, startDate: dayAt(from), endDate: dayAt(to) }),
    ),
  });
  for (const { ref, held } of people)
    for (const work of held)
      await placeOn(desk, `#${ref}`, `#${work.ref}`, {
        startDate: dayAt(work.from),
        plannedEndDate: dayAt(work.to),
      });
  return pairsOf(await readPlan(desk));
}

rounds('fit hours and days, fill at least the optimum, and leave nothing that could be added', async () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const { works, people } = drawDesk(seed);
    const pairs = await planDesk(works, people);
    const worksOf = people.map(({ ref, held }) => [
      ...held,
      ...works.filter((work) => pairs.includes(`${work.ref} ${ref}`)),
    ]);
    const said = `seed ${seed}: ${pairs.join(' | ')}`;
    assert.is(new Set(pairs).size, pairs.length, said);
    for (const [at, { hoursPerWeek }] of people.entries()) assert.ok(fits(worksOf[at]!, hoursPerWeek), said);
    assert.ok(pairs.length >= countMostOnce(works, people), said);
    for (const work of works) {
      const taken = pairs.filter((pair) => pair.startsWith(`${work.ref} `)).length;
      assert.ok(taken <= work.openings, said);
      if (taken === work.openings) continue;
      for (const [at, { ref, hoursPerWeek }] of people.entries())
        if (!worksOf[at]!.includes(work))
          assert.not(fits([...worksOf[at]!, work], hoursPerWeek), `${said}; ${work.ref} for ${ref}`);
    }
  }
});

rounds.run();
