import { state } from '../state/state.ts';

/** Shows the result of an action. A refusal stays until the next result. */
export function toast(words: string, tone: 'ok' | 'blocked' = 'ok'): void {
  const place = document.querySelector<HTMLElement>('.toast')!;
  clearTimeout(state.timers.toast);
  place.className = `toast is-${tone}`;
  place.textContent = words;
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
