import { candidate } from './candidates/candidate.ts';
import { jobOrder } from './job-orders/job-order.ts';
import { placement } from './placements/placement.ts';
import type { Kind } from './records/kind/kind.ts';

/** Every kind of record that a caller can create. A new kind needs its own file, a line here and seed content. */
export const kinds: readonly Kind[] = [candidate, jobOrder, placement];

/** The kinds, with the most references first. Documents list placements before candidates and job orders. */
export const kindsByWeight = kinds.toSorted(
  (a, b) => Object.keys(b.references).length - Object.keys(a.references).length,
);
