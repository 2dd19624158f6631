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

  /** Lists the records of a kind in the workspace that have a key. Use one `toKey` with one kind only. */
  listByKey(kind: string, toKey: ToKey, key: string): StoredRecord[] {
    return [...(this.workspace?.listByKey(kind, toKey, key) ?? [])].map(({ record }) => record);
  }

  /** Returns the id that a reference means: an id, or `#` and a ref. Returns undefined if no record has the ref. */
  resolve(kind: string, reference: string): string | undefined {
    return reference.startsWith('#') ? this.findByRef(kind, reference.slice(1))?.id : reference;
  }

  /** Lists the records of a kind that refer to the record with this id: first those of the seed, then oldest first. */
  listReferring(kind: string, id: string): StoredRecord[] {
    const records: StoredRecord[] = [];
    this.eachReferring(id, (entry) => {
      if (entry.kind === kind) records.push(entry.record);
    });
    return records.sort((a, b) => this.#rank(kind, a) - this.#rank(kind, b));
  }

  /** The position of a record in its kind: 0 in the seed, a number in the workspace, otherwise behind all others. */
  #rank(kind: string, { id }: StoredRecord): number {
    if (this.seed.find(kind, id)) return 0;
    return this.findOwn(kind, id)?.seq ?? Number.MAX_SAFE_INTEGER;
  }

  /** Counts the records of a kind that refer to the record with this id and pass a test. */
  countReferring(kind: string, id: string, passes: (record: StoredRecord) => boolean): number {
    let count = 0;
    this.eachReferring(id, (entry) => {
      if (entry.kind === kind && passes(entry.record)) count += 1;
    });
    return count;
  }

  /** Calls `visit` with each record that refers to the record with this id. */
  protected eachReferring(id: string, visit: (entry: Pick<Entry, 'kind' | 'record'>) => void): void {
    this.seed.listReferring(id).forEach(visit);
    this.workspace?.listReferring(id).forEach(visit);
  }
}

/** A record that a change is about to write. It replaces `before` if that is given. */
export interface DraftedRecord {
  kind: string;
  record: StoredRecord;
  before?: Entry;
}

/** A view with the records of a change that is being decided. None of them is in the workspace yet. */
export class DraftView extends View {
  readonly #listReferences: ListReferences;
  readonly #drafted = new Map<string, DraftedRecord>();
  readonly #byRef = new Map<string, StoredRecord>();
  readonly #referring = new Map<string, Set<string>>();
  readonly #removed = new Map<string, Entry>();

  constructor(listReferences: ListReferences, seed: Workspace, workspace?: WorkspaceContent) {
    super(seed, workspace);
    this.#listReferences = listReferences;
  }

  /** The records to write, in the order in which they were drafted. */
  get drafted(): readonly DraftedRecord[] {
    return [...this.#drafted.values()];
  }

  get removed(): readonly Entry[] {
    return [...this.#removed.values()];
  }

  /** Drafts a record: a new one, or the next version of `before`. A record can be drafted several times. */
  put(kind: string, record: StoredRecord, before?: Entry): void {
    const earlier = this.#drafted.get(record.id);
    const stored = earlier ? earlier.before : before;
    if (earlier) this.#forgetRef(earlier);
    this.#drafted.set(record.id, { kind, record, ...(stored && { before: stored }) });
    if (record.ref !== undefined) this.#byRef.set(`${kind} ${record.ref}`, record);
    for (const id of this.#listReferences(kind, record)) {
      const referring = this.#referring.get(id);
      if (referring) referring.add(record.id);
      else this.#referring.set(id, new Set([record.id]));
    }
  }

  #forgetRef({ kind, record }: DraftedRecord): void {
    const name = `${kind} ${record.ref}`;
    if (this.#byRef.get(name) === record) this.#byRef.delete(name);
  }

  /** Removes the refs of all drafted records. */
  dropRefs(): void {
    for (const drafted of this.drafted) {
      const { ref: _, ...record } = drafted.record;
      this.#drafted.set(record.id, { ...drafted, record: record as StoredRecord });
    }
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
      return { seq: Number.MAX_SAFE_INTEGER, bytes: 0, ...before, kind, record };
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

  override listByKey(kind: string, toKey: ToKey, key: string): StoredRecord[] {
    const stored = super
      .listByKey(kind, toKey, key)
      .filter(({ id }) => !this.#drafted.has(id) && !this.#removed.has(id));
    const drafted = this.drafted.filter((one) => one.kind === kind && toKey(one.record) === key);
    return [...stored, ...drafted.map(({ record }) => record)];
  }

  protected override eachReferring(id: string, visit: (entry: Pick<Entry, 'kind' | 'record'>) => void): void {
    super.eachReferring(id, (entry) => {
      if (!this.#drafted.has(entry.record.id) && !this.#removed.has(entry.record.id)) visit(entry);
    });
    for (const draftedId of this.#referring.get(id) ?? []) {
      const drafted = this.#drafted.get(draftedId)!;
      if (this.#listReferences(drafted.kind, drafted.record).includes(id)) visit(drafted);
    }
  }
}
