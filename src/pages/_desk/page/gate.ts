import { html, type TemplateResult } from 'lit-html';
import { ApiError, isOutage, loadCode } from '../../_scripts/api-client.ts';
import { timeOf } from '../../_scripts/dom.ts';
import { formatAmount } from '../../_scripts/format.ts';
import { describeOutage } from '../../_scripts/outage.ts';
import { keepSession, recallSession, takeWanted } from '../../_scripts/owner-session.ts';
import { button } from '../common/parts.ts';
import { isOwner, read, sendWrite, setAccess } from '../state/client.ts';
import { facts } from '../state/page-facts.ts';
import { type OwnedWorkspace, state, type WorkspaceAccess } from '../state/state.ts';
import { updateState } from '../state/update.ts';

type Open = (access: WorkspaceAccess) => Promise<void>;

const idShape = /^ws_[0-9a-z]{39}$/;

/** Shows why a workspace was closed, or could not be opened. */
export const showAtGate = (words: string, tone: 'ok' | 'blocked' = 'blocked') =>
  updateState({ gate: { words, tone } });

/** Explains a refusal in words for a person. */
export function explainGateError(error: unknown): string {
  const { status } = error as ApiError;
  if (error instanceof ApiError && status === 401)
    return isOwner()
      ? 'Your hour is over, or the workspace is gone. Sign in again.'
      : 'No workspace is known by this id: it was mistyped, has expired, was deleted, or was given a new id. Ask whoever gave it to you.';
  if (isOutage(error)) return `${describeOutage()} Try again in a moment.`;
  return (error as Error).message;
}

/** Runs the action of a button while all buttons of the gate are disabled. */
async function attempt(run: () => Promise<unknown>, explain = explainGateError): Promise<void> {
  updateState({ isOpening: true });
  try {
    await run();
  } catch (error) {
    showAtGate(explain(error));
  }
  updateState({ isOpening: false });
}

/** Fills a new workspace with synthetic records, and opens it. Says meanwhile what it does. */
async function makeExample(open: Open): Promise<void> {
  const { createLiveDesk } = await loadCode(() => import('../../_scripts/live-desk.ts'));
  const id = await createLiveDesk((words) => showAtGate(words, 'ok'));
  await open({ id });
}

/** Removes an id from the address, because it is a secret. The page does not read ids from there. */
export function clearAddress(): void {
  if (!/ws_\w/.test(location.href)) return;
  history.replaceState(null, '', location.pathname);
  showAtGate('A workspace id was in the address, where others may see it. It was taken out; paste it below.');
}

/** Reads the workspaces of the signed-in owner, and opens the one that was just claimed. */
export async function loadOwnedWorkspaces(open: Open): Promise<void> {
  const session = recallSession();
  if (!session) return updateState({ owned: undefined });
  const { bearer } = session;
  setAccess({ bearer });
  try {
    const owned: OwnedWorkspace[] = (await read('/owner/workspaces')).body.workspaces ?? [];
    // The owner may have signed out in the meantime.
    updateState({ owned: recallSession() && owned });
    const wanted = takeWanted();
    if (owned.some(({ handle }) => handle === wanted)) return await open({ bearer, handle: wanted! });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401))
      return void showAtGate((error as Error).message);
    keepSession(undefined);
    updateState({ owned: undefined });
  }
  setAccess(undefined);
}

/** Signs the owner in with a passkey, for an hour. */
async function signIn(open: Open): Promise<void> {
  showAtGate('');
  const { body } = await read('/owner/challenge');
  const { showPasskey } = await loadCode(() => import('../../_scripts/passkey.ts'));
  const credential = await showPasskey(body.options);
  keepSession((await sendWrite('POST', '/owner/session', { credential })).body.owner);
  await loadOwnedWorkspaces(open);
}

function explainSignInError(error: unknown): string {
  const { code, status, message } = error as ApiError;
  if (code === 'wrong_passkey') return 'No workspace here is owned by this passkey.';
  return code !== 'not_live' && status === 404
    ? 'Nobody can sign in here: that needs the live service.'
    : message;
}

/** Shows the workspaces of the signed-in owner. */
function viewOwned(owned: readonly OwnedWorkspace[], open: Open): TemplateResult {
  const signOut = () => {
    keepSession(undefined);
    updateState({ owned: undefined });
  };
  const rows = owned.map(({ handle, records, expiresAt, createdAt }) => {
    const counts = facts.kinds.map(({ collection, noun, plural }) =>
      formatAmount(records[collection] ?? 0, noun, plural),
    );
    const openIt = () => attempt(() => open({ bearer: recallSession()?.bearer ?? '', handle }));
    return html`<li>
      <p class="record-name">Created ${timeOf(createdAt)} <span class="code-text">${handle}</span></p>
      <p class="note">${counts.join(', ')}. Kept until ${timeOf(expiresAt)}.</p>
      <p class="actions">${button('Open', openIt)}</p>
    </li>`;
  });
  const none = html`<p class="note">You own no workspace: those that you did were deleted, or have expired.</p>`;
  return html`${rows.length > 0 ? html`<ul class="plain records">${rows}</ul>` : none}
    <p class="actions">${button('Sign out', signOut)}</p>`;
}

/** Shows the card that makes a workspace with synthetic records. */
function viewLiveDesk(open: Open): TemplateResult {
  const { candidates, jobOrders, placements } = facts.liveDesk;
  return html`<section class="card way" aria-labelledby="way-live">
    <h2 id="way-live">An example workspace</h2>
    <p class="note">${candidates} people, ${jobOrders} orders and ${placements} placements, all synthetic. It is deleted by
      itself.</p>
    <p class="actions"><button type="button" class="button" ?disabled=${state.isOpening}
      @click=${() => attempt(() => makeExample(open))}>Open an example</button>
      <a class="button quiet" href="/watch.html#play">Watch an agent</a></p>
  </section>`;
}

/** Shows the card that opens a workspace by its id. */
function viewById(open: Open): TemplateResult {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const input = (event.currentTarget as HTMLFormElement).querySelector('input')!;
    // The person may have copied more than the id, such as the name of a header or quotes.
    const id = /ws_\w+/.exec(input.value)?.[0] ?? '';
    if (idShape.test(id)) attempt(() => open({ id }));
    else showAtGate('This is not a workspace id: it begins with ws_ and 39 letters and digits follow.');
  };
  return html`<section class="card way" aria-labelledby="way-id">
    <h2 id="way-id">The workspace of your agent</h2>
    <p class="note">It got an id when it created the first record. Ask it: “What is our workspace id?”</p>
    <form class="opening-form flow" autocomplete="off" @submit=${submit}>
      <label for="workspace-id">Workspace id</label>
      <input id="workspace-id" type="text" class="mono" autocomplete="off" autocapitalize="off"
        spellcheck="false" placeholder="ws_…" required />
      <p class="note">It stays in this browser, and goes to this service alone. It is never part of an address.</p>
      <p class="actions"><button type="submit" class="button quiet" ?disabled=${state.isOpening}>Open</button></p>
    </form>
  </section>`;
}

/** Shows the card of owners: the way to sign in, or what they own. */
function viewByPasskey(open: Open): TemplateResult {
  const { owned, isOpening } = state;
  return html`<section class="card way" aria-labelledby="way-passkey">
    <h2 id="way-passkey">${owned ? 'Your workspaces' : 'A workspace that you own'}</h2>
    <div class="flow" data-place="owned">${
      owned
        ? viewOwned(owned, open)
        : html`<p class="note">For those who claimed one with a passkey. You are signed in for an hour.</p>
          <p class="actions"><button type="button" class="button quiet" ?disabled=${isOpening}
            @click=${() => attempt(() => signIn(open), explainSignInError)}>Sign in with a passkey</button></p>`
    }</div>
  </section>`;
}

/** Shows the gate, until a workspace is open. `open` opens one. */
export function viewGate(open: Open): TemplateResult {
  const { gate, route } = state;
  return html`<div class="head">
    <h1 id="gate-name" tabindex="-1">Open a workspace</h1>
    <p class="lead">Agents propose. People decide. A workspace holds people, orders and placements: see what agents proposed,
      decide, and state how a placement went.</p>
  </div>
  ${route.id ? html`<p class="verdict">This address leads to a ${route.kind.noun} of a workspace. Open that workspace to see it.</p>` : ''}
  <p class=${`verdict ${gate.words ? `is-${gate.tone}` : ''}`} role="alert" data-place="gate-said"
    ?hidden=${gate.words === ''}>${gate.words}</p>
  <div class="gate">${viewLiveDesk(open)} ${viewById(open)} ${viewByPasskey(open)}</div>`;
}
