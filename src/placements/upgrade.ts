import type { StoredRecord } from '../workspace/record.ts';
import type { PlacementRecord } from './placement-record.ts';
import { writeStatedEnd } from './stated-end.ts';

/**
 * Returns a stored placement in the present form. In an earlier form, a stated fall-off was the end of a placement that
 * had no `endDate`. Returns any other placement as it is.
 */
export const upgradePlacement = (record: StoredRecord): StoredRecord =>
  writeStatedEnd(record as PlacementRecord);
