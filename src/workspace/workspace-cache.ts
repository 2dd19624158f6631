import type { Workspace } from './workspace.ts';

interface Cached {
  workspace: Workspace;
  /** Its hash and its size in bytes when it was added. */
  hash: string;
  bytes: number;
}

/**
 * The share of the limit that is left after an eviction. A walk over a map first passes the holes of earlier deletions,
 * so one walk drops many workspaces.
 */
const shareLeft = 0.98;

/** Workspaces in memory, found by key and by hash. Above `mostBytes` it drops the least recently used. */
export class WorkspaceCache {
  readonly #mostBytes: number;
  /** By key, the least recently used first. */
  readonly #cached = new Map<string, Cached>();
  readonly #keyByHash = new Map<string, string>();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  find(key: string): Workspace | undefined {
    const cached = this.#cached.get(key);
    if (!cached) return undefined;
    this.#cached.delete(key);
    this.#cached.set(key, cached);
    return cached.workspace;
  }

  findByHash(hash: string): Workspace | undefined {
    const key = this.#keyByHash.get(hash);
    return key === undefined ? undefined : this.find(key);
  }

  /** Adds a workspace, or measures it again after a change. It replaces another object with its key. */
  add(workspace: Workspace): void {
    const { key, hash } = workspace.head;
    const before = this.#drop(key);
    if (before && before !== workspace) before.isForgotten = true;
    const bytes = workspace.size;
    this.#cached.set(key, { workspace, hash, bytes });
    this.#keyByHash.set(hash, key);
    this.#bytes += bytes;
    this.#evict();
  }

  /** Removes a workspace and marks it, so that a change that still holds it loads it again. */
  forget(workspace: Workspace): void {
    const { key } = workspace.head;
    workspace.isForgotten = true;
    if (this.#cached.get(key)?.workspace === workspace) this.#drop(key);
  }

  forgetAll(): void {
    for (const { workspace } of [...this.#cached.values()]) this.forget(workspace);
  }

  /** Drops workspaces if they take too much. The last used one stays, whatever its size. */
  #evict(): void {
    if (this.#bytes <= this.#mostBytes) return;
    for (const { workspace } of this.#cached.values()) {
      if (this.#bytes <= shareLeft * this.#mostBytes || this.#cached.size === 1) return;
      this.forget(workspace);
    }
  }

  #drop(key: string): Workspace | undefined {
    const cached = this.#cached.get(key);
    if (!cached) return undefined;
    this.#cached.delete(key);
    this.#keyByHash.delete(cached.hash);
    this.#bytes -= cached.bytes;
    return cached.workspace;
  }
}
