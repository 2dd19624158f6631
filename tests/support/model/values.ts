import * as fc from 'fast-check';
import { endingMembers, type KindName, kindNames, kindOf, membersOf, shiftNames, target } from './members.ts';

export const kind = fc.constantFrom<KindName>(...kindNames);
/** Mostly nothing: once in so many times. */
export const rarely = <T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: times - 1 }, { arbitrary, weight: 1 });

/** A member that is wrong, or not known. */
const odd = fc.constantFrom<object>(
  { color: 'red' },
  { onetCode: '99-9999.00' },
  { ref: 'not a ref' },
  { metro: '' },
  { startDate: '2026-02-31', openings: 1.5, skills: [''] },
);

const drawsOf = (members: (typeof membersOf)[KindName]) =>
  Object.fromEntries(Object.entries(members).map(([name, { draw }]) => [name, draw]));
const draws = Object.fromEntries(kindNames.map((name) => [name, drawsOf(membersOf[name])])) as Record<
  KindName,
  Record<string, fc.Arbitrary<unknown>>
>;
const { declineReason, ...ending } = drawsOf(endingMembers);
const decline = { declineReason: declineReason! };

export type Members = Record<string, unknown>;

function withOdd(body: fc.Arbitrary<Members>): fc.Arbitrary<Members> {
  return fc.tuple(body, rarely(odd, 40)).map(([one, more]) => ({ ...one, ...more }));
}

/** A body that creates one; half of the placements are proposed, and a few in a stage that no create takes. */
export const toCreate = (of: KindName): fc.Arbitrary<Members> => {
  const required = Object.entries(membersOf[of]).flatMap(([name, one]) => (one.isOptional ? [] : [name]));
  const born =
    of === 'placement'
      ? [fc.constant({ status: 'proposed' }), rarely(fc.constant({ status: 'offered' }), 9)]
      : [];
  const one = fc.record(draws[of], { requiredKeys: required });
  const said = fc.oneof(fc.constant({}), ...born);
  return withOdd(fc.tuple(one, said).map(([all, more]) => ({ ...all, ...more })));
};

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
  const some = fc.record(draws[of], { requiredKeys: [] });
  const nothing = fc.constantFrom(...Object.keys(draws[of])).map((name) => ({ [name]: null }));
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
  shift: fc.constantFrom(...shiftNames),
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
