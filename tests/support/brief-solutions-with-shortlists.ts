import {
  also,
  decline,
  instead,
  move,
  offerAll,
  proposeAll,
  proposeAs,
  range,
  type Solution,
  share,
  withdraw,
} from './brief-steps.ts';
import type { Step } from './briefs.ts';

const [nurse, forklift, software] = ['29-1141.00', '53-7051.00', '15-1252.00'];

const wardNews: Step[] = [withdraw('c5'), ['update', 'c7', { availableFrom: '{day 40}' }]];
const wardStart: Step[] = [...proposeAll([0, 1, 2], 'j0', nurse), share('j0')];
const showOne = (person: number): Step[] => [
  ...proposeAll([person], 'j0', nurse),
  share('j0'),
  ...offerAll([person], 'j0'),
];

const wardWeek: Solution = {
  steps: [
    ...wardStart,
    ...proposeAll([5, 7, 3, 4, 6], 'j0', nurse),
    share('j0'),
    ...offerAll([0, 5, 7, 3, 4, 6], 'j0'),
    ...wardNews,
    ...proposeAll([8, 9], 'j0', nurse),
    share('j0'),
    ...offerAll([8, 9], 'j0'),
  ],
  otherSteps: [...wardStart, ...offerAll([0], 'j0'), ...[5, 7, 3, 4, 6, 8, 9].flatMap(showOne), ...wardNews],
  careless: [
    ...wardStart,
    ...proposeAll([18, 19, 11, 5, 7], 'j0', nurse),
    share('j0'),
    ...offerAll([0, 5, 7], 'j0'),
    ...proposeAll([20, 3, 4, 6], 'j0', nurse),
    share('j0'),
    ...offerAll([3, 4, 6], 'j0'),
    ...proposeAll([8, 9], 'j0', nurse),
    share('j0'),
    ...offerAll([8, 9], 'j0'),
  ],
  mutants: [
    instead(16, 'off-the-books', []),
    instead(17, 'first-day', []),
    instead(18, 'too-dear', proposeAll([10, 9], 'j0', nurse), 99),
    instead(9, 'asked-for', [move('c3-j0', 'interviewing')]),
    also('lesson', ...proposeAll([20], 'j0', nurse), share('j0')),
    also('placements', ...proposeAll([10], 'j0', nurse)),
    instead(
      4,
      'cheapest',
      [...proposeAll([3, 4, 6, 8, 9], 'j0', nurse), share('j0'), ...offerAll([0, 3, 4, 6, 8, 9], 'j0')],
      99,
    ),
    also('order', ['update', 'j0', { openings: 7 }]),
  ],
};

const changeYard: Step = ['update', 'j1', { requires: ['forklift certification', 'OSHA 10'] }];
const nightsFirst = proposeAll(range(0, 8), 'j0', forklift);
const nightsDone: Step[] = [
  ...proposeAll([9, 11, 12], 'j0', forklift),
  share('j0'),
  ...offerAll([0, 2, 3, 5, 7, 9, 11, 12], 'j0', { payRateUsdHour: '{usd 33}' }),
];
const offerYard = offerAll([17, 19, 20, 22, 23], 'j1', { payRateUsdHour: '{usd 30}' });

const newMustHaves: Solution = {
  steps: [
    ...nightsFirst,
    share('j0'),
    ...nightsDone,
    changeYard,
    ...proposeAll([17, 19, 20, 22, 23], 'j1', forklift),
    share('j1'),
    ...offerYard,
  ],
  otherSteps: [
    ...nightsFirst,
    ...proposeAll(range(17, 22), 'j1', forklift),
    share('j0'),
    changeYard,
    decline('c18-j1', 'other'),
    decline('c21-j1', 'other'),
    ...proposeAll([22, 23], 'j1', forklift),
    share('j1'),
    ...offerYard,
    ...nightsDone,
  ],
  careless: [
    ...nightsFirst,
    share('j0'),
    ...proposeAll([8, 9, 10], 'j0', forklift),
    share('j0'),
    ...proposeAll([11], 'j0', forklift),
    share('j0'),
    ...offerAll([0, 2, 3, 5, 7, 9, 11], 'j0', { payRateUsdHour: '{usd 32}' }),
    ...proposeAll(range(17, 22), 'j1', forklift),
    share('j1'),
    ...offerAll([17, 19, 20], 'j1', { payRateUsdHour: '{usd 30}' }),
  ],
  mutants: [
    instead(21, 'yard-order', []),
    instead(21, 'yard-order-keeps', [['update', 'j1', { requires: ['OSHA 10'] }]]),
    instead(13, 'nights', offerAll([0], 'j0', { payRateUsdHour: '{usd 32}' })),
    instead(28, 'yard', offerAll([17], 'j1', { payRateUsdHour: '{usd 33}' })),
    instead(9, 'first-list', proposeAll([8, 9, 11, 12], 'j0', forklift), 3),
    also('rest', ['update', 'j2', { requires: ['forklift certification', 'OSHA 10'] }]),
    also('told-before', ...proposeAll([18], 'j1', forklift), share('j1')),
    also('night-order', ['update', 'j0', { payRateUsdHour: '{usd 32}' }]),
    also('placements', ...proposeAll([24], 'j1', forklift)),
  ],
};

const teams = (): Step[] => [
  ...proposeAll([0, 1, 2], 'j0', software),
  share('j0'),
  ...proposeAll([3, 4], 'j0', software),
  share('j0'),
  ...offerAll([0, 3, 4], 'j0'),
  ...proposeAll([5, 6, 7], 'j1', software),
  share('j1'),
  ...proposeAll([8], 'j1', software),
  share('j1'),
  ...offerAll([5, 7, 8], 'j1'),
  ...proposeAll([9, 10], 'j2', software),
  share('j2'),
  ...offerAll([9, 10], 'j2'),
  ...proposeAll([11, 1], 'j3', software),
  share('j3'),
  ...offerAll([11, 1], 'j3'),
];

const neverTwice: Solution = {
  steps: teams(),
  otherSteps: [
    ...proposeAll([0, 1, 2], 'j0', software),
    share('j0'),
    ...offerAll([0], 'j0'),
    ...[3, 4].flatMap((person) => [
      ...proposeAll([person], 'j0', software),
      share('j0'),
      ...offerAll([person], 'j0'),
    ]),
    ...teams().slice(10),
  ],
  careless: [
    ...proposeAll([0, 1, 2], 'j0', software),
    share('j0'),
    ...proposeAll([3, 4], 'j0', software),
    share('j0'),
    ...offerAll([0, 3, 4], 'j0'),
    ...proposeAll([1, 2, 5], 'j1', software),
    share('j1'),
    ...offerAll([1, 2, 5], 'j1'),
    ...proposeAll([6, 7], 'j2', software),
    share('j2'),
    ...offerAll([6, 7], 'j2'),
    ...proposeAll([8, 9], 'j3', software),
    share('j3'),
    ...offerAll([8, 9], 'j3'),
  ],
  mutants: [
    instead(
      24,
      'other',
      [...proposeAll([11, 12], 'j3', software), share('j3'), ...offerAll([11, 12], 'j3')],
      99,
    ),
    also('never-twice-1', proposeAs('again', 'c1', 'j1', software)),
    also('never-twice-6', proposeAs('again', 'c6', 'j2', software), share('j2')),
    also('old-decline', proposeAs('again', 'c11', 'j2', software), share('j2')),
    instead(
      19,
      'green',
      [...proposeAll([9, 12], 'j2', software), share('j2'), ...offerAll([9, 12], 'j2')],
      5,
    ),
    instead(7, 'red', [], 1),
    also('placements', ...proposeAll([12], 'j2', software)),
    also('orders', move('j2', 'closed')),
    also('rest', withdraw('c2')),
  ],
};

/** Solutions of briefs in which clients decide on shortlists. */
export const shortlistSolutions: Record<string, Solution> = {
  'ward-week': wardWeek,
  'new-must-haves': newMustHaves,
  'never-twice': neverTwice,
};
