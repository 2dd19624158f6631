import type { Slice, Store, Used } from '../records/store.ts';

/** A workspace as a driver keeps it: two short texts (`codec.ts`) and what was used, under a key that only the driver reads. */
export interface Kept {
  key: string;
  head: string;
  used: Used;
  state: string;
}

/** A text of a workspace, at its number among those of its kind. */
export interface Row {
  kind: string;
  seq: number;
  text: string;
}

/** What a driver finds under a name: the row that it links to, and how many occupy it. */
export interface Named {
  row?: Row;
  occupants: number;
}

/** A text outside of all workspaces, which the driver drops some time after it expired. */
interface Door {
  name: string;
  /** Removed where it is undefined. */
  text: string | undefined;
  expiresAt: number;
  /**
   * The text that the step saw there, empty for none. Absent for a door that may be written whatever is there, before
   * the rest or after it.
   */
  was?: string;
}

/** What one step writes, all of it or nothing. */
export interface Batch {
  /** The hash that the workspace was made with. */
  place: string;
  /** The workspace as the step saw it. Absent for a fresh one. */
  before: Pick<Kept, 'key' | 'head' | 'used'> | undefined;
  /** The workspace from now on; undefined forgets it, with all links and rows. */
  after: Omit<Kept, 'key'> | undefined;
  /** When the driver may drop all of it, in milliseconds since the epoch. */
  expiresAt: number;
  /** Rows to add, to replace and, where they have no text, to remove. */
  rows: readonly (Omit<Row, 'text'> & { text: string | undefined; isNew: boolean })[];
  /** The row that each name links to from now on, as `kind seq`; undefined for none. */
  links: ReadonlyMap<string, string | undefined>;
  /** What is added to how many occupy each name. */
  occupies: Readonly<Record<string, number>>;
  doors: readonly Door[];
}

export interface Reader {
  /** The workspace that was made with this hash, and what is under names in it, in their order. */
  see(place: string, names: readonly string[]): Promise<(Kept & { named: Named[] }) | undefined>;
  names(key: string, names: readonly string[]): Promise<Named[]>;
  rows(key: string, slice: Slice): Promise<Row[]>;
  /** The text of a door, perhaps expired. */
  door(name: string): Promise<string | undefined>;
}

export interface Step extends Reader {
  /** False, and nothing is written, where a workspace is there that is to be made. */
  write(batch: Batch): Promise<boolean>;
}

/**
 * What a storage engine has to do: `createStore` makes the rest of it. Every verb rejects with the Refusal
 * `store_unavailable` while it cannot.
 */
export interface Driver extends Omit<Store, 'open' | 'follow' | 'find' | 'read' | 'change'> {
  look<T>(use: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs a step on the workspace that a hash opens; undefined where it makes one. Resolves once its writes are durable.
   * Where others write what it has read before it writes itself, it is run again.
   */
  step<T>(workspace: string | undefined, run: (step: Step) => Promise<T>): Promise<T>;
  /** Resolves once nothing is lost any more of what was written to a workspace or a door, by whomever. */
  confirm?(place: string, door: string | undefined): Promise<void>;
}
