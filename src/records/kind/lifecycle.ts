import type * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import type { View } from '../../workspace/view.ts';

/** The status that a record was sent with. `isOne` is false for a batch and an export. */
export interface SentStatus {
  status?: unknown;
  isOne: boolean;
}

interface Move<R> {
  from: readonly string[];
  to: string;
  /** The members that can be sent with it. */
  takes?: readonly string[];
  /** Whether a record with a status in `from` can make the move. If absent, each such record can. */
  isLegal?(record: R, from: string, view: View, today: string): boolean;
}

/** Members that are sent with a move and do not belong to the body. */
interface MoveDetails<R> {
  entries: v.ObjectEntries;
  /** By member, the members that must be sent with it: in a change, and in a batch. */
  needs: Record<'change' | 'batch', Record<string, readonly string[]>>;
  /** The members that can hold the reason of the move. The first that is set counts. */
  reasons: readonly string[];
  /** Returns the issues that these members have in a record after its move. */
  check(record: R, today: string, sent: SentStatus): readonly Issue[];
}

/**
 * A member of a change that no record keeps: it goes with the move to a status. A record that has the status already
 * takes it too, and makes no move.
 */
interface MoveOption {
  schema: v.GenericSchema;
  to: string;
}

/** The statuses of a kind, and the moves between them. */
export interface Lifecycle<R> {
  statuses: readonly string[];
  /** The statuses that are stored when a caller asks for them. All others are derived. */
  stored?: readonly string[];
  /** The statuses that a record can be created with. If absent, a create takes no status. */
  initial?: readonly string[];
  moves?: readonly Move<R>[];
  /** What to do first, by status, if no move is legal. */
  hints?: Readonly<Record<string, string>>;
  /** Returns the call that does it, for a record with a status. */
  describeCall?(status: string, record: R): string | undefined;
  details?: MoveDetails<R>;
  /** Members of a change that say how its move is made, by name. */
  options?: Readonly<Record<string, MoveOption>>;
}
