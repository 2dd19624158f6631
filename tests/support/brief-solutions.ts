import type { Mutant, Step } from './briefs.ts';

const create = (members: object): Step => ['create', 'placement', members];
const propose = (person: string, order: string, onetCode: string): Step =>
  create({ candidateId: `#${person}`, jobOrderId: `#${order}`, onetCode, status: 'proposed' });
const place = (person: string, order: string, onetCode: string, startDate: string): Step =>
  create({ candidateId: `#${person}`, jobOrderId: `#${order}`, onetCode, startDate });
const decline = (key: string, declineReason: string): Step => [
  'update',
  key,
  { status: 'declined', declineReason },
];
const move = (key: string, status: string): Step => ['update', key, { status }];

const [nurse, electrician, driver] = ['29-1141.00', '47-2111.00', '53-3032.00'];
const [software, stocker, therapist] = ['15-1252.00', '53-7065.00', '29-1123.00'];
const [welder, forklift] = ['51-4121.00', '53-7051.00'];

const hired = [
  [nurse, 'nurses', 7],
  [nurse, 'nurses', 7],
  [electrician, 'electricians', 10],
  [electrician, 'electricians', 10],
  [driver, 'drivers', 14],
  [driver, 'drivers', 14],
] as const;
const hire = (index: number, onetCode: string): Step[] => {
  const [, order, days] = hired[index]!;
  return [
    ['create', 'candidate', { name: `{p${index}}`, onetCode, key: `n${index}` }],
    place(`n${index}`, order, onetCode, `{day ${days}}`),
  ];
};

const stateAt = (key: string, result: string, asOf: string): Step => ['state', key, { result, asOf }];
const ask = (key: string): Step => ['confirm', key, { party: 'client' }];
const hospital = [
  ['c0', 'j1'],
  ['c1', 'j0'],
  ['c3', 'j2'],
  ['c2', 'j3'],
  ['c6', 'j4'],
  ['c5', 'j5'],
  ['c8', 'j6'],
] as const;
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

interface Solution {
  steps: readonly Step[];
  /** Beside those that every brief has. */
  mutants: readonly Mutant[];
}

/** The calls that solve each brief, and how they go wrong. */
export const solutions: Record<string, Solution> = {
  'messy-titles': {
    steps: hired.flatMap(([code], index) => hire(index, code)),
    mutants: [
      { at: 4, drop: 2, add: hire(2, driver), fails: 'person-3' },
      { at: 1, drop: 1, add: [place('n0', 'drivers', nurse, '{day 7}')], fails: 'person-1' },
    ],
  },
  'five-corrections': {
    steps: [
      ['update', 'c0', { name: '{p0}' }],
      ['update', 'c1', { metro: '{m3}' }],
      ['update', 'c2', { skills: ['inventory', 'packing', 'forklift'] }],
      ['update', 'j0', { billRateUsdHour: '{usd 62}' }],
      ['update', 'j1', { openings: 3 }],
    ],
    mutants: [
      { at: 2, drop: 1, add: [['update', 'c2', { skills: ['forklift'] }]], fails: 'skills-stay' },
      {
        at: 0,
        drop: 1,
        add: [['create', 'candidate', { name: '{p0}', onetCode: stocker }]],
        fails: 'name',
      },
    ],
  },
  'three-openings': {
    steps: [
      place('c2', 'j0', software, '{day 14}'),
      place('c0', 'j1', software, '{day 14}'),
      place('c3', 'j2', software, '{day 14}'),
    ],
    mutants: [
      { at: 0, drop: 1, add: [place('c0', 'j0', software, '{day 14}')], fails: 'android' },
      { at: 2, drop: 1, add: [propose('c3', 'j2', software)], fails: 'backend' },
    ],
  },
  'two-outcomes': {
    steps: [
      ['state', 'pl0', { result: 'retained' }],
      stateAt('pl1', 'attrited', '{day -12}'),
      ask('pl0'),
      ask('pl1'),
    ],
    mutants: [
      { at: 1, drop: 1, add: [stateAt('pl1', 'attrited', '{day -10}')], fails: 'attrited' },
      { at: 0, drop: 1, add: [['state', 'pl0', { result: 'converted' }]], fails: 'retained' },
      { at: 2, drop: 1, add: [['confirm', 'pl0', { party: 'candidate' }]], fails: 'asked' },
    ],
  },
  'must-haves': {
    steps: [propose('c0', 'j0', nurse)],
    mutants: range(1, 7).map((index) => ({
      at: 0,
      drop: 1,
      add: [propose(`c${index}`, 'j0', nurse)],
      fails: 'right',
    })),
  },
  'two-orders-one-driver': {
    steps: [propose('c0', 'j0', driver), propose('c1', 'j1', driver)],
    mutants: [
      { at: 0, drop: 2, add: [propose('c2', 'j0', driver), propose('c0', 'j1', driver)], fails: 'tanker' },
      { at: 1, drop: 1, add: [propose('c4', 'j1', driver)], fails: 'regional' },
      { at: 1, drop: 1, add: [propose('c2', 'j1', driver)], fails: 'regional' },
    ],
  },
  withdrawal: {
    steps: [
      decline('pl0', 'candidate'),
      decline('pl1', 'candidate'),
      move('c0', 'withdrawn'),
      propose('c2', 'j0', therapist),
    ],
    mutants: [
      { at: 0, drop: 1, add: [decline('pl0', 'client')], fails: 'declined' },
      { at: 3, drop: 1, add: [propose('c3', 'j0', therapist)], fails: 'replacement' },
      { add: [decline('pl2', 'client')], fails: 'rest' },
      { at: 1, drop: 1, add: [['delete', 'pl1']], fails: 'declined-too' },
    ],
  },
  'early-end': {
    steps: [
      ['update', 'pl0', { status: 'ended-early', endDate: '{day -3}', endReason: 'client-ended' }],
      stateAt('pl0', 'attrited', '{day -3}'),
      ask('pl0'),
      propose('c2', 'j0', electrician),
    ],
    mutants: [
      { at: 3, drop: 1, add: [propose('c1', 'j0', electrician)], fails: 'successor' },
      {
        at: 0,
        drop: 1,
        add: [['update', 'pl0', { status: 'ended-early', endDate: '{day -3}', endReason: 'other' }]],
        fails: 'ended',
      },
      { at: 1, drop: 2, fails: 'outcome' },
    ],
  },
  'filled-and-closed': {
    steps: [propose('c0', 'j2', welder), propose('c1', 'j2', welder)],
    mutants: [
      { at: 1, drop: 1, add: [propose('c2', 'j2', welder)], fails: 'second' },
      { at: 0, drop: 1, add: [propose('c0', 'j1', welder)], fails: 'first' },
      { add: [move('j0', 'open')], fails: 'rest' },
    ],
  },
  'quiet-monday': {
    steps: [],
    mutants: [
      { add: [propose('c0', 'j0', nurse)], fails: 'placements' },
      { add: [propose('c8', 'j4', nurse)], fails: 'placements' },
      { add: [move('j3', 'open')], fails: 'rest' },
      { add: [move('pl0', 'interviewing')], fails: 'rest' },
    ],
  },
  'hospital-season': {
    steps: hospital.map(([person, order]) => propose(person, order, nurse)),
    mutants: [
      { at: 0, drop: 2, add: [propose('c0', 'j0', nurse), propose('c13', 'j1', nurse)], fails: 'order-1' },
      { at: 3, drop: 1, add: [propose('c14', 'j3', nurse)], fails: 'order-3' },
      { add: [propose('c10', 'j7', nurse)], fails: 'nobody-7' },
      { at: 6, drop: 1, add: [propose('c9', 'j6', nurse)], fails: 'order-6' },
    ],
  },
  'warehouse-ramp': {
    steps: [
      ...range(0, 8).map((index) => propose(`c${index}`, 'j0', forklift)),
      ...range(8, 12).map((index) => propose(`c${index}`, 'j1', forklift)),
    ],
    mutants: [
      { at: 0, drop: 1, add: [propose('c12', 'j0', forklift)], fails: 'nights' },
      { add: [['update', 'j0', { payRateUsdHour: 99 }]], fails: 'rest' },
      {
        at: 8,
        drop: 1,
        add: [create({ candidateId: '#c8', jobOrderId: '#j1', onetCode: forklift })],
        fails: 'days',
      },
      { at: 7, drop: 1, add: [propose('c22', 'j0', forklift)], fails: 'night-8' },
      { add: [move('c23', 'withdrawn')], fails: 'rest' },
    ],
  },
  'shortlist-week': {
    steps: [...range(0, 3).map((index) => propose(`c${index}`, 'j0', software)), ['share', 'j0']],
    mutants: [
      { at: 0, drop: 1, add: [propose('c4', 'j0', software)], fails: 'proposed-1' },
      { add: [['share', 'j1']], fails: 'one-link' },
      { at: 3, drop: 1, fails: 'link' },
      { add: [move('pl0', 'scheduled')], fails: 'rest' },
    ],
  },
  'client-list': {
    steps: [
      decline('pl0', 'client'),
      decline('pl1', 'client'),
      move('pl2', 'offered'),
      ['update', 'pl4', { status: 'scheduled', startDate: '{day 14}' }],
      decline('pl8', 'client'),
      move('pl9', 'interviewing'),
      move('pl10', 'interviewing'),
    ],
    mutants: [
      { at: 0, drop: 1, add: [move('pl0', 'interviewing'), decline('pl0', 'client')], fails: 'no-after-yes' },
      { add: [move('pl3', 'interviewing')], fails: 'undecided' },
      { add: [move('pl6', 'interviewing')], fails: 'two-open' },
      { add: [decline('pl15', 'client')], fails: 'other-client' },
      { add: [['create', 'candidate', { name: '{p30}', onetCode: stocker }]], fails: 'candidates' },
    ],
  },
};
