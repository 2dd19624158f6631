import { findTurn } from '../kernel/client-keys.ts';
import { createQueue } from '../kernel/queue.ts';

/** Milliseconds that all pausing work together takes before others have their turn. */
const mostMs = 4;

export interface EventLoop {
  /** Resolves when all work that is ready has run as far as it can. */
  drain: () => Promise<void>;
  /** Resolves in the next turn, when others have been served. */
  waitForTurn: () => Promise<void>;
}

/**
 * Lets pausing work run for a few milliseconds in each turn of the event loop. Clients take turns, by `findTurn`.
 *
 * Work of several clients shares a turn while time is left. With one piece in each turn, searches would keep changes
 * apart that a store could write together.
 */
export function createPause({ drain, waitForTurn }: EventLoop) {
  const inTurn = createQueue(1);
  let end = 0;
  const yieldTurn = async () => {
    // The work before this one may use up the time in one step.
    await drain();
    if (performance.now() < end) return;
    await waitForTurn();
    end = performance.now() + mostMs;
  };
  return (client = '') => (performance.now() < end ? undefined : inTurn(findTurn(client), yieldTurn));
}
