import type { Entry, StoredRecord } from './record.ts';
import type { ListReferences, ToKey, Workspace, WorkspaceContent } from './workspace.ts';

/** The records that a call sees: those of the public seed, and those of its workspace if it has one. */
export class View {
  readonly seed: Workspace;
  readonly workspace: WorkspaceContent | undefined;

  constructor(seed: Workspace, workspace?: WorkspaceContent) {
    this.seed = seed;
    this.workspace = workspace;
  }

  /** Returns the entry of a kind with this id in the workspace. */
  findOwn(kind: string, id: string): Entry | undefined {
    return this.workspace?.find(kind, id);
  }

  /** Returns the record of a kind with this id, from the workspace or the seed. */
  find(kind: string, id: string): StoredRecord | undefined {
    return (this.findOwn(kind, id) ?? this.seed.find(kind, id))?.record;
  }

  /** Returns the record of the workspace with this ref. */
  findByRef(kind: string, ref: string): StoredRecord | undefined {
    return this.workspace?.findByRef(kind, ref)?.record;
  }

  /** Yields the records of a kind in the workspace that have a key. Use one `toKey` with one kind only. */
  *eachByKey(kind: string, toKey: ToKey, key: string): Generator<StoredRecord> {
    for (const { record } of this.workspace?.listByKey(kind, toKey, key) ?? []) yield record;
  }

  /** Returns the id that a reference means: an id, or `#` and a ref. Returns undefined if no record has the ref. */
  resolve(kind: string, reference: string): string | undefined {
    return reference.startsWith('#') ? this.findByRef(kind, reference.slice(1))?.id : reference;
  }

  /** Lists the records of a kind that refer to the record with this id: first those of the seed, then oldest first. */
  listReferring(kind: string, id: string): StoredRecord[] {
    const found: { record: StoredRecord; rank: number }[] = [];
    this.eachReferring(id, (record, kindOfRecord, rank) => {
      if (kindOfRecord === kind) found.push({ record, rank });
    });
    return found.sort((a, b) => a.rank - b.rank).map(({ record }) => record);
  }

  /** Counts the records of a kind that refer to the record with this id and pass a test. */
  countReferring(kind: string, id: string, passes: (record: StoredRecord) => boolean): number {
    let count = 0;
    this.eachReferring(id, (record, kindOfRecord) => {
      if (kindOfRecord === kind && passes(record)) count += 1;
    });
    return count;
  }

  /** Calls `visit` with each record that refers to the record with this id. */
  protected eachReferring(id: string, visit: VisitRecord): void {
    for (const { record, kind } of this.seed.listReferring(id)) visit(record, kind, 0);
    for (const { record, kind, seq } of this.workspace?.listReferring(id) ?? []) visit(record, kind, seq);
  }
}

/**
 * Gets a record, its kind and its position: 0 in the seed, its number in the workspace, and behind all others if it is
 * not in the workspace yet.
 */
type VisitRecord = (record: StoredRecord, kind: string, rank: number) => void;

/** A record that a change is about to write. It replaces `before` if that is given. */
export interface DraftedRecord {
  kind: string;
  record: StoredRecord;
  before?: Entry;
}

/** The ids of drafted records of a kind by a key. */
interface DraftIndex {
  kind: string;
  toKey: ToKey;
  ids: Map<string, Set<string>>;
}

function addTo(ids: Map<string, Set<string>>, key: string, id: string): void {
  const others = ids.get(key);
  if (others) others.add(id);
  else ids.set(key, new Set([id]));
}

/** The number of a record that is drafted and not in the workspace yet: behind all others. */
export const draftSeq = Number.MAX_SAFE_INTEGER;

/** A view with the records of a change that is being decided. None of them is in the workspace yet. */
export class DraftView extends View {
  readonly #listReferences: ListReferences;
  readonly #drafted = new Map<string, DraftedRecord>();
  readonly #byRef = new Map<string, StoredRecord>();
  /** The ids of the drafted records that refer to a record, by its id. */
  readonly #referring = new Map<string, Set<string>>();
  /** Each is made when it is first used, and then kept up to date. */
  readonly #indexes = new Map<ToKey, DraftIndex>();
  /** The drafted records as a list, until one more is drafted. */
  #list: readonly DraftedRecord[] | undefined;
  readonly #removed = new Map<string, Entry>();

  constructor(listReferences: ListReferences, seed: Workspace, workspace?: WorkspaceContent) {
    super(seed, workspace);
    this.#listReferences = listReferences;
  }

  /** The records to write, in the order in which they were drafted. */
  get drafted(): readonly DraftedRecord[] {
    this.#list ??= [...this.#drafted.values()];
    return this.#list;
  }

  get removed(): readonly Entry[] {
    return [...this.#removed.values()];
  }

  /** Drafts a record: a new one, or the next version of `before`. A record can be drafted several times. */
  put(kind: string, record: StoredRecord, before?: Entry): void {
    const earlier = this.#drafted.get(record.id);
    const stored = earlier ? earlier.before : before;
    const references = this.#listReferences(kind, record);
    if (earlier) this.#forget(earlier, references);
    this.#drafted.set(record.id, { kind, record, ...(stored && { before: stored }) });
    this.#list = undefined;
    if (record.ref !== undefined) this.#byRef.set(`${kind} ${record.ref}`, record);
    for (const id of references) addTo(this.#referring, id, record.id);
    for (const index of this.#indexes.values())
      if (index.kind === kind) addTo(index.ids, index.toKey(record), record.id);
  }

  /** Removes a drafted record from all indexes, except from the records that it still refers to. */
  #forget({ kind, record }: DraftedRecord, references: readonly string[]): void {
    const name = `${kind} ${record.ref}`;
    if (this.#byRef.get(name) === record) this.#byRef.delete(name);
    for (const id of this.#listReferences(kind, record))
      if (!references.includes(id)) this.#referring.get(id)?.delete(record.id);
    for (const index of this.#indexes.values())
      if (index.kind === kind) index.ids.get(index.toKey(record))?.delete(record.id);
  }

  /** Removes the refs of all drafted records. */
  dropRefs(): void {
    for (const drafted of this.drafted) {
      const { ref: _, ...record } = drafted.record;
      this.#drafted.set(record.id, { ...drafted, record: record as StoredRecord });
    }
    this.#list = undefined;
    this.#byRef.clear();
  }

  remove(entry: Entry): void {
    this.#removed.set(entry.record.id, entry);
  }

  /** Returns the entry of a kind with this id as the change has it so far. */
  override findOwn(kind: string, id: string): Entry | undefined {
    const drafted = this.#drafted.get(id);
    if (drafted?.kind === kind) {
      const { record, before } = drafted;
      return { seq: draftSeq, bytes: 0, ...before, kind, record };
    }
    return drafted || this.#removed.has(id) ? undefined : super.findOwn(kind, id);
  }

  override find(kind: string, id: string): StoredRecord | undefined {
    const drafted = this.#drafted.get(id);
    if (drafted) return drafted.kind === kind ? drafted.record : undefined;
    return this.#removed.has(id) ? undefined : super.find(kind, id);
  }

  override findByRef(kind: string, ref: string): StoredRecord | undefined {
    const drafted = this.#byRef.get(`${kind} ${ref}`);
    if (drafted) return drafted;
    const record = super.findByRef(kind, ref);
    return record && this.find(kind, record.id)?.ref === ref ? record : undefined;
  }

  override *eachByKey(kind: string, toKey: ToKey, key: string): Generator<StoredRecord> {
    for (const record of super.eachByKey(kind, toKey, key))
      if (!this.#drafted.has(record.id) && !this.#removed.has(record.id)) yield record;
    for (const id of this.#indexDrafted(kind, toKey).ids.get(key) ?? []) yield this.#drafted.get(id)!.record;
  }

  #indexDrafted(kind: string, toKey: ToKey): DraftIndex {
    let index = this.#indexes.get(toKey);
    if (!index) {
      index = { kind, toKey, ids: new Map() };
      for (const { kind: name, record } of this.drafted)
        if (name === kind) addTo(index.ids, toKey(record), record.id);
      this.#indexes.set(toKey, index);
    }
    return index;
  }

  protected override eachReferring(id: string, visit: VisitRecord): void {
    super.eachReferring(id, (record, kind, rank) => {
      if (!this.#drafted.has(record.id) && !this.#removed.has(record.id)) visit(record, kind, rank);
    });
    for (const draftedId of this.#referring.get(id) ?? []) {
      const { record, kind, before } = this.#drafted.get(draftedId)!;
      visit(record, kind, before?.seq ?? draftSeq);
    }
  }
}
