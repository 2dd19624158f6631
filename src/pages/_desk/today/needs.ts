import { countDaysBetween, formatAmount, formatCount, toSentenceCase } from '../../_scripts/format.ts';
import { formatAge } from '../common/age.ts';
import { describeCourse } from '../common/course.ts';
import { cutEnd, describeEnd, type EndingCredential } from '../common/ending.ts';
import type { ListPage, NamedPlacement, PageRecord, Placement } from '../state/model.ts';

/** How many days ahead Today looks. */
export const daysAhead = 7;

/** What a person does about a need. */
export type NeedAction =
  | 'state'
  | 'ask'
  | 'restate'
  | 'start'
  | 'offer'
  | 'accept'
  | 'review'
  | 'share'
  | 'open';

/** A record that needs a person. */
export interface Need {
  id: string;
  kind: 'placement' | 'jobOrder' | 'candidate';
  /** The name of the person, or the title of the order. */
  name: string;
  /** The job and the client. */
  of: string;
  what: string;
  /** The time that `what` states as an age, if it does. */
  at?: string | undefined;
  status: string;
  action: NeedAction;
  /** How many people it is about. */
  people: number;
}

/** The records that may need a person. */
export interface NeedsPages {
  /** Placements whose outcome must be validated within a week. */
  due: ListPage;
  /** Placements that are interviewing or offered. */
  deciding: ListPage;
  /** Placements that are proposed. */
  proposed: ListPage;
  /** Placements that are scheduled or active. */
  working: ListPage;
  /** Job orders that are open or filled. */
  orders: ListPage;
  /** People with a credential that ends soon. */
  ending: ListPage;
}

interface Order extends PageRecord {
  client: string;
  title: string;
  startDate?: string;
  openings: number;
  openingsLeft: number;
  proposals: number;
  shortlist?: { expiresAt: string };
}

/** Groups of needs, the most urgent first. */
const urgencies = ['now', 'waiting', 'soon', 'later'] as const;

/** `order` sorts the needs of one group: days, or milliseconds since the epoch. */
type Ranked = Need & { urgency: (typeof urgencies)[number]; order: number };

/** A deadline of today or tomorrow goes before people who wait, and any other deadline after them. */
const toUrgency = (days: number) => (days <= 1 ? 'now' : 'soon');

/** Formats an age within a sentence: `just now`, `3 days ago`, `on 22 Nov 2026`. */
function describeAge(at: string, now: number): string {
  const age = formatAge(at, now);
  if (age === 'now') return 'just now';
  return /\d{4}$/.test(age) ? `on ${age}` : age;
}

const describePlacement = ({ id, status, candidateName, candidateId, title, client }: NamedPlacement) => ({
  id,
  kind: 'placement' as const,
  status,
  name: candidateName ?? candidateId,
  of: [title, client].filter((text) => text !== null).join(', '),
  people: 1,
});

function findDueNeed(row: NamedPlacement, today: string): Ranked | undefined {
  const { daysLeft, next, words } = describeCourse(row, today);
  if (daysLeft === undefined || daysLeft > daysAhead || next === undefined || next === 'start')
    return undefined;
  const left =
    daysLeft === 0
      ? 'Today is the last day to validate it'
      : `${formatAmount(daysLeft, 'day')} left to validate it`;
  const need = { ...describePlacement(row), what: `${left}. ${words}`, action: next };
  return { ...need, urgency: toUrgency(daysLeft), order: daysLeft };
}

function describeDecision({ status, transitions }: NamedPlacement, age: string): string {
  const { by } = (transitions?.at(-1) ?? {}) as { by?: string };
  if (status === 'offered') return `Offered ${age}, and not accepted or declined yet.`;
  return by === 'shortlist' ? `The client asked to interview ${age}.` : `Interviewing, noted ${age}.`;
}

function findDecisionNeed(row: NamedPlacement, now: number): Ranked {
  const at = row.transitions?.at(-1)?.at ?? row.createdAt!;
  return {
    ...describePlacement(row),
    what: describeDecision(row, describeAge(at, now)),
    at,
    action: row.status === 'offered' ? 'accept' : 'offer',
    urgency: 'waiting',
    order: Date.parse(at),
  };
}

function describeStart(days: number): string {
  if (days < 0) return `Should have started ${formatAmount(-days, 'day')} ago`;
  if (days < 2) return days === 0 ? 'Starts today' : 'Starts tomorrow';
  return `Starts in ${days} days`;
}

interface EndingPerson extends PageRecord {
  name: string;
  title?: string;
  expiring: EndingCredential[];
}

/** Returns the need of a person whose credential ends within the next days. One that has ended is no news. */
function findEndingNeed({ id, status, name, title = '', expiring }: EndingPerson, today: string) {
  const next = expiring.find(({ until }) => until >= today);
  if (!next) return undefined;
  const days = countDaysBetween(today, next.until);
  const need: Ranked = {
    id,
    kind: 'candidate',
    status,
    name,
    of: title,
    what: `${toSentenceCase(describeEnd(next.until, today))}: ${cutEnd(next.credential)}.`,
    action: 'open',
    people: 1,
    urgency: days > daysAhead ? 'later' : toUrgency(days),
    order: days,
  };
  return need;
}

/** Says who proposed people for each order: one, or several. */
function nameProposers({ rows }: ListPage): ReadonlyMap<string, string> {
  const named = rows as (Placement & { proposer?: string })[];
  const byOrder = Map.groupBy(named, ({ jobOrderId }) => jobOrderId);
  return new Map(
    [...byOrder].map(([id, placements]) => {
      const names = [...new Set(placements.map(({ proposer }) => proposer))];
      return [id, names.length === 1 ? (names[0] ?? '') : ''];
    }),
  );
}

/** Counts the placements of each order. */
function countByOrder({ rows }: ListPage): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { jobOrderId } of rows as Placement[]) counts.set(jobOrderId, (counts.get(jobOrderId) ?? 0) + 1);
  return counts;
}

/** Returns what an order needs that holds more people than it has openings. */
function findSurplusNeed(order: Order, working: number): Ranked | undefined {
  const { id, status, title, client, openings } = order;
  if (working <= openings) return undefined;
  const what = `${formatAmount(working, 'person', 'people')} for ${formatAmount(openings, 'opening')}. End a placement, or raise the openings.`;
  const need = { id, kind: 'jobOrder' as const, status, name: title, of: client, people: 1 };
  return { ...need, what, action: 'open', urgency: 'now', order: -1 };
}

/** Returns what an accepted placement needs that has no start. */
function findStartNeed(row: NamedPlacement): Ranked | undefined {
  if (row.startDate !== undefined) return undefined;
  const what = 'Accepted, and no start is known.';
  return { ...describePlacement(row), what, action: 'start', urgency: 'soon', order: daysAhead };
}

/** How many people are proposed for an order, and by whom, if that is known and one. */
interface Proposals {
  proposed: number;
  proposer: string;
}

const describeProposals = ({ proposed, proposer }: Proposals) =>
  proposer ? `${proposer} proposed ${formatCount(proposed)}` : `${formatCount(proposed)} proposed`;

/** Returns what an order needs that starts soon and has openings, or for which people are proposed. */
function findOrderNeed(order: Order, { proposed, proposer }: Proposals, today: string): Ranked | undefined {
  const { id, status, title, client, startDate, openings, openingsLeft, shortlist } = order;
  const need = {
    id,
    kind: 'jobOrder' as const,
    status,
    name: title,
    of: client,
    people: Math.max(1, proposed),
  };
  const people = proposed > 0 ? describeProposals({ proposed, proposer }) : 'no one is proposed';
  if (status !== 'open') {
    if (proposed === 0) return undefined;
    return {
      ...need,
      what: `${people}. It is filled already.`,
      action: 'review',
      urgency: 'later',
      order: 0,
    };
  }
  const days = startDate === undefined ? undefined : countDaysBetween(today, startDate);
  const linkWords = shortlist ? 'The client has a link, too' : 'The client has no link';
  if (days !== undefined && days <= daysAhead && openingsLeft > 0) {
    const left = `${formatCount(openingsLeft)} of ${formatAmount(openings, 'opening')} left`;
    return {
      ...need,
      what: `${describeStart(days)}, ${left}, ${people}.`,
      action: proposed > 0 ? 'review' : 'open',
      urgency: toUrgency(days),
      order: days,
    };
  }
  if (proposed === 0) return undefined;
  const left = `${formatCount(openingsLeft)} of ${formatAmount(openings, 'opening')} left`;
  const what = `${people}, ${left}. ${linkWords}.`;
  return { ...need, what, action: 'review', urgency: 'waiting', order: -proposed };
}

/** Lists what needs a person, the most urgent first, each record once. `now` is in milliseconds since the epoch. */
export function listNeeds(pages: NeedsPages, today: string, now: number): Need[] {
  const { due, deciding, proposed, working, orders, ending } = pages;
  const [proposals, atWork] = [countByOrder(proposed), countByOrder(working)];
  const proposers = nameProposers(proposed);
  const needs = [
    ...(due.rows as NamedPlacement[]).map((row) => findDueNeed(row, today)),
    ...(deciding.rows as NamedPlacement[]).map((row) => findDecisionNeed(row, now)),
    ...(working.rows as NamedPlacement[]).map(findStartNeed),
    ...(ending.rows as EndingPerson[]).map((row) => findEndingNeed(row, today)),
    ...(orders.rows as Order[]).map(
      (row) =>
        findSurplusNeed(row, atWork.get(row.id) ?? 0) ??
        findOrderNeed(
          row,
          { proposed: proposals.get(row.id) ?? 0, proposer: proposers.get(row.id) ?? '' },
          today,
        ),
    ),
  ].filter((need) => need !== undefined);
  const rank = ({ urgency }: Ranked) => urgencies.indexOf(urgency);
  return needs.toSorted((a, b) => rank(a) - rank(b) || a.order - b.order);
}

/** Says which records were not read, because a list has more than one page. */
export function listUnread({ due, deciding, proposed, orders, ending }: NeedsPages): string[] {
  const lists = [
    { page: proposed, words: 'proposals' },
    { page: due, words: 'placements that are due' },
    { page: deciding, words: 'interviews and offers' },
    { page: orders, words: 'open job orders' },
    { page: ending, words: 'people with licences that end' },
  ];
  return lists
    .filter(({ page }) => page.total > page.rows.length)
    .map(
      ({ page, words }) =>
        `Only the newest ${formatCount(page.rows.length)} of ${formatCount(page.total)} ${words} are looked at.`,
    );
}
