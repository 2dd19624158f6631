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

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the change by which a known order becomes as a page of an export has it. If it is not closed there and has no
 * endDate, one that is over here is removed. An order that is over today is not opened, though it was open on that day.
 */
export function listPatchesOfOpening(
  { record, patch, sent }: { record: WithEnd; patch: Members; sent: Members },
  { exported, today }: { exported: string; today: string },
): Members[] {
  const isOpen = sent.status === 'open' || sent.status === 'filled';
  const isOver = record.endDate !== undefined && record.endDate < exported;
  if (isOpen && isOver && sent.endDate === undefined) {
    const { status: _, ...members } = patch;
    return [{ ...members, endDate: null, ...(record.asked === 'closed' && { status: 'open' }) }];
  }
  const { asked: _, ...merged } = { ...record, ...patch } as WithEnd;
  if (patch.status !== 'open' || explainClosed(merged as WithEnd, today) === undefined) return [patch];
  const { status: __, ...members } = patch;
  return [members];
}
