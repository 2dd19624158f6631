import type { ServerResponse } from 'node:http';
import { Refusal } from '../../kernel/refusal.ts';

/** Bytes of large answers that their callers have not read may wait at once, in all and for one client. */
const mostBytes = 268_435_456;
const mostOfClient = mostBytes / 8;
/** An answer of fewer bytes is not counted: a connection that is not read holds about as many anyway. */
const large = 65_536;

/** Bounds the answers that wait in memory until they are read. */
export function createUnreadBudget() {
  let bytes = 0;
  const byClient = new Map<string, number>();

  function count(client: string, more: number): void {
    bytes += more;
    const all = (byClient.get(client) ?? 0) + more;
    if (all > 0) byClient.set(client, all);
    else byClient.delete(client);
  }

  return {
    /** Throws too_busy where a client left too much unread, or where all did and this client left some of it. */
    check(client: string): void {
      const own = byClient.get(client) ?? 0;
      if (own < (bytes < mostBytes ? mostOfClient : 1)) return;
      const reason = 'Too many answers wait to be read. Read them, then ask again.';
      throw new Refusal('too_busy', { reason });
    },
    /** Counts an answer from when it was sent until it has left. */
    add(client: string, response: ServerResponse, size: number): void {
      if (size < large || response.writableFinished) return;
      count(client, size);
      response.once('close', () => count(client, -size));
    },
  };
}
