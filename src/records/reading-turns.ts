import { findTurn } from '../kernel/client-keys.ts';
import { createQueue } from '../kernel/queue.ts';
import type { Context } from './service.ts';

/** A reading that goes through at most this many records of a workspace takes no turn. */
const mostOfTiny = 25;

/** A reading that goes through at most this many records of a workspace is short. */
const mostOfShort = 500;

/** Readings that wait for their turn at most. */
const waiting = { each: 64, all: 1000 };

/** Few run at once, so that each has an answer soon. A client runs one of a length at a time. */
const lanes = {
  short: createQueue(4, { each: 1, waiting }),
  long: createQueue(4, { each: 1, waiting }),
};

/**
 * Runs a reading that goes through `count` records of a workspace, in its client's turn. A short reading never waits
 * for a long one.
 *
 * Throws the Refusal `work_share` or `too_busy` if too many readings wait already.
 */
export function takeTurn<T>({ call }: Context, count: number, read: () => T | Promise<T>): T | Promise<T> {
  if (count <= mostOfTiny) return read();
  const lane = count <= mostOfShort ? lanes.short : lanes.long;
  return lane(findTurn(call.client ?? ''), read);
}

/** How many records a workspace holds, of all kinds. */
export const countRecords = ({ workspace }: Context): number =>
  Object.values(workspace!.contents.head.counts).reduce((sum, count) => sum + count, 0);
