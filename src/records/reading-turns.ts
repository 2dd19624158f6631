import { findTurn } from '../kernel/client-keys.ts';
import { createQueue } from '../kernel/queue.ts';
import type { Context } from './service.ts';

/** A read of at most this many records of a workspace takes no turn. */
const mostOfTiny = 25;

/** A read of at most this many records of a workspace is short. */
const mostOfShort = 500;

/** At most this many reads wait: of each client, and in all. */
const waiting = { each: 64, all: 1000 };

/** Few reads run at once, so that each finishes soon. A client runs one read of each length at a time. */
const lanes = {
  short: createQueue(4, { each: 1, waiting }),
  long: createQueue(4, { each: 1, waiting }),
};

/**
 * Runs a read that goes through `count` records of a workspace, in its client's turn. A short read never waits for
 * a long one.
 *
 * Throws the Refusal `work_share` or `too_busy` if too many reads wait already.
 */
export function takeTurn<T>({ call }: Context, count: number, read: () => T | Promise<T>): T | Promise<T> {
  if (count <= mostOfTiny) return read();
  const lane = count <= mostOfShort ? lanes.short : lanes.long;
  return lane(findTurn(call.client ?? ''), read);
}

/** How many records a workspace holds, of all kinds. */
export const countRecords = ({ workspace }: Context): number =>
  Object.values(workspace!.contents.head.counts).reduce((sum, count) => sum + count, 0);
