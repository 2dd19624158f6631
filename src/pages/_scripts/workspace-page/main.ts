import { html, render, type TemplateResult } from 'lit-html';
import { ApiError } from '../api-client.ts';
import { type ImportApi, viewFileButton, watchDrops } from '../import/main.ts';
import { recallSession } from '../owner-session.ts';
import { forgetWorkspace, rememberWorkspace, watchWorkspace } from '../workspace-store.ts';
import { toast } from './dialog.ts';
import { loadDue } from './due.ts';
import { stopWork } from './earn.ts';
import { clearAddress, explainGateError, loadOwnedWorkspaces, showAtGate, viewGate } from './gate.ts';
import { formatTitle } from './names.ts';
import { loadRecord, viewRecord } from './record.ts';
import { loadList } from './records.ts';
import { viewWorkspace } from './sections.ts';
import { access, isOwner, sendWrite, setAccess, type WorkspaceAccess, waitForChange } from './session.ts';
import {
  followAddress,
  forget,
  hasFailed,
  hasFailedPart,
  lastRead,
  onChanged,
  onUpdate,
  refresh,
  root,
  state,
  updateState,
} from './store.ts';

/** How often a visible page reads changes, in milliseconds. If the service waits for changes, it reads again sooner. */
const everyMs = 10_000;
const momentMs = 1000;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Aborts the request that waits for a change. */
let waiting = new AbortController();
/** Whether the service waited for a change at the last request. */
let hasWaited = false;

/** Opens a workspace, and remembers its id as the console does. Throws an ApiError if it is not known. */
async function open(next: WorkspaceAccess): Promise<void> {
  setAccess(next);
  try {
    await refresh();
  } catch (error) {
    setAccess(undefined);
    throw error;
  }
  hasWaited = false;
  poll();
  if ('id' in next) await rememberWorkspace(next.id, state.workspace!.expiresAt);
  showAtGate('');
}

/** Closes the workspace, forgets its id, and shows why. */
async function close(words: string, tone: 'ok' | 'blocked' = 'ok'): Promise<void> {
  if (!isOwner()) await forgetWorkspace();
  setAccess(undefined);
  stopWork();
  history.replaceState(null, '', location.pathname);
  followAddress();
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  forget();
  showAtGate(words, tone);
  document.getElementById('gate-name')?.focus();
  await loadOwnedWorkspaces(open);
}

/** Reads changes while the page is visible. It waits for a change if the service can. */
async function poll(isNow = false): Promise<void> {
  clearTimeout(timer);
  waiting.abort();
  if (document.hidden) return;
  waiting = new AbortController();
  const { signal } = waiting;
  const rest = isNow ? 0 : lastRead() + (hasWaited ? momentMs : everyMs) - Date.now();
  if (rest <= 0 && state.workspace) {
    const canWait = !state.isAway && !hasFailedPart();
    hasWaited = canWait && (await waitForChange('/workspace', signal).catch(() => false));
    // Another call has taken over.
    if (signal.aborted) return;
    try {
      await refresh();
      updateState({ isAway: false });
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 401;
      if (isGone) await close(explainGateError(error), 'blocked');
      else updateState({ isAway: true });
    }
  }
  timer = setTimeout(poll, Math.max(rest, momentMs));
}

/** The lists are shown only after the part above them was read, so that nothing moves while the person clicks. */
const isShown = () => state.workspace !== undefined && state.due !== undefined;

const viewOpen = () => (state.route.id === undefined ? viewWorkspace(close) : viewRecord());

const describeOutage = () =>
  navigator.onLine
    ? 'The service does not answer just now. The page may show old data; it asks again every ten seconds.'
    : 'This device is offline. The page may show old data; it goes on by itself.';

const importApi: ImportApi = {
  send: (args) => sendWrite('POST', '/imports', args),
  async finish(words, workspace) {
    if (state.workspace) await refresh();
    else await open({ id: workspace });
    toast(words);
  },
};
const failImport = (words: string) => toast(words, 'blocked');

const viewPage = (): TemplateResult =>
  html`<p class="verdict is-offer" role="status" data-place="away" ?hidden=${!state.isAway}
      >${state.isAway ? describeOutage() : ''}</p>
    <p class="toast" role="status"></p>
    ${isShown() ? viewOpen() : viewGate(open)}
    ${state.route.id === undefined ? html`<p class="actions">${viewFileButton(importApi, failImport)}</p>` : ''}`;

/** Shows what the address names, and moves the focus to it. */
async function follow(): Promise<void> {
  const before = state.route;
  followAddress();
  if (!state.workspace) return;
  await Promise.all([loadRecord(), loadList()]);
  if (state.route.id !== undefined || before.id === undefined) return;
  const row = root.querySelector<HTMLElement>(`[data-place=list] [data-key="${before.id}"]`);
  (row ?? document.getElementById('records-name'))?.focus();
}

const pageTitle = document.title;
root.replaceChildren();
onUpdate(() => {
  root.dataset.state = isShown() ? 'open' : 'closed';
  render(viewPage(), root);
  const { record, route, workspace } = state;
  const isRead = workspace && record && !hasFailed(record) && record.row.id === route.id;
  document.title = isRead ? `${formatTitle(record.kind, record.row)} · ${pageTitle}` : pageTitle;
});
onChanged(loadDue);
onChanged(loadList);
onChanged(loadRecord);
watchDrops(root, importApi, failImport);
addEventListener('hashchange', follow);
document.addEventListener('visibilitychange', () => poll());
addEventListener('online', () => poll(true));
addEventListener('offline', () => updateState({ isAway: state.workspace !== undefined }));
// Countdowns are drawn again even if nothing was read.
setInterval(() => state.workspace && updateState({}), 30_000);
clearAddress();
loadOwnedWorkspaces(open);
poll();

let isFirst = true;
watchWorkspace(async (remembered) => {
  // A signed-in owner chooses one of their workspaces.
  if (!isFirst || !remembered || access() || recallSession()) return;
  isFirst = false;
  if (remembered.gone) return;
  try {
    await open({ id: remembered.id });
  } catch (error) {
    showAtGate(explainGateError(error));
  }
});
