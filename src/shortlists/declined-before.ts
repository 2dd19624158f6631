import * as v from 'valibot';
import { jobOrder } from '../job-orders/job-order.ts';
import { CalendarDate, may, say, toIsoDate } from '../kernel/text.ts';
import { foldText } from '../kernel/words.ts';
import { placement } from '../placements/placement.ts';
import type { PlacementRecord } from '../placements/placement-record.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';

/** The member of a row that says when the client declined the person before. */
export const declinedBeforeEntry = may(
  v.object({
    on: say(CalendarDate, 'The day, the last if several.'),
    newCredentials: may(v.array(v.string()), 'What came since, where that is known.'),
  }),
  'This client declined this person before. Not on an anonymous link.',
);

const foldClient = (order: StoredRecord): string => foldText(String(order.client).trim());

/** Returns when a placement was declined, in milliseconds since the epoch. */
const readDeclineTime = ({ transitions = [], updatedAt = 0 }: StoredRecord): number =>
  transitions.findLast(({ to }) => to === 'declined')?.at ?? updatedAt;

/** Whether a placement is for the client of an order. The client of an order that is gone is not known. */
function isForClient({ jobOrderId }: StoredRecord, order: StoredRecord, view: View): boolean {
  const other = view.find(jobOrder.name, String(jobOrderId));
  return other !== undefined && foldClient(other) === foldClient(order);
}

/** Lists the other placements of a person that a client declined. */
const listDeclined = (fact: StoredRecord, personId: string, view: View) =>
  (view.listReferring(placement.name, personId) as PlacementRecord[]).filter(
    (other) =>
      other.id !== fact.id &&
      other.candidateId === personId &&
      other.asked === 'declined' &&
      other.declineReason === 'client',
  );

/**
 * Says when the client of an order last declined a person on another placement, and which credentials have come since.
 * Returns undefined if it never did.
 */
export function findEarlierDecline(
  fact: StoredRecord,
  { order, person, view }: { order: StoredRecord; person: StoredRecord; view: View },
) {
  const last = listDeclined(fact, person.id, view)
    .filter((other) => isForClient(other, order, view))
    .toSorted((a, b) => readDeclineTime(a) - readDeclineTime(b))
    .at(-1);
  if (!last) return undefined;
  const { credentials = [] } = person as { credentials?: string[] };
  const earlier = last.evidence?.declinedWith;
  const newCredentials = earlier && credentials.filter((one) => !earlier.includes(one));
  return { on: toIsoDate(readDeclineTime(last)), ...(newCredentials && { newCredentials }) };
}
