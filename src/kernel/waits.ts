import type { RequestOptions } from './call.ts';
import { listClientKeys } from './client-keys.ts';
import { isAnyTag, orNotModified } from './entity-tag.ts';
import type { OperationReply } from './operation.ts';
import type { OperationRequest, OperationResult, SharedRead, WaitSteps } from './operation-request.ts';

/** How many calls may wait: of one client, on one workspace, of one client on one workspace, and in this process. */
const most = { client: 20, workspace: 20, clientOnWorkspace: 10, process: 2000 };
/** Seconds after which a call beyond these limits may try again. */
const againSeconds = 5;
const allWaits = '';

/** The reads of all calls that one change woke, by key. Calls with one key share a read. */
type Readings = Map<string, Promise<OperationResult>>;

/** The place of one call that waits. */
class Seat {
  /** Set when a change wakes the call. */
  #readings: Readings | undefined;
  #resume = () => {};
  isOver = false;

  /** Waits until a change, the end or the time, in milliseconds. Returns at once if a change came already. */
  async pause(ms: number): Promise<void> {
    if (this.#readings || this.isOver) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  wake(readings: Readings): void {
    this.#readings = readings;
    this.#resume();
  }

  stop(): void {
    this.isOver = true;
    this.#resume();
  }

  /** Reads again, or shares the read of another call that the same change woke. */
  async read(shared: SharedRead): Promise<OperationResult> {
    const readings = this.#readings;
    this.#readings = undefined;
    const reading = readings?.get(shared.key) ?? shared.read();
    readings?.set(shared.key, reading);
    return shared.finish(await reading);
  }
}

const isKnown = ({ outcome }: OperationResult, options: RequestOptions) =>
  orNotModified(outcome, options).status === 304;

/** The workspace whose changes wake a call. */
const findWatched = ({ outcome, workspace }: OperationResult) => (outcome.watched ?? workspace)!;

function withHeaders({ outcome, workspace }: OperationResult, more: Record<string, string>): OperationResult {
  return { outcome: { ...outcome, headers: { ...outcome.headers, ...more } }, workspace };
}

/** Reads until the caller does not have the answer, or until `end` on the clock of `performance`. */
async function readUntilChanged(
  { service, options }: OperationRequest,
  shared: SharedRead,
  seat: Seat,
  end: number,
): Promise<OperationResult> {
  // A change before the call had its seat is seen by this read.
  let performed = await seat.read(shared);
  while (isKnown(performed, options) && performance.now() < end) {
    const left = findWatched(performed).expiresAt - service.platform.now();
    await seat.pause(Math.max(1, Math.min(left, end - performance.now())));
    if (seat.isOver) break;
    performed = await seat.read(shared);
  }
  return performed;
}

/** The registry of calls in this process that wait for a change of a workspace. None of them polls the store. */
export class Waits {
  readonly #groups = new Map<string, Set<Seat>>();
  #isOver = false;

  /** Whether the call asks to wait, and its operation can. */
  canWait({ service, operation, id, options }: OperationRequest): boolean {
    const { waitSeconds, ifNoneMatch, workspaceId } = options;
    if (waitSeconds === undefined || ifNoneMatch === undefined || isAnyTag(ifNoneMatch)) return false;
    const isNamed = workspaceId !== undefined || operation.access.capability !== undefined;
    return isNamed && operation.caching.canWait?.(service, id) === true;
  }

  /** Wakes the calls that wait for the workspace with this key, or all if changes may have been missed. */
  wake(key = allWaits): void {
    const readings: Readings = new Map();
    for (const seat of this.#seatsOf(key)) seat.wake(readings);
  }

  /** Ends all waits. No new one begins. */
  end(): void {
    this.#isOver = true;
    for (const seat of this.#seatsOf(allWaits)) seat.stop();
  }

  count(): number {
    return this.#seatsOf(allWaits).size;
  }

  #seatsOf(group: string): Set<Seat> {
    return this.#groups.get(group) ?? new Set<Seat>();
  }

  /** Takes a seat and returns how to leave it, or returns undefined if there is no seat. */
  #enter(seat: Seat, key: string, client = ''): (() => void) | undefined {
    const clientBounds = listClientKeys(client).flatMap(({ key: owner, shares }) => [
      [`client ${owner}`, most.client * shares] as const,
      [`client ${owner} on ${key}`, most.clientOnWorkspace * shares] as const,
    ]);
    const bounds = [[key, most.workspace], ...clientBounds, [allWaits, most.process]] as const;
    const isFull = bounds.some(([group, count]) => this.#seatsOf(group).size >= count);
    if (this.#isOver || isFull) return undefined;
    for (const [group] of bounds) this.#groups.set(group, this.#seatsOf(group).add(seat));
    return () => {
      for (const [group] of bounds) this.#leave(seat, group);
    };
  }

  #leave(seat: Seat, group: string): void {
    const seats = this.#seatsOf(group);
    if (seats.delete(seat) && seats.size === 0) this.#groups.delete(group);
  }

  /**
   * Replies to a read as soon as its answer differs from the one that the caller has. After the requested seconds it
   * replies in any case (RFC 7240 section 4.3).
   */
  async wait(request: OperationRequest, steps: WaitSteps): Promise<OperationReply> {
    const { service, operation, call, options } = request;
    const { waitSeconds = 0 } = options;
    const applied = { 'Preference-Applied': `wait=${waitSeconds}` };

    let performed = await steps.read();
    if (!isKnown(performed, options)) return steps.settle(withHeaders(performed, applied));
    const refused = performed.workspace && service.findReadOffer(operation, performed.workspace);
    if (refused) return refused;
    const seat = new Seat();
    const leave = this.#enter(seat, findWatched(performed).key, call.client);
    if (!leave) return steps.settle(withHeaders(performed, { 'Retry-After': `${againSeconds}` }));

    const noted = call.noted ?? {};
    noted.isWaiting = true;
    call.onGone?.(() => seat.stop());
    const from = performance.now();
    try {
      performed = await readUntilChanged(request, steps.share(), seat, from + waitSeconds * 1000);
    } finally {
      leave();
      noted.isWaiting = false;
      noted.waited = Math.round(performance.now() - from);
    }
    return steps.settle(withHeaders(performed, applied));
  }
}
