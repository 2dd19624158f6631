import './consoles.ts';
import './tabs.ts';
import { ApiError, callApi, isLive } from './api-client.ts';
import { el, need } from './dom.ts';
import { formatTimeLeft } from './format.ts';
import { createLiveDesk } from './live-desk.ts';
import { isExpired, markGone, type RememberedWorkspace, watchWorkspace } from './workspace-store.ts';

const place = need<HTMLElement>(document, '[data-live-desk]');
const said = need<HTMLElement>(place, '[data-said]');
const button = need<HTMLButtonElement>(place, 'button');
const desk = '/workspace.html#today';

let remembered: RememberedWorkspace | undefined;

/** Says why there is no desk, or only a part of one. */
async function explain(error: unknown): Promise<string> {
  if (!(error instanceof ApiError)) return (error as Error).message;
  if (!navigator.onLine) return 'This device is offline. Try again when it is connected.';
  if (error.status > 0) return error.message;
  return (await isLive())
    ? 'The service does not answer just now. Try again in a moment.'
    : 'No live service answers at this address, and none could be started in this browser.';
}

/** Whether the service still knows the remembered workspace. Throws an ApiError if nothing answers. */
async function isOpen(workspace: RememberedWorkspace | undefined): Promise<boolean> {
  if (!workspace || isExpired(workspace)) return false;
  const { status } = await callApi('GET', '/workspace', { headers: { 'X-Workspace': workspace.id } });
  if (status === 401) await markGone(workspace.id);
  return status === 200;
}

/** Runs what a click asks for, and says in place why it failed. The buttons cannot be pressed meanwhile. */
async function attempt(run: () => Promise<void>): Promise<void> {
  button.disabled = true;
  try {
    await run();
  } catch (error) {
    const before = remembered?.id;
    const words = await explain(error);
    said.replaceChildren(el('strong', {}, `${words} `));
    if (before) said.append(el('a', { href: desk }, 'Open the workspace of this browser'));
    button.disabled = false;
    button.focus();
  }
}

async function fill(): Promise<void> {
  await createLiveDesk((words) => (said.textContent = words));
  said.textContent = 'Opening the desk …';
  location.href = desk;
}

/** Offers the open workspace or a new one. */
function offer({ expiresAt }: RememberedWorkspace): void {
  const left = formatTimeLeft(Date.parse(expiresAt) - Date.now());
  const open = el('a', { class: 'button', href: desk }, 'Open it');
  const make = el('button', { type: 'button', class: 'button quiet' }, 'Make a new desk');
  make.addEventListener('click', () => attempt(fill));
  said.replaceChildren(
    el('span', {}, `This browser has a workspace, ${left} left. `),
    el('span', { class: 'actions' }, open, make),
  );
  button.disabled = false;
  open.focus();
}

watchWorkspace((workspace) => (remembered = workspace));
button.addEventListener('click', () =>
  attempt(async () => {
    said.textContent = 'Looking for a workspace in this browser …';
    if (await isOpen(remembered)) return offer(remembered!);
    await fill();
  }),
);
// A browser that goes back to this page may show it as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  button.disabled = false;
  said.textContent = '';
});
