import type { PageEntry } from '../../kernel/page.ts';
import type { StoredRecord } from '../../workspace/record.ts';

export interface PresentedRecord {
  id: string;
  onetCode: string;
  status: string;
  links: { self: string } & Record<string, string | null>;
  [member: string]: unknown;
}

/** A record that a caller sees: as it is stored, as it is presented, and its position in its kind. */
export interface ViewedRecord extends PageEntry<PresentedRecord> {
  record: StoredRecord;
  /** The status in its row. It can be derived without the rest of the row. */
  status(): string;
  /** Returns another derived member of its row, without the rest of the row. */
  derive(member: string): unknown;
}
