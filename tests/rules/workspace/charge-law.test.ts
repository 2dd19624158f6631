import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calculateCost, fromMillionths, sumCosts, toMillionths } from '../../../src/kernel/cost.ts';
import {
  addCharge,
  addCharges,
  type Charge,
  type MonthlyCalls,
  noCalls,
} from '../../../src/workspace/charge.ts';
import { toChance } from '../../support/people.ts';

const charges = suite('charges of a workspace');

const rates = {
  read: { price: 10, included: 2 },
  write: { price: 25, included: 0 },
  free: { price: 7, included: Number.POSITIVE_INFINITY },
};
const names = ['read', 'write', 'free', 'unlisted'];

/** What calls cost, one call after another. */
function countCost(calls: MonthlyCalls['calls']): number {
  let cost = 0;
  for (const [name, { price, included }] of Object.entries(rates))
    for (let call = 1; call <= (calls[name] ?? 0); call += 1) if (call > included) cost += price;
  return cost;
}

charges('a call costs its price once the included calls are used up', () => {
  for (let calls = 0; calls < 6; calls += 1)
    assert.is(calculateCost(rates.read, calls), countCost({ read: calls }));
  assert.is(calculateCost(rates.free, 1_000_000), 0);
  assert.is(sumCosts(Object.entries(rates), { read: 4, write: 1, free: 9, unlisted: 9 }), 45);
  assert.is(sumCosts([], { read: 4 }), 0);
});

charges('dollars are whole millionths', () => {
  for (const dollars of [0, 0.000001, 0.1, 0.29, 1.005, 12]) {
    assert.ok(Number.isInteger(toMillionths(dollars)), String(dollars));
    assert.is(fromMillionths(toMillionths(dollars)), dollars);
  }
});

const makeCalls = (chance: (bound: number) => number) =>
  Object.fromEntries(names.flatMap((name) => (chance(3) === 0 ? [[name, 1 + chance(4)] as const] : [])));

/** Adds calls as a plain sum. */
function addCalls(before: MonthlyCalls['calls'], added: MonthlyCalls['calls']) {
  const sums: Record<string, number> = {};
  for (const calls of [before, added])
    for (const [name, count] of Object.entries(calls)) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

charges('a charge counts in the latest month, and a new month begins at zero', () => {
  const chance = toChance(171);
  for (let round = 0; round < 300; round += 1) {
    const used = { period: `2026-0${1 + chance(3)}`, calls: makeCalls(chance) };
    const charge = { period: `2026-0${1 + chance(3)}`, calls: makeCalls(chance) };
    const isNew = charge.period > used.period;
    assert.equal(addCharge({ revision: 1, used }, charge), {
      period: isNew ? charge.period : used.period,
      calls: addCalls(isNew ? {} : used.calls, charge.calls),
    });
  }
});

charges('a charge that costs more than is authorised is refused, and one that costs nothing is not', () => {
  const chance = toChance(172);
  const results = { done: 0, refused: 0 };
  for (let round = 0; round < 1000; round += 1) {
    const used = { period: '2026-01', calls: makeCalls(chance) };
    const calls = makeCalls(chance);
    const authorised = chance(16) * 10;
    const [before, after] = [countCost(used.calls), countCost(addCalls(used.calls, calls))];
    const addsCost = after > before || Object.keys(calls).length === 0;
    const isRefused = addsCost && after > authorised;
    const sum = addCharge({ revision: 1, used }, { period: '2026-01', calls, limit: { rates, authorised } });
    assert.is(sum === undefined, isRefused, JSON.stringify([used.calls, calls, authorised]));
    results[isRefused ? 'refused' : 'done'] += 1;
  }
  assert.ok(results.done > 200 && results.refused > 200, JSON.stringify(results));
});

charges('a limit holds at its revision, or at any if it names none', () => {
  const charge = (revision?: number): Charge => ({
    period: '2026-01',
    calls: { read: 1 },
    limit: { rates, authorised: 100, ...(revision !== undefined && { revision }) },
  });
  const isCharged = (revision?: number) =>
    addCharge({ revision: 7, used: noCalls }, charge(revision)) !== undefined;
  assert.is(isCharged(), true);
  assert.is(isCharged(7), true);
  assert.is(isCharged(6), false);
  assert.is(isCharged(0), false);
});

charges('totals count over all months', () => {
  const used = { period: '2026-01', calls: { read: 1 }, totals: { made: 2 } };
  const charge = { period: '2026-02', calls: {} };
  assert.equal(addCharge({ revision: 1, used }, charge)?.totals, { made: 2 });
  assert.equal(addCharge({ revision: 1, used }, { ...charge, totals: { made: 1, won: 1 } })?.totals, {
    made: 3,
    won: 1,
  });
  assert.not.ok('totals' in addCharge({ revision: 1, used: noCalls }, charge)!);
});

charges('several charges count one after another, and one that is refused counts nothing', () => {
  const charge = (read: number): Charge => ({
    period: '2026-01',
    calls: { read },
    limit: { rates, authorised: 20 },
  });
  const { used, sums } = addCharges({ revision: 1, used: noCalls }, [charge(3), charge(2), charge(1)]);
  assert.equal(used.calls, { read: 4 });
  assert.equal(
    sums.map((sum) => sum?.calls.read),
    [3, undefined, 4],
  );
});

charges.run();
