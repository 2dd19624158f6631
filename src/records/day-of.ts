import { toIsoDate } from '../kernel/text.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';

/** The UTC day as of which a record is read: today or, for a record of the seed, the day that the seed is of. */
export const dayOf = (record: StoredRecord, view: View, today: string): string =>
  record.createdAt === undefined ? toIsoDate(view.seed.head.createdAt) : today;
