/**
 * Decisions on proposals. The page holds them for a moment, in which a person can undo them, because the service does not
 * take back a move. It sends them when the moment is over or the person goes elsewhere.
 */
import { ApiError, isOutage } from '../../_scripts/api-client.ts';
import { formatAmount, toSentenceCase } from '../../_scripts/format.ts';
import { describeOutage } from '../../_scripts/outage.ts';
import { toast } from '../common/toast.ts';
import { sendBatch } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';
import type { Decision, HeldDecisions } from './held.ts';

/** How long a decision can be undone, in milliseconds. */
const undoMs = 6000;

const doneWords = { scheduled: 'approved', interviewing: 'to be interviewed', declined: 'declined' };
const sentWords = { scheduled: 'scheduled', interviewing: 'interviewing', declined: 'declined' };

/** Says what was decided: `Ann Sample: declined.` or `6 people: approved.` */
function describeAll(decisions: readonly Decision[], words: Record<Decision['to'], string>): string {
  const [first, ...others] = decisions;
  if (!first) return '';
  const who =
    others.length === 0
      ? (first.placement.candidateName ?? 'This person')
      : formatAmount(decisions.length, 'person', 'people');
  const kinds = new Set(decisions.map(({ to }) => words[to]));
  return `${who}: ${kinds.size === 1 ? [...kinds][0] : 'decided'}.`;
}

const change = (held: Partial<HeldDecisions>) => updateState({ held: { ...state.held, ...held } });

const without = <T>(all: ReadonlyMap<string, T>, ids: Iterable<string>) => {
  const left = new Map(all);
  for (const id of ids) left.delete(id);
  return left;
};

/** Takes back decisions that are not sent yet. */
export function undoDecisions(ids: readonly string[]): void {
  if (state.held.isSending) return;
  const decisions = without(state.held.decisions, ids);
  if (decisions.size === 0) clearTimeout(state.timers.decisions);
  change({ decisions });
  toast('Undone. Nothing was changed.');
}

/** Sends the decisions once nobody can undo the last of them. */
function holdDecisions(): void {
  clearTimeout(state.timers.decisions);
  state.timers.decisions = setTimeout(sendDecisions, undoMs);
}

/** Holds decisions until they are sent, and offers to undo them. */
export function decide(made: readonly Decision[]): void {
  const ids = made.map(({ placement }) => placement.id);
  const decisions = new Map([
    ...state.held.decisions,
    ...made.map((one) => [one.placement.id, one] as const),
  ]);
  holdDecisions();
  change({ decisions, refusals: without(state.held.refusals, ids) });
  toast(`${describeAll(made, doneWords)} Nobody is emailed.`, 'ok', {
    words: 'Undo',
    run: () => undoDecisions(ids),
  });
}

const toChange = ({ placement: { id, revision }, to, startDate }: Decision) => ({
  id,
  revision,
  status: to,
  ...(startDate && { startDate }),
});

/** Reads what a refused batch says of each of its changes, by the id of the placement. */
function readRefusals(error: unknown, sent: readonly Decision[]): Map<string, string[]> {
  const issues: { path?: string; message: string }[] =
    (error instanceof ApiError && error.body?.issues) || [];
  const refusals = new Map<string, string[]>();
  for (const { path = '', message } of issues) {
    const index = /^changes\[(\d+)\]\.(\w+)/.exec(path);
    const id = index && sent[Number(index[1])]?.placement.id;
    const words = index?.[2] === 'revision' ? 'changed meanwhile: look again' : message;
    if (id) refusals.set(id, [...(refusals.get(id) ?? []), toSentenceCase(words)]);
  }
  return refusals;
}

/**
 * Sends decisions as one step: all of them are made or none. Returns those that were answered: all of them or none. Sent
 * again, they count once.
 */
async function sendGroup(group: readonly Decision[], isStrict: boolean): Promise<readonly Decision[]> {
  if (group.length === 0) return [];
  try {
    await sendBatch(group.map(toChange), isStrict);
    toast(describeAll(group, sentWords));
  } catch (error) {
    if (isOutage(error)) {
      toast(
        `${describeOutage()} ${describeAll(group, doneWords)} It is sent once the service answers.`,
        'blocked',
      );
      return [];
    }
    const refusals = readRefusals(error, group);
    change({ refusals: new Map([...state.held.refusals, ...refusals]) });
    const who = formatAmount(refusals.size, 'person', 'people');
    const why = refusals.size > 0 ? `Something speaks against ${who}.` : (error as Error).message;
    toast(`Nothing was saved. ${why}`, 'blocked');
  }
  return group;
}

/** Sends all decisions that are held. Those that were made in knowledge of a conflict are made in spite of it. */
export async function sendDecisions(): Promise<void> {
  clearTimeout(state.timers.decisions);
  const all = [...state.held.decisions.values()];
  if (all.length === 0 || state.held.isSending) return;
  change({ isSending: true });
  const isStrict = ({ to, isForced }: Decision) => to === 'scheduled' && !isForced;
  const [strict, others] = [all.filter(isStrict), all.filter((one) => !isStrict(one))];
  // Both at once, because the page may be about to close.
  const answered = (await Promise.all([sendGroup(strict, true), sendGroup(others, false)])).flat();
  await refresh().catch(() => updateState({ isAway: true }));
  const ids = answered.map(({ placement }) => placement.id);
  change({ isSending: false, decisions: without(state.held.decisions, ids) });
  // Those that were made meanwhile, or were not answered. Once the service is back, the page sends them.
  if (state.held.decisions.size > 0 && !state.isAway) holdDecisions();
}

/** Whether a decision on a placement waits to be sent. */
export const findHeld = (id: string): Decision | undefined => state.held.decisions.get(id);

/** Counts the approvals of an order that are not sent yet. */
export const countApproved = (orderId: string): number =>
  [...state.held.decisions.values()].filter(
    ({ to, placement }) => to === 'scheduled' && placement.jobOrderId === orderId,
  ).length;
