/** Starts the desk: draws it, and follows the address, the network, and the workspace that the browser remembers. */
import { html, render, type TemplateResult } from 'lit-html';
import { isOutage } from '../_scripts/api-client.ts';
import { describeOutage } from '../_scripts/outage.ts';
import { recallSession } from '../_scripts/owner-session.ts';
import { type RememberedWorkspace, watchWorkspace } from '../_scripts/workspace-store.ts';
import { closeMenusOutside } from './common/menu.ts';
import { formatTitle } from './common/names.ts';
import { viewFileButton, watchDrops } from './import/import.ts';
import { viewDesk } from './page/desk.ts';
import { clearAddress, explainGateError, loadOwnedWorkspaces, showAtGate, viewGate } from './page/gate.ts';
import { keepPlaces, restorePlace } from './page/place.ts';
import { loadAllCode, loadView, viewOpenedView } from './page/views.ts';
import { enterWorkspace, followWorker, leaveWorkspace, pollChanges } from './page/workspace.ts';
import { sendDecisions } from './room/decisions.ts';
import { focusSearch } from './search/search.ts';
import { hasFailed, onChanged } from './state/load.ts';
import { root } from './state/page-facts.ts';
import { state } from './state/state.ts';
import { followAddress, onUpdate, updateState } from './state/update.ts';

const isShown = () => state.workspace !== undefined;

/** Shows the open workspace, or the gate. Shows neither while the browser looks up the workspace that it remembers. */
function viewOpen(): unknown {
  const fileButton = viewFileButton();
  if (isShown()) return viewDesk(leaveWorkspace, fileButton);
  // A file can be imported before there is a workspace: the import makes one.
  if (state.route.view === 'import' && state.importing) return viewOpenedView(leaveWorkspace);
  return state.isRecalling ? '' : html`${viewGate(enterWorkspace)}<p class="actions">${fileButton}</p>`;
}

const viewPage = (): TemplateResult =>
  html`<p class="verdict is-offer" role="status" data-place="away" ?hidden=${!state.isAway}
      >${state.isAway ? `${describeOutage()} ${isShown() ? 'What is here may be old. It goes on by itself.' : 'Your workspace opens by itself.'}` : ''}</p>
    <p class="toast" role="status"></p>
    ${viewOpen()}`;

const pageTitle = document.title;

/** Draws the page, and names the open record in its title. */
function drawPage(): void {
  root.dataset.state = isShown() ? 'open' : 'closed';
  render(viewPage(), root);
  const { record, route, workspace } = state;
  const isRead = workspace && record && !hasFailed(record) && record.row.id === route.id;
  document.title = isRead ? `${formatTitle(record.kind, record.row)} · ${pageTitle}` : pageTitle;
}

/** Shows what the address names, at the place where the person left it, and moves the focus to it. */
async function follow(): Promise<void> {
  const before = state.route;
  void sendDecisions();
  followAddress();
  if (!state.workspace && !state.importing) {
    state.isMoving = false;
    return;
  }
  await loadView();
  restorePlace();
  if (state.route.view !== 'list' || before.id === undefined) return;
  const row = root.querySelector<HTMLElement>(`[data-place=list] [data-key="${before.id}"]`);
  (row ?? document.getElementById('records-name'))?.focus({ preventScroll: true });
}

/** Resolves once the network is back, or after ten seconds. */
const waitForNetwork = () =>
  new Promise<unknown>((resolve) => {
    addEventListener('online', resolve, { once: true });
    setTimeout(resolve, 10_000);
  });

/** Opens a workspace. If the service does not answer, says so and tries again until it does. */
async function openById(id: string): Promise<void> {
  try {
    await enterWorkspace({ id });
    updateState({ isAway: false });
    restorePlace();
  } catch (error) {
    if (!isOutage(error)) return showAtGate(explainGateError(error));
    updateState({ isAway: true });
    await waitForNetwork();
    await openById(id);
  }
}

/** Opens the workspace that this browser remembers. A signed-in owner chooses one of their workspaces instead. */
async function openRemembered(remembered: RememberedWorkspace | undefined): Promise<void> {
  if (remembered && !remembered.gone && !state.client.access && !recallSession())
    await openById(remembered.id);
  updateState({ isRecalling: false });
}

/** Reads the remembered workspace once. Later changes of it concern other pages. */
const recallWorkspace = () =>
  new Promise<RememberedWorkspace | undefined>((resolve) => {
    watchWorkspace(resolve);
  });

function listen(): void {
  keepPlaces();
  watchDrops(root);
  addEventListener('hashchange', follow);
  addEventListener('keydown', focusSearch);
  addEventListener('click', closeMenusOutside);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void sendDecisions();
    pollChanges(!document.hidden);
  });
  followWorker();
  addEventListener('pagehide', () => void sendDecisions());
  addEventListener('online', () => pollChanges(true));
  addEventListener('offline', () => updateState({ isAway: isShown() || state.isRecalling }));
  // Countdowns are drawn again even if nothing was read.
  setInterval(() => state.workspace && updateState({}), 30_000);
}

async function start(): Promise<void> {
  root.replaceChildren();
  onUpdate(drawPage);
  onChanged(async () => {
    await loadView();
    loadAllCode();
  });
  listen();
  // A recorded run opens its own workspace.
  if (root.dataset.waits !== undefined) return;
  clearAddress();
  const owning = loadOwnedWorkspaces(enterWorkspace);
  pollChanges();
  const remembered = await recallWorkspace();
  await owning;
  await openRemembered(remembered);
}

start();
