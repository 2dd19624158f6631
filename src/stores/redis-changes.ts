import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connectToServer, pickPauseMs, withinTime } from './redis-client.ts';
import { channel } from './redis-fields.ts';
import type { StoreAddress } from './store-url.ts';

/**
 * Listens to changes over its own connection, which is opened again when it ends. Calls `listener` with the key of each
 * changed workspace. Returns a function that stops listening.
 *
 * After each connection it waits for `check` and then calls `listener` without a key, because changes may have been
 * missed.
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
      // A waiting call reads again when it is woken. That would fail while the store cannot be read.
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
      // The pause grows only while connections do not last.
      const retries = performance.now() - from > 5000 ? 0 : attempt;
      await pause(pickPauseMs(retries), undefined, { ref: false });
    }
  }

  void keepListening();
  return () => closing.abort();
}
