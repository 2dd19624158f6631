import { toNetwork } from './client-address.ts';

/** How many calls wait at most: of one client, on one workspace, and in this process. */
const most = { client: 20, workspace: 20, process: 2000 };

/** Seconds after which a call that found no seat may try again. */
export const seatSeconds = 5;

/** What a waiting read is made from. */
export interface Watched {
  /** The key that its workspace is stored under. */
  key: string;
  /** When it is gone unless it changes, in milliseconds since the epoch. */
  expiresAt: number;
}

/** What those read who were woken at once, by what they asked: one reading serves all of them. */
type Readings = Map<string, Promise<unknown>>;

/** The seat of a call that waits. */
export interface Seat {
  /** Resolves with true at the next change, or `ms` milliseconds later; with false once the wait is to end unread. */
  next(ms: number): Promise<boolean>;
  /** Reads, together with the others that the same change woke and that asked the same. */
  read<T>(asked: string, make: () => Promise<T>): Promise<T>;
  /** Ends the wait: its caller is gone. */
  end(): void;
  leave(): void;
}

interface Waiter extends Seat {
  wake(readings: Readings): void;
}

function createWaiter(leave: () => void): Waiter {
  let readings: Readings | undefined;
  let isOver = false;
  let goOn = () => {};
  return {
    async next(ms) {
      if (!readings && !isOver) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        await new Promise<void>((resolve) => {
          goOn = resolve;
          timer = setTimeout(resolve, ms);
        });
        clearTimeout(timer);
      }
      return !isOver;
    },
    read<T>(asked: string, make: () => Promise<T>): Promise<T> {
      const shared = readings;
      readings = undefined;
      const reading = (shared?.get(asked) as Promise<T> | undefined) ?? make();
      shared?.set(asked, reading);
      return reading;
    },
    wake(woken) {
      readings = woken;
      goOn();
    },
    end() {
      isOver = true;
      goOn();
      leave();
    },
    leave,
  };
}

/** The calls of this process that wait for a change of a workspace. None of them polls the store. */
export interface Waits {
  /** A seat for a client that waits for a workspace; undefined where there is none. */
  enter(key: string, client?: string): Seat | undefined;
  /** Wakes those that wait for a workspace; all of them where changes may have been missed. */
  wake(key?: string): void;
  /** Ends all waits; none begins any more. */
  end(): void;
  count(): number;
}

export function createWaits(): Waits {
  const byWorkspace = new Map<string, Set<Waiter>>();
  const byClient = new Map<string, number>();
  let count = 0;
  let isOver = false;
  return {
    enter(key, client = '') {
      const network = toNetwork(client);
      const own = byClient.get(network) ?? 0;
      const seats = byWorkspace.get(key) ?? new Set();
      const isFull = count >= most.process || seats.size >= most.workspace || own >= most.client;
      if (isFull || isOver) return undefined;
      const waiter = createWaiter(() => {
        if (!seats.delete(waiter)) return;
        count -= 1;
        if (seats.size === 0) byWorkspace.delete(key);
        const left = byClient.get(network)! - 1;
        if (left > 0) byClient.set(network, left);
        else byClient.delete(network);
      });
      count += 1;
      byClient.set(network, own + 1);
      byWorkspace.set(key, seats.add(waiter));
      return waiter;
    },
    wake(key) {
      const woken = key === undefined ? byWorkspace.values() : [byWorkspace.get(key) ?? []];
      for (const seats of woken) {
        const readings: Readings = new Map();
        for (const waiter of seats) waiter.wake(readings);
      }
    },
    end() {
      isOver = true;
      for (const seats of [...byWorkspace.values()]) for (const waiter of [...seats]) waiter.end();
    },
    count: () => count,
  };
}
