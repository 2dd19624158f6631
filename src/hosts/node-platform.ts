import { hash, randomBytes } from 'node:crypto';
import type { Platform } from '../kernel/service.ts';
import { createPause, type EventLoop } from './pause.ts';

/** Random bytes are drawn this many at a time: to draw a few costs as much. Each is given out once. */
const drawn = 4096;
let pool = Buffer.alloc(0);

function takeRandom(count: number): Uint8Array {
  if (count > pool.length) pool = randomBytes(Math.max(count, drawn));
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}

let opened = 0;

/** Reports a new connection: those that wait for a turn let it go first. */
export function reportOpened(): void {
  opened += 1;
}

/** Turns of the event loop that a wait takes at most. */
const mostTurns = 32;

/**
 * Waits for a turn of the event loop that opens no connection. Each turn opens one, so that all that are waiting to be
 * opened would otherwise wait for as many turns of work.
 */
async function waitForQuietTurn(): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns += 1) {
    const before = opened;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (opened === before) return;
  }
}

/** How work that pauses waits for others. A tick comes after all reactions of promises have run. */
export const eventLoop: EventLoop = {
  drain: () => new Promise((resolve) => process.nextTick(resolve)),
  waitForTurn: waitForQuietTurn,
};

/** What the core asks of a machine, by Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes: takeRandom,
  pause: createPause(eventLoop),
  sha256: (text) => hash('sha256', text),
};
