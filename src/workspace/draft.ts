import type { Entry, StoredRecord } from './record.ts';
import { View } from './view.ts';
import type { ListReferences, ToKey, Workspace } from './workspace.ts';

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

  constructor(listReferences: ListReferences, seed: Workspace, workspace?: Workspace) {
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
