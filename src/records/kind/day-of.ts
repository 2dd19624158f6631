import { toIsoDate } from '../../kernel/text.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';

/** Returns the UTC day as of which a record is read: today or, for a seed record, the day of the seed. */
export const dayOf = (record: StoredRecord, view: View, today: string): string =>
  record.createdAt === undefined ? toIsoDate(view.seed.head.createdAt) : today;
