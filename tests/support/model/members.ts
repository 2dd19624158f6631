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

interface Member {
  isOptional?: true;
  isRight(value: unknown): boolean;
}

export const codes = ['15-1252.00', '29-1141.00', '15-1251.00'];

const text = { isRight: (value: unknown) => typeof value === 'string' && /\S/.test(value) };
const code = { isRight: (value: unknown) => codes.includes(value as string) };
const day: Member = {
  isOptional: true,
  isRight: (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(value).toISOString().startsWith(value),
};
const toOptional = (member: Member): Member => ({ ...member, isOptional: true });
const toNumber = (least: number, most: number, isWhole: boolean): Member => ({
  isOptional: true,
  isRight: (value) =>
    typeof value === 'number' && value >= least && value <= most && (!isWhole || value % 1 === 0),
});
const toChoice = (choices: readonly string[]): Member => ({
  isOptional: true,
  isRight: (value) => choices.includes(value as string),
});
const shiftNames = ['day', 'evening', 'night', 'weekend'];
const phrases = toOptional({ isRight: (value) => Array.isArray(value) && value.every(text.isRight) });
const found = {
  skills: toOptional({ isRight: (value) => Array.isArray(value) && value.every(text.isRight) }),
  metro: toOptional(text),
};
const ref = toOptional({
  isRight: (value) => typeof value === 'string' && /^[A-Za-z0-9._:-]{1,64}$/.test(value),
});
const reasons = ['candidate-left', 'client-ended', 'cancelled', 'other'];

/** What a caller may send of each kind, and what of that is right. */
export const membersOf: Record<KindName, Record<string, Member>> = {
  candidate: {
    name: text,
    onetCode: code,
    ...found,
    credentials: phrases,
    shifts: toOptional({
      isRight: (value) => Array.isArray(value) && value.every((one) => shiftNames.includes(one)),
    }),
    availableFrom: day,
    ref,
  },
  jobOrder: {
    client: text,
    title: text,
    onetCode: code,
    billRateUsdHour: toNumber(0.01, 10_000, false),
    openings: toNumber(1, 1000, true),
    ...found,
    requires: toOptional({
      isRight: (value) =>
        Array.isArray(value) && value.every((one) => text.isRight(one) && !one.startsWith('no ')),
    }),
    shift: toChoice(shiftNames),
    startDate: day,
    endDate: day,
    ref,
  },
  placement: {
    candidateId: text,
    jobOrderId: text,
    onetCode: code,
    startDate: day,
    plannedEndDate: day,
    note: toOptional(text),
    feeModel: toOptional(text),
    ref,
  },
};

/** What a placement's end is said with: in a change, and in a batch. */
export const endingMembers: Record<string, Member> = {
  endDate: day,
  endReason: toChoice(reasons),
  declineReason: toChoice(['client', 'candidate', 'closed', 'other']),
};

/** Members of a record that are not the caller's to change. */
export const derived = ['id', 'createdAt', 'updatedAt', 'revision', 'transitions', 'example', 'links'];
