import { setTimeout as pause } from 'node:timers/promises';

/** Minimum milliseconds between the beginnings of two probes. */
const gapMs = 5;

/**
 * Returns a function that runs a probe. Callers at the same time share one. A caller gets the result of a probe that
 * began after its call, so that it also covers what the caller read before.
 */
export function shareProbe(probe: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  let next: Promise<void> | undefined;

  async function runNext(): Promise<void> {
    await last;
    const waitMs = lastAt + gapMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
    lastAt = performance.now();
    next = undefined;
    const running = probe();
    last = running.catch(() => {});
    return running;
  }

  return () => {
    next ??= runNext();
    return next;
  };
}
