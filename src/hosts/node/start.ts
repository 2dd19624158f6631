import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { toRefusal } from '../../kernel/refusal.ts';
import type { Catalogue } from '../../kernel/service.ts';
import type { Store } from '../../records/store.ts';
import type { StoreFault } from '../../stores/store-fault.ts';
import { none } from './limits.ts';
import { createLive, type LiveParts } from './live.ts';
import { IncomingMessage, ServerResponse } from './node-internals.ts';

/** After this many searches the engine has compiled the code that they run. */
const searches = 50;

/**
 * Answers searches before the first caller asks, as live requests but without the network, the limits and the log. Each is
 * for another occupation's title, since nothing is computed twice.
 */
export async function warmUp(
  parts: LiveParts,
  { occupations }: Pick<Catalogue, 'occupations'>,
): Promise<void> {
  let answered = () => {};
  const limits = { ...parts.limits, admitLive: () => none };
  const serve = createLive({ ...parts, limits, onAnswered: () => answered() });
  for (const { title } of occupations.slice(0, searches)) {
    const query = `limit=1&q=${encodeURIComponent(title)}`;
    const target = { path: '/occupations', query };
    const asked = { method: 'GET', url: `${target.path}?${query}`, httpVersionMajor: 1, httpVersionMinor: 1 };
    const request = Object.assign(new IncomingMessage(new Socket()), asked);
    await new Promise<void>((resolve) => {
      answered = resolve;
      serve(request, new ServerResponse(request), target, '');
    });
  }
}

/** Milliseconds until a store that is not connected yet is checked again. */
const againMs = 100;

/**
 * Reports once why the store does not work, before the first caller meets it. The host goes on all the same: its server
 * may come later.
 */
export async function reportStoreFault(store: Store, report: (fault: unknown) => void): Promise<void> {
  for (;;) {
    try {
      return await store.check();
    } catch (error) {
      const fault = toRefusal(error).cause as StoreFault;
      if (fault.word !== 'not_connected') return report(fault);
    }
    await pause(againMs);
  }
}
