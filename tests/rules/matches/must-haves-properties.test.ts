import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { type Person, toChance, toPeople } from '../../support/people.ts';
import { phrasePairs, placePairs } from '../../support/word-pairs.ts';

const properties = suite('matches of random pairs');
const matcher = await buildService().matcher();
const pairs = 5000;

const phrases = phrasePairs
  .flatMap(([asked, had]) => [asked, had] as const)
  .filter((text) => !text.startsWith('no '));
const metros = placePairs.flatMap(([asked, had]) => [asked, had] as const);

/** Orders and candidates with phrases and places of many scripts. */
function toWorld(seed: number) {
  const chance = toChance(seed);
  const pick = (from: readonly string[], most: number) =>
    Array.from({ length: chance(most + 1) }, () => from[chance(from.length)]!);
  const dress = (one: Person, member: string) => ({
    ...one,
    skills: pick(phrases, 3),
    [member]: pick(phrases, 2),
    metro: metros[chance(metros.length)]!,
  });
  const orders = toPeople('job', 400, chance).map((one) => dress(one, 'requires'));
  const people = toPeople('cand', 400, chance).map((one) => dress(one, 'credentials'));
  return { chance, orders, people };
}

properties('one more credential never makes a candidate fail', () => {
  const { chance, orders, people } = toWorld(1);
  let failed: unknown;
  for (let at = 0; at < pairs && !failed; at += 1) {
    const [order, person] = [orders[chance(400)]!, people[chance(400)]!];
    if (!matcher.match(order, person).meets) continue;
    const credentials = [phrases[chance(phrases.length)]!, ...(person.credentials ?? [])];
    if (!matcher.match(order, { ...person, credentials }).meets) failed = { order, credentials };
  }
  assert.is(failed, undefined);
});

properties('a credential with the words of a must-have meets it', () => {
  for (const phrase of phrases) {
    const [order, person] = [
      { id: 'job_a', onetCode: '29-1141.00', requires: [phrase] },
      { id: 'cand_a', onetCode: '29-1141.00', credentials: [phrase] },
    ];
    assert.ok(matcher.match(order, person).meets, phrase);
  }
});

properties('the order of credentials and skills does not change the score', () => {
  const { chance, orders, people } = toWorld(2);
  let failed: unknown;
  for (let at = 0; at < pairs / 5 && !failed; at += 1) {
    const [order, person] = [orders[chance(400)]!, people[chance(400)]!];
    const turned = {
      ...person,
      skills: person.skills?.toReversed(),
      credentials: person.credentials?.toReversed(),
    };
    const [one, other] = [matcher.match(order, person), matcher.match(order, turned)];
    if (one.score !== other.score || one.meets !== other.meets) failed = { order, person };
  }
  assert.is(failed, undefined);
});

properties('the order of records does not change the ranking', () => {
  const { orders, people } = toWorld(3);
  const rank = (order: Person, records: readonly Person[]) => {
    const ranking = matcher.rankCandidates<{ record: Person }>(order, { limit: 50 });
    for (const record of records) ranking.add({ record });
    return [...ranking.explain()].map(({ other, match }) => `${other.record.id} ${match.score}`);
  };
  for (const order of orders.slice(0, 25))
    assert.equal(rank(order, people), rank(order, people.toReversed()), order.id);
});

/** Ranks people, and returns the listed ids and the total. */
function rankPeople(
  order: Person,
  people: readonly Person[],
  options: Parameters<typeof matcher.rankCandidates>[1],
) {
  const ranking = matcher.rankCandidates<{ record: Person }>(order, options);
  for (const record of people) ranking.add({ record });
  const ids = [...ranking.explain()].map(({ other }) => other.record.id);
  return { ids, total: ranking.total() };
}

properties('a short ranking lists the beginning of the whole one', () => {
  const { orders, people } = toWorld(5);
  for (const order of orders.slice(0, 20)) {
    const whole = rankPeople(order, people, { limit: people.length });
    const short = rankPeople(order, people, { limit: 5 });
    assert.equal(short.ids, whole.ids.slice(0, 5), order.id);
  }
});

properties('the limit does not change the total', () => {
  const { orders, people } = toWorld(5);
  let sum = 0;
  for (const order of orders.slice(0, 20)) {
    const whole = rankPeople(order, people, { limit: people.length });
    assert.is(rankPeople(order, people, { limit: 5 }).total, whole.total, order.id);
    sum += whole.total;
  }
  assert.ok(sum > 0);
});

type Options = Parameters<typeof matcher.rankCandidates>[1];

/** Compares the totals of short rankings with the number of matches that are counted one by one. */
function checkTotals(options: Options, isCounted: (match: ReturnType<typeof matcher.match>) => boolean) {
  const { orders, people } = toWorld(6);
  let sum = 0;
  for (const order of orders.slice(0, 20)) {
    const { length } = people.filter((person) => isCounted(matcher.match(order, person)));
    assert.is(rankPeople(order, people, options).total, length, order.id);
    sum += length;
  }
  assert.ok(sum > 0);
}

properties('the total counts candidates with the least score', () =>
  checkTotals({ limit: 2, minScore: 20 }, ({ score }) => score >= 20),
);

properties('with meets=true the total leaves out those who fail a gate', () =>
  checkTotals(
    { limit: 2, minScore: 20, onlyMeets: true },
    ({ score, meets }) => score >= 20 && meets === true,
  ),
);

properties('two places are equally near in both directions', () => {
  const { chance } = toWorld(4);
  const toScore = (asked: string, had: string) => {
    const order = { id: 'job_a', onetCode: '29-1141.00', metro: asked };
    return matcher.match(order, { id: 'cand_a', onetCode: '29-1141.00', metro: had }).score;
  };
  for (let at = 0; at < pairs / 5; at += 1) {
    const [one, other] = [metros[chance(metros.length)]!, metros[chance(metros.length)]!];
    assert.is(toScore(one, other), toScore(other, one), `${one}: ${other}`);
  }
});

properties.run();
