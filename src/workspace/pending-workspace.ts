import type { Head, KeptReply } from './head.ts';
import type { Entry } from './record.ts';
import type { Commit } from './store.ts';
import { type ListReferences, type ToKey, Workspace, type WorkspaceContent } from './workspace.ts';

const bySeq = (a: Entry, b: Entry) => a.seq - b.seq;

/**
 * A workspace as it will be when the changes that wait to be durable are written. The workspace itself gets each of them
 * when that is durable, so nothing changes here then.
 */
export class PendingWorkspace implements WorkspaceContent {
  readonly #workspace: Workspace;
  /** The entries and the replies that waiting changes write. */
  readonly #added: Workspace;
  /** The entries that waiting changes remove, by id. */
  readonly #removed = new Map<string, Entry>();
  /** The names of the replies that waiting changes remove. */
  readonly #removedReplies = new Set<string>();
  /** The head after the last change. */
  #head: Head | undefined;

  constructor(workspace: Workspace, listReferences: ListReferences) {
    this.#workspace = workspace;
    this.#added = new Workspace(workspace.head, listReferences);
    this.#head = workspace.head;
  }

  get head(): Head | undefined {
    return this.#head;
  }

  /** Adds a change that waits. */
  add(commit: Commit): void {
    const { after, removed, expiredReplies } = commit;
    this.#head = after;
    if (!after) return;
    this.#added.apply(commit);
    for (const entry of removed) this.#removed.set(entry.record.id, entry);
    for (const { name } of expiredReplies) this.#removedReplies.add(name);
  }

  /** Drops a change that is durable, when the workspace has it. */
  drop({ written, removed, keptReply, expiredReplies }: Commit): void {
    for (const { entry } of written)
      if (this.#added.find(entry.kind, entry.record.id) === entry) this.#added.remove(entry);
    for (const { record } of removed) this.#removed.delete(record.id);
    for (const { name } of expiredReplies) this.#removedReplies.delete(name);
    if (keptReply) this.#added.replies.delete(keptReply.name);
  }

  /** Whether a waiting change replaces or removes an entry of the workspace. */
  #isObsolete = ({ kind, record }: Entry): boolean =>
    this.#removed.has(record.id) || this.#added.find(kind, record.id) !== undefined;

  find(kind: string, id: string): Entry | undefined {
    return this.#added.find(kind, id) ?? this.#keep(this.#workspace.find(kind, id));
  }

  findByRef(kind: string, ref: string): Entry | undefined {
    return this.#added.findByRef(kind, ref) ?? this.#keep(this.#workspace.findByRef(kind, ref));
  }

  #keep(entry: Entry | undefined): Entry | undefined {
    return entry && !this.#isObsolete(entry) ? entry : undefined;
  }

  list(kind: string): readonly Entry[] {
    return this.#join(this.#workspace.list(kind), this.#added.list(kind)).sort(bySeq);
  }

  listReferring(id: string): ReadonlySet<Entry> {
    return new Set(this.#join(this.#workspace.listReferring(id), this.#added.listReferring(id)));
  }

  listByKey(kind: string, toKey: ToKey, key: string): Iterable<Entry> {
    return this.#join(this.#workspace.listByKey(kind, toKey, key), this.#added.listByKey(kind, toKey, key));
  }

  #join(stored: Iterable<Entry>, added: Iterable<Entry>): Entry[] {
    const entries: Entry[] = [];
    for (const entry of stored) if (!this.#isObsolete(entry)) entries.push(entry);
    entries.push(...added);
    return entries;
  }

  findReply(name: string): KeptReply | undefined {
    const stored = this.#removedReplies.has(name) ? undefined : this.#workspace.findReply(name);
    return this.#added.findReply(name) ?? stored;
  }

  *listReplies(): Iterable<KeptReply> {
    for (const reply of this.#workspace.listReplies()) if (!this.#removedReplies.has(reply.name)) yield reply;
    yield* this.#added.listReplies();
  }
}
