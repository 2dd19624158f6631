import { type StoredRecord, toNames, toRefName } from './record.ts';
import type { Found, StoreEntry } from './store.ts';

/** What is known of the seed under an id. */
interface InSeed {
  kind: { name: string };
  record: StoredRecord;
  /** How many records of the seed occupy it. */
  occupants: number;
}

/**
 * The records near those that a call is about: the seed, and what a store found under some names. What a change is
 * about to write can be laid over it.
 */
export class RecordsInView {
  readonly #seed: { byId: ReadonlyMap<string, InSeed> };
  /** Names that a decision needs and that were not read: it is taken again once they are. */
  readonly unread = new Set<string>();
  readonly #found = new Map<string, Found>();
  /** By name, what is about to be written. */
  readonly #written = new Map<string, { kind: string; record: StoredRecord }>();
  /** By id, how many more occupy it. */
  readonly #occupies = new Map<string, number>();

  constructor(
    seed: { byId: ReadonlyMap<string, InSeed> },
    names: readonly string[] = [],
    found: readonly Found[] = [],
  ) {
    this.#seed = seed;
    for (const [index, name] of names.entries()) {
      const one = found[index]!;
      this.#found.set(name, one);
      if (one.record) this.#found.set(one.record.fact.id, one);
    }
  }

  /** What a store found under a name. */
  found(name: string): Found | undefined {
    return this.#found.get(name);
  }

  /** The id of the record of a kind that a reference means: an id, or `#` and a ref; undefined where none has it. */
  resolve(kind: string, reference: string): string | undefined {
    if (!reference.startsWith('#')) return reference;
    const name = toRefName(kind, reference.slice(1));
    return this.#written.get(name)?.record.id ?? this.#found.get(name)?.record?.fact.id;
  }

  /** The record of a kind that the workspace keeps under this id; no other name of it will do. */
  own(kind: string, id: string): StoreEntry | undefined {
    const record = this.#found.get(id)?.record;
    return record?.kind === kind && record.fact.id === id ? record : undefined;
  }

  /** The record of a kind with this id, about to be written, kept or of the seed. */
  recordOf(kind: string, id: string): StoredRecord | undefined {
    const written = this.#written.get(id);
    if (written?.kind === kind && written.record.id === id) return written.record;
    const seed = this.#seed.byId.get(id);
    return this.own(kind, id)?.fact ?? (seed?.kind.name === kind ? seed.record : undefined);
  }

  isKnown(kind: string, id: string): boolean {
    return this.recordOf(kind, id) !== undefined;
  }

  /** How many records in view occupy the record with this id. */
  occupantsOf(id: string): number {
    const own = this.#found.get(id)?.occupants ?? 0;
    return own + (this.#seed.byId.get(id)?.occupants ?? 0) + (this.#occupies.get(id) ?? 0);
  }

  /** How many hold a name of these records. Where they are kept and no store was asked for it, it is noted as unread. */
  countOf(name: string, ids: readonly string[]): number {
    if (!this.#found.has(name) && !ids.some((id) => this.#written.has(id))) this.unread.add(name);
    return this.occupantsOf(name);
  }

  /** Lays a record that is about to be written over the rest. */
  write(kind: string, record: StoredRecord): void {
    for (const name of toNames({ kind, fact: record })) this.#written.set(name, { kind, record });
  }

  /** Counts `more` records, fewer where it is negative, that occupy an id. */
  occupy(id: string, more: number): void {
    this.#occupies.set(id, (this.#occupies.get(id) ?? 0) + more);
  }

  /** How many more records occupy each id than before. */
  get occupies(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#occupies].filter(([, more]) => more !== 0));
  }
}
