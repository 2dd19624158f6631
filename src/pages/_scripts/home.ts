import './consoles.ts';
import './tabs.ts';
import { el, need } from './dom.ts';
import { formatTimeLeft } from './format.ts';
import { createLiveDesk } from './live-desk.ts';
import { explainFailure, isStillOpen } from './remembered.ts';
import { type RememberedWorkspace, watchWorkspace } from './workspace-store.ts';

const place = need<HTMLElement>(document, '[data-live-desk]');
const said = need<HTMLElement>(place, '[data-said]');
const button = need<HTMLButtonElement>(place, 'button');
const desk = '/workspace.html#today';

let remembered: RememberedWorkspace | undefined;

/** Runs what a click asks for, and says in place why it failed. The buttons cannot be pressed meanwhile. */
async function attempt(run: () => Promise<void>): Promise<void> {
  button.disabled = true;
  try {
    await run();
  } catch (error) {
    const before = remembered?.id;
    const words = await explainFailure(error);
    said.replaceChildren(el('strong', {}, `${words} `));
    if (before) said.append(el('a', { href: desk }, 'Open the workspace of this browser'));
    button.disabled = false;
    button.focus();
  }
}

async function fill(): Promise<void> {
  await createLiveDesk((words) => (said.textContent = words));
  said.textContent = 'Opening the workspace …';
  location.href = desk;
}

/** Offers the open workspace or a new one. */
function offer({ expiresAt }: RememberedWorkspace): void {
  const left = formatTimeLeft(Date.parse(expiresAt) - Date.now());
  const open = el('a', { class: 'button', href: desk }, 'Open it');
  const make = el('button', { type: 'button', class: 'button quiet' }, 'Make a new one');
  make.addEventListener('click', () => attempt(fill));
  said.replaceChildren(
    el('span', {}, `This browser has a workspace, ${left} left. `),
    el('span', { class: 'actions' }, open, make),
  );
  button.disabled = false;
  open.focus();
}

/** Opens the console if the address leads to it. */
function unfold(): void {
  if (location.hash === '#console') need<HTMLDetailsElement>(document, '[data-fold]').open = true;
}

unfold();
addEventListener('hashchange', unfold);
watchWorkspace((workspace) => (remembered = workspace));
button.addEventListener('click', () =>
  attempt(async () => {
    said.textContent = 'Looking for a workspace in this browser …';
    if (await isStillOpen(remembered)) return offer(remembered!);
    await fill();
  }),
);
// A browser that goes back to this page may show it as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  button.disabled = false;
  said.textContent = '';
});
