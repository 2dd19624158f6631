import { hash, randomBytes } from 'node:crypto';
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

const waiting: (() => void)[] = [];

/** Lets the first of those who wait go on; the next goes on once what others sent was read in between. */
function letOneGoOn(): void {
  const goOn = waiting.shift()!;
  if (waiting.length > 0) setImmediate(letOneGoOn);
  goOn();
}

/** What the core asks of a machine, by Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes: takeRandom,
  pause: () =>
    new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(letOneGoOn);
    }),
  sha256: (text) => hash('sha256', text),
};
