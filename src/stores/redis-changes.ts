import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connectToServer, toPauseMs, withinTime } from './redis-client.ts';
import { channel } from './redis-scripts.ts';
import type { StoreAddress } from './store-url.ts';

/**
 * Hears of changes over a connection of its own, which is opened again whenever it ends: calls `heard` with the key of
 * each workspace that is published as changed, and without a key once connected and once `check` resolves, because some
 * may have been missed. Answers how to end it.
 */
export function hearChanges(
  address: StoreAddress,
  check: () => Promise<unknown>,
  heard: (key?: string) => void,
): () => void {
  const closing = new AbortController();
  const { signal } = closing;

  async function hear(attempt: number): Promise<void> {
    const client = await connectToServer(address, attempt);
    try {
      // Until the store can be read here, whoever is woken would meet a fault.
      await check();
      await withinTime(client.subscribe(channel, heard));
      heard();
      await once(client, 'terminated', { signal });
    } finally {
      client.destroy();
    }
  }

  async function hearOn(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const from = performance.now();
      await hear(attempt).catch(() => {});
      // The pause grows only while no connection lasts.
      const retries = performance.now() - from > 5000 ? 0 : attempt;
      await pause(toPauseMs(retries), undefined, { ref: false });
    }
  }

  void hearOn();
  return () => closing.abort();
}
