import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assign } from '../../../src/matches/assignment.ts';

const assigning = suite('the assignment of people to openings');

interface Problem {
  openings: number[];
  people: number;
  scores: Uint16Array;
}

interface Sum {
  filled: number;
  score: number;
}

/** Returns whole numbers below a limit, always the same ones. */
function createRandom(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

function solve(problem: Problem): Int32Array {
  const steps = assign(problem);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Adds up an assignment. Fails if it has a pair that is not allowed, or more people than an order takes. */
function addUp({ openings, people, scores }: Problem, orderOf: Int32Array): Sum {
  const left = [...openings];
  const sum = { filled: 0, score: 0 };
  for (const [person, order] of orderOf.entries()) {
    if (order < 0) continue;
    const score = scores[order * people + person]!;
    assert.ok(score > 0, `person ${person} is not allowed in order ${order}`);
    left[order]! -= 1;
    assert.ok(left[order]! >= 0, `order ${order} has too many people`);
    sum.filled += 1;
    sum.score += score;
  }
  return sum;
}

const isBetter = (one: Sum, other: Sum) =>
  one.filled > other.filled || (one.filled === other.filled && one.score > other.score);

/** Tries every assignment. */
function findBest({ openings, people, scores }: Problem): Sum {
  const left = [...openings];
  let best: Sum = { filled: 0, score: 0 };
  const tryFrom = (person: number, sum: Sum): void => {
    if (person === people) {
      if (isBetter(sum, best)) best = sum;
      return;
    }
    tryFrom(person + 1, sum);
    for (let order = 0; order < left.length; order += 1) {
      const score = scores[order * people + person]!;
      if (score === 0 || left[order] === 0) continue;
      left[order]! -= 1;
      tryFrom(person + 1, { filled: sum.filled + 1, score: sum.score + score });
      left[order]! += 1;
    }
  };
  tryFrom(0, best);
  return best;
}

assigning('is as good as the best of all assignments, in ten thousand small cases', () => {
  const random = createRandom(1);
  for (let at = 0; at < 10_000; at += 1) {
    const orders = 1 + random(4);
    const people = random(6);
    const openings = Array.from({ length: orders }, () => 1 + random(3));
    const greatest = [1, 3, 400][random(3)]!;
    const share = 1 + random(4);
    const scores = Uint16Array.from({ length: orders * people }, () =>
      random(4) < share ? 1 + random(greatest) : 0,
    );
    const problem = { openings, people, scores };
    assert.equal(addUp(problem, solve(problem)), findBest(problem), JSON.stringify({ at, ...problem }));
  }
});

/**
 * Makes a case whose best assignment is known. Each opening has a price and each person a bonus, all above 0. A pair
 * scores at most both together, and the pairs of a hidden assignment that fills everything score exactly that. So no
 * assignment scores more than the hidden one.
 */
function hideBest(orders: number, each: number, more: number, random: (limit: number) => number) {
  const places = orders * each;
  const people = places + more;
  const price = Array.from({ length: orders }, () => 100 + random(100));
  const hidden = Array.from({ length: people }, (_, at) => at);
  for (let at = people - 1; at > 0; at -= 1) {
    const other = random(at + 1);
    [hidden[at], hidden[other]] = [hidden[other]!, hidden[at]!];
  }
  const chosen = new Set(hidden.slice(0, places));
  const bonus = Array.from({ length: people }, (_, person) => (chosen.has(person) ? random(100) : 0));
  const scores = new Uint16Array(orders * people);
  for (let order = 0; order < orders; order += 1)
    for (let person = 0; person < people; person += 1)
      scores[order * people + person] = Math.max(0, price[order]! + bonus[person]! - random(60));
  let score = 0;
  for (let at = 0; at < places; at += 1) {
    const [order, person] = [at % orders, hidden[at]!];
    scores[order * people + person] = price[order]! + bonus[person]!;
    score += price[order]! + bonus[person]!;
  }
  const problem = { openings: Array.from({ length: orders }, () => each), people, scores };
  return { problem, best: { filled: places, score } };
}

assigning('finds the best assignment of large cases in which it is known', () => {
  const random = createRandom(2);
  for (const [orders, each, more] of [
    [40, 1, 160],
    [200, 1, 0],
    [100, 3, 50],
    [300, 1, 300],
    [10, 60, 40],
  ] as const) {
    const { problem, best } = hideBest(orders, each, more, random);
    assert.equal(addUp(problem, solve(problem)), best, `${orders} orders of ${each}, ${more} people more`);
  }
});

assigning('fills one opening more, though the total score is lower', () => {
  // Alone, the first pair scores 400. To fill both orders, the first order takes the second person.
  const problem = { openings: [1, 1], people: 2, scores: Uint16Array.of(400, 1, 1, 0) };
  assert.equal([...solve(problem)], [1, 0]);
});

assigning('never assigns a pair that is not allowed', () => {
  const problem = { openings: [2], people: 3, scores: Uint16Array.of(0, 7, 0) };
  assert.equal([...solve(problem)], [-1, 0, -1]);
});

assigning('gives an order with several openings the best people', () => {
  const problem = { openings: [3], people: 5, scores: Uint16Array.of(10, 50, 20, 40, 30) };
  assert.equal([...solve(problem)], [-1, 0, -1, 0, 0]);
});

assigning('prefers the order and the person that come first if all else is equal', () => {
  const problem = { openings: [1, 1], people: 1, scores: Uint16Array.of(9, 9) };
  assert.equal([...solve(problem)], [0]);
  assert.equal([...solve({ openings: [1], people: 2, scores: Uint16Array.of(9, 9) })], [0, -1]);
});

assigning('has the same total in whichever order the orders and people come', () => {
  const random = createRandom(3);
  const [orders, people] = [12, 20];
  const scores = Uint16Array.from({ length: orders * people }, () => (random(3) > 0 ? 1 + random(5) : 0));
  const openings = Array.from({ length: orders }, () => 1 + random(3));
  const problem = { openings, people, scores };
  const turned = {
    openings: openings.toReversed(),
    people,
    scores: scores.toReversed(),
  };
  assert.equal(addUp(turned, solve(turned)), addUp(problem, solve(problem)));
});

assigning('assigns nobody without orders, or without people', () => {
  assert.is(solve({ openings: [], people: 0, scores: new Uint16Array(0) }).length, 0);
  assert.is(solve({ openings: [2, 1], people: 0, scores: new Uint16Array(0) }).length, 0);
  assert.equal([...solve({ openings: [], people: 2, scores: new Uint16Array(0) })], [-1, -1]);
});

assigning('yields at least once for each opening, so that a caller can pause', () => {
  const { problem } = hideBest(30, 1, 10, createRandom(4));
  const steps = [...assign(problem)].length;
  assert.ok(steps >= 30, `${steps} steps`);
});

assigning.run();
