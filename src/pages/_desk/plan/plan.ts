import { ApiError } from '../../_scripts/api-client.ts';
import { formatAmount } from '../../_scripts/format.ts';
import { createStrictly, read } from '../state/client.ts';
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
  type PlanChoice,
  type PlanPage,
  type PlanRow,
  type Proposal,
  type UnfilledRow,
} from './plan-groups.ts';

/** The plan that takes what is not stated as not met. */
export const strictPlanAddress = '#plan?unstated=unmet';

/** One batch has at most this many records. */
export const mostProposed = 200;

const choose = (change: Partial<PlanChoice>) =>
  updateState({ planChoice: { ...state.planChoice, ...change } });

async function readPlan(isStrict: boolean): Promise<PlanPage> {
  const [{ body }, list] = await Promise.all([
    read(`/workspace/plan${isStrict ? '?unstated=unmet' : ''}`),
    // Only the newest are read.
    read(`/job-orders?status=open&limit=${facts.maxLimit}`),
  ]);
  const { plan = [], unfilled = [], more = 0, message = '' } = body;
  const rows: PageRecord[] = list.body.jobOrders ?? [];
  const orders = new Map(rows.map((row) => [row.id, row]));
  const groups = groupPlan(plan as PlanRow[], unfilled as UnfilledRow[], orders);
  return { groups, orders, more, words: message };
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
export async function proposeTicked({ groups }: PlanPage): Promise<void> {
  const { ticked } = state.planChoice;
  const proposals = listProposable(groups, ({ key }) => ticked.has(key));
  choose({ ...blankChoice, ticked, isSending: true });
  try {
    const placements = proposals.map(({ placement }) => placement);
    const { body } = await createStrictly('/batch', { placements });
    const ids = (body.placements as PageRecord[]).map(({ id }) => id);
    const proposed = proposals.map(({ person, job }, index) => ({ id: ids[index]!, person, job }));
    choose({ ...blankChoice, proposed });
  } catch (error) {
    showRefusal(error as Error, proposals);
  }
  await refresh().catch(() => updateState({ isAway: true }));
  document.getElementById('plan-result')?.focus();
}

/**
 * Shows why nobody was proposed, each reason at its person. Without an answer it is not known whether the batch was done:
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

/** Ticks people, at most as many as one batch has. */
export function tick(keys: Iterable<string>): void {
  choose({ ticked: new Set([...keys].slice(0, mostProposed)) });
}
