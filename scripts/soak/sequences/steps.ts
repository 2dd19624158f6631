import * as fc from 'fast-check';
import { endReasons } from '../../../src/placements/placement-record.ts';
import { type Kind, kinds } from '../../../tests/support/doors.ts';

/** Which record a reference means, found when it is sent. */
export interface Target {
  of: 'own' | 'ref' | 'seed' | 'other kind' | 'gone' | 'nobody';
  pick: number;
}

export type Members = Record<string, unknown>;

/** How a change is sent: under one of a few keys, as strict, for a version of its record. */
export interface How {
  key?: number | undefined;
  isStrict?: boolean;
  ifMatch?: 'fresh' | 'stale' | undefined;
}

/** One step of a sequence. It is skipped if its subject does not exist yet. */
export type Step =
  | { op: 'create'; kind: Kind; body: Members; isFresh: boolean; how: How }
  | { op: 'batch'; items: Record<Kind, Members[]>; isFresh: boolean; how: How }
  | { op: 'changes'; changes: Changed[]; items: Record<Kind, Members[]>; how: How }
  | { op: 'update'; kind: Kind; target: Target; body: Members; how: How }
  | { op: 'remove'; kind: Kind; target: Target; how: How }
  | { op: 'erase'; how: How }
  | { op: 'repeat'; pick: number; isOther: boolean }
  | { op: 'share'; pick: number; isReplaced: boolean }
  | { op: 'decide'; pick: number; row: number; decision: 'interview' | 'decline'; isStale: boolean }
  | { op: 'carry'; limit: number; isStrict: boolean }
  | { op: 'pass'; ms: number }
  | { op: 'list'; kind: Kind; filters: Members; limit: number }
  | { op: 'get'; kind: Kind; target: Target };

/** A change in a batch. `revision` is the one that the caller has read, or another. */
export interface Changed {
  kind: Kind;
  target: Target;
  body: Members;
  revision: 'fresh' | 'stale' | undefined;
}

const weighted = <T>(...all: [weight: number, arbitrary: fc.Arbitrary<T>][]) =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));
/** Draws a value once in this many times, and otherwise undefined. */
const rarely = <T>(times: number, arbitrary: fc.Arbitrary<T>) =>
  weighted<T | undefined>([times - 1, fc.constant(undefined)], [1, arbitrary]);

/** Draws the first record often, so that much happens to it. */
const pick = weighted([2, fc.constant(0)], [3, fc.nat({ max: 9 })]);
const of = weighted<Target['of']>(
  [20, fc.constant('own')],
  [8, fc.constant('ref')],
  [5, fc.constantFrom('seed', 'other kind', 'gone', 'nobody')],
);
const target = fc.record({ of, pick });
/** Draws the record of a change: mostly one that can be changed. */
const record = fc.record({
  of: weighted<Target['of']>(
    [16, fc.constant('own')],
    [4, fc.constantFrom('seed', 'other kind', 'gone', 'nobody')],
  ),
  pick,
});

/** A day is drawn as a number that counts from today. */
const day = fc.constantFrom(-200, -91, -90, -89, -10, -1, 0, 1, 30);
/** Mostly after the start. */
const later = fc.constantFrom(30, 60, 90, -1);
const text = fc.constantFrom('Ann', 'Bob', 'Zoë "\\\u2028');
const codes = ['15-1252.00', '29-1141.00', '15-1251.00'];
const onetCode = weighted([5, fc.constant(codes[0]!)], [3, fc.constantFrom(...codes)]);
const shift = fc.constantFrom('day', 'evening', 'night');
const workplace = fc.constantFrom('onsite', 'hybrid', 'remote');
const rate = fc.constantFrom(40, 60);
const hours = fc.constantFrom(20, 40);
const terms = {
  payRateUsdHour: rate,
  salaryUsdYear: fc.constantFrom(90_000, 120_000),
  hoursPerWeek: hours,
};
const some = (...all: string[]) => fc.subarray(all, { maxLength: 2 });
const found = {
  onetCode,
  skills: some('TypeScript', 'Data Models', 'Wound Care', 'Go'),
  metro: fc.constantFrom('Columbus, OH', 'Austin, TX'),
  ref: fc.constantFrom('a', 'b', 'c', 'd.1', 'e', 'f', 'g', 'h'),
};
const reason = fc.constantFrom(...endReasons);

/** What a caller may send of each kind: few values, so that they meet. */
const members: Record<Kind, Record<string, fc.Arbitrary<unknown>>> = {
  candidate: {
    ...found,
    name: text,
    credentials: some('Pennsylvania RN licence', 'Class A CDL until 2030-01-31', 'BLS until 2020-01-31'),
    shifts: fc.uniqueArray(shift, { maxLength: 2 }),
    workplaces: fc.uniqueArray(workplace, { maxLength: 2 }),
    availableFrom: day,
    ...terms,
    source: text,
  },
  jobOrder: {
    ...found,
    client: text,
    title: text,
    openings: fc.integer({ min: 1, max: 3 }),
    billRateUsdHour: fc.constantFrom(0.5, 95, 10_000),
    requires: some('RN license - PA', 'CDL A', 'wound care'),
    shift,
    workplace,
    startDate: day,
    endDate: later,
    ...terms,
    payRateMaxUsdHour: fc.constantFrom(50, 60, 95, 95),
    salaryMaxUsdYear: fc.constantFrom(100_000, 120_000, 150_000, 150_000),
    contact: text,
  },
  placement: {
    onetCode,
    ref: found.ref,
    candidateId: target,
    jobOrderId: target,
    startDate: day,
    plannedEndDate: later,
    note: text,
    feeModel: fc.constantFrom('perm-fee', 'other'),
    guaranteeDays: fc.constantFrom(1, 30, 89, 90),
    billRateUsdHour: rate,
    payRateUsdHour: rate,
    hoursPerWeek: hours,
  },
};
const required = ['onetCode', 'name', 'client', 'title', 'candidateId', 'jobOrderId'];
const moves = {
  candidate: fc.constantFrom('withdrawn', 'available', 'placed'),
  jobOrder: fc.constantFrom('closed', 'open', 'filled'),
  placement: fc.constantFrom(
    'interviewing',
    'offered',
    'scheduled',
    'declined',
    'ended-early',
    'completed',
    'proposed',
  ),
};
const ending = { endDate: day, endReason: reason };

/** An end, a correction of one, a removed one, and another planned end. */
const ended: fc.Arbitrary<Members> = fc.oneof(
  fc.record(ending),
  fc.record(ending, { requiredKeys: [] }),
  fc.constant({ endDate: null }),
  fc.record({ plannedEndDate: later }),
);

/** Members that are wrong or unknown. */
const odd = fc.constantFrom<Members>(
  { color: 'red' },
  { onetCode: '99-9999.00' },
  { ref: 'not a ref' },
  { metro: '' },
  { startDate: '2026-02-31', openings: 1.5, skills: [''] },
  { hoursPerWeek: 81, workplace: 'office', credentials: ['CDL A until'] },
);

const merge = (...parts: fc.Arbitrary<Members | undefined>[]) =>
  fc.tuple(...parts).map((all): Members => Object.assign({}, ...all));
const toStatus = (kind: Kind): fc.Arbitrary<Members> => moves[kind].map((status) => ({ status }));
const proposed = weighted<Members>([1, fc.constant({})], [2, fc.constant({ status: 'proposed' })]);

function toNew(kind: Kind): fc.Arbitrary<Members> {
  const requiredKeys = required.filter((name) => name in members[kind]);
  const born = kind === 'placement' ? proposed : fc.constant({});
  return merge(fc.record(members[kind], { requiredKeys }), born, rarely(40, odd));
}

/** Draws an item of a batch, sometimes with members of an export. */
const toItem = (kind: Kind) =>
  merge(toNew(kind), rarely(4, toStatus(kind)), rarely(30, fc.record(ending, { requiredKeys: [] })));

/** Draws a merge patch: some members, sometimes null, and perhaps a move. */
function toPatch(kind: Kind): fc.Arbitrary<Members> {
  const nothing = fc.constantFrom(...Object.keys(members[kind])).map((name): Members => ({ [name]: null }));
  const early = fc
    .tuple(fc.record(ending), fc.constantFrom('ended-early', 'completed'))
    .map(([end, status]): Members => ({ ...end, status }));
  const declined = reason.map((): Members => ({ declineReason: 'client', status: 'declined' }));
  const closed = fc.boolean().map((declineProposals): Members => ({ status: 'closed', declineProposals }));
  return weighted(
    [kind === 'jobOrder' ? 1 : 0, closed],
    [3, merge(fc.record(members[kind], { requiredKeys: [] }), rarely(3, nothing), rarely(20, odd))],
    [3, toStatus(kind)],
    [2, kind === 'placement' ? fc.oneof(early, ended, declined) : toStatus(kind)],
  );
}

const filters = fc.record(
  {
    status: fc.constantFrom(
      'available',
      'placed,available',
      'open',
      'filled,closed',
      'closed',
      'active',
      'x',
    ),
    updatedSince: fc.constantFrom('2026-01-01T00:00:00Z', '2100-01-01T00:00:00+01:00'),
    client: fc.constantFrom('ann', 'zoe'),
    occupation: fc.constantFrom('15-1252.00', '15', '29', '99'),
    skill: fc.constantFrom('typescript', 'models', 'care WOUND'),
    metro: fc.constantFrom('columbus', 'OH'),
    q: fc.constantFrom('wound', 'ann'),
    scope: fc.constantFrom('workspace', 'public'),
  },
  { requiredKeys: [] },
);

const kind = fc.constantFrom(...kinds);
const key = rarely(3, fc.nat({ max: 2 }));
const isStrict = weighted([5, fc.constant(false)], [1, fc.constant(true)]);
const ifMatch = rarely(3, fc.constantFrom('fresh' as const, 'stale' as const));
const isFresh = weighted([12, fc.constant(false)], [1, fc.constant(true)]);
const created = fc.record({ key, isStrict });
const op = <T extends Step['op']>(name: T) => fc.constant(name);
const toItems = (of: Kind) => fc.array(toItem(of), { maxLength: 3 });
const items = fc.record({
  candidate: toItems('candidate'),
  jobOrder: toItems('jobOrder'),
  placement: toItems('placement'),
});
const decision = fc.constantFrom('interview' as const, 'decline' as const);
const dayMs = 86_400_000;
const ms = fc.constantFrom(60_000, dayMs, 45 * dayMs, -3_600_000, 101 * dayMs);

const nothing: Record<Kind, Members[]> = { candidate: [], jobOrder: [], placement: [] };
const newPerson = toNew('candidate').map(
  (one): Record<Kind, Members[]> => ({ ...nothing, candidate: [one] }),
);
const changed: fc.Arbitrary<Changed> = kind.chain((of) =>
  fc.record({
    kind: fc.constant(of),
    target: weighted<Target>([9, fc.record({ of: fc.constant('own' as const), pick })], [1, record]),
    body: toPatch(of),
    revision: rarely(3, fc.constantFrom('fresh' as const, 'stale' as const)),
  }),
);

/** Every kind of call, some more often than others. */
export const step: fc.Arbitrary<Step> = weighted<Step>(
  [
    10,
    kind.chain((of) =>
      fc.record({ op: op('create'), kind: fc.constant(of), body: toNew(of), isFresh, how: created }),
    ),
  ],
  [4, fc.record({ op: op('batch'), items, isFresh, how: created })],
  [
    6,
    fc.record({
      op: op('changes'),
      changes: fc.array(changed, { minLength: 1, maxLength: 3 }),
      items: weighted([2, fc.constant(nothing)], [2, newPerson], [1, items]),
      how: created,
    }),
  ],
  [
    16,
    kind.chain((of) =>
      fc.record({
        op: op('update'),
        kind: fc.constant(of),
        target: record,
        body: toPatch(of),
        how: fc.record({ key, isStrict, ifMatch }),
      }),
    ),
  ],
  [3, fc.record({ op: op('remove'), kind, target: record, how: fc.record({ key, ifMatch }) })],
  [1, fc.record({ op: op('erase'), how: fc.record({ key }) })],
  [4, fc.record({ op: op('repeat'), pick, isOther: fc.boolean() })],
  [5, fc.record({ op: op('share'), pick, isReplaced: fc.boolean() })],
  [
    8,
    fc.record({
      op: op('decide'),
      pick,
      row: pick,
      decision,
      isStale: fc.nat({ max: 5 }).map((chance) => chance === 0),
    }),
  ],
  [3, fc.record({ op: op('list'), kind, filters, limit: fc.constantFrom(1, 3, 20) })],
  [3, fc.record({ op: op('get'), kind, target })],
  [1, fc.record({ op: op('carry'), limit: fc.constantFrom(1, 2, 5, 200), isStrict: fc.boolean() })],
  [1, fc.record({ op: op('pass'), ms })],
);
