import type { ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { UseByClient } from '../../kernel/client-keys.ts';
import { usualBody } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** The largest budget, in bytes. A process with a small heap has a fifth of it, because answers are made there. */
const largestBudget = 268_435_456;

/** How many bytes answers may have at once. */
export class AnswerBounds {
  /** In all. */
  readonly all: number;
  /** Those of one client. */
  readonly ofClient: number;
  /** In all with those of at most `usualBody` bytes, so that large ones never keep these out. */
  readonly withSmall: number;

  constructor(heapBytes: number) {
    this.all = Math.min(largestBudget, heapBytes / 5);
    this.ofClient = this.all / 4;
    this.withSmall = 1.5 * this.all;
  }
}

const tooManyUnread = 'Too many answers wait to be read. Read them, then ask again.';
const tooManyLarge = 'Too many large answers are made or read here now. Ask again in a moment.';

const createBusyRefusal = (reason: string) => new Refusal('too_busy', { reason });

/** The bytes of one answer: from when they are reserved, or the body exists, until the answer has left. */
export class HeldAnswer {
  readonly #bounds: AnswerBounds;
  readonly #use: UseByClient;
  readonly #client: string;
  #bytes = 0;

  constructor(bounds: AnswerBounds, use: UseByClient, client: string) {
    this.#bounds = bounds;
    this.#use = use;
    this.#client = client;
  }

  /** Reserves at least so many bytes before the answer is made. Throws too_busy if there is no room. */
  reserve(bytes: number): void {
    if (!this.#fits(bytes)) throw createBusyRefusal(tooManyLarge);
    this.resize(Math.max(bytes, this.#bytes));
  }

  /** Counts the body that exists, whatever was reserved. Throws too_busy if there is no room. */
  count(bytes: number): void {
    if (!this.#fits(bytes)) throw createBusyRefusal(tooManyLarge);
    this.resize(bytes);
  }

  /** Counts so many bytes, whether there is room or not. */
  resize(bytes: number): void {
    if (bytes === this.#bytes) return;
    this.#use.add(this.#client, bytes - this.#bytes);
    this.#bytes = bytes;
  }

  /** Counts an answer of so many bytes until it has left or its connection is closed. */
  countUntilSent(bytes: number, response: ServerResponse): void {
    const isSent = response.writableFinished || response.destroyed;
    this.resize(isSent ? 0 : bytes);
    if (!isSent && bytes > 0) response.once('close', () => this.resize(0));
  }

  /** Whether the answer may have so many bytes. An answer larger than its client's share may be made alone. */
  #fits(bytes: number): boolean {
    const more = bytes - this.#bytes;
    if (more <= 0) return true;
    const use = this.#use;
    const { all, ofClient, withSmall } = this.#bounds;
    if (bytes <= usualBody) return use.all + more <= withSmall;
    if (use.all === this.#bytes) return true;
    const isAlone = use.hasRoom(this.#client, -this.#bytes, 0);
    return use.all + more <= all && (isAlone || use.hasRoom(this.#client, more, ofClient));
  }
}

/** Limits the answers that are in memory, because they are made or compressed or their callers have not read them. */
export class AnswerBudget {
  readonly #use = new UseByClient();
  readonly #bounds: AnswerBounds;

  constructor(bounds = new AnswerBounds(getHeapStatistics().heap_size_limit)) {
    this.#bounds = bounds;
  }

  /** Throws too_busy if the client left too much unread, or if all clients did and this client left some of it. */
  check(client: string): void {
    const use = this.#use;
    if (use.all === 0) return;
    const { all, ofClient, withSmall } = this.#bounds;
    const most = use.all < all ? ofClient : 1;
    if (use.all >= withSmall || !use.hasRoom(client, 1, most)) throw createBusyRefusal(tooManyUnread);
  }

  /** Begins to count an answer for a client. */
  hold(client: string): HeldAnswer {
    return new HeldAnswer(this.#bounds, this.#use, client);
  }

  /** Bytes of all answers that are held. */
  get bytes(): number {
    return this.#use.all;
  }
}
