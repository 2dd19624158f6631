import type { PageRecord } from '../state/model.ts';

interface NamedOrder {
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
        placement ? [{ key, placement, person: candidate.name, job: order.title }] : [],
      ),
  );

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
  /** How many orders are not in this plan. */
  more: number;
  /** Why there is no plan, or nothing. */
  words: string;
}

/** What the person has chosen, and what came of the last proposals. */
export interface PlanChoice {
  ticked: ReadonlySet<string>;
  isSending: boolean;
  /** Why people could not be proposed, by key. */
  remarks: ReadonlyMap<string, PersonRemark>;
  refusal: string;
  proposed: { id: string; person: string; job: string }[];
}

export const blankChoice: PlanChoice = {
  ticked: new Set(),
  isSending: false,
  remarks: new Map(),
  refusal: '',
  proposed: [],
};
