import type { ChangeNotice } from '../../../hosts/worker/register.ts';
import { ApiError } from '../../_scripts/api-client.ts';
import { forgetWorkspace, rememberWorkspace } from '../../_scripts/workspace-store.ts';
import { sendDecisions } from '../room/decisions.ts';
import { isOwner, setAccess, waitForChange } from '../state/client.ts';
import { hasFailedPart, refresh } from '../state/load.ts';
import { state, type WorkspaceAccess } from '../state/state.ts';
import { followAddress, forget, updateState } from '../state/update.ts';
import { explainGateError, loadOwnedWorkspaces, showAtGate } from './gate.ts';

/** How often a visible page reads changes, in milliseconds. If the service waits for changes, it asks again sooner. */
const everyMs = 10_000;
const momentMs = 1000;

/** Opens a workspace, and remembers its id as the console does. Throws an ApiError if it is not known. */
export async function enterWorkspace(access: WorkspaceAccess): Promise<void> {
  setAccess(access);
  try {
    await refresh();
  } catch (error) {
    setAccess(undefined);
    throw error;
  }
  Object.assign(state.polling, { canWait: true, isLeaving: false });
  pollChanges();
  if ('id' in access) await rememberWorkspace(access.id, state.workspace!.expiresAt);
  showAtGate('');
}

/** Closes the workspace, forgets its id, and shows why. */
export async function leaveWorkspace(words: string, tone: 'ok' | 'blocked' = 'ok'): Promise<void> {
  state.polling.isLeaving = true;
  await sendDecisions();
  if (!isOwner()) await forgetWorkspace();
  setAccess(undefined);
  history.replaceState(null, '', location.pathname);
  followAddress();
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  forget();
  showAtGate(words, tone);
  document.getElementById('gate-name')?.focus();
  await loadOwnedWorkspaces(enterWorkspace);
}

/** Goes on after the service was away: waits for changes again, and sends what was decided meanwhile. */
function welcomeBack(): void {
  state.polling.canWait = true;
  updateState({ isAway: false });
  void sendDecisions();
}

/** Whether the page waits for a change at the service. Otherwise it asks again after a while. */
const waits = () => state.polling.canWait && !state.isAway && !hasFailedPart();

/** Reads changes. Closes the workspace if it is gone, and shows if the service does not answer. */
async function readChanges(): Promise<void> {
  try {
    await refresh();
    if (state.isAway) welcomeBack();
  } catch (error) {
    // The person closes or deletes it, and the page says so.
    if (!state.workspace || state.polling.isLeaving) return;
    const isGone = error instanceof ApiError && error.status === 401;
    if (isGone) await leaveWorkspace(explainGateError(error), 'blocked');
    else updateState({ isAway: true });
  }
}

/** Reads changes while the page is visible. It waits for a change if the service can. */
export async function pollChanges(isNow = false): Promise<void> {
  const { polling } = state;
  clearTimeout(polling.timer);
  polling.waiting.abort();
  if (document.hidden) return;
  polling.waiting = new AbortController();
  const { signal } = polling.waiting;
  const rest = isNow ? 0 : state.reading.readAt + (waits() ? momentMs : everyMs) - Date.now();
  if (rest <= 0 && state.workspace) {
    if (waits()) polling.canWait = await waitForChange('/workspace', signal).catch(() => false);
    // Another call has taken over.
    if (signal.aborted) return;
    await readChanges();
  }
  polling.timer = setTimeout(pollChanges, Math.max(rest, momentMs));
}

/** Reads changes when the worker of this browser tells of one. It tells of what other tabs do too. */
export function followWorker(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<Partial<ChangeNotice>>) => {
    if (data.changed && state.workspace) void pollChanges(true);
  });
}
