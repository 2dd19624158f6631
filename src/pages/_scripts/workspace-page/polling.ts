import { Refused } from './ask.ts';
import { current, lastAsked, place, refresh } from './desk.ts';

/** The page asks no oftener, however long it is seen. */
const everyMs = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says that the service is away, or takes that back. */
function tellAway(isAway: boolean): void {
  const told = place('away');
  if (told.hidden === !isAway) return;
  told.hidden = !isAway;
  told.textContent = isAway
    ? 'The service does not answer just now. What is shown may be old; it is asked again every ten seconds.'
    : '';
}

/**
 * Asks for what is new while the page is seen, at most every ten seconds; a 304 says that nothing is. `onGone` is
 * called where the workspace is not known any more.
 */
export function attachPolling(onGone: (error: Refused) => unknown): void {
  async function ask(): Promise<void> {
    clearTimeout(timer);
    if (document.hidden) return;
    const wait = lastAsked() + everyMs - Date.now();
    if (wait <= 0 && current()) {
      try {
        await refresh();
        tellAway(false);
      } catch (error) {
        if (error instanceof Refused && error.status === 401) return void onGone(error);
        tellAway(true);
      }
    }
    timer = setTimeout(ask, Math.max(wait, 1000));
  }
  document.addEventListener('visibilitychange', ask);
  ask();
}
