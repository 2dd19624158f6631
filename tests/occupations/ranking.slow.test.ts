import { setImmediate } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matching, toMatcher } from '../../scripts/matching/content.ts';
import { occupationFacts as facts } from '../../scripts/onet/occupation-facts.ts';
import type { Matchable } from '../../src/records/factor.ts';
import { toChance, toPeople } from '../support/people.ts';

const ranking = suite('ranking');
const matcher = toMatcher(matching);
const chance = toChance(7);
const order: Matchable = {
  id: 'job_1',
  onetCode: '29-1141.03',
  skills: ['ICU', 'SQL'],
  metro: 'Columbus, OH',
};
const candidates = toPeople('cand', 10_000, chance);
const pause = async () => {};

ranking('equal scores favour no id, early or late', async () => {
  const equal = Array.from({ length: 10 }, (_, at) => ({ id: `cand_00${at}`, onetCode: '29-1141.00' }));
  const firsts = new Array(10).fill(0);
  const rounds = 4000;
  for (let round = 0; round < rounds; round += 1) {
    const one = { id: `job_${round}`, onetCode: '29-1141.00' };
    const { matches } = await matcher.rankCandidates(one, equal, { limit: 1, pause });
    firsts[Number(matches[0]!.record.id.slice(-1))] += 1;
  }
  const expected = rounds / 10;
  const chiSquare = firsts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < 27.9, `chi-square ${chiSquare} with 9 degrees of freedom: ${firsts}`);
});

/** Milliseconds from the first call to the answer, the longest that nobody else could run, and how often others could. */
async function time(others: readonly Matchable[], one: Matchable) {
  let [longest, since, pauses] = [0, performance.now(), 0];
  const start = since;
  const release = async () => {
    pauses += 1;
    longest = Math.max(longest, performance.now() - since);
    await setImmediate();
    since = performance.now();
  };
  await matcher.rankCandidates(one, others, { limit: 10, pause: release });
  const end = performance.now();
  return { took: end - start, longest: Math.max(longest, end - since), pauses };
}

ranking('10,000 candidates are ranked in slices, and how long that takes is told', async () => {
  for (const one of [order, { ...order, skills: [] }]) {
    await time(candidates, one);
    const times = [];
    for (let round = 0; round < 25; round += 1) times.push((await time(candidates, one)).took);
    times.sort((a, b) => a - b);
    console.log(`\nfigure: rank 10,000 ms, least ${times[0]!.toFixed(1)}, median ${times[12]!.toFixed(1)}`);
    const { pauses } = await time(candidates, one);
    assert.ok(pauses >= 2, `${pauses} pauses in 10,000`);
  }
});

ranking('records that are hard to compare do not hold up others', async () => {
  const words = [...'abcdefghijklmnopqrstuvwxyz0123456789'].join(' ');
  const toHard = (at: number) => ({
    id: `cand_${at}`,
    onetCode: '29-1141.00',
    skills: Array.from({ length: 50 }, (_, place) => `${words} ${at % 50}x${place}`.slice(0, 80)),
  });
  let [least, fewest] = [Infinity, Infinity];
  for (let round = 0; round < 3; round += 1) {
    const hard = Array.from({ length: 100 }, (_, at) => toHard(at));
    const { longest, pauses } = await time(hard, { ...toHard(51), id: 'job_1' });
    [least, fewest] = [Math.min(least, longest), Math.min(fewest, pauses)];
  }
  console.log(`\nfigure: longest slice of hard records ms ${least.toFixed(1)}`);
  assert.ok(fewest >= 10, `${fewest} pauses in 100`);
});

ranking('the first look at orders of every occupation does not hold up others', async () => {
  const orders = facts.map(({ id }, at) => ({ id: `job_${at}`, onetCode: id }));
  let [least, pauses] = [Infinity, 0];
  for (let round = 0; round < 3; round += 1) {
    const fresh = toMatcher(matching);
    let [longest, since] = [0, performance.now()];
    const release = async () => {
      pauses += 1;
      longest = Math.max(longest, performance.now() - since);
      await setImmediate();
      since = performance.now();
    };
    await fresh.rankOrders(candidates[0]!, orders, { limit: 10, pause: release });
    least = Math.min(least, Math.max(longest, performance.now() - since));
  }
  console.log(`\nfigure: longest slice of orders never read ms ${least.toFixed(1)}`);
  assert.ok(pauses >= 3 * 5, `${pauses} pauses in three rounds`);
});

ranking.run();
