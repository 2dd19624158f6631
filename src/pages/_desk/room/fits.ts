import { endStatuses } from '../../../placements/stages.ts';
import { type Evidence, listObjections, sortEvidence } from '../../_fit/evidence.ts';
import type { FoundMatch, NamedPlacement, PageRecord } from '../state/model.ts';

/** A person, as far as the lists of the desk state them. */
export interface FitPerson extends Partial<PageRecord> {
  id: string;
  name: string;
  title?: string;
  metro?: string;
  shifts?: string[];
  payRateUsdHour?: number;
  salaryUsdYear?: number;
  /** Null if a placement without an end holds the person. */
  freeFrom?: string | null;
}

/** An order, as far as the lists of the desk state it. */
export interface FitOrder extends Partial<PageRecord> {
  id: string;
  title: string;
  client: string;
  metro?: string;
  requires?: string[];
  openings?: number;
  openingsLeft?: number;
  startDate?: string;
  endDate?: string;
  payRateUsdHour?: number;
  payRateMaxUsdHour?: number;
}

/** Who proposed a person, and when. */
export interface Proposer {
  name: string;
  at: string;
}

/** A person and an order, with what is known of the two together. */
export interface Fit {
  person: FitPerson;
  order: FitOrder;
  /** Undefined if the service did not compare them. */
  match: FoundMatch | undefined;
  /** The placement of the pair that is not over or, without one, the newest. */
  placement: NamedPlacement | undefined;
  proposer: Proposer | undefined;
}

/** The fits of a record, best first, and what the service says of their scores. */
export interface FitList {
  /** The id of the order or the person. */
  of: string;
  rows: readonly Fit[];
  /** How many more pairs the service compared than are listed. */
  more: number;
  words: string;
}

/** Returns the id of the row of a fit. */
export const keyOf = ({ person, order, placement }: Fit): string =>
  placement?.id ?? `${person.id}-${order.id}`;

export const nameOfJob = ({ title, client }: FitOrder): string => `${title} at ${client}`;

const isOver = (status: string) => status === 'declined' || endStatuses.includes(status);

/** Whether a placement of the pair is neither declined nor over. */
export const isCurrent = ({ placement }: Fit): boolean =>
  placement !== undefined && !isOver(placement.status);

/** Returns the newest placement of a pair that is not over or, if all are over, the newest. They are newest first. */
export const findCurrent = (placements: readonly NamedPlacement[]): NamedPlacement | undefined =>
  placements.find(({ status }) => !isOver(status)) ?? placements[0];

/** Says why a must-have is not met, in the words that follow it. */
const explainMissing = (phrase: string, text: string): string =>
  text.startsWith(`"${phrase}" `) ? text.slice(phrase.length + 3) : 'not shown';

/** Returns what speaks for and against a fit. The first of `unmet` are the must-haves that are missing. */
export function readEvidence({ match, order }: Pick<Fit, 'match' | 'order'>): Evidence | undefined {
  if (!match) return undefined;
  const { requires = [] } = order;
  const missing = requires
    .filter((phrase) => !match.met.some((one) => one.phrase === phrase))
    .map((phrase) => ({ phrase }));
  const sorted = sortEvidence({ ...match, missing });
  const toMissing = ({ phrase }: { phrase: string }, index: number) => ({
    phrase,
    why: explainMissing(phrase, match.unmet[index] ?? ''),
  });
  return { ...sorted, missing: sorted.missing.map(toMissing) };
}

/** The groups of a list, in their order. A fit without a placement that is live belongs to `fitting`. */
export const fitGroups = {
  proposed: 'Proposed',
  deciding: 'Interviews and offers',
  working: 'Accepted',
  fitting: 'Not proposed',
  over: 'Declined or over',
} as const;

export type FitGroup = keyof typeof fitGroups;

function findGroup(fit: Fit): FitGroup {
  const { status } = fit.placement ?? {};
  if (status === undefined) return 'fitting';
  if (status === 'proposed') return 'proposed';
  if (status === 'interviewing' || status === 'offered') return 'deciding';
  return isCurrent(fit) ? 'working' : 'over';
}

/** Groups fits, and leaves each group in the order of the list. */
export const groupFits = (fits: readonly Fit[]): ReadonlyMap<FitGroup, Fit[]> => {
  const grouped = Map.groupBy(fits, findGroup);
  const names = Object.keys(fitGroups) as FitGroup[];
  return new Map(names.flatMap((name) => (grouped.has(name) ? [[name, grouped.get(name)!] as const] : [])));
};

/** Says that an order has no opening for one more person. `taken` is how many are about to get one. */
function listFull({ openings, openingsLeft }: FitOrder, taken: number): string[] {
  if (openings === undefined || openingsLeft === undefined || openingsLeft > taken) return [];
  return [openings === 1 ? 'The one opening is taken' : `All ${openings} openings are taken`];
}

/** Lists in words what speaks against accepting a person. `taken` is how many others are about to be accepted. */
export const listConflicts = (fit: Fit, taken = 0): string[] => [
  ...listFull(fit.order, taken),
  ...listObjections(readEvidence(fit) ?? sortEvidence({ met: [], missing: [], unmet: [] })),
];

/**
 * Returns the fits that were compared and that nothing speaks against, at most as many as there are openings. The first of
 * the list come first.
 */
export function pickWithoutConflicts(fits: readonly Fit[], taken = 0): Fit[] {
  const picked: Fit[] = [];
  for (const fit of fits)
    if (fit.match && listConflicts(fit, taken + picked.length).length === 0) picked.push(fit);
  return picked;
}
