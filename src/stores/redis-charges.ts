import { createQueue } from '../kernel/queue.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { addCharges, type Charge, type MonthlyCalls } from '../workspace/charge.ts';
import type { Head } from '../workspace/head.ts';

/** How often charges are added again if others change or charge the same workspace meanwhile. */
const mostTries = 50;

interface WaitingCharge {
  head: Head;
  charge: Charge;
  resolve(used: MonthlyCalls | undefined): void;
  reject(reason: unknown): void;
}

interface Server {
  readHead(key: string): Promise<Head | undefined>;
  /** Replaces what a workspace used. Returns false, and changes nothing, if it is not as this head says. */
  replaceUsed(head: Head, used: MonthlyCalls): Promise<boolean>;
  /** Creates the Refusal of charges that were added too often. */
  refuse(): Refusal;
}

/** The charges of reads. Those of one workspace that come together are written together. */
export class RedisCharges {
  readonly #server: Server;
  readonly #inTurn = createQueue(Number.POSITIVE_INFINITY, { each: 1 });
  readonly #waiting = new Map<string, WaitingCharge[]>();

  constructor(server: Server) {
    this.#server = server;
  }

  /** Adds a charge to a workspace with this head. Returns what it used, or undefined if the charge is over its limit. */
  add(head: Head, charge: Charge): Promise<MonthlyCalls | undefined> {
    const { key } = head;
    return new Promise((resolve, reject) => {
      const added = { head, charge, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) {
        waiting.push(added);
        return;
      }
      this.#waiting.set(key, [added]);
      void this.#inTurn(key, () => this.#addWaiting(key));
    });
  }

  /** Adds the charges that wait for a workspace, in order. Never rejects. */
  async #addWaiting(key: string): Promise<void> {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    try {
      const results = await this.#addAll(waiting.at(-1)!.head, waiting);
      for (const [at, { resolve }] of waiting.entries()) resolve(results[at]);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }

  /**
   * Adds charges to a head as a caller has it. Reads the head of the workspace if that is another by now, or if a charge
   * would be refused.
   */
  async #addAll(
    given: Head,
    waiting: readonly WaitingCharge[],
  ): Promise<readonly (MonthlyCalls | undefined)[]> {
    const charges = waiting.map(({ charge }) => charge);
    let head: Head | undefined = given;
    for (let tries = 0; tries < mostTries; tries += 1) {
      // Nothing is charged to a deleted workspace.
      if (!head) return charges;
      const { used, sums } = addCharges(head, charges);
      const isRead = tries > 0;
      if (isRead && used === head.used) return sums;
      const isSure = isRead || !sums.includes(undefined);
      if (isSure && (await this.#server.replaceUsed(head, used))) return sums;
      head = await this.#server.readHead(given.key);
    }
    throw this.#server.refuse();
  }
}
