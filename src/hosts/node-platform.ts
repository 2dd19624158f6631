import { hash, randomBytes } from 'node:crypto';
import { createQueue } from '../kernel/queue.ts';
import type { Platform } from '../kernel/service.ts';

/** Random bytes are drawn this many at a time: to draw a few costs as much. Each is given out once. */
const drawn = 4096;
let pool = Buffer.alloc(0);

function takeRandom(count: number): Uint8Array {
  if (count > pool.length) pool = randomBytes(Math.max(count, drawn));
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}

const toNextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Lets one that waits go on in each turn of the event loop; clients take turns. */
export function createTurns() {
  const inTurn = createQueue(1);
  return (client = '') => inTurn(client, toNextTurn);
}

/** What the core asks of a machine, by Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes: takeRandom,
  pause: createTurns(),
  sha256: (text) => hash('sha256', text),
};
