import { createQueue } from '../kernel/queue.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Platform } from '../kernel/service.ts';
import { buildCommit, type ChangeRequest } from './build-commit.ts';
import type { Charge } from './charge.ts';
import { countRecords, type Head } from './head.ts';
import { OwnWrites } from './own-writes.ts';
import type { Commit, Step, Store, TokenTarget } from './store.ts';
import { DraftView } from './view.ts';
import { type ListReferences, Workspace } from './workspace.ts';
import { WorkspaceCache } from './workspace-cache.ts';

/** Maximum bytes of all workspaces in memory, unless `Parts` says otherwise. */
const defaultCacheBytes = 134_217_728;
/** A workspace with more records or bytes is loaded in the lane for long work, one at a time. */
const mostRecordsAtOnce = 1000;
const mostBytesAtOnce = 1_048_576;
/** How often a workspace is read if it changes during the load. */
const mostLoads = 3;
/** How often, and for how many milliseconds, a change is decided again if others change the workspace meanwhile. */
const mostTries = 50;
const patienceMs = 5000;

/**
 * How a change ended. Only `done` changed anything.
 *
 * `done`: everything is durable. `replay`: the same request was answered before, with `reply`. `mismatch`: its key was
 * used for another request. `full`: the workspace would hold more than it may. `over`: the charge is more than is
 * authorised. `unknown`: there is no such workspace. `taken`: another change made a workspace with this hash or key
 * first.
 */
export type ChangeResult<T> =
  | { result: 'done'; answer: T }
  | { result: 'replay'; reply: string }
  | { result: 'mismatch' | 'full' | 'over' | 'unknown' | 'taken' };

interface Parts {
  store: Store;
  platform: Pick<Platform, 'now' | 'randomBytes'>;
  seed: Workspace;
  listReferences: ListReferences;
  cacheBytes?: number;
}

/** All workspaces of a store. Loads them into memory, caches the last used ones, and changes them. */
export class Workspaces {
  readonly #store: Store;
  readonly #platform: Parts['platform'];
  readonly #seed: Workspace;
  readonly #listReferences: ListReferences;
  readonly #cache: WorkspaceCache;
  readonly #loading = new Map<string, Promise<Workspace | undefined>>();
  readonly #longLoads = createQueue(1);
  readonly #ownWrites = new OwnWrites();

  constructor({ store, platform, seed, listReferences, cacheBytes = defaultCacheBytes }: Parts) {
    this.#store = store;
    this.#platform = platform;
    this.#seed = seed;
    this.#listReferences = listReferences;
    this.#cache = new WorkspaceCache(cacheBytes);
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

  /** Changes a workspace, or makes one. Rejects with what `decide` or `admit` throws, or with `store_unavailable`. */
  async change<T>(request: ChangeRequest<T>): Promise<ChangeResult<T>> {
    const end = performance.now() + patienceMs;
    for (let tries = 0; tries < mostTries && performance.now() < end; tries += 1) {
      const { opened } = request;
      const isOpen = tries === 0 && opened?.isForgotten === false;
      const workspace = isOpen ? opened : await this.#findChanged(request);
      if (!request.mint && !workspace) return { result: 'unknown' };
      const changed = await this.#tryChange(request, workspace);
      if (changed) return changed;
    }
    throw new Refusal('store_unavailable');
  }

  /** Charges a workspace for a read. Returns whether the charge was within its limit. */
  async charge(workspace: Workspace, charge: Charge): Promise<boolean> {
    const used = await this.#store.charge(workspace.head, charge);
    if (used) workspace.head = { ...workspace.head, used };
    return used !== undefined;
  }

  /** Drops every workspace from memory, because the store may have others now. */
  forgetAll(): void {
    this.#cache.forgetAll();
  }

  /** Finds the workspace to change. If the change makes one, finds the workspace that its key made before. */
  #findChanged<T>({ hash, mint, keyToken, client }: ChangeRequest<T>): Promise<Workspace | undefined> {
    if (!mint) return this.open(hash, client);
    return keyToken?.before ? this.openByKey(keyToken.before.key, client) : Promise.resolve(undefined);
  }

  /** Decides a change once. Returns undefined if it must be decided again. */
  async #tryChange<T>(
    request: ChangeRequest<T>,
    found: Workspace | undefined,
  ): Promise<ChangeResult<T> | undefined> {
    const { key, mint, hash } = request;
    const workspace = mint ? undefined : found;
    let changed: ChangeResult<T> | undefined;
    let applied = workspace;
    let finishWrite = (_written?: Workspace) => {};
    const step: Step = {
      turn: workspace?.head.key ?? key?.name ?? hash,
      decide: () => {
        changed = undefined;
        if (found?.isForgotten) return undefined;
        const decided = this.#findReply(request, found) ?? this.#decide(request, workspace);
        changed = decided.changed;
        if (workspace && decided.commit) finishWrite = this.#ownWrites.write(workspace.head.key);
        return decided.commit;
      },
      apply: (commit, newKey) => {
        applied = this.#apply(workspace, commit, newKey);
        finishWrite(applied);
      },
      forget: () => applied && this.#cache.forget(applied),
    };
    const result = await this.#store.commit(step).finally(() => finishWrite());
    if (result === 'moved') {
      if (mint) return { result: 'taken' };
      // A shared store is compared before each use anyway.
      if (!this.#store.isShared) this.#cache.forget(workspace!);
      return undefined;
    }
    if (changed?.result !== 'replay') return changed;
    const kept = found!.replies.get(key!.name);
    const reply = kept && (await this.#store.readReply(found!.head, kept));
    return reply === undefined ? undefined : { result: 'replay', reply };
  }

  /** Returns the result of a request whose key was used before, or undefined if it was not. */
  #findReply<T>(
    { key, now }: ChangeRequest<T>,
    workspace: Workspace | undefined,
  ): { changed: ChangeResult<T>; commit?: undefined } | undefined {
    const kept = key && workspace?.replies.get(key.name);
    if (!kept || kept.expiresAt <= now) return undefined;
    const isSame = kept.fingerprint === key.fingerprint;
    return { changed: isSame ? { result: 'replay', reply: '' } : { result: 'mismatch' } };
  }

  #decide<T>(
    request: ChangeRequest<T>,
    workspace: Workspace | undefined,
  ): { changed: ChangeResult<T>; commit?: Commit | undefined } {
    const isKnown =
      !workspace || (workspace.head.hash === request.hash && workspace.head.expiresAt > request.now);
    if (!isKnown) return { changed: { result: 'unknown' } };
    const draft = new DraftView(this.#listReferences, this.#seed, workspace);
    const decision = request.decide(draft, workspace?.head);
    const { answer } = decision;
    if (decision.isUnchanged) return { changed: { result: 'done', answer } };
    const random = this.#platform.randomBytes(8);
    const commit = buildCommit({ request, workspace, draft, decision, random });
    if (typeof commit === 'string') return { changed: { result: commit } };
    return { changed: { result: 'done', answer }, commit };
  }

  /** Applies a written change to memory. Returns the workspace that it changed or made. */
  #apply(workspace: Workspace | undefined, commit: Commit, key: string): Workspace | undefined {
    const { after } = commit;
    if (!after) {
      if (workspace) this.#cache.forget(workspace);
      return workspace;
    }
    const changed = workspace ?? new Workspace({ ...after, key }, this.#listReferences);
    changed.apply(commit);
    if (!changed.isForgotten) this.#cache.add(changed);
    return changed;
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
      const load = () => this.#loadWhole(head);
      const isLong = countRecords(head) > mostRecordsAtOnce || head.bytes > mostBytesAtOnce;
      loading = (isLong ? this.#longLoads(client, load) : load()).finally(() => this.#loading.delete(name));
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
  async #loadWhole(first: Head): Promise<Workspace | undefined> {
    let head: Head | undefined = first;
    for (let loads = 1; head && this.#isAlive(head); loads += 1) {
      const workspace = new Workspace(head, this.#listReferences);
      for await (const slice of this.#store.load(head)) workspace.addSlice(slice);
      workspace.sortReplies();
      const current: Head | undefined = await this.#store.openByKey(head.key);
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
