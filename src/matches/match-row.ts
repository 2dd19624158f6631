import * as v from 'valibot';
import { say } from '../kernel/text.ts';
import { placement } from '../placements/placement.ts';
import type { PlacementRecord } from '../placements/placement-record.ts';
import { readStatus } from '../placements/status.ts';
import { splitValues } from '../records/kind/filters.ts';
import { createIdSchema, type Kind } from '../records/kind/kind.ts';
import { listMembersWith } from '../records/kind/member.ts';
import { pickNamed, showsMember } from '../records/read/pick-fields.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { type Match, matchEntries } from './match.ts';

/** The members of a body that a match shows of a record. */
const listBodyMembers = ({ members }: Kind) => [
  'onetCode',
  ...listMembersWith(members, ({ isInSummary }) => isInSummary === true),
];

/** The members that a match shows of a record, besides its links. */
export const summaryOf = (kind: Kind) => ['id', 'ref', ...listBodyMembers(kind), 'status', 'example'];

/** The member of a match that names a placement of the pair. */
export const historyEntries = {
  history: v.optional(
    say(
      v.object({
        placementId: createIdSchema(placement.prefix, 'Its id.'),
        status: say(v.picklist(placement.lifecycle.statuses), 'Its status.'),
      }),
      'The newest placement of the pair, if there is one.',
    ),
  ),
};

/** Returns the placements of the record that others are matched with, oldest first. */
export const listPlacementsWith = (id: string, view: View) =>
  view.listReferring(placement.name, id) as PlacementRecord[];

/** Returns the member `history` of a match with a record, if one of the placements is with it. */
export function presentHistory(
  placements: readonly PlacementRecord[],
  otherId: string,
  readDay: (placement: PlacementRecord) => string,
) {
  const newest = placements.findLast(
    ({ candidateId, jobOrderId }) => candidateId === otherId || jobOrderId === otherId,
  );
  return newest && { history: { placementId: newest.id, status: readStatus(newest, readDay(newest)) } };
}

/** A record of which a match shows a summary, and its status. */
interface SummarizedRecord {
  record: StoredRecord;
  status: string;
}

interface MatchedPair extends Match {
  history?: { placementId: string; status: string };
}

/** Returns a function that adds the summary of a record of `kind` to its match. The rest of its row is not made. */
export function createMatchPresenter(kind: Kind) {
  const bodyMembers = listBodyMembers(kind);
  return (match: MatchedPair, { record, status }: SummarizedRecord) => {
    const { id, ref, createdAt } = record;
    return {
      ...match,
      [kind.name]: {
        id,
        ...(ref !== undefined && { ref }),
        ...pickNamed(record, bodyMembers),
        status,
        example: createdAt === undefined,
        links: { self: `${kind.path}/${id}` },
      },
    };
  };
}

/** The members that `fields` can name in the matches of records of `kind`: those of a match, and of its record. */
export const listMatchFields = (kind: Kind): string[] => [
  ...Object.keys(matchEntries),
  ...Object.keys(historyEntries),
  ...summaryOf(kind),
];

const pickMembers = (members: object, isPicked: (name: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => isPicked(name, value)));

/**
 * Returns a function that leaves only some members in a match with a record of `kind`. Each keeps its score, whether it
 * meets, and the id and `example: true` of the record. Without `fields` a match stays as it is.
 */
export function createMatchPicker(kind: Kind, fields: string | undefined) {
  if (fields === undefined) return (match: object) => match;
  const chosen = new Set(splitValues(fields));
  const isKept = (name: string) => name === 'score' || name === 'meets' || chosen.has(name);
  return ({ [kind.name]: record, ...match }: Record<string, unknown>) => ({
    ...pickMembers(match, isKept),
    [kind.name]: pickMembers(record as object, (name, value) => showsMember(name, value, chosen)),
  });
}
