import * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import { listSchema, may, parseTime, say, textSchema, toIsoTime } from '../../kernel/text.ts';
import type { StoredRecord, Transition } from '../../workspace/record.ts';

/** A record keeps this many of its last moves. */
export const mostTransitions = 50;

/** Returns the time of a change of a record, in milliseconds. If the clock went back, it is that of the last change. */
export const findChangeTime = ({ createdAt = 0, updatedAt = 0, transitions }: StoredRecord, now: number) =>
  Math.max(now, createdAt, updatedAt, transitions?.at(-1)?.at ?? 0);

const noTime = 'must be an RFC 3339 time such as 2026-11-27T09:00:00Z';

/** The first time that RFC 3339 can write in UTC. */
const firstTime = Date.parse('0000-01-01T00:00:00Z');

/** The time of something that happened before an import. */
export const PastTime = v.pipe(
  v.string('must be a string'),
  v.isoTimestamp(noTime),
  // In UTC, a time with an offset can be before the first.
  v.check((text) => parseTime(text) >= firstTime, noTime),
  v.description('RFC 3339 time in UTC.'),
);

/** Returns the schema of the moves of a record between these statuses, as an export shows them and a batch takes them. */
export function createTransitionsSchema(statuses: readonly string[]) {
  const statusSchema = v.picklist(statuses, `must be one of ${statuses.join(', ')}`);
  const move = v.object(
    {
      at: PastTime,
      from: say(statusSchema, 'The status before.'),
      to: say(statusSchema, 'The status after.'),
      reason: v.optional(
        textSchema(200, 'Reason', 'Why: the reason, endReason or declineReason that was sent.'),
      ),
      by: may(
        v.literal('shortlist', 'must be shortlist, or left out'),
        'It came through the link of a shortlist. Who used that is not known.',
      ),
      reviewer: v.optional(textSchema(80, 'Reviewer', 'Whom that link was for.')),
    },
    'must be an object',
  );
  const list = listSchema(move, mostTransitions, 'moves', 'objects');
  return say(list, 'The moves between statuses that you asked for.');
}

export const explainFuture = (now: number): string => `is in the future; send a time until ${toIsoTime(now)}`;

/** Returns an issue for each sent move that is in the future, and for each that is before the move in front of it. */
export const checkMoveTimes = (moves: readonly Transition[], now: number): Issue[] =>
  moves.flatMap(({ at }, index) => {
    const path = `transitions[${index}].at`;
    if (at > now) return [{ path, message: explainFuture(now) }];
    const previous = moves[index - 1]?.at ?? at;
    if (at >= previous) return [];
    const message = `is before the move in front of it, ${toIsoTime(previous)}; send the oldest move first`;
    return [{ path, message }];
  });
