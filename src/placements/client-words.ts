import * as v from 'valibot';
import { may, named, say, Time, toIsoTime } from '../kernel/text.ts';
import type { RecordChange } from '../records/kind/kind.ts';
import type { PlacementRecord, StoredOutcome } from './placement-record.ts';

/** The most characters of a comment. */
export const longestComment = 500;

const Comment = named(
  v.object({
    at: Time,
    comment: say(v.pipe(v.string(), v.maxLength(longestComment)), 'The text.'),
    reviewer: may(v.string(), 'Whose link it came through.'),
  }),
  'ShortlistComment',
  'A comment of the client.',
);

/** The member of a placement that lists comments. */
export const commentsEntry = may(v.array(Comment), 'What the client said on a shortlist.');

/** Presents the comments on a placement, oldest first. */
export const presentComments = ({ evidence }: PlacementRecord) =>
  (evidence?.comments ?? []).map(({ link: _, at, ...rest }) => ({ at: toIsoTime(at), ...rest }));

const isDeclinedByClient = ({ asked, declineReason }: PlacementRecord): boolean =>
  asked === 'declined' && declineReason === 'client';

/**
 * Returns what is stored with a placement after a change of it. Comments belong to its candidate and its job order. A
 * decline of the client keeps the credentials that the candidate had.
 */
export function reviseClientWords(
  { before, after, view }: RecordChange<PlacementRecord>,
  outcome: StoredOutcome = {},
): StoredOutcome {
  const isSamePair = before.candidateId === after.candidateId && before.jobOrderId === after.jobOrderId;
  // Members stay in their order, because a record is compared with the one before by its JSON.
  const evidence = { ...outcome };
  if (!isSamePair) delete evidence.comments;
  if (!isSamePair || !isDeclinedByClient(after)) delete evidence.declinedWith;
  if (isDeclinedByClient(after) && !isDeclinedByClient(before)) {
    const person = view.find('candidate', after.candidateId) as { credentials?: string[] } | undefined;
    evidence.declinedWith = person?.credentials ?? [];
  }
  return evidence;
}
