import type { Entry, StoredRecord } from './record.ts';
import type { ToKey, Workspace } from './workspace.ts';

/** The records that a call sees: those of the public seed, and those of its workspace if it has one. */
export class View {
  readonly seed: Workspace;
  readonly workspace: Workspace | undefined;

  constructor(seed: Workspace, workspace?: Workspace) {
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
