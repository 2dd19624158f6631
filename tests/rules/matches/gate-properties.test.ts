import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { meets } from '../../../src/job-orders/gate/gate.ts';
import { readNeed } from '../../../src/job-orders/gate/need.ts';
import { readOffer } from '../../../src/job-orders/gate/offer.ts';
import type { Matchable } from '../../../src/records/kind/factor.ts';
import { toChance } from '../../support/people.ts';

const properties = suite('properties of the gates');
const runs = 4000;

const shifts = ['day', 'evening', 'night', 'weekend'];
const workplaces = ['onsite', 'hybrid', 'remote'];
const days = ['2026-12-01', '2027-01-15', '2027-06-30'];
const credentials = ['RN license PA', 'CDL A', 'BLS', 'no BLS', 'LPN license'].flatMap((name) => [
  name,
  ...days.map((day) => `${name} until ${day}`),
]);

/** Returns a random order and candidate, and their random parts. */
function createWorld(seed: number) {
  const chance = toChance(seed);
  const pick = <T>(all: readonly T[]): T => all[chance(all.length)]!;
  const some = <T>(all: readonly T[], most: number) =>
    Array.from({ length: chance(most + 1) }, () => pick(all));
  const maybe = <T>(member: string, draw: () => T) => (chance(2) === 0 ? {} : { [member]: draw() });
  const rate = () => 20 + chance(60);
  const salary = () => 1000 * (40 + chance(120));
  const onetCode = () => pick(['29-1141.00', '53-3032.00', '15-1252.00']);
  const drawOrder = () => ({
    id: 'job_a',
    onetCode: onetCode(),
    requires: some(['RN license', 'CDL A', 'BLS'], 2),
    ...maybe('payRateUsdHour', rate),
    ...maybe('salaryUsdYear', salary),
    ...maybe('hoursPerWeek', () => 1 + chance(80)),
    ...maybe('shift', () => pick(shifts)),
    ...maybe('workplace', () => pick(workplaces)),
    ...maybe('startDate', () => pick(days)),
    ...maybe('endDate', () => '2027-06-30'),
  });
  const drawCandidate = () => ({
    id: 'cand_a',
    onetCode: onetCode(),
    credentials: some(credentials, 3),
    shifts: some(shifts, 2),
    workplaces: some(workplaces, 2),
    ...maybe('payRateUsdHour', rate),
    ...maybe('salaryUsdYear', salary),
    ...maybe('availableFrom', () => pick([...days, '2027-07-01'])),
  });
  return { chance, pick, drawOrder, drawCandidate };
}

type World = ReturnType<typeof createWorld>;
interface Pair {
  order: Matchable & Record<string, unknown>;
  candidate: Matchable & { credentials: string[]; shifts: string[]; workplaces: string[] };
}

/** Asserts that no pair which meets fails after a change of it, with and without strict reading. */
function holdNeverFails(seed: number, change: (pair: Pair, world: World) => Pair): void {
  const world = createWorld(seed);
  let met = 0;
  for (let run = 0; run < runs; run += 1) {
    const pair: Pair = { order: world.drawOrder(), candidate: world.drawCandidate() };
    const changed = change(pair, world);
    for (const isUnstatedUnmet of [false, true]) {
      const held = { holds: [], today: '2027-01-01' };
      const read = ({ order, candidate }: Pair) =>
        meets(readNeed(order), readOffer(candidate), { held, isUnstatedUnmet });
      if (read(pair) === false) continue;
      met += 1;
      assert.is.not(read(changed), false, JSON.stringify({ pair, changed }));
    }
  }
  assert.ok(met > runs / 100, `only ${met} pairs met`);
}

properties('one more credential never makes a pair fail', () => {
  holdNeverFails(1, ({ order, candidate }, { pick }) => ({
    order,
    candidate: { ...candidate, credentials: [pick(credentials), ...candidate.credentials] },
  }));
});

properties('more pay never makes a pair fail', () => {
  const raise = (order: Pair['order'], from: string, to: string, by: number) =>
    order[from] === undefined ? {} : { [to]: (order[from] as number) + by };
  holdNeverFails(2, ({ order, candidate }, { chance }) => ({
    order: {
      ...order,
      ...raise(order, 'payRateUsdHour', 'payRateMaxUsdHour', chance(40)),
      ...raise(order, 'salaryUsdYear', 'salaryMaxUsdYear', 1000 * chance(40)),
    },
    candidate,
  }));
});

properties('one more shift, or one more workplace, never makes a pair fail', () => {
  holdNeverFails(3, ({ order, candidate }, { pick }) => ({
    order,
    candidate: {
      ...candidate,
      shifts: candidate.shifts.length === 0 ? [] : [...candidate.shifts, pick(shifts)],
      workplaces: candidate.workplaces.length === 0 ? [] : [...candidate.workplaces, pick(workplaces)],
    },
  }));
});

properties('an order that drops its shift or its workplace never makes a pair fail', () => {
  holdNeverFails(4, ({ order, candidate }, { pick }) => {
    const { [pick(['shift', 'workplace'])]: _, ...rest } = order;
    return { order: rest as Pair['order'], candidate };
  });
});

properties('an order that drops its pay never makes a pair fail', () => {
  holdNeverFails(5, ({ order, candidate }) => {
    const { payRateUsdHour, salaryUsdYear, ...rest } = order;
    return { order: rest as Pair['order'], candidate };
  });
});

properties('a candidate who states what the order does not never makes a pair fail', () => {
  const given = {
    shifts: ['day'],
    workplaces: ['onsite'],
    payRateUsdHour: 200,
    availableFrom: '2030-01-01',
    hoursPerWeek: 1,
  };
  holdNeverFails(6, ({ order, candidate }) => {
    const { shift, workplace, payRateUsdHour, salaryUsdYear, startDate, endDate } = order;
    const isPaid = payRateUsdHour !== undefined || salaryUsdYear !== undefined;
    const isDated = startDate !== undefined || endDate !== undefined;
    const { payRateUsdHour: rate, availableFrom, shifts, workplaces, ...rest } = given;
    const more = {
      ...rest,
      ...(shift === undefined && { shifts }),
      ...(workplace === undefined && { workplaces }),
      ...(!isPaid && { payRateUsdHour: rate }),
      ...(!isDated && { availableFrom }),
    };
    return { order, candidate: { ...candidate, ...more } };
  });
});

properties('what is not stated never fails unless a reader asks for that', () => {
  const bare = readOffer({ id: 'cand_a', onetCode: '15-1252.00' });
  const order = readNeed({
    id: 'job_a',
    onetCode: '15-1252.00',
    ...{ shift: 'day', workplace: 'onsite', payRateUsdHour: 20, startDate: '2027-01-01' },
  });
  assert.is(meets(order, bare), null);
  assert.is(meets(order, bare, { isUnstatedUnmet: true }), false);
});

properties.run();
