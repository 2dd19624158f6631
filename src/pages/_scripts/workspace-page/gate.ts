import { need } from '../dom.ts';
import { rememberWorkspace } from '../workspace.ts';
import { isOwner } from './access.ts';
import { Refused, write } from './ask.ts';
import { addDays } from './course.ts';
import { facts, place, toToday } from './desk.ts';

const idShape = /^ws_[0-9a-z]{39}$/;

/** The days of the sample are told from today. */
function toSample(): object {
  const { placements = [], ...rest } = facts.sample;
  return {
    ...rest,
    placements: placements.map(({ startDate, ...one }) => ({
      ...one,
      startDate: addDays(toToday(), Number(startDate)),
    })),
  };
}

/** Words above the form, where the page had to close a workspace or could not open one. */
export function tellGate(words: string, tone: 'ok' | 'blocked' = 'blocked'): void {
  const told = place('gate-said');
  told.className = words ? `verdict is-${tone}` : 'verdict';
  told.hidden = words === '';
  told.textContent = words;
}

/** What a refusal of an id means to a person. */
export function toGateWords(error: unknown): string {
  if (error instanceof Refused && error.status === 401) {
    return isOwner()
      ? 'Your hour is over, or the workspace is gone. Sign in again.'
      : 'No workspace is known by this id: it was mistyped, has expired, was erased, or was given a new id. Ask whoever gave it to you.';
  }
  if (error instanceof Refused && (error.status === 0 || error.status >= 500)) {
    return 'The service does not answer just now. Try again in a moment.';
  }
  return (error as Error).message;
}

/** The form that an id is pasted into, and the button that makes a workspace to try. `open` opens one. */
export function attachGate(open: (id: string) => Promise<void>): void {
  const form = need<HTMLFormElement>(place('gate'), 'form');
  const input = need<HTMLInputElement>(form, 'input');
  const tries = need<HTMLButtonElement>(place('gate'), '[data-sample]');

  async function attempt(run: () => Promise<void>): Promise<void> {
    const buttons = [...place('gate').querySelectorAll('button')];
    for (const one of buttons) one.disabled = true;
    try {
      await run();
      input.value = '';
    } catch (error) {
      tellGate(toGateWords(error));
    }
    for (const one of buttons) one.disabled = false;
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // What was copied with the id, such as a header's name or quotes, is no part of it.
    const id = /ws_\w+/.exec(input.value)?.[0] ?? '';
    if (!idShape.test(id))
      return tellGate('This is no workspace id: it begins with ws_ and 39 letters and digits follow.');
    attempt(() => open(id));
  });
  tries.addEventListener('click', () =>
    attempt(async () => {
      const { body } = await write('POST', '/batch', toSample());
      await rememberWorkspace(body.workspace, body.retention.expiresAt);
      await open(body.workspace);
    }),
  );
}

/** An id has no place in an address: it leaves it at once, and is not taken from there. */
export function clearAddress(): void {
  if (!/ws_\w/.test(location.href)) return;
  history.replaceState(null, '', location.pathname);
  tellGate('A workspace id was in the address, where others may see it. It was taken out; paste it below.');
}
