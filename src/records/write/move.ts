import type { Finding } from '../../kernel/envelope.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Change } from '../../workspace/change.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { remarkNames } from '../activity/remark.ts';
import type { Kind } from '../kind/kind.ts';
import { findChangeTime, mostTransitions } from '../kind/transitions.ts';

interface Move {
  to: string;
  reason?: string | undefined;
  by?: 'shortlist';
  reviewer?: string | undefined;
}

/** A record that is about to leave its status. */
export interface MovingRecord {
  record: StoredRecord;
  from: string;
  change: Change;
}

/** Lists the statuses to which a record can move. */
export const listLegalMoves = ({ lifecycle }: Kind, { record, from, change }: MovingRecord): string[] =>
  lifecycle.moves
    .filter(
      (candidate) =>
        candidate.from.includes(from) && (candidate.isLegal?.(record, from, change, change.today) ?? true),
    )
    .map((candidate) => candidate.to);

/** Throws the Refusal `illegal_transition` if no move of the kind leads to a status. */
export function refuseIllegal(kind: Kind, to: string, moving: MovingRecord): void {
  const { noun, lifecycle } = kind;
  const { record, from } = moving;
  const legal = listLegalMoves(kind, moving);
  if (legal.includes(to)) return;
  const call = lifecycle.describeCall?.(from, record);
  const ways = [lifecycle.hints?.[from], call].filter((way) => way !== undefined);
  const none = ['no move is legal now.', ...ways].join(' ');
  const message = legal.length > 0 ? `legal now: ${legal.join(', ')}` : none;
  throw new Refusal('illegal_transition', {
    reason: `The ${noun} is ${from}; ${message}`,
    issues: [{ path: 'status', message }],
  });
}

/** Adds a move to a record, with its reason and the link that it came through. */
export function recordMove(
  { lifecycle }: Kind,
  { record, from, change: { now } }: MovingRecord,
  move: Move,
): StoredRecord {
  const { stored, details } = lifecycle;
  const sentReason = details?.reasons.map((member) => record[member]).find((text) => text !== undefined);
  const { to, reason = sentReason, by, reviewer } = move;
  const { asked: _, ...rest } = record;
  const at = findChangeTime(record, now);
  const transition = {
    at,
    from,
    to,
    ...(reason !== undefined && { reason }),
    ...(by && { by }),
    ...(reviewer !== undefined && { reviewer }),
  };
  const transitions = [...(record.transitions ?? []), transition].slice(-mostTransitions);
  return { ...rest, transitions, ...(stored.includes(to) && { asked: to }) } as StoredRecord;
}

/** Returns a record after a move. Throws the Refusal `illegal_transition` if the move is not legal. */
export function move(kind: Kind, moving: MovingRecord, sent: Move): StoredRecord {
  refuseIllegal(kind, sent.to, moving);
  return recordMove(kind, moving, sent);
}

/**
 * Returns a record as it was before its last move. Members that came with the move stay. A move that the last one pushed out
 * of the kept ones is not restored. Throws if the record has no move.
 */
export function undoMove({ lifecycle }: Kind, record: StoredRecord): StoredRecord {
  const { asked: _, transitions = [], ...rest } = record;
  const { from } = transitions.at(-1)!;
  const earlier = transitions.slice(0, -1);
  return {
    ...rest,
    ...(earlier.length > 0 && { transitions: earlier }),
    ...(lifecycle.stored.includes(from) && { asked: from }),
  } as StoredRecord;
}

/** Returns whether a patch has an option of the move to a status. */
export const hasMoveOption = (
  { lifecycle: { options = {} } }: Kind,
  patch: Readonly<Record<string, unknown>>,
  status: string,
): boolean => Object.entries(options).some(([name, { to }]) => to === status && patch[name] === true);

/** Warns of a reason or a day of a change that changes nothing. */
export function warnOfLostRemark(patch: Readonly<Record<string, unknown>>): Finding[] {
  return remarkNames.flatMap((path) => {
    if (patch[path] === undefined) return [];
    const message = 'is not kept: the record reads so already, so nothing changes';
    const refusal = 'goes with a change, and the record reads so already; leave it out';
    return [{ code: 'not_taken', path, message, refusal }];
  });
}
