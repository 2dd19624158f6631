import { setTimeout as pause } from 'node:timers/promises';
import { toRefusal } from '../../kernel/refusal.ts';
import type { Store } from '../../records/store.ts';
import type { StoreFault } from '../../stores/store-fault.ts';

/** Milliseconds until a store is asked again that knows nothing of its server yet. */
const againMs = 100;

/**
 * Reports what keeps the store from working as the host starts, once: what is set wrong is then told before the first
 * caller meets it. The host goes on all the same, since a server may come later.
 */
export async function tellIfAway(store: Store, report: (fault: unknown) => void): Promise<void> {
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
