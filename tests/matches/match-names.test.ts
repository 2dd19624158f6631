import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patch } from '../support/doors.ts';
import type { Body } from '../support/http.ts';
import { client, critical, order, person } from '../support/matches.ts';
import { toChance, toPeople } from '../support/people.ts';

const onlyMine = 'scope=workspace&limit=200';
const names = suite('names and matches');

/** Names of several kinds; the last ones say what an order asks for, which a name may not. */
const given = ['Aisha', 'Brendan', 'Nguyễn', 'Ольга', 'ICU Critical Care Nurses Columbus, OH', '29-1141.03'];

/** What a match says, without whom it is of. */
const toTold = ({ score, reasons, gaps }: Body) => JSON.stringify({ score, reasons, gaps });
const count = (list: readonly boolean[]) => list.filter(Boolean).length;

names(
  'groups that differ in name alone have the same scores and the same share above the median',
  async () => {
    const chance = toChance(11);
    const people = toPeople('cand', 30, chance).map(({ id: _, ...fit }) => fit);
    const orders = [{}, ...toPeople('job', 7, chance).map(({ id: _, ...fit }) => fit)];
    const { jobOrders, candidates, mine } = await client.make({
      candidates: given.flatMap((name) => people.map((fit, at) => ({ ...fit, name: `${name} ${at}` }))),
      jobOrders: orders.map((fit) => ({ ...order, ...fit })),
    });
    assert.is(candidates.length, given.length * people.length);
    const places = new Map(candidates.map(({ id }, place) => [id, place]));
    for (const { links } of jobOrders) {
      const matches = await client.ranked(links.self, onlyMine, mine);
      assert.is(matches.length, candidates.length);
      const told: string[] = [];
      const scores: number[] = [];
      for (const match of matches) {
        const place = places.get(match.candidate.id)!;
        told[place] = toTold(match);
        scores[place] = match.score;
      }
      const median = scores.toSorted((a, b) => a - b)[scores.length / 2]!;
      const groups = given.map((_, at) => at * people.length);
      const shares = groups.map((from) => {
        assert.equal(told.slice(from, from + people.length), told.slice(0, people.length));
        return count(scores.slice(from, from + people.length).map((score) => score > median)) / people.length;
      });
      assert.is(new Set(shares).size, 1, shares.join());
    }
  },
);

names('a name, a client or a title that is changed changes no score and no order', async () => {
  const { candidates, jobOrders, mine } = await client.make({
    candidates: Array.from({ length: 12 }, (_, at) => person(critical, at % 2 === 0 ? { skills: [] } : {})),
    jobOrders: Array.from({ length: 6 }, () => order),
  });
  const read = async () => {
    const there = await client.ranked(jobOrders[0].links.self, onlyMine, mine);
    const back = await client.ranked(candidates[0].links.self, onlyMine, mine);
    return [
      there.map((one) => [one.candidate.id, toTold(one)]),
      back.map((one) => [one.jobOrder.id, toTold(one)]),
    ];
  };
  const before = await read();
  for (const [at, { links }] of candidates.entries()) {
    assert.is((await patch(client, links.self, { name: given[at % given.length] }, mine)).status, 200);
  }
  for (const [at, { links }] of jobOrders.entries()) {
    const sent = {
      client: `${given[at]} Example`,
      title: given[at],
      billRateUsdHour: at + 1,
      openings: at + 1,
    };
    assert.is((await patch(client, links.self, sent, mine)).status, 200);
  }
  assert.equal(await read(), before);
  const again = await client.ranked(jobOrders[0].links.self, onlyMine, mine);
  assert.ok(
    again.some(({ candidate }) => candidate.name === given[4]),
    'the new names are shown',
  );
});

names('the order of creation has no part in a score', async () => {
  const people = toPeople('cand', 20, toChance(12)).map(({ id: _, ...fit }, at) => ({
    ...fit,
    name: `${at}`,
  }));
  const told = await Promise.all(
    [people, people.toReversed()].map(async (candidates) => {
      const { jobOrders, mine } = await client.make({ candidates, jobOrders: [order] });
      const matches = await client.ranked(jobOrders[0].links.self, onlyMine, mine);
      return matches.map((match) => `${match.candidate.name} ${toTold(match)}`).sort();
    }),
  );
  assert.equal(told[0], told[1]);
});

names.run();
