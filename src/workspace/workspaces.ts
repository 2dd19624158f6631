import type { Platform } from '../kernel/service.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import type { ChangeRequest, WorkspaceRule } from './build-commit.ts';
import type { Charge } from './charge.ts';
import type { Head } from './head.ts';
import { OwnWrites } from './own-writes.ts';
import type { Store, TokenTarget } from './store.ts';
import { type ListReferences, Workspace } from './workspace.ts';
import { WorkspaceCache } from './workspace-cache.ts';
import { type ChangeResult, WorkspaceChanges } from './workspace-changes.ts';

/** Maximum bytes of all workspaces in memory, unless `Parts` says otherwise. */
export const defaultCacheBytes = 134_217_728;
/** How often a workspace is read if it changes during the load. */
const mostLoads = 3;
interface Parts {
  store: Store;
  platform: Pick<Platform, 'now' | 'randomBytes' | 'runSteps'>;
  seed: Workspace;
  listReferences: ListReferences;
  cacheBytes?: number | undefined;
}

/** All workspaces of a store. Loads them into memory, caches the last used ones, and changes them. */
export class Workspaces {
  readonly #store: Store;
  readonly #platform: Parts['platform'];
  readonly #listReferences: ListReferences;
  readonly #cache: WorkspaceCache;
  readonly #loading = new Map<string, Promise<Workspace | undefined>>();
  readonly #ownWrites = new OwnWrites();
  readonly #changes: WorkspaceChanges;

  constructor({ store, platform, seed, listReferences, cacheBytes = defaultCacheBytes }: Parts) {
    this.#store = store;
    this.#platform = platform;
    this.#listReferences = listReferences;
    this.#cache = new WorkspaceCache(cacheBytes);
    this.#changes = new WorkspaceChanges({
      store,
      platform,
      seed,
      listReferences,
      cache: this.#cache,
      ownWrites: this.#ownWrites,
    });
  }

  /** Returns the workspace that a hash opens, or undefined if there is none or it has expired. */
  async open(hash: string, client = ''): Promise<Workspace | undefined> {
    const cached = this.#store.isShared ? undefined : this.#cache.findByHash(hash);
    if (cached) return this.#isAlive(cached.head) ? cached : undefined;
    const read = this.#ownWrites.begin();
    const workspace = await this.#load(await this.#store.open(hash), read, client);
    // It may have been renamed during the load.
    return workspace?.head.hash === hash ? workspace : undefined;
  }

  async openByKey(key: string, client = ''): Promise<Workspace | undefined> {
    const cached = this.#store.isShared ? undefined : this.#cache.find(key);
    if (cached) return this.#isAlive(cached.head) ? cached : undefined;
    const read = this.#ownWrites.begin();
    return this.#load(await this.#store.openByKey(key), read, client);
  }

  /** Returns the workspace that a token leads to, and what the token is for. Undefined if either has expired. */
  async follow(token: string, client?: string): Promise<{ workspace: Workspace; to: string } | undefined> {
    const target = await this.followToken(token);
    const workspace = target && (await this.openByKey(target.key, client));
    return workspace && { workspace, to: target.to };
  }

  followToken(token: string): Promise<TokenTarget | undefined> {
    return this.#store.follow(token, this.#platform.now());
  }

  /** Changes a workspace, or makes one. Rejects with what the rule or `admit` throws, or with `store_unavailable`. */
  change<T>(request: ChangeRequest, rule: WorkspaceRule<T>): Promise<ChangeResult<T>> {
    return this.#changes.change(request, rule, () => this.#findChanged(request));
  }

  /** Charges a workspace for a read. Returns whether the charge was within its limit. */
  charge(workspace: Workspace, charge: Charge): Promise<boolean> {
    return this.#changes.runBetween(workspace, async () => {
      const used = await this.#store.charge(workspace.head, charge);
      if (used) workspace.head = { ...workspace.head, used };
      return used !== undefined;
    });
  }

  /** Drops every workspace from memory, because the store may have others now. */
  forgetAll(): void {
    this.#cache.forgetAll();
  }

  /** Finds the workspace to change. If the change makes one, finds the workspace that its key made before. */
  #findChanged({ hash, mint, keyToken, client }: ChangeRequest): Promise<Workspace | undefined> {
    if (!mint) return this.open(hash, client);
    return keyToken?.before ? this.openByKey(keyToken.before.key, client) : Promise.resolve(undefined);
  }

  #isAlive({ expiresAt }: Head): boolean {
    return expiresAt > this.#platform.now();
  }

  /**
   * Returns the workspace with this head from memory, or loads it. Callers at the same time share one load. Returns
   * undefined if there is no head, or if it has expired. `read` is the number of the read that returned the head.
   */
  async #load(head: Head | undefined, read: number, client: string): Promise<Workspace | undefined> {
    if (!head || !this.#isAlive(head)) return undefined;
    const cached = await this.#findCurrent(head, read);
    if (cached) return cached;
    const name = `${head.key} ${head.version}`;
    let loading = this.#loading.get(name);
    if (!loading) {
      const load = this.#platform.runSteps(this.#loadWhole(head), { client, operation: 'load' });
      loading = Promise.resolve(load).finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return loading;
  }

  /** Returns a workspace from memory if it is as new as a head that was read. */
  async #findCurrent(head: Head, read: number): Promise<Workspace | undefined> {
    const find = () => {
      const cached = this.#cache.find(head.key);
      if (cached?.head.version === head.version) {
        if (cached.head.used !== head.used) cached.head = { ...cached.head, used: head.used };
        return cached;
      }
      return cached && this.#ownWrites.isWrittenSince(cached, read) ? cached : undefined;
    };
    const cached = find();
    if (cached) return cached;
    await this.#ownWrites.wait(head.key);
    return find();
  }

  /**
   * Loads a workspace, and loads it again if it changed during the load. If others change it all the time, returns the
   * last load without caching it. Parts of it can then be newer than its head, so no change is written on it.
   */
  *#loadWhole(first: Head): Steps<Workspace | undefined> {
    let head: Head | undefined = first;
    for (let loads = 1; head && this.#isAlive(head); loads += 1) {
      const workspace = new Workspace(head, this.#listReferences);
      const slices = this.#store.load(head)[Symbol.asyncIterator]();
      for (let next = yield* wait(slices.next()); !next.done; next = yield* wait(slices.next())) {
        workspace.addSlice(next.value);
        yield;
      }
      workspace.sortReplies();
      const current: Head | undefined = yield* wait(this.#store.openByKey(head.key));
      if (current?.version === head.version) {
        this.#cache.add(workspace);
        return workspace;
      }
      if (loads >= mostLoads && current?.hash === head.hash) return workspace;
      head = current;
    }
    return undefined;
  }
}
