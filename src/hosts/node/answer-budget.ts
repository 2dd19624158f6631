import type { ServerResponse } from 'node:http';
import { UseByClient } from '../../kernel/client-keys.ts';
import { usualBody } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** Bytes of answers that may be made, compressed or wait to be read at once, in all and of one client. */
const mostHeld = 134_217_728;
const mostHeldOfClient = mostHeld / 4;
/** Bytes beyond `mostHeld` for answers of at most `usualBody` bytes, so that large ones never keep those out. */
const spare = mostHeld / 2;

const tooManyUnread = 'Too many answers wait to be read. Read them, then ask again.';
const tooManyLarge = 'Too many large answers are made or read here now. Ask again in a moment.';

const createBusyRefusal = (reason: string) => new Refusal('too_busy', { reason });

/** The bytes of one answer: from when they are reserved, or the body exists, until the answer has left. */
export class HeldAnswer {
  readonly #use: UseByClient;
  readonly #client: string;
  #bytes = 0;

  constructor(use: UseByClient, client: string) {
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
    if (bytes <= usualBody) return use.all + more <= mostHeld + spare;
    if (use.all === this.#bytes) return true;
    const isAlone = use.hasRoom(this.#client, -this.#bytes, 0);
    return use.all + more <= mostHeld && (isAlone || use.hasRoom(this.#client, more, mostHeldOfClient));
  }
}

/** Limits the answers that are in memory, because they are made or compressed or their callers have not read them. */
export class AnswerBudget {
  readonly #use = new UseByClient();

  /** Throws too_busy if the client left too much unread, or if all clients did and this client left some of it. */
  check(client: string): void {
    const use = this.#use;
    if (use.all === 0) return;
    const most = use.all < mostHeld ? mostHeldOfClient : 1;
    if (use.all >= mostHeld + spare || !use.hasRoom(client, 1, most)) throw createBusyRefusal(tooManyUnread);
  }

  /** Begins to count an answer for a client. */
  hold(client: string): HeldAnswer {
    return new HeldAnswer(this.#use, client);
  }

  /** Bytes of all answers that are held. */
  get bytes(): number {
    return this.#use.all;
  }
}
