import { actionButton } from '../../_scripts/dom.ts';
import { state } from '../state/state.ts';

/** What a person can do about the result of an action. */
interface ToastAction {
  words: string;
  run(): unknown;
}

/** Shows the result of an action. A refusal stays until the next result. */
export function toast(words: string, tone: 'ok' | 'blocked' = 'ok', action?: ToastAction): void {
  const place = document.querySelector<HTMLElement>('.toast')!;
  clearTimeout(state.timers.toast);
  place.className = `toast is-${tone}`;
  const run = () => {
    place.textContent = '';
    action?.run();
  };
  place.replaceChildren(words);
  if (action) place.append(actionButton(action.words, run));
  if (tone === 'ok') state.timers.toast = setTimeout(() => (place.textContent = ''), 6000);
}

/** Runs the action of a button, and shows a failure as a toast. */
export async function attempt(run: () => Promise<unknown>, explain = (error: Error) => error.message) {
  try {
    await run();
  } catch (error) {
    toast(explain(error as Error), 'blocked');
  }
}
