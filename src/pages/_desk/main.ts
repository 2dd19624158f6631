import { html, render, type TemplateResult } from 'lit-html';
import { ApiError } from '../_scripts/api-client.ts';
import { recallSession } from '../_scripts/owner-session.ts';
import {
  forgetWorkspace,
  type RememberedWorkspace,
  rememberWorkspace,
  watchWorkspace,
} from '../_scripts/workspace-store.ts';
import { type ImportApi, viewFileButton, watchDrops } from './import/import.ts';
import { viewDesk } from './page/desk.ts';
import { clearAddress, explainGateError, loadOwnedWorkspaces, showAtGate, viewGate } from './page/gate.ts';
import { keepPlaces, restorePlace } from './page/place.ts';
import { loadView } from './page/views.ts';
import { focusSearch } from './search/search.ts';
import { toast } from './shared/dialog.ts';
import { closeMenusOutside } from './shared/menu.ts';
import { formatTitle } from './shared/names.ts';
import {
  access,
  isOwner,
  sendWrite,
  setAccess,
  type WorkspaceAccess,
  waitForChange,
} from './state/client.ts';
import { root } from './state/page-facts.ts';
import {
  followAddress,
  forget,
  hasFailed,
  hasFailedPart,
  lastRead,
  onChanged,
  onUpdate,
  refresh,
  state,
  updateState,
} from './state/state.ts';

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

const isShown = () => state.workspace !== undefined;

const importApi: ImportApi = {
  send: (args) => sendWrite('POST', '/imports', args),
  async finish(words, workspace) {
    if (state.workspace) await refresh();
    else await open({ id: workspace });
    toast(words);
  },
};
const failImport = (words: string) => toast(words, 'blocked');

/** Shows the open workspace, or the gate. Shows neither while the browser looks up the workspace that it remembers. */
function viewOpen(): unknown {
  const fileButton = viewFileButton(importApi, failImport);
  if (isShown()) return viewDesk(close, fileButton);
  return state.isRecalling ? '' : html`${viewGate(open)}<p class="actions">${fileButton}</p>`;
}

const describeOutage = () =>
  navigator.onLine
    ? 'The service does not answer just now. The page may show old data; it asks again every ten seconds.'
    : 'This device is offline. The page may show old data; it goes on by itself.';

const viewPage = (): TemplateResult =>
  html`<p class="verdict is-offer" role="status" data-place="away" ?hidden=${!state.isAway}
      >${state.isAway ? describeOutage() : ''}</p>
    <p class="toast" role="status"></p>
    ${viewOpen()}`;

/** Shows what the address names, at the place where the person left it, and moves the focus to it. */
async function follow(): Promise<void> {
  const before = state.route;
  followAddress();
  if (!state.workspace) return;
  await loadView();
  restorePlace();
  if (state.route.view !== 'list' || before.id === undefined) return;
  const row = root.querySelector<HTMLElement>(`[data-place=list] [data-key="${before.id}"]`);
  (row ?? document.getElementById('records-name'))?.focus({ preventScroll: true });
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
onChanged(loadView);
keepPlaces();
watchDrops(root, importApi, failImport);
addEventListener('hashchange', follow);
addEventListener('keydown', focusSearch);
addEventListener('click', closeMenusOutside);
document.addEventListener('visibilitychange', () => poll());
addEventListener('online', () => poll(true));
addEventListener('offline', () => updateState({ isAway: state.workspace !== undefined }));
// Countdowns are drawn again even if nothing was read.
setInterval(() => state.workspace && updateState({}), 30_000);
clearAddress();
const owning = loadOwnedWorkspaces(open);
poll();

let isFirst = true;

/** Opens the workspace that this browser remembers. A signed-in owner chooses one of their workspaces instead. */
async function openRemembered(remembered: RememberedWorkspace | undefined): Promise<void> {
  if (!isFirst) return;
  isFirst = false;
  await owning;
  if (remembered && !remembered.gone && !access() && !recallSession()) {
    try {
      await open({ id: remembered.id });
      restorePlace();
    } catch (error) {
      showAtGate(explainGateError(error));
    }
  }
  updateState({ isRecalling: false });
}
watchWorkspace(openRemembered);
