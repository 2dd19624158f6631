import { answerSolutions } from './brief-solutions-with-answers.ts';
import { lateFactSolutions } from './brief-solutions-with-late-facts.ts';
import { shortlistSolutions } from './brief-solutions-with-shortlists.ts';
import {
  also,
  ask,
  create,
  decline,
  instead,
  move,
  place,
  propose,
  range,
  type Solution,
  stateAt,
} from './brief-steps.ts';
import type { Step } from './briefs.ts';

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

const hospital = [
  ['c0', 'j1'],
  ['c1', 'j0'],
  ['c3', 'j2'],
  ['c2', 'j3'],
  ['c6', 'j4'],
  ['c5', 'j5'],
  ['c8', 'j6'],
] as const;
/** The calls that solve each brief, and the mistakes in them. */
export const solutions: Record<string, Solution> = {
  'messy-titles': {
    steps: hired.flatMap(([code], index) => hire(index, code)),
    mutants: [
      instead(4, 'person-3', hire(2, driver), 2),
      instead(1, 'person-1', [place('n0', 'drivers', nurse, '{day 7}')]),
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
      instead(2, 'skills-stay', [['update', 'c2', { skills: ['forklift'] }]]),
      instead(0, 'name', [['create', 'candidate', { name: '{p0}', onetCode: stocker }]]),
    ],
  },
  'three-openings': {
    steps: [
      place('c2', 'j0', software, '{day 14}'),
      place('c0', 'j1', software, '{day 14}'),
      place('c3', 'j2', software, '{day 14}'),
    ],
    mutants: [
      instead(0, 'android', [place('c0', 'j0', software, '{day 14}')]),
      instead(2, 'backend', [propose('c3', 'j2', software)]),
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
      instead(1, 'attrited', [stateAt('pl1', 'attrited', '{day -10}')]),
      instead(0, 'retained', [['state', 'pl0', { result: 'converted' }]]),
      instead(2, 'asked', [['confirm', 'pl0', { party: 'candidate' }]]),
    ],
  },
  'must-haves': {
    steps: [propose('c0', 'j0', nurse)],
    mutants: range(1, 8).map((index) => instead(0, 'right', [propose(`c${index}`, 'j0', nurse)])),
  },
  'two-orders-one-driver': {
    steps: [propose('c0', 'j0', driver), propose('c1', 'j1', driver)],
    mutants: [
      instead(0, 'tanker', [propose('c2', 'j0', driver), propose('c0', 'j1', driver)], 2),
      instead(1, 'regional', [propose('c4', 'j1', driver)]),
      instead(1, 'regional', [propose('c2', 'j1', driver)]),
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
      instead(0, 'declined', [decline('pl0', 'client')]),
      instead(3, 'replacement', [propose('c3', 'j0', therapist)]),
      also('rest', decline('pl2', 'client')),
      instead(1, 'declined-too', [['delete', 'pl1']]),
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
      instead(3, 'successor', [propose('c1', 'j0', electrician)]),
      instead(0, 'ended', [
        ['update', 'pl0', { status: 'ended-early', endDate: '{day -3}', endReason: 'other' }],
      ]),
      instead(1, 'outcome', [], 2),
    ],
  },
  'filled-and-closed': {
    steps: [propose('c0', 'j2', welder), propose('c1', 'j2', welder)],
    mutants: [
      instead(1, 'second', [propose('c2', 'j2', welder)]),
      instead(0, 'first', [propose('c0', 'j1', welder)]),
      also('rest', move('j0', 'open')),
    ],
  },
  'quiet-monday': {
    steps: [],
    mutants: [
      also('placements', propose('c0', 'j0', nurse)),
      also('placements', propose('c8', 'j4', nurse)),
      also('rest', move('j3', 'open')),
      also('rest', move('pl0', 'interviewing')),
    ],
  },
  'hospital-season': {
    steps: hospital.map(([person, order]) => propose(person, order, nurse)),
    mutants: [
      instead(0, 'order-1', [propose('c0', 'j0', nurse), propose('c13', 'j1', nurse)], 2),
      instead(3, 'order-3', [propose('c14', 'j3', nurse)]),
      also('nobody-7', propose('c10', 'j7', nurse)),
      instead(6, 'order-6', [propose('c9', 'j6', nurse)]),
    ],
  },
  'warehouse-ramp': {
    steps: [
      ...range(0, 8).map((index) => propose(`c${index}`, 'j0', forklift)),
      ...range(8, 12).map((index) => propose(`c${index}`, 'j1', forklift)),
    ],
    mutants: [
      instead(0, 'nights', [propose('c12', 'j0', forklift)]),
      also('rest', ['update', 'j0', { payRateUsdHour: 99 }]),
      instead(8, 'days', [create({ candidateId: '#c8', jobOrderId: '#j1', onetCode: forklift })]),
      instead(7, 'night-8', [propose('c22', 'j0', forklift)]),
      also('rest', move('c23', 'withdrawn')),
    ],
  },
  'shortlist-week': {
    steps: [...range(0, 3).map((index) => propose(`c${index}`, 'j0', software)), ['share', 'j0']],
    mutants: [
      instead(0, 'proposed-1', [propose('c4', 'j0', software)]),
      also('one-link', ['share', 'j1']),
      instead(3, 'link', []),
      also('rest', move('pl0', 'scheduled')),
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
      instead(0, 'no-after-yes', [move('pl0', 'interviewing'), decline('pl0', 'client')]),
      also('undecided', move('pl3', 'interviewing')),
      also('two-open', move('pl6', 'interviewing')),
      also('other-client', decline('pl15', 'client')),
      also('candidates', ['create', 'candidate', { name: '{p30}', onetCode: stocker }]),
    ],
  },
  ...shortlistSolutions,
  ...answerSolutions,
  ...lateFactSolutions,
};
