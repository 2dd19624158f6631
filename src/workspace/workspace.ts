import { countBytes } from '../kernel/json.ts';
import type { Head, KeptReply } from './head.ts';
import type { Entry, StoredRecord } from './record.ts';
import type { Commit, Slice, StoredText } from './store.ts';

/** Returns the ids of the records that a record of a kind refers to. */
export type ListReferences = (kind: string, record: StoredRecord) => readonly string[];

/** Returns the key of a record in an index. It must be one function for each index, and depend on the record alone. */
export type ToKey = (record: StoredRecord) => string;

/** The entries of a kind by a key. */
interface Index {
  kind: string;
  toKey: ToKey;
  entries: Map<string, Set<Entry>>;
}

const none: ReadonlySet<Entry> = new Set();

/** Estimated bytes that an entry takes in memory in addition to the text of its record. */
const bytesOfEntry = 500;

/** The content of a workspace, as a rule reads it. */
export interface WorkspaceContent {
  /** Undefined if the workspace is about to be deleted. */
  readonly head: Head | undefined;
  find(kind: string, id: string): Entry | undefined;
  findByRef(kind: string, ref: string): Entry | undefined;
  /** All entries of a kind, oldest first. The list is never changed. */
  list(kind: string): readonly Entry[];
  /** Lists the entries whose records refer to the record with this id. */
  listReferring(id: string): ReadonlySet<Entry>;
  /** Lists the entries of a kind whose records have a key. Use one `toKey` with one kind only. */
  listByKey(kind: string, toKey: ToKey, key: string): Iterable<Entry>;
  findReply(name: string): KeptReply | undefined;
  /** Lists the stored replies in the order in which they expire. */
  listReplies(): Iterable<KeptReply>;
}

/** All records of a workspace in memory, found by id, by ref and by the records that they refer to. */
export class Workspace implements WorkspaceContent {
  head: Head;
  /** Whether it may differ from the store. A change must then load it again. */
  isForgotten = false;
  /** By name, oldest first. This is the order in which they expire. */
  readonly replies = new Map<string, KeptReply>();
  readonly #listReferences: ListReferences;
  readonly #byId = new Map<string, Entry>();
  readonly #byRef = new Map<string, Entry>();
  readonly #byKind = new Map<string, Map<number, Entry>>();
  readonly #referring = new Map<string, Set<Entry>>();
  /** Each is made when it is first used. */
  readonly #indexes = new Map<ToKey, Index>();
  /** The entries of a kind as a list, until an entry of the kind is added, replaced or removed. */
  readonly #lists = new Map<string, readonly Entry[]>();

  constructor(head: Head, listReferences: ListReferences) {
    this.head = head;
    this.#listReferences = listReferences;
  }

  /** Estimated bytes that it takes in memory. */
  get size(): number {
    return 2000 + 3 * this.head.bytes + bytesOfEntry * (this.#byId.size + this.replies.size);
  }

  find(kind: string, id: string): Entry | undefined {
    const entry = this.#byId.get(id);
    return entry?.kind === kind ? entry : undefined;
  }

  findByRef(kind: string, ref: string): Entry | undefined {
    return this.#byRef.get(`${kind} ${ref}`);
  }

  findReply(name: string): KeptReply | undefined {
    return this.replies.get(name);
  }

  listReplies(): Iterable<KeptReply> {
    return this.replies.values();
  }

  list(kind: string): readonly Entry[] {
    let list = this.#lists.get(kind);
    if (!list) {
      list = [...(this.#byKind.get(kind)?.values() ?? [])];
      this.#lists.set(kind, list);
    }
    return list;
  }

  count(kind: string): number {
    return this.#byKind.get(kind)?.size ?? 0;
  }

  listReferring(id: string): ReadonlySet<Entry> {
    return this.#referring.get(id) ?? none;
  }

  listByKey(kind: string, toKey: ToKey, key: string): ReadonlySet<Entry> {
    let index = this.#indexes.get(toKey);
    if (!index) {
      index = { kind, toKey, entries: new Map() };
      for (const entry of this.list(kind)) addToIndex(index, entry);
      this.#indexes.set(toKey, index);
    }
    return index.entries.get(key) ?? none;
  }

  /** Adds an entry, or replaces the one with its number. Entries must be added in the order of their numbers. */
  put(entry: Entry): void {
    const { kind, seq, record } = entry;
    let entries = this.#byKind.get(kind);
    if (!entries) {
      entries = new Map();
      this.#byKind.set(kind, entries);
    }
    const before = entries.get(seq);
    if (before) this.#unlink(before);
    entries.set(seq, entry);
    this.#byId.set(record.id, entry);
    if (record.ref !== undefined) this.#byRef.set(`${kind} ${record.ref}`, entry);
    for (const id of this.#listReferences(kind, record)) this.#addReferring(id, entry);
    for (const index of this.#indexes.values()) if (index.kind === kind) addToIndex(index, entry);
    this.#lists.delete(kind);
  }

  #addReferring(id: string, entry: Entry): void {
    const referring = this.#referring.get(id);
    if (referring) referring.add(entry);
    else this.#referring.set(id, new Set([entry]));
  }

  remove(entry: Entry): void {
    const { kind, seq } = entry;
    this.#unlink(entry);
    this.#byKind.get(kind)?.delete(seq);
    this.#lists.delete(kind);
  }

  /** Removes an entry from all indexes. Keeps its ref if another record has it by now. */
  #unlink(entry: Entry): void {
    const { kind, record } = entry;
    this.#byId.delete(record.id);
    const name = `${kind} ${record.ref}`;
    if (this.#byRef.get(name) === entry) this.#byRef.delete(name);
    for (const index of this.#indexes.values()) if (index.kind === kind) removeFromIndex(index, entry);
    for (const id of this.#listReferences(kind, record)) {
      const referring = this.#referring.get(id);
      referring?.delete(entry);
      if (referring?.size === 0) this.#referring.delete(id);
    }
  }

  /** Adds a slice that was read from the store. */
  addSlice({ records, replies }: Slice): void {
    for (const stored of records) this.put(parseEntry(stored));
    for (const reply of replies) this.replies.set(reply.name, reply);
  }

  /** Sorts the replies of all slices by expiry. */
  sortReplies(): void {
    const replies = [...this.replies.values()].sort((a, b) => a.expiresAt - b.expiresAt);
    this.replies.clear();
    for (const reply of replies) this.replies.set(reply.name, reply);
  }

  /** Applies a change. In a workspace of the cache, only once it is durable. */
  apply({ after, written, removed, keptReply, expiredReplies }: Commit): void {
    if (!after) {
      this.isForgotten = true;
      return;
    }
    for (const entry of removed) this.remove(entry);
    for (const { entry } of written) this.put(entry);
    for (const { name } of expiredReplies) this.replies.delete(name);
    if (keptReply) {
      const { text: _, ...reply } = keptReply;
      this.replies.set(reply.name, reply);
    }
    this.head = { ...after, key: this.head.key };
  }
}

function addToIndex({ toKey, entries }: Index, entry: Entry): void {
  const key = toKey(entry.record);
  const same = entries.get(key);
  if (same) same.add(entry);
  else entries.set(key, new Set([entry]));
}

function removeFromIndex({ toKey, entries }: Index, entry: Entry): void {
  const key = toKey(entry.record);
  const same = entries.get(key);
  same?.delete(entry);
  if (same?.size === 0) entries.delete(key);
}

const parseEntry = ({ kind, seq, text, bytes = countBytes(text) }: StoredText): Entry => ({
  kind,
  seq,
  record: JSON.parse(text) as StoredRecord,
  bytes,
});
