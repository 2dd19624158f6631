import type { ShortlistLink } from '../job-orders/shortlist-links.ts';
import { Refusal } from '../kernel/refusal.ts';
import { placement } from '../placements/placement.ts';
import type { PlacementRecord, ShortlistComment } from '../placements/placement-record.ts';
import type { Change } from '../workspace/change.ts';
import type { Entry } from '../workspace/record.ts';
import { mostComments } from './decision-rules.ts';
import { shortlistRefusals } from './refusals.ts';

/** Names a link in the comments that came through it. It is the beginning of the hash of its token. */
const nameLink = ({ token }: ShortlistLink): string => token.slice(0, 12);

const readComments = ({ evidence }: PlacementRecord): readonly ShortlistComment[] => evidence?.comments ?? [];

function refuseTooMany(fact: PlacementRecord, link: ShortlistLink, change: Change): void {
  const isOfLink = (one: ShortlistComment) => one.link === nameLink(link);
  const all = change.listReferring(placement.name, fact.jobOrderId) as PlacementRecord[];
  const ofLink = all.reduce((count, one) => count + readComments(one).filter(isOfLink).length, 0);
  const isFull = readComments(fact).length >= mostComments.placement || ofLink >= mostComments.link;
  if (isFull) throw new Refusal(shortlistRefusals.too_many_comments);
}

/**
 * Adds a comment to a placement. It moves nothing, and the revision of the placement stays, so that a decision of another
 * reviewer still counts. Returns whether it was added: the last comment of a link is not repeated. Throws the Refusal
 * `too_many_comments`.
 */
export function addComment(
  was: Entry,
  { comment, link }: { comment: string; link: ShortlistLink },
  change: Change,
): boolean {
  const fact = was.record as PlacementRecord;
  const comments = readComments(fact);
  const last = comments.findLast((one) => one.link === nameLink(link));
  if (last?.comment === comment) return false;
  refuseTooMany(fact, link, change);
  const { reviewer } = link;
  const added: ShortlistComment = {
    at: change.now,
    comment,
    ...(reviewer !== undefined && { reviewer }),
    link: nameLink(link),
  };
  change.put(
    placement.name,
    { ...fact, evidence: { ...fact.evidence, comments: [...comments, added] } },
    was,
  );
  return true;
}
