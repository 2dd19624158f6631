import * as fc from 'fast-check';
import { codes, type KindName, kindNames, kindOf } from './members.ts';

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
export const kind = fc.constantFrom<KindName>(...kindNames);
/** Mostly nothing: once in so many times. */
export const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: times - 1 }, { arbitrary, weight: 1 });

const words = ['TypeScript', 'Data Models', 'Wound Care', 'Go'];
const metros = ['Columbus, OH', 'Austin, TX'];
const day = fc.constantFrom(-200, -91, -90, -89, -10, -1, 0, 1, 30);
const code = fc.oneof({ arbitrary: fc.constant(codes[0]), weight: 5 }, fc.constantFrom(...codes));
const ref = fc.constantFrom('a', 'b', 'c', 'd.1', 'e', 'f', 'g', 'h');
const common = {
  skills: fc.subarray(words, { maxLength: 2 }),
  metro: fc.constantFrom(...metros),
};
const shifts = ['day', 'evening', 'night', 'weekend'];
const text = fc.constantFrom('Ann', 'Bob', 'Zoë "\\\u2028');

/** A member that is wrong, or not known. */
const odd = fc.constantFrom<object>(
  { color: 'red' },
  { onetCode: '99-9999.00' },
  { ref: 'not a ref' },
  { metro: '' },
  { startDate: '2026-02-31', openings: 1.5, skills: [''] },
);

/** What is sent of each kind, references and days still to be found; `startDate` counts from today. */
const members: Record<KindName, Record<string, fc.Arbitrary<unknown>>> = {
  candidate: {
    name: text,
    onetCode: code,
    ...common,
    credentials: fc.subarray(['Pennsylvania RN licence', 'Class A CDL', 'CDL B'], { maxLength: 2 }),
    shifts: fc.subarray(shifts, { maxLength: 2 }),
    availableFrom: day,
    ref,
  },
  jobOrder: {
    client: text,
    title: text,
    onetCode: code,
    openings: fc.integer({ min: 1, max: 3 }),
    billRateUsdHour: fc.constantFrom(0.5, 95, 10_000),
    ...common,
    requires: fc.subarray(['RN license - PA', 'CDL A', 'wound care'], { maxLength: 1 }),
    shift: fc.constantFrom(...shifts),
    startDate: day,
    endDate: day,
    ref,
  },
  placement: {
    candidateId: target,
    jobOrderId: target,
    onetCode: code,
    startDate: day,
    plannedEndDate: day,
    note: text,
    feeModel: fc.constantFrom('perm-fee', 'other'),
    ref,
  },
};
const required: Record<KindName, string[]> = {
  candidate: ['name', 'onetCode'],
  jobOrder: ['client', 'title', 'onetCode'],
  placement: ['candidateId', 'jobOrderId', 'onetCode'],
};

export type Members = Record<string, unknown>;

function withOdd(body: fc.Arbitrary<Members>): fc.Arbitrary<Members> {
  return fc.tuple(body, rarely(odd, 40)).map(([one, more]) => ({ ...one, ...more }));
}

/** A body that creates one; half of the placements are proposed, and a few in a stage that no create takes. */
export const toCreate = (of: KindName): fc.Arbitrary<Members> => {
  const born =
    of === 'placement'
      ? [fc.constant({ status: 'proposed' }), rarely(fc.constant({ status: 'offered' }), 9)]
      : [];
  const one = fc.record(members[of], { requiredKeys: required[of] });
  const said = fc.oneof(fc.constant({}), ...born);
  return withOdd(fc.tuple(one, said).map(([all, more]) => ({ ...all, ...more })));
};

const ending = {
  endDate: day,
  endReason: fc.constantFrom('candidate-left', 'client-ended', 'cancelled', 'other'),
};
const decline = { declineReason: fc.constantFrom('client', 'candidate', 'closed', 'other') };

/** An item of a batch: now and then with what an export says of it. */
export const toItem = (of: KindName): fc.Arbitrary<Members> => {
  const asked = fc.constantFrom(...kindOf[of].statuses).map((status) => ({ status }));
  const early = fc.record({ ...ending, status: fc.constant('ended-early') });
  const more: fc.Arbitrary<Members> =
    of === 'placement' ? fc.oneof(asked, { arbitrary: early, weight: 4 }, fc.record(ending)) : asked;
  return fc.tuple(toCreate(of), rarely(more, 4)).map(([one, said]) => ({ ...one, ...said }));
};

/** A merge patch: some members, null for one of them now and then, and perhaps a move. */
export const toPatch = (of: KindName): fc.Arbitrary<Members> => {
  const some = fc.record(members[of], { requiredKeys: [] });
  const nothing = fc.constantFrom(...Object.keys(members[of])).map((name) => ({ [name]: null }));
  const status = fc.constantFrom(...kindOf[of].statuses, 'nonesuch').map((to) => ({ status: to }));
  const end =
    of === 'placement' ? fc.record({ ...ending, ...decline }, { requiredKeys: [] }) : fc.constant({});
  const early =
    of === 'placement'
      ? [
          fc.record(ending).map((all) => ({ ...all, status: 'ended-early' })),
          fc.record(decline, { requiredKeys: [] }).map((all) => ({ ...all, status: 'declined' })),
          fc.constantFrom('interviewing', 'offered', 'scheduled').map((status) => ({ status })),
        ]
      : [];
  const derived = fc.constantFrom<object>({ id: 'x' }, { links: {} }, { createdAt: 'x' }, { revision: 9 });
  return withOdd(
    fc.oneof(
      some,
      { arbitrary: status as fc.Arbitrary<Members>, weight: 2 },
      ...early,
      fc
        .tuple(some, rarely(nothing, 2), rarely(status, 2), rarely(end, 2))
        .map((all) => Object.assign({}, ...all)),
      rarely(derived, 3).map((all) => ({ ...all })),
    ) as fc.Arbitrary<Members>,
  );
};

const ofList = {
  status: fc.constantFrom('available', 'placed', 'open', 'filled', 'closed', 'active', 'ended-early', 'x'),
  occupation: fc.constantFrom('15-1252.00', '15-1252', '15', '29', '99'),
  skill: fc.constantFrom('typescript', 'data model', 'models', 'types', 'care WOUND', 'go'),
  metro: fc.constantFrom('columbus', 'Austin, TX', 'OH', 'Aus'),
  shift: fc.constantFrom(...shifts),
  credential: fc.constantFrom('RN license - PA', 'CDL A'),
  q: fc.constantFrom('wound', 'ann'),
  candidateId: target,
  jobOrderId: target,
  scope: fc.constantFrom('workspace', 'public'),
};

/** What a list is asked, one or two things of many; a target stands for an id. */
export const filters = fc
  .tuple(fc.subarray(Object.keys(ofList), { maxLength: 2 }), fc.record(ofList))
  .map(([names, all]) => Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))));
