import { candidate } from './candidates/candidate.ts';
import { jobOrder } from './job-orders/job-order.ts';
import { placement } from './placements/placement.ts';
import type { Kind } from './records/kind.ts';

/** Every kind of record that a caller can make. One more is its own file, its line here, and its seed content. */
export const kinds: readonly Kind[] = [candidate, jobOrder, placement];

/** The kinds, those first that tie others together: what a reader of the whole is told first. */
export const kindsByWeight = kinds.toSorted(
  (a, b) => Object.keys(b.references).length - Object.keys(a.references).length,
);
