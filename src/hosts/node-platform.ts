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

/** One in each turn of the event loop. */
const inTurn = createQueue(1);
const toNextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What the core asks of a machine, by Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes: takeRandom,
  pause: (client = '') => inTurn(client, toNextTurn),
  sha256: (text) => hash('sha256', text),
};
