import { ApiError } from '../../_scripts/api-client.ts';
import { formatAmount } from '../../_scripts/format.ts';
import { attempt } from '../common/toast.ts';
import { readPair, readPeople } from '../room/read-fits.ts';
import { createStrictly, read, sendWrite } from '../state/client.ts';
import { load, refresh } from '../state/load.ts';
import type { PageRecord } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';
import {
  assignRemarks,
  blankChoice,
  groupPlan,
  listProposable,
  listTicked,
  mostProposed,
  type NamedOrder,
  type PlanChoice,
  type PlanPage,
  type PlanRow,
  type Proposal,
  type SuggestedPerson,
  type UnfilledRow,
} from './plan-groups.ts';

/** The plan that takes what is not stated as not met. */
export const strictPlanAddress = '#plan?unstated=unmet';

const choose = (change: Partial<PlanChoice>) =>
  updateState({ planChoice: { ...state.planChoice, ...change } });

async function readPlan(isStrict: boolean): Promise<PlanPage> {
  const [{ body }, list, people, placements] = await Promise.all([
    read(`/workspace/plan${isStrict ? '?unstated=unmet' : ''}`),
    // Only the newest are read.
    read(`/job-orders?status=open&limit=${facts.maxLimit}`),
    readPeople(),
    read(`/placements?limit=${facts.maxLimit}&fields=status`),
  ]);
  const { plan = [], unfilled = [], more = 0, message = '' } = body;
  const rows: PageRecord[] = list.body.jobOrders ?? [];
  const orders = new Map(rows.map((row) => [row.id, row]));
  const groups = groupPlan(plan as PlanRow[], unfilled as UnfilledRow[], orders);
  const stages = new Map(
    ((placements.body.placements ?? []) as PageRecord[]).map((row) => [row.id, row.status]),
  );
  return { groups, orders, people, stages, more, words: message };
}

/** Reads the plan that the address names, and moves the focus to it. */
export async function loadPlan(): Promise<void> {
  const { focused } = state;
  const { view, query } = state.route;
  if (view !== 'plan' || !state.workspace) {
    focused.plan = false;
    if (state.planChoice !== blankChoice) updateState({ planChoice: blankChoice });
    return;
  }
  if (!focused.plan) document.getElementById('plan-name')?.focus();
  focused.plan = true;
  await load('plan', () => readPlan(query.unstated === 'unmet'));
}

/** Proposes all ticked people at once, or none of them if anything speaks against one. */
export async function proposeTicked(page: PlanPage): Promise<void> {
  const ticked = listTicked(page, state.planChoice);
  const proposals = listProposable(page.groups, ({ key }) => ticked.has(key));
  choose({ ...blankChoice, ticked, isSending: true });
  try {
    const placements = proposals.map(({ placement }) => placement);
    const { body } = await createStrictly('/batch', { placements });
    const ids = (body.placements as PageRecord[]).map(({ id }) => id);
    const proposed = proposals.map(({ person, job, orderId }, index) => ({
      ...{ id: ids[index]!, person, job, orderId },
    }));
    choose({ ...blankChoice, ticked: new Set(), proposed });
  } catch (error) {
    showRefusal(error as Error, proposals);
  }
  await refresh().catch(() => updateState({ isAway: true }));
  document.getElementById('plan-result')?.focus();
}

/**
 * Shows why no person was proposed, each reason at its person. Without an answer it is not known whether the batch was done:
 * a repeated one has the same key, and counts once.
 */
function showRefusal(error: Error, proposals: readonly Proposal[]): void {
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  const issues = isRefused ? (error.body?.issues ?? []) : [];
  const { byKey, others } = assignRemarks(issues, proposals);
  const about = formatAmount(byKey.size, 'person', 'people');
  const reason = byKey.size > 0 ? `Something speaks against ${about}.` : error.message;
  const lead = isRefused
    ? 'Nobody was proposed.'
    : 'It is not known whether they were proposed. Propose the same people again: nobody is proposed twice.';
  choose({ isSending: false, refusal: [lead, reason, ...others].join(' '), remarks: byKey });
}

/** Opens or closes the row of a person, and reads the reasons of the score once. */
export async function toggleRow(
  { orders }: PlanPage,
  order: NamedOrder,
  person: SuggestedPerson,
): Promise<void> {
  const { key, candidate } = person;
  const { open } = state.planChoice;
  const isOpen = open.has(key);
  choose({ open: new Set(isOpen ? [...open].filter((one) => one !== key) : [...open, key]) });
  const row = orders.get(order.id);
  if (isOpen || !row || state.planChoice.matches.has(key)) return;
  await attempt(async () => {
    const match = await readPair(row, candidate);
    if (match) choose({ matches: new Map([...state.planChoice.matches, [key, match]]) });
  });
}

/** Lists the orders for which people were just proposed, and whose client has no link yet. */
export const listToShare = ({ orders }: PlanPage): PageRecord[] => {
  const { proposed, shared } = state.planChoice;
  const ids = new Set(proposed.map(({ orderId }) => orderId));
  const isShared = (row: PageRecord) =>
    'shortlist' in row || shared.some(({ orderId }) => orderId === row.id);
  return [...ids].flatMap((id) => orders.get(id) ?? []).filter((row) => !isShared(row));
};

/** Makes the links by which the clients of these orders decide, and shows them once. */
export async function shareOrders(orders: readonly PageRecord[]): Promise<void> {
  choose({ isSending: true });
  await attempt(async () => {
    for (const row of orders) {
      const { body } = await sendWrite('POST', `${row.links.self}/shortlist`, {});
      const { title, client } = row as PageRecord & { title: string; client: string };
      const shared = { orderId: row.id, job: title, client, url: body.shortlist.url as string };
      choose({ shared: [...state.planChoice.shared, shared] });
    }
  });
  choose({ isSending: false });
  await refresh().catch(() => updateState({ isAway: true }));
  document.getElementById('plan-result')?.focus();
}

/** Ticks people, at most as many as one batch has. */
export function tick(keys: Iterable<string>): void {
  choose({ ticked: new Set([...keys].slice(0, mostProposed)) });
}
