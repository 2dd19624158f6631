import { jobOrder } from '../job-orders/job-order.ts';
import {
  isLinkFor,
  listShortlistLinks,
  mostReviewers,
  presentLinks,
  type ShortlistLink,
  withShortlistLinks,
} from '../job-orders/shortlist-links.ts';
import { cutExcerpt, type Warning } from '../kernel/envelope.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { dayMs, toIsoTime } from '../kernel/text.ts';
import type { MatchContext } from '../matches/matcher.ts';
import { countProposals } from '../placements/holding.ts';
import type { ChangeContext } from '../records/service.ts';
import { bumpRevision, changeRecord } from '../records/write/change.ts';
import { makeOneTimeToken } from '../records/write/one-time-token.ts';
import type { Entry } from '../workspace/record.ts';
import { shortlistRefusals } from './refusals.ts';
import { shortlistToken } from './shortlist.ts';

const lifeMs = 14 * dayMs;

interface ShareInput {
  id: string;
  replace?: boolean | undefined;
  reviewer?: string | undefined;
  anonymous?: boolean | undefined;
  revoke?: boolean | undefined;
}

/** The links of a job order while one of them is made or revoked. */
interface LinksInChange {
  /** Those that have not expired. */
  live: ShortlistLink[];
  /** The one of the reviewer who is named, or the one without a reviewer. It may have expired. */
  own: ShortlistLink | undefined;
}

function readLinks({ record }: Entry, reviewer: string | undefined, now: number): LinksInChange {
  const links = listShortlistLinks(record);
  const live = links.filter(({ expiresAt }) => expiresAt > now);
  return { live, own: links.find((link) => isLinkFor(link, reviewer)) };
}

/** Stores the links of a job order. Those that it had and has no more open nothing from then on. */
function putLinks(was: Entry, links: readonly ShortlistLink[], { change }: ChangeContext): void {
  const kept = new Set(links.map(({ token }) => token));
  const gone = listShortlistLinks(was.record).filter(({ token }) => !kept.has(token));
  change.put(jobOrder.name, bumpRevision(withShortlistLinks(was.record, links), was, change.now), was);
  change.removeTokens(gone.map(({ token }) => token));
}

const nameLink = ({ reviewer }: ShortlistLink): string =>
  reviewer === undefined ? 'one without a reviewer' : `"${cutExcerpt(reviewer)}"`;

/** Throws the Refusal `too_many_reviewers` if a new link would be that of one reviewer too many. */
function refuseTooManyReviewers(others: readonly ShortlistLink[], reviewer: string | undefined): void {
  const named = others.filter((link) => link.reviewer !== undefined);
  if (reviewer === undefined || named.length < mostReviewers) return;
  const reason = `${mostReviewers} reviewers have a link already: ${named.map(nameLink).join(', ')}. Revoke one first: "reviewer" with its name, and "revoke": true.`;
  throw new Refusal(shortlistRefusals.too_many_reviewers, { reason });
}

/** Warns that people may know the names that a new link hides, because a link showed them before. */
function warnOfNamesSeen(earlier: readonly ShortlistLink[]): Warning[] {
  if (earlier.every((link) => link.anonymous)) return [];
  const message = 'hides names from now on; who opened an earlier link of this order may have saved them';
  return [{ code: 'names_seen', path: 'anonymous', message, advice: true }];
}

/**
 * Creates a link to the placements that are proposed for a job order: that of a reviewer, or the one without a reviewer.
 * Throws the Refusal `nothing_proposed` if there is none, `pending` if the one without a reviewer is out and `replace` is
 * not sent, and `too_many_reviewers`.
 */
async function createLink({ id, replace, reviewer, anonymous }: ShareInput, context: MatchContext) {
  const { baseUrl } = context.service.settings;
  const present = (token: string) => ({ shortlist: { token, url: `${baseUrl}/shortlist.html#${token}` } });
  const { hash, secrets } = await makeOneTimeToken(context, shortlistToken, present, id);
  return changeRecord(
    { kind: jobOrder, id },
    context,
    (was, _, changing) => {
      const { change } = changing;
      const { now, head } = change;
      const { live, own } = readLinks(was, reviewer, now);
      if (countProposals(change, id) === 0) throw new Refusal(shortlistRefusals.nothing_proposed);
      // Who names a reviewer has said which link is replaced.
      const isReplaced = replace || reviewer !== undefined;
      if (own && own.expiresAt > now && !isReplaced) throw new Refusal(shortlistRefusals.pending);
      const others = live.filter((link) => link !== own);
      refuseTooManyReviewers(others, reviewer);
      const expiresAt = now + lifeMs;
      const link: ShortlistLink = {
        token: hash,
        expiresAt,
        ...(reviewer !== undefined && { reviewer }),
        ...(anonymous && { anonymous }),
      };
      if (anonymous) change.warn(warnOfNamesSeen(listShortlistLinks(was.record)));
      putLinks(was, [...others, link], changing);
      change.addToken(hash, id, expiresAt);
      const linkExpiresAt = toIsoTime(Math.min(expiresAt, head!.expiresAt));
      return { status: 201, body: { type: 'OK', shortlist: { expiresAt: linkExpiresAt } } };
    },
    { secrets },
  );
}

/** Revokes one link, and replies with those that stay. Throws the Refusal `no_such_link` if that is not out. */
function revokeLink({ id, reviewer }: ShareInput, context: MatchContext): Promise<OperationReply> {
  return changeRecord(
    { kind: jobOrder, id },
    context,
    (was, _, changing) => {
      const { live, own } = readLinks(was, reviewer, changing.change.now);
      if (!own || !live.includes(own)) {
        const out = live.length > 0 ? `Out are: ${live.map(nameLink).join(', ')}.` : 'No link is out.';
        throw new Refusal(shortlistRefusals.no_such_link, { reason: `There is no such link. ${out}` });
      }
      const others = live.filter((link) => link !== own);
      putLinks(was, others, changing);
      return { status: 200, body: { type: 'OK', links: presentLinks(others) } };
    },
    { members: ['revoke'] },
  );
}

/** Creates a link to the shortlist of a job order, or revokes one. */
export const createShortlist = (input: ShareInput, context: MatchContext): Promise<OperationReply> =>
  input.revoke ? revokeLink(input, context) : createLink(input, context);
