import { countDaysBetween, formatAmount, formatCount } from '../../_scripts/format.ts';
import { formatAge } from '../common/age.ts';
import { describeCourse } from '../common/course.ts';
import type { ListPage, PageRecord, Placement } from '../state/model.ts';

/** How many days ahead Today looks. */
export const daysAhead = 7;

/** What a person does about a need. */
export type NeedAction = 'state' | 'ask' | 'restate' | 'offer' | 'accept' | 'share' | 'open';

/** A record that needs a person. */
export interface Need {
  id: string;
  kind: 'placement' | 'jobOrder';
  /** The name of the person, or the title of the order. */
  name: string;
  /** The job and the client. */
  of: string;
  what: string;
  /** The time that `what` states as an age, if it does. */
  at?: string | undefined;
  status: string;
  action: NeedAction;
}

/** The records that may need a person. */
export interface NeedsPages {
  /** Placements whose outcome must be validated within a week. */
  due: ListPage;
  /** Placements that are interviewing or offered. */
  deciding: ListPage;
  /** Open job orders. */
  orders: ListPage;
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

interface NamedPlacement extends Placement {
  candidateName: string | null;
  client: string | null;
  title: string | null;
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

/** Counts the placements of each order that are interviewing or offered. */
function countDeciding({ rows }: ListPage): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { jobOrderId } of rows as Placement[]) counts.set(jobOrderId, (counts.get(jobOrderId) ?? 0) + 1);
  return counts;
}

/**
 * Returns what an order needs: people because it starts soon, or a client who decides on those who are proposed. `proposed`
 * is how many are proposed and not further.
 */
function findOrderNeed(order: Order, proposed: number, today: string): Ranked | undefined {
  const { id, status, title, client, startDate, openings, openingsLeft, shortlist } = order;
  const need = { id, kind: 'jobOrder' as const, status, name: title, of: client };
  const isUnasked = proposed > 0 && !shortlist;
  const days = startDate === undefined ? undefined : countDaysBetween(today, startDate);
  if (days !== undefined && days <= daysAhead && openingsLeft > 0) {
    const left = `${formatCount(openingsLeft)} of ${formatAmount(openings, 'opening')} left`;
    const people = proposed > 0 ? `${formatCount(proposed)} proposed` : 'no one is proposed';
    return {
      ...need,
      what: `${describeStart(days)}, ${left}, ${people}.`,
      action: isUnasked ? 'share' : 'open',
      urgency: toUrgency(days),
      order: days,
    };
  }
  if (!isUnasked) return undefined;
  const what = `${formatCount(proposed)} proposed. The client has no link to decide.`;
  return { ...need, what, action: 'share', urgency: 'later', order: -proposed };
}

/** Lists what needs a person, the most urgent first, each record once. `now` is in milliseconds since the epoch. */
export function listNeeds({ due, deciding, orders }: NeedsPages, today: string, now: number): Need[] {
  const counts = countDeciding(deciding);
  const needs = [
    ...(due.rows as NamedPlacement[]).map((row) => findDueNeed(row, today)),
    ...(deciding.rows as NamedPlacement[]).map((row) => findDecisionNeed(row, now)),
    ...(orders.rows as Order[]).map((row) =>
      findOrderNeed(row, Math.max(0, row.proposals - (counts.get(row.id) ?? 0)), today),
    ),
  ].filter((need) => need !== undefined);
  const rank = ({ urgency }: Ranked) => urgencies.indexOf(urgency);
  return needs.toSorted((a, b) => rank(a) - rank(b) || a.order - b.order);
}

/** Says which records were not read, because a list has more than one page. */
export function listUnread({ due, deciding, orders }: NeedsPages): string[] {
  const lists = [
    { page: due, words: 'placements that are due' },
    { page: deciding, words: 'interviews and offers' },
    { page: orders, words: 'open job orders' },
  ];
  return lists
    .filter(({ page }) => page.total > page.rows.length)
    .map(
      ({ page, words }) =>
        `Only the newest ${formatCount(page.rows.length)} of ${formatCount(page.total)} ${words} are looked at.`,
    );
}
