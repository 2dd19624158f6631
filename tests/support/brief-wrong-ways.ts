import { solutions } from './brief-solutions.ts';
import { decline, offerAll, proposeAll, proposeAs } from './brief-steps.ts';
import type { Step } from './briefs.ts';

/*
 * Ways to the right end that break one rule of a brief. Only the history shows it, so that the check of this rule fails, and
 * no other.
 */

type Steps = readonly Step[];
type Way = (steps: Steps) => Steps;

const [nurse, electrician, driver] = ['29-1141.00', '47-2111.00', '53-3032.00'];
const [software, forklift] = ['15-1252.00', '53-7051.00'];

/** Takes `count` steps from an index on later or earlier: before the step that has the index `to` without them. */
const shift =
  (from: number, count: number, to: number): Way =>
  (steps) => {
    const taken = steps.slice(from, from + count);
    return steps.toSpliced(from, count).toSpliced(to, 0, ...taken);
  };

const replace =
  (from: number, count: number, ...others: Steps): Way =>
  (steps) =>
    steps.toSpliced(from, count, ...others);

const insert = (at: number, ...more: Steps): Way => replace(at, 0, ...more);

const append =
  (...more: Steps): Way =>
  (steps) => [...steps, ...more];

/** Proposes a candidate, then deletes the proposal. */
const proposeAndDelete = (person: number, order: string, code: string): Way =>
  append(proposeAs('extra', `c${person}`, order, code), ['delete', 'extra']);

/** Changes a member of a record, and changes it back. */
const changeForAWhile = (key: string, member: string, other: unknown, own: unknown): Way =>
  append(['update', key, { [member]: other }], ['update', key, { [member]: own }]);

/** Places a candidate who was never asked. */
const placeUnasked = (key: string, code: string, members: object): Step => {
  const [candidateId, jobOrderId] = key.split('-').map((one) => `#${one}`);
  return ['create', 'placement', { candidateId, jobOrderId, onetCode: code, key, ...members }];
};

const accept = (key: string, startDate: string): Step => ['update', key, { status: 'scheduled', startDate }];
const payAt = (usd: string) => ({ payRateUsdHour: usd });

/** By brief, and by the check that has to fail. */
const wrongWays: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  'counter-offers': {
    'nothing-deleted': proposeAndDelete(12, 'j0', electrician),
    sequence: shift(4, 1, 2),
    'first-figure': replace(
      0,
      1,
      ['update', 'pl0', { status: 'offered', ...payAt('{usd 44}') }],
      ['update', 'pl0', payAt('{usd 40}')],
    ),
  },
  'late-withdrawal': {
    'nothing-deleted': proposeAndDelete(7, 'j0', driver),
    'depot-first': (steps) => [
      ...proposeAll([10], 'j1', driver),
      ...steps.filter(([verb, , members]) => verb !== 'create' || members?.key !== 'c10-j1'),
    ],
    'least-first': shift(0, 2, 2),
    'never-too-many': shift(19, 2, 12),
    'said-yes': replace(16, 2, placeUnasked('c10-j1', driver, { startDate: '{day 16}' })),
    answers: replace(17, 1, accept('c10-j1', '{day 16}')),
  },
  'month-end': {
    'nothing-deleted': proposeAndDelete(0, 'j0', nurse),
    'statement-only': insert(4, ['update', 'pl4', { endDate: '{day -20}', endReason: 'candidate-left' }]),
  },
  'never-twice': {
    'nothing-deleted': proposeAndDelete(17, 'j3', software),
    'green-last': shift(19, 5, 10),
    'other-last': shift(24, 5, 19),
    'in-their-place': shift(3, 1, 5),
    'in-their-place-blue': shift(13, 1, 14),
    'red-offered': shift(7, 3, 10),
    answers: insert(3, decline('c1-j0', 'client')),
  },
  'new-must-haves': {
    'nothing-deleted': proposeAndDelete(13, 'j0', forklift),
    'night-first': shift(22, 1, 0),
    'in-their-place': shift(9, 1, 8),
    'night-rate': replace(13, 1, ...offerAll([0], 'j0', payAt('{usd 32}')), [
      'update',
      'c0-j0',
      payAt('{usd 33}'),
    ]),
    'own-order': changeForAWhile('j0', 'openings', 9, 8),
  },
  'rate-agreement': {
    'nothing-deleted': proposeAndDelete(0, 'j0', nurse),
    'no-candidate': changeForAWhile('c1', 'payRateUsdHour', 40, 44),
    'no-order': changeForAWhile('j0', 'openings', 9, 6),
    'two-rates': changeForAWhile('pl0', 'hoursPerWeek', 20, null),
    'scheduled-only': changeForAWhile('pl26', 'payRateUsdHour', 39, 38),
    'own-client': changeForAWhile('pl33', 'payRateUsdHour', 48, 47),
  },
  'three-shifts': {
    'nothing-deleted': proposeAndDelete(2, 'j0', nurse),
    'own-orders': changeForAWhile('j0', 'openings', 5, 4),
    'own-records': changeForAWhile('c0', 'metro', 'Reno, NV', null),
    'least-first': shift(0, 2, 2),
    'ended-first': shift(27, 1, 29),
    'ended-first-9': shift(30, 1, 32),
    'said-yes': replace(0, 2, placeUnasked('c0-j0', nurse, { startDate: '{day 14}', ...payAt('{usd 30}') })),
    answers: replace(1, 1, accept('c0-j0', '{day 14}')),
  },
  'ward-week': {
    'nothing-deleted': proposeAndDelete(10, 'j0', nurse),
    'these-first': shift(4, 1, 3),
    'least-first': shift(4, 1, 5),
    'never-too-many': (steps) => [
      ...steps.slice(0, 11),
      ...steps.slice(12, 16),
      steps[17]!,
      ...steps.slice(18, 21),
      ...steps.slice(11, 12),
      steps[16]!,
      ...steps.slice(21),
    ],
    'never-too-many-7': (steps) => [
      ...steps.slice(0, 12),
      ...steps.slice(13, 17),
      ...steps.slice(18, 21),
      ...steps.slice(12, 13),
      steps[17]!,
      ...steps.slice(21),
    ],
    answers: replace(22, 1, accept('c9-j0', '{day 21}')),
    'own-order': changeForAWhile('j0', 'openings', 7, 6),
  },
  'weekly-budget': {
    'nothing-deleted': proposeAndDelete(12, 'j3', electrician),
    sequence: shift(0, 2, 2),
    'ended-first': shift(13, 1, 16),
    'ended-first-7': shift(26, 1, 29),
    'said-yes': replace(
      7,
      2,
      placeUnasked('c5-j2', electrician, { startDate: '{day 14}', payRateUsdHour: 27 }),
    ),
    answers: replace(8, 1, accept('c5-j2', '{day 14}')),
  },
};

/** Lists the wrong ways through a brief, by the check that has to fail. */
export const listWrongWays = (id: string): [check: string, steps: Steps][] =>
  Object.entries(wrongWays[id] ?? {}).map(([check, way]) => [check, way(solutions[id]!.steps)]);
