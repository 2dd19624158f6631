import { hash, randomBytes } from 'node:crypto';
import type { Platform } from '../kernel/service.ts';
import { StepRunner, type Turns } from '../kernel/step-runner.ts';
import type { EventLoop } from './pause.ts';

/** Random bytes are drawn this many at a time, because drawing a few costs as much. Each is used once. */
const drawn = 4096;
let pool = Buffer.alloc(0);

function takeRandom(count: number): Uint8Array {
  if (count > pool.length) pool = randomBytes(Math.max(count, drawn));
  const taken = pool.subarray(0, count);
  pool = pool.subarray(count);
  return taken;
}

let opened = 0;

/** Reports a new connection. Work that waits for a turn lets new connections go first. */
export function reportOpened(): void {
  opened += 1;
}

/** Maximum turns of the event loop that a wait takes. */
const mostTurns = 32;

/**
 * Waits for a turn of the event loop that opens no connection. A turn opens only one, so otherwise the last connection
 * would wait for as many turns of work.
 */
async function waitForQuietTurn(): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns += 1) {
    const before = opened;
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (opened === before) return;
  }
}

/** The clock and the event loop of Node. */
export const turns: Turns = { now: performance.now.bind(performance), waitForTurn: waitForQuietTurn };

/** The event loop of Node. A tick comes after all reactions of promises have run. */
export const eventLoop: EventLoop = {
  drain: () => new Promise((resolve) => process.nextTick(resolve)),
  waitForTurn: waitForQuietTurn,
};

/** Runs the steps of all callers of this process. */
export const stepRunner = new StepRunner(turns);

/** The platform of the core on Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes: takeRandom,
  runSteps: stepRunner.run.bind(stepRunner),
  sha256: (text) => hash('sha256', text),
};
