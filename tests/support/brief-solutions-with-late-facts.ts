import { also, instead, move, proposeAs, range, type Solution, withdraw } from './brief-steps.ts';
import type { Step } from './briefs.ts';

const [nurse, electrician] = ['29-1141.00', '47-2111.00'];

const proposeAt = (
  person: number,
  order: string,
  onetCode: string,
  payRateUsdHour: string | number,
  key = `c${person}-${order}`,
): Step => [
  'create',
  'placement',
  {
    candidateId: `#c${person}`,
    jobOrderId: `#${order}`,
    onetCode,
    status: 'proposed',
    payRateUsdHour,
    key,
  },
];
const offer = (person: number, order: string): Step => move(`c${person}-${order}`, 'offered');
const cancel = (key: string): Step => [
  'update',
  key,
  { status: 'ended-early', endDate: '{day 0}', endReason: 'cancelled' },
];

/** Offers an order at what the person asks for. */
const hireNurse = (person: number, order: string, usd: number): Step[] => [
  proposeAt(person, order, nurse, `{usd ${usd}}`),
  offer(person, order),
];
const byDay = [
  hireNurse(0, 'j0', 30),
  hireNurse(1, 'j0', 31),
  hireNurse(2, 'j0', 32),
  hireNurse(3, 'j0', 33),
  hireNurse(4, 'j0', 34),
];
const inTheEvening = [hireNurse(2, 'j1', 32), hireNurse(9, 'j1', 32), hireNurse(10, 'j1', 33)];
const atNight = [
  hireNurse(12, 'j2', 34),
  hireNurse(14, 'j2', 35),
  hireNurse(13, 'j2', 35),
  hireNurse(15, 'j2', 36),
  hireNurse(16, 'j2', 39),
];
const laterStarts: Step[] = [12, 13, 15, 16].map((person) => [
  'update',
  `c${person}-j2`,
  { startDate: '{day 24}' },
]);
const repairs: Step[] = [
  cancel('c1-j0'),
  ...hireNurse(5, 'j0', 36),
  cancel('c9-j1'),
  ...hireNurse(11, 'j1', 35),
];

const threeShifts: Solution = {
  steps: [...[byDay, inTheEvening, atNight].flat(2), withdraw('c14'), ...repairs, ...laterStarts],
  otherSteps: [
    ...[byDay, inTheEvening, atNight.slice(0, 2)].flat(2),
    withdraw('c14'),
    ...atNight.slice(2).flat(),
    ...repairs,
    ...laterStarts.toReversed(),
  ],
  careless: [...[byDay, inTheEvening, atNight].flat(2), withdraw('c14')],
  mutants: [
    instead(26, 'off-the-books', []),
    instead(27, 'gone-1', [], 99),
    instead(30, 'gone-9', [], 99),
    instead(33, 'person-12', [], 99),
    instead(34, 'person-13', [], 1),
    instead(28, 'not-6', hireNurse(6, 'j0', 35), 2),
    instead(31, 'not-8', hireNurse(8, 'j1', 31), 2),
    instead(31, 'not-23', hireNurse(23, 'j1', 34), 2),
    instead(14, 'not-7', hireNurse(7, 'j1', 36), 2),
    instead(31, 'person-11', hireNurse(11, 'j1', 36), 2),
    also('own-record-9', ['update', 'c9', { shifts: ['evening', 'night'] }]),
    also('own-record-1', ['update', 'c1', { availableFrom: '{day 3}' }]),
    also('evening-order', ['update', 'j1', { startDate: '{day 18}' }]),
    also('all-placements', proposeAs('again', 'c2', 'j0', nurse), move('again', 'offered')),
  ],
};

/** The pay and the bill rate of each placement, by the records as they are at the start. */
const firstRates = [
  [38, 52],
  [49, 67],
  [47, 64],
  [41, 56],
  [48, 66],
  [44, 60],
  [49, 67],
  [50, 68],
  [47, 64],
  [57, 86],
  [61, 88],
  [58, 87],
  [59, 88],
  [54, 79],
  [52, 76],
  [54, 79],
  [47, 69],
] as const;
const setRates = (index: number, payRateUsdHour: number, billRateUsdHour: number): Step => [
  'update',
  `pl${index}`,
  { payRateUsdHour, billRateUsdHour },
];
const firstPass = firstRates.map(([pay, bill], index) => setRates(index, pay, bill));
const evenings = [setRates(6, 49, 69), setRates(7, 50, 70), setRates(8, 47, 66)];
const nights = [setRates(14, 54, 79), setRates(15, 55, 81)];

const rateAgreement: Solution = {
  steps: [...firstPass, ...evenings, ...nights, setRates(0, 41, 56)],
  otherSteps: [
    ...firstRates.map(([payRateUsdHour], index): Step => ['update', `pl${index}`, { payRateUsdHour }]),
    ...range(0, 17)
      .filter((index) => index !== 5)
      .map((index): Step => ['update', `pl${index}`, { billRateUsdHour: firstRates[index]![1] }]),
    ...evenings.toReversed(),
    ...nights,
    setRates(0, 41, 56),
  ],
  careless: firstPass,
  mutants: [
    instead(18, 'rates-7', []),
    instead(21, 'rates-15', []),
    instead(20, 'rates-14', []),
    instead(22, 'rates-0', []),
    instead(12, 'rates-12', [setRates(12, 58, 87)]),
    instead(10, 'rates-10', [setRates(10, 58, 87)]),
    instead(3, 'rates-3', [setRates(3, 44, 60)]),
    instead(4, 'rates-4', [setRates(4, 45, 61)]),
    instead(13, 'rates-13', [setRates(13, 55, 81)]),
    also('rates-8', setRates(8, 50, 70)),
    also('rates-6', setRates(6, 50, 70)),
    also('other-placements', setRates(33, 44, 64)),
    also('limit', ['update', 'j3', { payRateMaxUsdHour: 52 }]),
    also('rest', ['update', 'j1', { payRateMaxUsdHour: 54 }]),
  ],
};

const hireElectrician = (person: number, order: string, usd: number, key?: string): Step[] => [
  proposeAt(person, order, electrician, usd, key),
  move(key ?? `c${person}-${order}`, 'offered'),
];
const asksFor = (person: number, payRateUsdHour: number): Step => [
  'update',
  `c${person}`,
  { payRateUsdHour },
];
const budgetUntilLastYes: Step[] = [
  ...hireElectrician(7, 'j0', 30),
  ...hireElectrician(8, 'j1', 31),
  ...hireElectrician(5, 'j2', 24, 'first-5'),
  asksFor(5, 27),
  ...hireElectrician(5, 'j2', 27),
  ...hireElectrician(3, 'j2', 32),
  ...hireElectrician(2, 'j3', 29),
  cancel('c8-j1'),
  cancel('c3-j2'),
  ...hireElectrician(8, 'j2', 27),
  ...hireElectrician(9, 'j3', 32),
  ...hireElectrician(10, 'j4', 28, 'first-10'),
  asksFor(10, 33),
];
const paintShop = [hireElectrician(3, 'j4', 32), hireElectrician(10, 'j4', 33)];
const lastPlan: Step[] = [
  cancel('c7-j0'),
  cancel('c10-j4'),
  ...hireElectrician(7, 'j4', 30),
  cancel('c8-j2'),
  ...hireElectrician(7, 'j2', 30),
  ...hireElectrician(8, 'j4', 27),
];

const weeklyBudget: Solution = {
  steps: [...budgetUntilLastYes, ...paintShop.flat(), ...lastPlan],
  otherSteps: [
    ...budgetUntilLastYes.slice(0, -1),
    ...paintShop.flat(),
    asksFor(10, 33),
    ...lastPlan.slice(0, 2).toReversed(),
    ...lastPlan.slice(2),
  ],
  careless: [...budgetUntilLastYes, ...paintShop.flat()],
  mutants: [
    instead(6, 'figure-5', []),
    instead(21, 'figure-10', []),
    instead(26, 'five', [], 99),
    instead(28, 'declined', [], 2),
    instead(14, 'moved-3', []),
    also('person-9', ['update', 'c9-j3', { payRateUsdHour: 28 }]),
    also('not-asked', ...hireElectrician(12, 'j3', 43)),
    also('moved-8', ['delete', 'c8-j1']),
    also('budget', ['update', 'j5', { note: 'Seen.' }]),
    also('rest', asksFor(3, 34)),
  ],
};

/** Solutions of briefs in which facts change late, and far from what was written. */
export const lateFactSolutions: Record<string, Solution> = {
  'three-shifts': threeShifts,
  'rate-agreement': rateAgreement,
  'weekly-budget': weeklyBudget,
};
