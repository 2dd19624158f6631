import { Refusal } from '../kernel/refusal.ts';
import type { StoredRecord } from '../workspace/record.ts';

export const readOpenings = ({ openings = 1 }: StoredRecord & { openings?: number }): number => openings;

type WithEnd = StoredRecord & { endDate?: string };

/** Says why a job order is closed on a UTC day, or returns undefined if it is not. */
export function explainClosed({ asked, endDate }: WithEnd, today: string): string | undefined {
  if (asked === 'closed') return 'is closed; open it again first';
  const isPast = endDate !== undefined && endDate < today;
  return isPast
    ? `is closed, because its endDate, ${endDate}, is over; send a later endDate first`
    : undefined;
}

/** Returns the status of a job order on a UTC day. `taken` is how many of its openings are taken. */
export function readOrderStatus(record: WithEnd, taken: number, today: string): 'open' | 'filled' | 'closed' {
  if (explainClosed(record, today) !== undefined) return 'closed';
  return taken >= readOpenings(record) ? 'filled' : 'open';
}

/** Refuses to open an order whose last day is over. Throws the Refusal `illegal_transition`. */
export function refuseOpening(order: WithEnd, today: string): void {
  if (explainClosed(order, today) === undefined) return;
  const message = `cannot be open after endDate, ${order.endDate}; send a later endDate with it`;
  throw new Refusal('illegal_transition', {
    reason: `The job order is closed, because its endDate, ${order.endDate}, is over. Send a later endDate with the status.`,
    issues: [{ path: 'status', message }],
  });
}
