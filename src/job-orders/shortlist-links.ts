import * as v from 'valibot';
import { may, named, say, Time, toIsoDate, toIsoTime } from '../kernel/text.ts';
import { foldText } from '../kernel/words.ts';
import type { StoredRecord } from '../workspace/record.ts';

/** A link to a shortlist: the SHA-256 of its token, and its expiry in milliseconds since the epoch. */
export interface ShortlistLink {
  token: string;
  expiresAt: number;
  /** Whom it is for. A job order has one link at most without a reviewer. */
  reviewer?: string;
  /** Whether it shows people without their names. */
  anonymous?: true;
}

/**
 * The links of a job order. An earlier release reads `shortlist` alone, and shows names on it. So only a link without a
 * reviewer that shows names is there. The others open nothing in that release.
 */
interface StoredLinks {
  shortlist?: ShortlistLink;
  shortlists?: readonly ShortlistLink[];
}

/** How many reviewers have a link of their own at once. */
export const mostReviewers = 5;

/** Lists the links to the shortlist of a job order. They may have expired. */
export function listShortlistLinks({ evidence }: StoredRecord): ShortlistLink[] {
  const { shortlist, shortlists = [] } = (evidence ?? {}) as StoredLinks;
  return [...(shortlist ? [shortlist] : []), ...shortlists];
}

/** Returns a job order with other links. */
export function withShortlistLinks(record: StoredRecord, links: readonly ShortlistLink[]): StoredRecord {
  const { shortlist: _, shortlists: __, ...rest } = (record.evidence ?? {}) as StoredLinks;
  const shortlist = links.find(({ reviewer, anonymous }) => reviewer === undefined && !anonymous);
  const shortlists = links.filter((link) => link !== shortlist);
  return {
    ...record,
    evidence: { ...rest, ...(shortlist && { shortlist }), ...(shortlists.length > 0 && { shortlists }) },
  };
}

/** Whether a link is for a reviewer, whose name is compared without case and accents. */
export const isLinkFor = (link: ShortlistLink, reviewer: string | undefined): boolean =>
  link.reviewer === undefined || reviewer === undefined
    ? link.reviewer === reviewer
    : foldText(link.reviewer) === foldText(reviewer);

export const ShortlistLinks = say(
  v.array(
    named(
      v.object({
        expiresAt: Time,
        reviewer: may(v.string(), 'Whose it is.'),
        anonymous: may(v.literal(true), 'It shows no names.'),
      }),
      'ShortlistLink',
      'A link.',
    ),
  ),
  'The links that are out.',
);

/** The member of a job order that says which links are out. */
export const shortlistEntry = may(
  v.object({ expiresAt: Time, links: ShortlistLinks }),
  'There while a link lives; that ends with the workspace at the latest.',
);

export const presentLinks = (links: readonly ShortlistLink[]) =>
  links.map(({ token: _, expiresAt, ...rest }) => ({ ...rest, expiresAt: toIsoTime(expiresAt) }));

/** Presents the links of a job order that live on a UTC day, for its holder. `expiresAt` is the latest end. */
export function presentShortlistLinks(record: StoredRecord, today: string): object {
  const links = listShortlistLinks(record).filter(({ expiresAt }) => toIsoDate(expiresAt) >= today);
  if (links.length === 0) return {};
  const expiresAt = toIsoTime(Math.max(...links.map((link) => link.expiresAt)));
  return { shortlist: { expiresAt, links: presentLinks(links) } };
}
