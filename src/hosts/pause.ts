import { toTurn } from '../kernel/client-keys.ts';
import { createQueue } from '../kernel/queue.ts';

/** Milliseconds that work which pauses takes, all of it together, before others have their turn. */
const mostMs = 4;

export interface EventLoop {
  /** Resolves when all work that can go on at once has gone as far as it can. */
  toRest: () => Promise<void>;
  /** Resolves in the next turn, when others have been served. */
  toNextTurn: () => Promise<void>;
}

/**
 * Lets work that pauses continue for a few milliseconds in each turn of the event loop. Clients take turns, by `toTurn`.
 * Work of several clients shares a turn while there is time left: with one piece of work in each turn, searches would
 * keep apart the changes that a store could write together.
 */
export function createPause({ toRest, toNextTurn }: EventLoop) {
  const inTurn = createQueue(1);
  let end = 0;
  const goOn = async () => {
    // The work before this one may take all that is left of the time, in one step.
    await toRest();
    if (performance.now() < end) return;
    await toNextTurn();
    end = performance.now() + mostMs;
  };
  return (client = '') => (performance.now() < end ? undefined : inTurn(toTurn(client), goOn));
}
