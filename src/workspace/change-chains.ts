import { PendingWorkspace } from './pending-workspace.ts';
import type { Commit } from './store.ts';
import type { ListReferences, Workspace } from './workspace.ts';

/** The changes of a workspace that are decided, and not durable yet. Each was decided on the one before it. */
class ChangeChain {
  readonly workspace: Workspace;
  readonly #listReferences: ListReferences;
  readonly #commits: Commit[] = [];
  /** Made if another change is decided meanwhile. */
  #pending: PendingWorkspace | undefined;
  /** Whether the last of them was written. Then all are. */
  last: Promise<boolean> = Promise.resolve(true);

  constructor(workspace: Workspace, listReferences: ListReferences) {
    this.workspace = workspace;
    this.#listReferences = listReferences;
  }

  get isEmpty(): boolean {
    return this.#commits.length === 0;
  }

  /** The workspace as it will be after all of them. */
  get content(): PendingWorkspace {
    if (!this.#pending) {
      this.#pending = new PendingWorkspace(this.workspace, this.#listReferences);
      for (const commit of this.#commits) this.#pending.add(commit);
    }
    return this.#pending;
  }

  add(commit: Commit): void {
    this.#commits.push(commit);
    this.#pending?.add(commit);
  }

  /** Drops the first change, when the workspace has it. */
  dropFirst(): void {
    const commit = this.#commits.shift();
    if (commit) this.#pending?.drop(commit);
  }
}

/** The chains of all workspaces that have changes that wait. */
export class ChangeChains {
  readonly #listReferences: ListReferences;
  readonly #byKey = new Map<string, ChangeChain>();

  constructor(listReferences: ListReferences) {
    this.#listReferences = listReferences;
  }

  /** Resolves when the changes that wait now are written, or have failed. */
  async wait(key: string): Promise<void> {
    await this.#byKey.get(key)?.last;
  }

  /** Returns the changes that wait. A workspace that was loaded meanwhile has none: the store compares its version. */
  find(workspace: Workspace): ChangeChain | undefined {
    const chain = this.#byKey.get(workspace.head.key);
    return chain?.workspace === workspace ? chain : undefined;
  }

  /** Adds a change to those of a workspace that wait. */
  add(workspace: Workspace, commit: Commit): ChangeChain {
    const chain = this.find(workspace) ?? new ChangeChain(workspace, this.#listReferences);
    this.#byKey.set(workspace.head.key, chain);
    chain.add(commit);
    return chain;
  }

  /** Drops the first change of a chain, which is durable. */
  finishFirst(chain: ChangeChain): void {
    chain.dropFirst();
    if (chain.isEmpty) this.drop(chain);
  }

  drop(chain: ChangeChain): void {
    const { key } = chain.workspace.head;
    if (this.#byKey.get(key) === chain) this.#byKey.delete(key);
  }
}
