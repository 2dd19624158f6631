import * as fc from 'fast-check';

export type KindName = 'candidate' | 'jobOrder' | 'placement';

/** What is the same of every record of a kind. */
interface KindFacts {
  path: string;
  collection: string;
  prefix: string;
  /** Its link to what it can be placed with. */
  toListed?(code: unknown): Record<string, string>;
  /** The legal moves: to what, and from what. */
  moves: Record<string, readonly string[]>;
  statuses: readonly string[];
  /** The statuses that stay as asked. */
  kept: readonly string[];
}

/** A placement in one of these is not accepted yet. */
export const openStages = ['proposed', 'interviewing', 'offered'];

export const kindNames = ['candidate', 'jobOrder', 'placement'] as const;

export const kindOf: Record<KindName, KindFacts> = {
  candidate: {
    path: '/candidates',
    collection: 'candidates',
    prefix: 'cand_',
    toListed: (code) => ({ jobOrders: `/job-orders?status=open&occupation=${code}` }),
    moves: { withdrawn: ['available'], available: ['withdrawn'] },
    statuses: ['available', 'placed', 'withdrawn'],
    kept: ['withdrawn'],
  },
  jobOrder: {
    path: '/job-orders',
    collection: 'jobOrders',
    prefix: 'job_',
    toListed: (code) => ({ candidates: `/candidates?status=available&occupation=${code}` }),
    moves: { closed: ['open', 'filled'], open: ['closed'] },
    statuses: ['open', 'filled', 'closed'],
    kept: ['closed'],
  },
  placement: {
    path: '/placements',
    collection: 'placements',
    prefix: 'plc_',
    moves: {
      interviewing: ['proposed'],
      offered: ['proposed', 'interviewing'],
      scheduled: openStages,
      declined: openStages,
      'ended-early': ['scheduled', 'active'],
    },
    statuses: ['scheduled', 'active', 'completed', 'ended-early', ...openStages, 'declined'],
    kept: ['ended-early', ...openStages, 'declined'],
  },
};

/** The moves that are legal from a status. */
export const toLegal = (kind: KindName, from: string): string[] =>
  Object.entries(kindOf[kind].moves).flatMap(([to, froms]) => (froms.includes(from) ? [to] : []));

/** Which record a reference is to mean, found when it is sent. */
export interface Target {
  of: 'own' | 'ref' | 'seed' | 'other kind' | 'gone' | 'nobody' | 'no ref';
  pick: number;
}

/** Often the first one, so that much is asked of one record. */
const pick = fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: fc.nat({ max: 9 }), weight: 3 });
const of = fc.oneof(
  { arbitrary: fc.constant<Target['of']>('own'), weight: 20 },
  { arbitrary: fc.constant<Target['of']>('ref'), weight: 8 },
  fc.constantFrom<Target['of']>('seed', 'other kind', 'gone', 'nobody', 'no ref'),
);
export const target: fc.Arbitrary<Target> = fc.record({ of, pick });
/** What a change is of: mostly a record that can be changed. */
export const record: fc.Arbitrary<Target> = fc.record({
  of: fc.oneof(
    { arbitrary: fc.constant<Target['of']>('own'), weight: 16 },
    fc.constantFrom<Target['of']>('seed', 'other kind', 'gone', 'nobody'),
  ),
  pick,
});
/** What is right of a member, and what is drawn of it: mostly that. */
interface Member {
  isOptional: boolean;
  isRight(value: unknown): boolean;
  draw: fc.Arbitrary<unknown>;
}
type IsRight = Member['isRight'];
const toRequired = (isRight: IsRight, draw: Member['draw']): Member => ({ isOptional: false, isRight, draw });
const toOptional = (isRight: IsRight, draw: Member['draw']): Member => ({ isOptional: true, isRight, draw });

export const codes = ['15-1252.00', '29-1141.00', '15-1251.00'];
export const shiftNames = ['day', 'evening', 'night', 'weekend'];
const reasons = ['candidate-left', 'client-ended', 'cancelled', 'other'];
const declineReasons = ['client', 'candidate', 'closed', 'other'];

const isText: IsRight = (value) => typeof value === 'string' && /\S/.test(value);
const isDay: IsRight = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  new Date(value).toISOString().startsWith(value);
const isOneOf =
  (choices: readonly string[]): IsRight =>
  (value) =>
    choices.includes(value as string);
const isListOf =
  (isRight: IsRight): IsRight =>
  (value) =>
    Array.isArray(value) && value.every(isRight);
const isNumber =
  (least: number, most: number): IsRight =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most;

const some = (all: string[], maxLength = 2) => fc.subarray(all, { maxLength });
const oneOf = (choices: readonly string[]) => toOptional(isOneOf(choices), fc.constantFrom(...choices));
const anyText = fc.constantFrom('Ann', 'Bob', 'Zoë "\\\u2028');
/** A day is drawn as a number that counts from today. */
const day = toOptional(isDay, fc.constantFrom(-200, -91, -90, -89, -10, -1, 0, 1, 30));
const onetCode = toRequired(
  isOneOf(codes),
  fc.oneof({ arbitrary: fc.constant(codes[0]), weight: 5 }, fc.constantFrom(...codes)),
);
const found = {
  skills: toOptional(isListOf(isText), some(['TypeScript', 'Data Models', 'Wound Care', 'Go'])),
  metro: toOptional(isText, fc.constantFrom('Columbus, OH', 'Austin, TX')),
};
const ref = toOptional(
  (value) => typeof value === 'string' && /^[A-Za-z0-9._:-]{1,64}$/.test(value),
  fc.constantFrom('a', 'b', 'c', 'd.1', 'e', 'f', 'g', 'h'),
);

/** What a caller may send of each kind. References are drawn as what they are to mean. */
export const membersOf: Record<KindName, Record<string, Member>> = {
  candidate: {
    name: toRequired(isText, anyText),
    onetCode,
    ...found,
    credentials: toOptional(isListOf(isText), some(['Pennsylvania RN licence', 'Class A CDL', 'CDL B'])),
    shifts: toOptional(isListOf(isOneOf(shiftNames)), some(shiftNames)),
    availableFrom: day,
    ref,
  },
  jobOrder: {
    client: toRequired(isText, anyText),
    title: toRequired(isText, anyText),
    onetCode,
    openings: toOptional(
      (value) => isNumber(1, 1000)(value) && Number(value) % 1 === 0,
      fc.integer({ min: 1, max: 3 }),
    ),
    billRateUsdHour: toOptional(isNumber(0.01, 10_000), fc.constantFrom(0.5, 95, 10_000)),
    ...found,
    requires: toOptional(
      isListOf((one) => isText(one) && !String(one).startsWith('no ')),
      some(['RN license - PA', 'CDL A', 'wound care'], 1),
    ),
    shift: oneOf(shiftNames),
    startDate: day,
    endDate: day,
    ref,
  },
  placement: {
    candidateId: toRequired(isText, target),
    jobOrderId: toRequired(isText, target),
    onetCode,
    startDate: day,
    plannedEndDate: day,
    note: toOptional(isText, anyText),
    feeModel: toOptional(isText, fc.constantFrom('perm-fee', 'other')),
    ref,
  },
};

/** What a placement's end is said with: in a change, and in a batch. */
export const endingMembers: Record<string, Member> = {
  endDate: day,
  endReason: oneOf(reasons),
  declineReason: oneOf(declineReasons),
};

/** Members of a record that are not the caller's to change. */
export const derived = ['id', 'createdAt', 'updatedAt', 'revision', 'transitions', 'example', 'links'];
