import { type StoredRecord, toRefName } from './record.ts';
import type { Found, StoreEntry } from './store.ts';

/** What is known of the seed under an id. */
interface InSeed {
  kind: { name: string };
  fact: StoredRecord;
  /** How many records of the seed hold it. */
  occupants: number;
}

/**
 * The records near those that a call is about: the seed, and what a store found under some names. What a change is
 * about to write can be laid over it.
 */
export class RecordsInView {
  readonly #seed: { byId: ReadonlyMap<string, InSeed> };
  readonly #found = new Map<string, Found>();
  /** By name, what is about to be written. */
  readonly #written = new Map<string, { kind: string; fact: StoredRecord }>();
  /** By id, how many more hold it. */
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
    return (this.#written.get(name) ?? this.#found.get(name)?.record)?.fact.id;
  }

  /** The record of a kind that the workspace keeps under this id; no other name of it will do. */
  own(kind: string, id: string): StoreEntry | undefined {
    const record = this.#found.get(id)?.record;
    return record?.kind === kind && record.fact.id === id ? record : undefined;
  }

  /** The fact of a kind with this id. */
  factOf(kind: string, id: string): StoredRecord | undefined {
    const written = this.#written.get(id);
    if (written?.kind === kind && written.fact.id === id) return written.fact;
    const seed = this.#seed.byId.get(id);
    return this.own(kind, id)?.fact ?? (seed?.kind.name === kind ? seed.fact : undefined);
  }

  isKnown(kind: string, id: string): boolean {
    return this.factOf(kind, id) !== undefined;
  }

  /** How many records in view hold the record with this id. */
  occupantsOf(id: string): number {
    const own = this.#found.get(id)?.occupants ?? 0;
    return own + (this.#seed.byId.get(id)?.occupants ?? 0) + (this.#occupies.get(id) ?? 0);
  }

  /** Lays a record that is about to be written over the rest. */
  write(kind: string, fact: StoredRecord): void {
    this.#written.set(fact.id, { kind, fact });
    if (fact.ref !== undefined) this.#written.set(toRefName(kind, fact.ref), { kind, fact });
  }

  occupy(id: string, more: number): void {
    this.#occupies.set(id, (this.#occupies.get(id) ?? 0) + more);
  }

  /** How many more hold each id than before. */
  get occupies(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#occupies].filter(([, more]) => more !== 0));
  }
}
