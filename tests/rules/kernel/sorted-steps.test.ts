import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createBest } from '../../../src/kernel/best.ts';
import { sortInSteps } from '../../../src/kernel/sort-in-steps.ts';
import { runAtOnce } from '../../../src/kernel/steps.ts';
import { toChance } from '../../support/people.ts';

const sorted = suite('rows in order');

interface Row {
  value: number;
  place: number;
}
const compare = (a: Row, b: Row) => a.value - b.value;

/** Makes rows of which several have the same value. */
function makeRows(count: number, chance: (bound: number) => number): Row[] {
  const values = 1 + chance(count + 1);
  return Array.from({ length: count }, (_, place) => ({ value: chance(values), place }));
}

const lengths = [0, 1, 2, 127, 128, 129, 255, 256, 257, 300, 384, 385, 640, 1000, 2049];

sorted('a sort in steps gives what a sort at once gives, equal rows in their order', () => {
  const chance = toChance(61);
  for (const length of lengths)
    for (let round = 0; round < 5; round += 1) {
      const rows = makeRows(length, chance);
      assert.equal(runAtOnce(sortInSteps(rows, compare)), rows.toSorted(compare), `${length} rows`);
    }
});

sorted('a sort leaves the rows that it was given', () => {
  const rows = makeRows(300, toChance(62));
  const before = [...rows];
  runAtOnce(sortInSteps(rows, compare));
  assert.equal(rows, before);
});

sorted('a step of a sort compares a bounded number of rows, and a small sort has few steps', () => {
  let [compared, most, steps] = [0, 0, 0];
  const rows = makeRows(5000, toChance(63));
  const work = sortInSteps(rows, (a, b) => {
    compared += 1;
    return compare(a, b);
  });
  for (let isDone = false; !isDone; steps += 1) {
    compared = 0;
    isDone = work.next().done === true;
    most = Math.max(most, compared);
  }
  assert.ok(most <= 1000, `${most} comparisons in one step`);
  assert.ok(steps <= 400, `${steps} steps`);
});

sorted('the best of some rows are the first of all in order', () => {
  const chance = toChance(64);
  for (let round = 0; round < 500; round += 1) {
    const [count, limit, after] = [chance(30), 1 + chance(8), chance(20) - 5];
    const positions = Array.from({ length: 40 }, (_, at) => at)
      .map((position) => ({ position, key: chance(1000) }))
      .sort((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ position }) => position);
    const best = createBest<string>(limit, after);
    for (const position of positions) best.add(position, `row ${position}`);
    const expected = positions.filter((position) => position > after).sort((a, b) => a - b);
    assert.equal(
      best.list(),
      expected.slice(0, limit).map((position) => ({ position, item: `row ${position}` })),
    );
  }
});

sorted('there is a place for a row while there are too few, or if it comes before the last', () => {
  const best = createBest<string>(2, 0);
  best.add(5, 'a');
  assert.ok(best.hasPlaceFor(9));
  best.add(7, 'b');
  assert.equal(
    [6, 7, 8].map((position) => best.hasPlaceFor(position)),
    [true, false, false],
  );
});

sorted.run();
