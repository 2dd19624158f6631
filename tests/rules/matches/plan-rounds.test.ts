import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { nurse, order, pairsOf, readPlan, world } from '../../support/plans.ts';
import { createRandom } from '../../support/random-desk.ts';

const rounds = suite('people who are planned more than once');

rounds('gives two half-time orders to one person', async () => {
  const half = { hoursPerWeek: 20, startDate: dayAt(5), endDate: dayAt(50) };
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [order('o', half), order('p', half)],
  });
  assert.equal(pairsOf(await readPlan(desk)).sort(), ['o a', 'p a']);
});

rounds('gives one order after another to one person, and both can be sent as they are', async () => {
  const jobOrders = [
    order('o', { startDate: dayAt(5), endDate: dayAt(20) }),
    order('p', { startDate: dayAt(21), endDate: dayAt(50) }),
  ];
  const desk = await world.open({ candidates: [nurse('a')], jobOrders });
  const { plan } = await readPlan(desk);
  assert.is(plan.length, 2);
  const placements = plan.map(({ placement }: Body) => placement);
  const sent = await desk.post('/batch', { placements });
  assert.is(sent.status, 201, sent.text);
  assert.not((sent.body.warnings ?? []).some(({ code }: Body) => code === 'already_placed'));
});

rounds('gives no opening of an order to the person who has another of it', async () => {
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [order('o', { openings: 2, hoursPerWeek: 10 })],
  });
  assert.equal(pairsOf(await readPlan(desk)), ['o a']);
});

interface Work {
  ref: string;
  hoursPerWeek: number;
  openings: number;
  from: number;
  to: number;
}

/** Whether the hours of orders fit those of a person on each day. One order alone always does. */
function fits(works: readonly Work[], hours: number): boolean {
  for (let day = 0; day <= 40; day += 1) {
    const ofDay = works.filter(({ from, to }) => from <= day && day <= to);
    const sum = ofDay.reduce((total, work) => total + work.hoursPerWeek, 0);
    if (ofDay.length > 1 && sum > hours) return false;
  }
  return true;
}

/** Counts the most openings that people can fill with one order each, by trying all ways. */
function countMostOnce(works: readonly Work[], people: number): number {
  const [left, total] = [new Map(works.map((work) => [work, work.openings])), works];
  const fill = (person: number): number => {
    if (person === people) return 0;
    let most = fill(person + 1);
    for (const work of total) {
      if (left.get(work) === 0) continue;
      left.set(work, left.get(work)! - 1);
      most = Math.max(most, 1 + fill(person + 1));
      left.set(work, left.get(work)! + 1);
    }
    return most;
  };
  return fill(0);
}

rounds(
  'fits hours and days, fills at least the optimum, and leaves nothing that could be added',
  async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const random = createRandom(seed);
      const below = (count: number) => Math.floor(random() * count);
      const works: Work[] = Array.from({ length: 4 }, (_, at) => {
        const from = 1 + below(20);
        return {
          ref: `o${at}`,
          hoursPerWeek: [10, 20, 40][below(3)]!,
          openings: 1 + below(2),
          from,
          to: from + below(15),
        };
      });
      const hours = [40, 20, 30].slice(0, 1 + below(3));
      const desk = await world.open({
        candidates: hours.map((hoursPerWeek, at) => nurse(`c${at}`, { hoursPerWeek })),
        jobOrders: works.map(({ ref, hoursPerWeek, openings, from, to }) =>
          order(ref, { hoursPerWeek, openings, startDate: dayAt(from), endDate: dayAt(to) }),
        ),
      });
      const pairs = pairsOf(await readPlan(desk)).map((pair) => pair.split(' '));
      const worksOf = hours.map((_, at) =>
        works.filter(({ ref }) => pairs.some(([work, person]) => work === ref && person === `c${at}`)),
      );
      const said = `seed ${seed}: ${pairs.join(' | ')}`;
      assert.is(new Set(pairs.map(String)).size, pairs.length, said);
      for (const [at, planned] of worksOf.entries()) assert.ok(fits(planned, hours[at]!), said);
      assert.ok(pairs.length >= countMostOnce(works, hours.length), said);
      for (const work of works) {
        const taken = pairs.filter(([ref]) => ref === work.ref).length;
        assert.ok(taken <= work.openings, said);
        for (const [at, planned] of worksOf.entries())
          if (taken < work.openings && !planned.includes(work))
            assert.not(fits([...planned, work], hours[at]!), `${said}; ${work.ref} for c${at}`);
      }
    }
  },
);

rounds.run();
