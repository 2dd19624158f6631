import { state } from '../state/state.ts';

/** How long the page rests before its place is stored, in milliseconds. Browsers limit how often that may be done. */
const restMs = 150;

const storePlace = () => history.replaceState({ ...history.state, y: scrollY }, '');

/**
 * Stores how far the page is scrolled with each entry of the history. The browser cannot restore that itself, because
 * what the address names is read after the page has loaded.
 */
export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => {
    state.isMoving = true;
    clearTimeout(state.timers.place);
  });
  addEventListener('scroll', () => {
    clearTimeout(state.timers.place);
    if (state.isMoving) return;
    state.timers.place = setTimeout(storePlace, restMs);
  });
  addEventListener('pagehide', storePlace);
}

/** Returns to the place that is stored with the present entry of the history, or to the top of the page. */
export function restorePlace(): void {
  state.isMoving = false;
  clearTimeout(state.timers.place);
  scrollTo({ top: Number(history.state?.y ?? 0), behavior: 'instant' });
}
