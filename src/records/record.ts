import type { PageEntry } from '../kernel/page.ts';
import type { StoredRecord } from '../workspace/record.ts';

export interface PresentedRecord {
  id: string;
  onetCode: string;
  status: string;
  links: { self: string } & Record<string, string | null>;
  [member: string]: unknown;
}

/** A record in view: as it is kept, how it reads, and its place among those of its kind. */
export interface ViewedRecord extends PageEntry<PresentedRecord> {
  record: StoredRecord;
  /** That of its row, without the rest of it. */
  status(): string;
}
