import {
  also,
  ask,
  decline,
  instead,
  move,
  offerAll,
  proposeAll,
  proposeAs,
  range,
  type Solution,
  stateAt,
  withdraw,
} from './brief-steps.ts';
import type { Step } from './briefs.ts';

const [electrician, driver] = ['47-2111.00', '53-3032.00'];

const firstOffer = (person: number): Step => [
  'update',
  `pl${person}`,
  { status: 'offered', payRateUsdHour: '{usd 40}' },
];
const secondOffer = (person: number, usd: number): Step[] => [
  ...proposeAll([person], 'j0', electrician),
  ...offerAll([person], 'j0', { payRateUsdHour: `{usd ${usd}}` }),
];
const setStart = (key: string, day: number): Step => ['update', key, { startDate: `{day ${day}}` }];
const bargainStarts: Step[] = [
  setStart('pl0', 20),
  setStart('c1-j0', 21),
  setStart('pl2', 20),
  setStart('c4-j0', 23),
  setStart('c5-j0', 20),
  setStart('pl7', 22),
  setStart('c9-j0', 24),
  setStart('pl10', 20),
];
const bargains: Record<number, number> = { 1: 43, 4: 44, 5: 41, 8: 42, 9: 42 };
const bargainWith = (person: number): Step[] => [
  firstOffer(person),
  ...(bargains[person] ? secondOffer(person, bargains[person]) : []),
];

const counterOffers: Solution = {
  steps: [...range(0, 11).flatMap(bargainWith), withdraw('c8'), ...bargainStarts],
  otherSteps: range(0, 11).flatMap((person) => [
    ...bargainWith(person),
    ...(person === 8 ? [withdraw('c8')] : []),
    ...bargainStarts.filter(([, key]) => key === `pl${person}` || key === `c${person}-j0`),
  ]),
  careless: [...range(0, 12).map(firstOffer), setStart('pl0', 20), setStart('pl2', 20)],
  mutants: [
    instead(21, 'off-the-books', []),
    instead(2, 'person-1', secondOffer(1, 45), 2),
    also('above-limit', ...secondOffer(3, 47)),
    also('two-only', ...secondOffer(6, 45)),
    instead(22, 'person-0', []),
    also('not-needed', firstOffer(11)),
    also('declined', decline('pl11', 'other')),
    instead(11, 'person-5', offerAll([5], 'j0', { payRateUsdHour: '{usd 42}' })),
    also('rest', ['update', 'j0', { openings: 9 }]),
  ],
};

const bring = (people: readonly number[], order: string): Step[] =>
  people.flatMap((person) => [...proposeAll([person], order, driver), ...offerAll([person], order)]);
const depotNote: Step = ['update', 'j0', { note: '{p6} came in the place of {p2}, who cancelled.' }];

const lateWithdrawal: Solution = {
  steps: [
    ...bring([2, 0, 1, 3, 4, 5], 'j0'),
    ...bring([8, 9, 10], 'j1'),
    withdraw('c2'),
    ...bring([6], 'j0'),
    depotNote,
  ],
  otherSteps: [
    ...proposeAll([2, 0, 1, 3, 4], 'j0', driver),
    ...offerAll([2, 0, 1, 3, 4], 'j0'),
    ...bring([5], 'j0'),
    ...proposeAll([11, 9], 'j1', driver),
    ...offerAll([11, 9], 'j1'),
    depotNote,
    ...bring([6], 'j0'),
    withdraw('c2'),
    ...bring([8], 'j1'),
  ],
  careless: [...bring([2, 0, 1, 3, 4, 5], 'j0'), ...bring([8, 9, 10], 'j1')],
  mutants: [
    instead(18, 'off-the-books', []),
    instead(18, 'not-twice', [proposeAs('again', 'c2', 'j0', driver), move('again', 'offered')], 3),
    instead(19, 'depot', bring([7], 'j0'), 2),
    instead(21, 'who-left', [['update', 'j0', { note: '{p6} is new.' }]]),
    instead(21, 'who-came', [['update', 'j0', { note: '{p2} cancelled.' }]]),
    instead(12, 'nights', bring([6], 'j1'), 2),
    also('placements', ...bring([7], 'j0')),
    also('asked-once', withdraw('c1')),
    also('cancelled', ['delete', 'c2-j0']),
  ],
};

const told: Step[] = [
  ['state', 'pl0', { result: 'retained' }],
  ['state', 'pl1', { result: 'retained' }],
  ['state', 'pl2', { result: 'retained' }],
  ['state', 'pl3', { result: 'attrited', asOf: '{day -9}', endReason: 'candidate-left' }],
  ['state', 'pl4', { result: 'attrited', asOf: '{day -20}', endReason: 'candidate-left' }],
  stateAt('pl5', 'converted', '{day -15}'),
  ['state', 'pl6', { result: 'finished' }],
  ['state', 'pl7', { result: 'finished' }],
  ['state', 'pl8', { result: 'attrited', asOf: '{day -11}', endReason: 'client-ended' }],
  stateAt('pl9', 'converted', '{day -8}'),
];
const restated: Step[] = [
  ['state', 'pl3', { result: 'attrited', asOf: '{day -6}', endReason: 'candidate-left' }],
  ask('pl3'),
];
const placementsAt = range(0, 10).map((index) => `pl${index}`);

const monthEnd: Solution = {
  steps: [...told, ...placementsAt.map(ask), ...restated],
  otherSteps: [
    ...placementsAt.slice(0, 4).flatMap((key, index) => [told[index]!, ask(key)]),
    ...restated,
    ...placementsAt.slice(4).flatMap((key, index) => [told[index + 4]!, ask(key)]),
  ],
  careless: [...told, ...placementsAt.map(ask)],
  mutants: [
    instead(20, 'settled', [], 2),
    instead(21, 'person-3', []),
    instead(5, 'person-5', [['state', 'pl5', { result: 'retained' }]]),
    instead(8, 'person-8', [
      ['state', 'pl8', { result: 'attrited', asOf: '{day -11}', endReason: 'candidate-left' }],
    ]),
    instead(4, 'person-4', [
      ['state', 'pl4', { result: 'attrited', asOf: '{day -18}', endReason: 'candidate-left' }],
    ]),
    also(
      'client-only',
      ['state', 'pl12', { result: 'retained' }],
      ['confirm', 'pl12', { party: 'candidate' }],
    ),
    also('too-late', ['update', 'pl10', { endDate: '{day -1}', endReason: 'candidate-left' }]),
    also('too-early', ['update', 'pl11', { startDate: '{day -1}' }]),
    also('other-client', ['state', 'pl13', { result: 'retained' }]),
    instead(10, 'by-the-client', []),
  ],
};

/** Solutions of briefs in which people answer offers and statements. */
export const answerSolutions: Record<string, Solution> = {
  'counter-offers': counterOffers,
  'late-withdrawal': lateWithdrawal,
  'month-end': monthEnd,
};
