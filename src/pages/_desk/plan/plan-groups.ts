import type { FitPerson } from '../room/fits.ts';
import type { FoundMatch, PageRecord } from '../state/model.ts';

export interface NamedOrder {
  id: string;
  title: string;
}

interface NamedPerson {
  id: string;
  name: string;
}

/** A person that the plan suggests for an order. */
export interface PlanRow {
  jobOrder: NamedOrder;
  candidate: NamedPerson;
  score: number;
  /** What neither states, in words. */
  unknown: string[];
  /** Must-haves that are met at the start, and end before the work does. */
  endsDuring?: { requirement: string; until: string }[];
  /** What proposes the person, unless that is done already or the order has no room for it. */
  placement?: object;
  /** The placement, if the person is proposed for the order already. */
  placementId?: string;
}

/** Openings of an order that stay empty, and why. */
export interface UnfilledRow {
  jobOrder: NamedOrder;
  openings: number;
  reason: string;
}

export interface SuggestedPerson extends Omit<PlanRow, 'jobOrder'> {
  /** Identifies the person and the order. */
  key: string;
}

/** An order of the plan, with the people who are suggested for it. */
export interface PlanGroup {
  order: NamedOrder;
  people: SuggestedPerson[];
  empty: { openings: number; reason: string } | undefined;
}

/** Groups a plan by order: first the orders that start first, last those without a start. */
export function groupPlan(
  plan: readonly PlanRow[],
  unfilled: readonly UnfilledRow[],
  orders: PlanPage['orders'],
): PlanGroup[] {
  const groups = new Map<string, PlanGroup>();
  const find = (order: NamedOrder): PlanGroup => {
    const group = groups.get(order.id) ?? { order, people: [], empty: undefined };
    groups.set(order.id, group);
    return group;
  };
  for (const { jobOrder, ...person } of plan)
    find(jobOrder).people.push({ ...person, key: `${jobOrder.id} ${person.candidate.id}` });
  for (const { jobOrder, openings, reason } of unfilled) find(jobOrder).empty = { openings, reason };
  // Any date is before `~`.
  const startOf = ({ order }: PlanGroup) => String(orders.get(order.id)?.startDate ?? '~');
  return [...groups.values()].toSorted((a, b) =>
    startOf(a) < startOf(b) ? -1 : Number(startOf(a) > startOf(b)),
  );
}

/** A person who can be proposed for an order. */
export interface Proposal {
  key: string;
  placement: object;
  person: string;
  job: string;
  orderId: string;
}

/** Lists the people who can be proposed, in the order of the page. */
export const listProposable = (
  groups: readonly PlanGroup[],
  isWanted: (person: SuggestedPerson) => boolean,
) =>
  groups.flatMap(({ order, people }) =>
    people
      .filter(isWanted)
      .flatMap(({ key, candidate, placement }): Proposal[] =>
        placement ? [{ key, placement, person: candidate.name, job: order.title, orderId: order.id }] : [],
      ),
  );

/** The most people of one batch. */
export const mostProposed = 200;

/** Whether nothing is unknown of a person, and nothing that they must have ends during the work. */
const isCertain = ({ unknown, endsDuring = [] }: SuggestedPerson): boolean =>
  unknown.length === 0 && endsDuring.length === 0;

/** Lists the people who are certain and can be proposed, by key. */
export const listCertain = ({ groups }: PlanPage): string[] =>
  listProposable(groups, isCertain).map(({ key }) => key);

/** Returns who is ticked: those of whom all is certain, until the person ticks otherwise. */
export const listTicked = (page: PlanPage, { ticked }: PlanChoice): ReadonlySet<string> =>
  ticked ?? new Set(listCertain(page).slice(0, mostProposed));

interface Remark {
  path?: string;
  message: string;
}

/** What the service said of a person that was to be proposed. */
interface PersonRemark {
  person: string;
  messages: string[];
}

/** Returns what a refusal says of each proposal, by key, and what it says of none. */
export function assignRemarks(remarks: readonly Remark[], proposals: readonly Proposal[]) {
  const byKey = new Map<string, PersonRemark>();
  const others: string[] = [];
  for (const { path = '', message } of remarks) {
    const index = /^placements\[(\d+)\]/.exec(path)?.[1];
    const proposal = index === undefined ? undefined : proposals[Number(index)];
    if (!proposal) others.push(message);
    else {
      const messages = byKey.get(proposal.key)?.messages ?? [];
      byKey.set(proposal.key, { person: proposal.person, messages: [...messages, message] });
    }
  }
  return { byKey, others };
}

/** What the service plans, and what is known of its orders. */
export interface PlanPage {
  groups: PlanGroup[];
  /** Open orders by id: their client, code and start. */
  orders: ReadonlyMap<string, PageRecord>;
  /** The newest people by id: from when they are free, and their pay. */
  people: ReadonlyMap<string, FitPerson>;
  /** The stages of the newest placements, by id. */
  stages: ReadonlyMap<string, string>;
  /** How many orders are not in this plan. */
  more: number;
  /** Why there is no plan, or nothing. */
  words: string;
}

/** What the person has chosen, and what came of the last proposals. */
export interface PlanChoice {
  /** Undefined until the person ticks. */
  ticked: ReadonlySet<string> | undefined;
  /** The rows that are open, and what was read of them, by key. */
  open: ReadonlySet<string>;
  matches: ReadonlyMap<string, FoundMatch>;
  isSending: boolean;
  /** Why people could not be proposed, by key. */
  remarks: ReadonlyMap<string, PersonRemark>;
  refusal: string;
  proposed: { id: string; person: string; job: string; orderId: string }[];
  /** The links to shortlists that were made, each shown this once. */
  shared: { orderId: string; job: string; client: string; url: string }[];
}

export const blankChoice: PlanChoice = {
  ticked: undefined,
  open: new Set(),
  matches: new Map(),
  isSending: false,
  remarks: new Map(),
  refusal: '',
  proposed: [],
  shared: [],
};
