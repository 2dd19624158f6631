import type { ServerResponse } from 'node:http';
import { Refusal } from '../../kernel/refusal.ts';

/** Counts bytes that wait, in all and for each client. */
export class ByteBudget {
  #byClient = new Map<string, number>();
  bytes = 0;

  of(client: string): number {
    return this.#byClient.get(client) ?? 0;
  }

  /** Counts so many more for a client, or fewer where `more` is negative. */
  add(client: string, more: number): void {
    this.bytes += more;
    const all = this.of(client) + more;
    if (all > 0) this.#byClient.set(client, all);
    else this.#byClient.delete(client);
  }
}

/** Bytes of large answers that their callers have not read may wait at once, in all and for one client. */
const mostBytes = 268_435_456;
const mostOfClient = mostBytes / 8;
/** An answer of fewer bytes is not counted: a connection that is not read holds about as many anyway. */
const large = 65_536;

/** Bounds the answers that wait in memory until they are read. */
export function createUnreadBudget() {
  const budget = new ByteBudget();
  return {
    /** Throws too_busy where a client left too much unread, or where all did and this client left some of it. */
    check(client: string): void {
      if (budget.of(client) < (budget.bytes < mostBytes ? mostOfClient : 1)) return;
      const reason = 'Too many answers wait to be read. Read them, then ask again.';
      throw new Refusal('too_busy', { reason });
    },
    /** Counts an answer from when it was sent until it has left. */
    add(client: string, response: ServerResponse, size: number): void {
      if (size < large || response.writableFinished) return;
      budget.add(client, size);
      response.once('close', () => budget.add(client, -size));
    },
  };
}
