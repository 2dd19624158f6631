/** Starts the recorded run: at a click, or at once if the address ends in `#play`. */
import { ApiError, isLive } from '../_scripts/api-client.ts';
import { copyButton, el, need } from '../_scripts/dom.ts';
import { formatTimeLeft } from '../_scripts/format.ts';
import { explainFailure, isStillOpen } from '../_scripts/remembered.ts';
import { type RememberedWorkspace, watchWorkspace } from '../_scripts/workspace-store.ts';

const text = need<HTMLElement>(document, '[data-text]');
const place = need<HTMLElement>(document, '[data-watch]');
const said = need<HTMLElement>(document, '[data-said]');
const button = need<HTMLButtonElement>(document, '[data-play]');

/** Plays the run instead of its text. If the reader prefers reduced motion, each step takes a button. */
async function play(): Promise<void> {
  said.textContent = 'Opening a workspace …';
  if (!(await isLive())) throw new ApiError(0);
  const { playRun } = await import('./player.ts');
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  await playRun(need(place, '[data-panel]'), !isStill, () => {
    text.hidden = true;
    place.hidden = false;
    document.body.classList.add('watching');
    scrollTo({ top: 0, behavior: 'instant' });
  });
}

/** Runs what a click asks for, and says in place why it failed. */
async function attempt(run: () => Promise<void>): Promise<void> {
  button.disabled = true;
  try {
    await run();
  } catch (error) {
    said.textContent = await explainFailure(error);
    button.disabled = false;
  }
}

/** Says that the browser remembers another workspace, whose place the new one takes. */
function offer({ id, expiresAt }: RememberedWorkspace): void {
  const left = formatTimeLeft(Date.parse(expiresAt) - Date.now());
  const words = `This browser remembers a workspace, ${left} left. The run makes a new one, which takes its place here. Copy the id if you want to open it again. `;
  const make = el('button', { type: 'button', class: 'button' }, 'Watch in a new one');
  make.addEventListener('click', () => attempt(play));
  const copy = copyButton(
    'Copy its id',
    'button quiet',
    () => id,
    () => said.append(` ${id}`),
  );
  const open = el('a', { class: 'button quiet', href: '/workspace.html#today' }, 'Open it');
  said.replaceChildren(words, el('span', { class: 'actions' }, make, copy, open));
  button.disabled = false;
  make.focus();
}

const recallWorkspace = () =>
  new Promise<RememberedWorkspace | undefined>((resolve) => {
    watchWorkspace(resolve);
  });

const begin = () =>
  attempt(async () => {
    const remembered = await recallWorkspace();
    if (await isStillOpen(remembered)) offer(remembered!);
    else await play();
  });

button.addEventListener('click', begin);
if (location.hash === '#play') {
  history.replaceState(null, '', location.pathname);
  void begin();
}
