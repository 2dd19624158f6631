import { listClientKeys } from './client-keys.ts';
import { isAnyTag, orNotModified } from './entity-tag.ts';
import type { OpenedWorkspace, Operation, OperationReply } from './operation.ts';
import type { OperationRequest, OperationResult, SharedRead } from './perform.ts';
import type { Service } from './service.ts';

/** How many calls wait at most: of one client, on one workspace, of one client on one workspace, and in this process. */
const most = { client: 20, workspace: 20, clientOnWorkspace: 10, process: 2000 };
/** Seconds after which a call beyond that may try again. */
const againSeconds = 5;
const everybody = '';

interface Seat {
  /** Since a change woke it: the readings of all calls that it woke, by their key. Calls with one key share a reading. */
  readings?: Map<string, Promise<OperationResult>> | undefined;
  isOver: boolean;
  resume(): void;
}

/** How a request is performed, and what it is answered then. */
interface WaitSteps {
  perform(): Promise<OperationResult>;
  /** Called once the first `perform` was not refused. */
  share(): SharedRead;
  settle(performed: OperationResult): OperationReply | Promise<OperationReply>;
}

declare module './service.ts' {
  interface Service {
    /** Absent where no call waits. */
    waits?: Waits | undefined;
  }
}

function isToWait({ service, operation, id, options }: OperationRequest): boolean {
  const { waitSeconds, ifNoneMatch, workspaceId } = options;
  if (waitSeconds === undefined || ifNoneMatch === undefined || isAnyTag(ifNoneMatch)) return false;
  const isNamed = workspaceId !== undefined || operation.access.capability !== undefined;
  return isNamed && operation.caching.canWait?.(service, id) === true;
}

export type Waits = ReturnType<typeof createWaits>;

/**
 * The calls of this process that wait for a change of a workspace. None of them polls the store. `refuseRead` answers, in
 * the place of a wait, a read in a workspace that could not be charged.
 */
export function createWaits(
  refuseRead: (service: Service, of: Operation, workspace: OpenedWorkspace) => OperationReply | undefined,
) {
  const groups = new Map<string, Set<Seat>>();
  let isOver = false;
  const seatsOf = (group: string) => groups.get(group) ?? new Set<Seat>();

  /** Takes a seat, if there is one, and answers how to leave it. */
  function enter(seat: Seat, key: string, client = ''): (() => void) | undefined {
    const ofClient = listClientKeys(client).flatMap(({ key: owner, shares }) => [
      [`client ${owner}`, most.client * shares] as const,
      [`client ${owner} on ${key}`, most.clientOnWorkspace * shares] as const,
    ]);
    const bounds = [[key, most.workspace], ...ofClient, [everybody, most.process]] as const;
    if (isOver || bounds.some(([group, count]) => seatsOf(group).size >= count)) return undefined;
    for (const [group] of bounds) groups.set(group, seatsOf(group).add(seat));
    return () => {
      for (const [group] of bounds)
        if (seatsOf(group).delete(seat) && seatsOf(group).size === 0) groups.delete(group);
    };
  }

  async function wait(
    request: OperationRequest,
    { perform, share, settle }: WaitSteps,
  ): Promise<OperationReply> {
    const { service, operation, call, options } = request;
    const { waitSeconds = 0 } = options;
    const isKnown = ({ outcome }: OperationResult) => orNotModified(outcome, options).status === 304;
    const findWatched = ({ outcome, workspace }: OperationResult) => (outcome.watched ?? workspace)!;
    const settleWith = ({ outcome, workspace }: OperationResult, more: Record<string, string>) =>
      settle({ outcome: { ...outcome, headers: { ...outcome.headers, ...more } }, workspace });
    const applied = { 'Preference-Applied': `wait=${waitSeconds}` };

    let performed = await perform();
    if (!isKnown(performed)) return settleWith(performed, applied);
    const refused = performed.workspace && refuseRead(service, operation, performed.workspace);
    if (refused) return refused;
    const seat: Seat = { isOver: false, resume() {} };
    const leave = enter(seat, findWatched(performed).key, call.client);
    if (!leave) return settleWith(performed, { 'Retry-After': `${againSeconds}` });
    call.onGone?.(() => stop(seat));
    const from = performance.now();
    const end = from + waitSeconds * 1000;
    const pause = (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        seat.resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const shared = share();
    const read = async () => {
      const { readings } = seat;
      seat.readings = undefined;
      const reading = readings?.get(shared.key) ?? shared.perform();
      readings?.set(shared.key, reading);
      return shared.finish(await reading);
    };
    try {
      // What changed before it had a seat is read here.
      performed = await read();
      while (isKnown(performed) && performance.now() < end) {
        const left = findWatched(performed).expiresAt - service.platform.now();
        if (!seat.readings && !seat.isOver) await pause(Math.max(1, Math.min(left, end - performance.now())));
        if (seat.isOver) break;
        performed = await read();
      }
    } finally {
      leave();
      if (call.noted) call.noted.waited = Math.round(performance.now() - from);
    }
    return settleWith(performed, applied);
  }

  function stop(seat: Seat): void {
    seat.isOver = true;
    seat.resume();
  }

  return {
    /**
     * Answers a read as soon as its caller does not have the answer; after the seconds that it asked for, whatever that
     * is (RFC 7240 section 4.3). undefined where it is not to wait.
     */
    wait: (request: OperationRequest, how: WaitSteps) => (isToWait(request) ? wait(request, how) : undefined),
    /** Has those read again that wait for the workspace with this key; all, where changes may have been missed. */
    wake(key = everybody) {
      const readings = new Map();
      for (const seat of seatsOf(key)) {
        seat.readings = readings;
        seat.resume();
      }
    },
    /** Ends all waits; none begins any more. */
    end() {
      isOver = true;
      seatsOf(everybody).forEach(stop);
    },
    count: () => seatsOf(everybody).size,
  };
}
