import { toKindOf } from '../records/kinds.ts';
import type { StoredRecord } from '../records/record.ts';
import { toOccupied } from '../records/view.ts';
import { type Decided, decideOn } from './decided.ts';

/** Milliseconds after which the moment in a hash comes round. */
const roundMs = 2 ** 35;

/** When a workspace was made, by the moment in its hash (`toWorkspaceHash`): the latest one not after `now`. */
export function toCreatedAt(hash: string, now: number): number {
  const moment = Number.parseInt(hash.slice(0, 9), 16);
  return now - ((now - moment) % roundMs);
}

/** A workspace as the version before kept it: its records, oldest first. */
export interface WorkspaceBefore {
  expiresAt: number;
  records: readonly { kind: string; fact: StoredRecord }[];
}

/**
 * What there is to write for a workspace of the version before, under the same hash. Each record is taken to be as
 * old as its workspace.
 */
export function toBroughtOver(
  hash: string,
  { expiresAt, records }: WorkspaceBefore,
  now: number,
): Decided<null> {
  const createdAt = toCreatedAt(hash, now);
  const holds: Record<string, number> = {};
  for (const { kind, fact } of records)
    for (const id of toOccupied(toKindOf(kind), fact)) holds[id] = (holds[id] ?? 0) + 1;
  const puts = records.map(({ kind, fact }) => ({ kind, fact: { ...fact, createdAt } }));
  const ceiling = { records: puts.length, bytes: 0 };
  const decide = () => ({ writing: { puts, holds }, answer: null });
  const change = { workspace: hash, mint: true, now, expiresAt, ceiling, needs: [], decide };
  const decided = decideOn(change, [], undefined) as Decided<null>;
  return { ...decided, head: { ...decided.head, createdAt, revision: Math.max(1, records.length) } };
}
