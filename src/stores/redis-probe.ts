import { setTimeout as pause } from 'node:timers/promises';
import type { NodeClient } from './redis-client.ts';

/** Minimum milliseconds between the beginnings of two probes of a server. */
const gapMs = 5;

type Probe = (key: string) => Promise<void>;

/** Shares the probes of one server. */
function shareProbe(probe: Probe): Probe {
  let last: Promise<unknown> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  let next: Promise<void> | undefined;

  async function runNext(key: string): Promise<void> {
    await last;
    const waitMs = lastAt + gapMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
    lastAt = performance.now();
    next = undefined;
    const running = probe(key);
    last = running.catch(() => {});
    return running;
  }

  return (key) => {
    next ??= runNext(key);
    return next;
  };
}

/**
 * Returns a function that runs a probe of a server, by a key in one of its slots. Callers at the same time share one. A
 * caller gets the result of a probe that began after its call, so that it also covers what the caller read before.
 */
export function shareProbes(probe: Probe): (node: NodeClient, key: string) => Promise<void> {
  const shared = new WeakMap<NodeClient, Probe>();
  return (node, key) => {
    const run = shared.get(node) ?? shareProbe(probe);
    shared.set(node, run);
    return run(key);
  };
}
