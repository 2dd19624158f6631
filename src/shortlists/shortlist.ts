import type { ObjectEntries } from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { listEndsDuring } from '../job-orders/gate/ending.ts';
import { readNeed } from '../job-orders/gate/need.ts';
import { readOffer } from '../job-orders/gate/offer.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { listShortlistLinks, type ShortlistLink } from '../job-orders/shortlist-links.ts';
import { createEntityTag } from '../kernel/entity-tag.ts';
import { type OperationReply, runSteps } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { toIsoDate, toIsoTime } from '../kernel/text.ts';
import { defineTokenKind } from '../kernel/token.ts';
import type { MatchContext, Matcher } from '../matches/matcher.ts';
import { presentComments } from '../placements/client-words.ts';
import { readAgreedTerms } from '../placements/conflicts.ts';
import { readHeld } from '../placements/holding.ts';
import { placement } from '../placements/placement.ts';
import type { PlacementRecord } from '../placements/placement-record.ts';
import type { Kind } from '../records/kind/kind.ts';
import { listMembersWith } from '../records/kind/member.ts';
import { openView } from '../records/read/in-view.ts';
import { pickNamed } from '../records/read/pick-fields.ts';
import { presentRecord } from '../records/read/view.ts';
import { followToRecord } from '../records/write/one-time-token.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { createNameMask, hideIdentity, listKnownWords } from './anonymous.ts';
import { findDecision, findUndoEnd } from './decision.ts';
import { findEarlierDecline } from './declined-before.ts';
import { shortlistRefusals } from './refusals.ts';

export const shortlistToken = defineTokenKind(
  'shortlist',
  'sl_',
  'The token, `sl_…`, of a shortlist.',
  shortlistRefusals.unknown_shortlist,
);

const listShown = ({ members }: Kind) => listMembersWith(members, ({ client }) => client === 'shown');

/** The members of a job order and a candidate that the client sees: no note, ref, pay or id. */
export const shortlistMembers = {
  jobOrder: [...listShown(jobOrder), 'openingsLeft', 'status'],
  candidate: listShown(candidate),
};

/** What a candidate asks for is not for the client to see, and does not count in the match that it sees. */
const withheldMembers = listMembersWith(candidate.members, ({ client }) => client === 'withheld');

/** The most placements that are shown: first those to decide on, then the latest decisions. */
const mostShown = 100;

/** Returns the schemas of the named members of a kind. */
export const pickEntries = ({ record }: Kind, names: readonly string[]) =>
  pickNamed(record.entries, names) as ObjectEntries;

export const isShortlisted = (fact: StoredRecord) =>
  fact.asked === 'proposed' || fact.asked === 'interviewing' || findDecision(fact) !== undefined;

const readRevision = ({ revision, createdAt }: StoredRecord) => revision ?? (createdAt === undefined ? 0 : 1);

/** The members of a candidate that the page of the client shows. */
type ShortlistedPerson = {
  name: string;
  title?: string;
  metro?: string;
  skills?: string[];
  shifts?: string[];
  availableFrom?: string;
};

interface Pairing {
  order: StoredRecord;
  view: View;
  matcher: Matcher;
  /** Milliseconds since the epoch. */
  now: number;
  /** The link through which it is read. Without one, names are shown. */
  link?: ShortlistLink;
}

/** Presents the comments on a placement. A link without names hides those of all who are proposed for the order. */
function presentRowComments(fact: StoredRecord, { order, view, link }: Pairing) {
  const comments = presentComments(fact as PlacementRecord);
  if (!link?.anonymous || comments.length === 0) return comments;
  const names = view
    .listReferring(placement.name, order.id)
    .map(({ candidateId }) => String(view.find(candidate.name, String(candidateId))?.name ?? ''));
  const mask = createNameMask(names, listKnownWords(order));
  return comments.map((one) => ({ ...one, comment: mask(one.comment) }));
}

/**
 * Presents a placement to the client. Its tag holds the revisions of the placement, the candidate and the order. Returns
 * undefined if the candidate is gone, or has withdrawn and nothing was decided.
 */
export function presentShortlistRow(fact: StoredRecord, pairing: Pairing) {
  const { order, view, matcher, now, link } = pairing;
  const today = toIsoDate(now);
  const person = view.find(candidate.name, fact.candidateId as string);
  const { decision, reviewer } = findDecision(fact) ?? {};
  if (!person || (person.asked === 'withdrawn' && !decision)) return undefined;
  const held = readHeld(person.id, view, today, fact.id);
  const shown: StoredRecord = link?.anonymous ? hideIdentity(person, listKnownWords(order)) : { ...person };
  for (const name of withheldMembers) delete shown[name];
  const terms = readAgreedTerms(fact as PlacementRecord, order);
  const { score, reasons, met, unmet } = matcher.match(terms, shown, { held });
  const undoEnd = findUndoEnd(fact, view, now);
  // Who knows the day of a decline knows the person.
  const declinedBefore = link?.anonymous ? undefined : findEarlierDecline(fact, { order, person, view });
  const comments = presentRowComments(fact, pairing);
  return {
    id: fact.id,
    status: presentRecord(placement, fact, view, today).status,
    tag: [fact, person, order].map(readRevision).join('.'),
    candidate: pickNamed(shown, shortlistMembers.candidate) as ShortlistedPerson,
    score,
    reasons,
    met,
    missing: matcher.listMissing(terms, shown, { held }),
    unmet,
    endsDuring: listEndsDuring(readNeed(terms), readOffer(shown), held),
    ...(decision && { decision }),
    ...(reviewer !== undefined && { decidedBy: reviewer }),
    ...(undoEnd !== undefined && { undoableUntil: toIsoTime(undoEnd) }),
    ...(declinedBefore && { declinedBefore }),
    ...(comments.length > 0 && { comments }),
  };
}

export type ShortlistRow = NonNullable<ReturnType<typeof presentShortlistRow>>;

/** Leaves out a declined placement if its candidate has another that is newer or not declined. */
function withoutRepeated(shown: readonly StoredRecord[]): StoredRecord[] {
  const newest = new Map<unknown, StoredRecord>();
  for (const fact of shown) {
    const before = newest.get(fact.candidateId);
    const isNewer = !before || before.asked === 'declined' || fact.asked !== 'declined';
    if (isNewer) newest.set(fact.candidateId, fact);
  }
  return shown.filter((fact) => fact.asked !== 'declined' || newest.get(fact.candidateId) === fact);
}

/** Returns the rows of a shortlist: undecided placements first, then those with the least unmet, then by score. */
function* readRows(order: StoredRecord, link: ShortlistLink, context: MatchContext): Steps<ShortlistRow[]> {
  const { platform, matcher } = context.service;
  const view = openView(context);
  const all = view.listReferring(placement.name, order.id);
  const shortlisted = withoutRepeated(
    all.filter((fact) => fact.jobOrderId === order.id && isShortlisted(fact)),
  );
  const decided = shortlisted.filter((fact) => findDecision(fact)).reverse();
  const undecided = shortlisted.filter((fact) => !findDecision(fact));
  const shown = [...undecided, ...decided].slice(0, mostShown);
  const pairing = { order, view, matcher: yield* wait(matcher()), now: platform.now(), link };
  const rows: ShortlistRow[] = [];
  for (const fact of shown) {
    const row = presentShortlistRow(fact, pairing);
    if (row) rows.push(row);
    yield;
  }
  return rows.sort(
    (a, b) =>
      Number(a.decision !== undefined) - Number(b.decision !== undefined) ||
      a.unmet.length - b.unmet.length ||
      b.score - a.score,
  );
}

/** Returns the link of a job order whose token has this hash, unless it has expired. */
export const findLink = (order: StoredRecord, hash: string, now: number): ShortlistLink | undefined =>
  listShortlistLinks(order).find(({ token, expiresAt }) => token === hash && expiresAt > now);

/**
 * Returns the job order of the caller's token and the link, and a context in its workspace without If-Match and strict
 * handling. Its reviewer acts in it. A link without one speaks for the client alone, whatever X-Actor says. Throws the
 * Refusal `unknown_shortlist` if no link has the token, or if that has expired.
 */
export async function openShortlist(context: MatchContext) {
  const { hash, workspace, fact: order } = await followToRecord(context, shortlistToken, jobOrder);
  const link = findLink(order, hash, context.service.platform.now());
  if (!link) throw new Refusal(shortlistToken.unknown);
  const { options: sent } = context;
  const options = { ...sent, actor: link.reviewer, isStrict: false, ifMatch: undefined, revision: undefined };
  return { hash, order, link, context: { ...context, workspace, options } };
}

export const presentShortlistOrder = (order: StoredRecord, view: View, today: string) =>
  pickNamed(presentRecord(jobOrder, order, view, today), shortlistMembers.jobOrder);

/** Replies with the shortlist of a token. The entity tag leaves out the expiry, because any change can move it. */
export async function getShortlist(context: MatchContext): Promise<OperationReply> {
  const { order, link, context: opened } = await openShortlist(context);
  const presentedOrder = presentShortlistOrder(
    order,
    openView(opened),
    toIsoDate(opened.service.platform.now()),
  );
  const placements = await runSteps(opened, readRows(order, link, opened));
  const expiresAt = Math.min(opened.workspace.expiresAt, link.expiresAt);
  return {
    status: 200,
    headers: { ETag: createEntityTag(JSON.stringify([presentedOrder, placements])) },
    body: {
      type: 'OK',
      shortlist: {
        jobOrder: presentedOrder,
        placements,
        expiresAt: toIsoTime(expiresAt),
        ...(link.reviewer !== undefined && { reviewer: link.reviewer }),
        ...(link.anonymous && { anonymous: true }),
      },
    },
    watched: { key: opened.workspace.key, expiresAt },
  };
}
