import { type StoredRecord, toNames, toRefName } from './record.ts';
import type { Found, Put, StoreEntry } from './store.ts';

/** What is known of the seed under an id. */
interface InSeed {
  kind: { name: string };
  record: StoredRecord;
  occupants: number;
}

/** The records near those that a call is about: the seed, what a store found under some names, and what is about to be written. */
export class RecordsInView {
  /** Names that were asked for and not read: a change is decided again once they are. */
  readonly unread = new Set<string>();
  readonly puts: Put[] = [];
  readonly #seed: { byId: ReadonlyMap<string, InSeed> };
  readonly #found = new Map<string, Found>();
  readonly #written = new Map<string, Put>();
  readonly #occupies = new Map<string, number>();
  /** Whether nothing is in view beside the seed. */
  readonly #isSeedAlone: boolean;

  constructor(
    seed: { byId: ReadonlyMap<string, InSeed> },
    names: readonly string[] = [],
    found?: readonly Found[],
  ) {
    this.#seed = seed;
    this.#isSeedAlone = found === undefined;
    for (const [index, name] of names.entries()) {
      const one = found![index]!;
      this.#found.set(name, one);
      if (one.record) this.#found.set(one.record.fact.id, one);
    }
  }

  /** What a store found under a name. Nothing can be kept under the id of a record that is not there yet. */
  #find(name: string): Found | undefined {
    if (this.#isSeedAlone) return undefined;
    const found = this.#found.get(name);
    if (!found && !name.split('?').some((part) => this.#written.has(part))) this.unread.add(name);
    return found;
  }

  ofRef(kind: string, ref: string): StoreEntry | undefined {
    return this.#find(toRefName(kind, ref))?.record;
  }

  /** The id of the record of a kind that a reference means: an id, or `#` and a ref; undefined where none has it. */
  resolve(kind: string, reference: string): string | undefined {
    if (!reference.startsWith('#')) return reference;
    const ref = reference.slice(1);
    return (this.#written.get(toRefName(kind, ref)) ?? this.ofRef(kind, ref))?.fact.id;
  }

  /** The record of a kind that the workspace keeps under this id; no other name of it will do. */
  own(kind: string, id: string): StoreEntry | undefined {
    const record = this.#find(id)?.record;
    return record?.kind === kind && record.fact.id === id ? record : undefined;
  }

  /** The record of a kind with this id, about to be written, kept or of the seed. */
  recordOf(kind: string, id: string): StoredRecord | undefined {
    const written = this.#written.get(id);
    if (written?.kind === kind && written.fact.id === id) return written.fact;
    const seed = this.#seed.byId.get(id);
    return this.own(kind, id)?.fact ?? (seed?.kind.name === kind ? seed.record : undefined);
  }

  /** How many records in view hold a name: the id of a record, or another that records are counted by. */
  occupantsOf(name: string): number {
    const own = this.#find(name)?.occupants ?? 0;
    return own + (this.#seed.byId.get(name)?.occupants ?? 0) + (this.#occupies.get(name) ?? 0);
  }

  /** Lays a record over the rest, in the place of what `was` there. */
  write(kind: string, fact: StoredRecord, was?: StoreEntry): void {
    const put = { kind, fact, ...(was && { was }) };
    this.puts.push(put);
    for (const name of toNames(put)) this.#written.set(name, put);
  }

  /** Counts `more` records, fewer where it is negative, that hold some names. */
  occupy(names: readonly string[], more: 1 | -1): void {
    for (const name of names) this.#occupies.set(name, (this.#occupies.get(name) ?? 0) + more);
  }

  get occupies(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#occupies].filter(([, more]) => more !== 0));
  }
}
