import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connectToServer, pickPauseMs, withinTime } from './redis-client.ts';
import { channel } from './redis-scripts.ts';
import type { StoreAddress } from './store-url.ts';

/**
 * Listens to changes over a connection of its own, which is opened again when it ends. Calls `listener` with the key of
 * each workspace that changed. After each connection it is called without a key, once `check` resolves, because changes
 * may have been missed. Returns a function that ends it.
 */
export function listenToChanges(
  address: StoreAddress,
  check: () => Promise<unknown>,
  listener: (key?: string) => void,
): () => void {
  const closing = new AbortController();
  const { signal } = closing;

  async function listen(attempt: number): Promise<void> {
    const client = await connectToServer(address, attempt);
    try {
      // A waiting call reads again when it is woken, which fails until the store can be read.
      await check();
      await withinTime(client.subscribe(channel, listener));
      listener();
      await once(client, 'terminated', { signal });
    } finally {
      client.destroy();
    }
  }

  async function keepListening(): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const from = performance.now();
      await listen(attempt).catch(() => {});
      // The pause grows only while no connection lasts.
      const retries = performance.now() - from > 5000 ? 0 : attempt;
      await pause(pickPauseMs(retries), undefined, { ref: false });
    }
  }

  void keepListening();
  return () => closing.abort();
}
