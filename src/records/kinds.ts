import { candidate } from './candidate.ts';
import { jobOrder } from './job-order.ts';
import type { Kind } from './kind.ts';
import { placement } from './placement.ts';

/** Every kind of record that a caller can make. One more is its own file, its line here, and its seed content. */
export const kinds: readonly Kind[] = [candidate, jobOrder, placement];

/** The kind of this name. */
export const toKindOf = (name: string): Kind => kinds.find((kind) => kind.name === name)!;

/** The same, those first that tie others together: what a reader of the whole is told first. */
export const kindsByWeight = kinds.toSorted(
  (a, b) => Object.keys(b.references).length - Object.keys(a.references).length,
);
