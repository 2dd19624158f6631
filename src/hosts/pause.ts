import { toTurn } from '../kernel/client-keys.ts';
import { createQueue } from '../kernel/queue.ts';

/** Milliseconds that work which pauses takes, all of it together, before others have their turn. */
const mostMs = 4;

/**
 * Lets work that pauses continue for a few milliseconds in each turn of the event loop. Clients take turns, by `toTurn`.
 * With one piece of work in each turn, searches would keep apart the changes that a store could write together.
 */
export function createPause(toNextTurn: () => Promise<void>) {
  const inTurn = createQueue(1);
  let end = 0;
  const goOn = async () => {
    if (performance.now() < end) return;
    await toNextTurn();
    end = performance.now() + mostMs;
  };
  return (client = '') => (performance.now() < end ? undefined : inTurn(toTurn(client), goOn));
}
