import { setTimeout as pause } from 'node:timers/promises';
import { connectToServer, longestPauseMs, toPauseMs, withinTime } from './redis-client.ts';
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
  let end = () => {};
  let isClosed = false;

  async function hear(attempt: number): Promise<void> {
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
    const client = (await connectToServer(address, attempt)).on('terminated', onEnd);
    end = () => {
      client.destroy();
      onEnd();
    };
    try {
      let isRead = false;
      // Until the store can be read here, whoever is woken would meet a fault: all are woken once it can.
      await withinTime(client.subscribe(channel, (key) => isRead && heard(key)));
      const fails = () =>
        check()
          .then(() => false)
          .catch(() => true);
      while (client.isOpen && (await fails())) await pause(longestPauseMs / 10);
      if (!client.isOpen) return;
      isRead = true;
      heard();
      if (!isClosed) await ended;
    } finally {
      if (client.isOpen) client.destroy();
    }
  }

  async function hearOn(): Promise<void> {
    for (let attempt = 0; !isClosed; attempt += 1) {
      const from = performance.now();
      await hear(attempt).catch(() => {});
      // The pause grows only while no connection lasts.
      const retries = performance.now() - from > 5000 ? 0 : attempt;
      await pause(toPauseMs(retries), undefined, { ref: false });
    }
  }

  void hearOn();
  return () => {
    isClosed = true;
    end();
  };
}
