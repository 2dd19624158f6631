import { Refusal } from '../kernel/refusal.ts';
import type { Platform } from '../kernel/service.ts';
import { isSteps, type Steps } from '../kernel/steps.ts';
import { buildCommit, type ChangeRequest, type WorkspaceRule } from './build-commit.ts';
import { Change } from './change.ts';
import { ChangeChains } from './change-chains.ts';
import { ChangeTurns } from './change-turns.ts';
import type { OwnWrites } from './own-writes.ts';
import type { Commit, Store } from './store.ts';
import { type ListReferences, Workspace, type WorkspaceContent } from './workspace.ts';
import type { WorkspaceCache } from './workspace-cache.ts';

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
  platform: Pick<Platform, 'randomBytes' | 'runSteps'>;
  seed: Workspace;
  listReferences: ListReferences;
  cache: WorkspaceCache;
  ownWrites: OwnWrites;
}

/** A change that was decided. */
interface Decided<T> {
  result: ChangeResult<T>;
  /** What it writes, if anything. */
  commit?: Commit;
  onDurable?: (() => void) | undefined;
}

/** What came of one try: a decision, or the error that refuses the change. */
interface Attempt<T> {
  decided?: Decided<T>;
  error?: unknown;
  /** Whether it was written. Absent if there was nothing to write. */
  written?: Promise<boolean>;
  /** Whether the changes that it was decided on were written. Absent if all of them are durable. */
  basis?: Promise<boolean> | undefined;
}

/** Names what changes take turns by: the workspace, or the key or the hash of the one that they make. */
const nameTurn = ({ mint, key, hash }: ChangeRequest, found: Workspace | undefined): string =>
  mint ? (key?.name ?? hash) : found!.head.key;

/** Ends at once. `runSteps` runs it when this turn of the event loop has time left, or in a later one. */
function* waitForTime(): Steps<void> {}

/**
 * Decides and writes the changes of all workspaces.
 *
 * Those of one workspace are decided in turn. If no other process changes the store, the next one is decided on what waits
 * to be written, so that one flush serves many; if that is not written, it is decided again. A shared store writes each
 * change before the next one is decided.
 */
export class WorkspaceChanges {
  readonly #parts: Parts;
  readonly #turns = new ChangeTurns();
  readonly #chains: ChangeChains;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#chains = new ChangeChains(parts.listReferences);
  }

  /**
   * Changes a workspace, or makes one. `find` returns the workspace to change or, for a change that makes one under a key,
   * the workspace that the key made before.
   */
  async change<T>(
    request: ChangeRequest,
    rule: WorkspaceRule<T>,
    find: () => Promise<Workspace | undefined>,
  ): Promise<ChangeResult<T>> {
    const end = performance.now() + patienceMs;
    for (let tries = 0; tries < mostTries && performance.now() < end; tries += 1) {
      const { opened, mint } = request;
      const isOpen = tries === 0 && opened?.isForgotten === false;
      const found = isOpen ? opened : await find();
      if (!mint && !found) return { result: 'unknown' };
      const attempt = await this.#tryInTurn(request, rule, found);
      const result = attempt && (await this.#finish(request, found, attempt));
      if (result) return result;
    }
    throw new Refusal('store_unavailable');
  }

  /** Runs something that no change of a workspace may be decided beside, once those that were decided are written. */
  async runBetween<T>(workspace: Workspace, run: () => Promise<T>): Promise<T> {
    const { key } = workspace.head;
    // A shared store compares what it writes.
    if (this.#parts.store.isShared) return run();
    await this.#turns.enter(key);
    try {
      await this.#chains.wait(key);
      return await run();
    } finally {
      this.#turns.leave(key);
    }
  }

  /** Decides a change, and begins to write it. Returns undefined if the workspace must be found again. */
  async #tryInTurn<T>(
    request: ChangeRequest,
    rule: WorkspaceRule<T>,
    found: Workspace | undefined,
  ): Promise<Attempt<T> | undefined> {
    const { isShared } = this.#parts.store;
    const turn = nameTurn(request, found);
    const entered = this.#turns.enter(turn);
    if (entered) await entered;
    try {
      if (entered && !isShared) await this.#runSteps(waitForTime(), request);
      if (found?.isForgotten) return undefined;
      const attempting = this.#attempt(request, rule, found);
      const attempt = attempting instanceof Promise ? await attempting : attempting;
      if (isShared) await attempt?.written;
      return attempt;
    } finally {
      this.#turns.leave(turn);
    }
  }

  #runSteps<T>(steps: Steps<T>, { client, operation }: ChangeRequest): T | Promise<T> {
    return this.#parts.platform.runSteps(steps, { client, operation });
  }

  /** Decides a change on the changes that wait, and begins to write it. */
  #attempt<T>(
    request: ChangeRequest,
    rule: WorkspaceRule<T>,
    found: Workspace | undefined,
  ): Attempt<T> | Promise<Attempt<T>> {
    const workspace = request.mint ? undefined : found;
    const chain = workspace && this.#chains.find(workspace);
    const content = chain?.content ?? workspace;
    const basis = chain?.last;
    const write = (decided: Decided<T>): Attempt<T> => {
      const hasMore = this.#turns.hasMore(nameTurn(request, found));
      const written = decided.commit && this.#write(workspace, decided, hasMore);
      return { decided, basis, ...(written && { written }) };
    };
    const refuse = (error: unknown): Attempt<T> => ({ error, basis });
    try {
      const replayed = findReply<T>(request, request.mint ? found : content);
      const decided = replayed ?? this.#decide(request, rule, content);
      return decided instanceof Promise ? decided.then(write).catch(refuse) : write(decided);
    } catch (error) {
      return refuse(error);
    }
  }

  /** Runs the rule of a change, and turns what it decided into a commit. */
  #decide<T>(
    request: ChangeRequest,
    rule: WorkspaceRule<T>,
    workspace: WorkspaceContent | undefined,
  ): Decided<T> | Promise<Decided<T>> {
    const { listReferences, seed } = this.#parts;
    const head = workspace?.head;
    const isKnown = !workspace || (head?.hash === request.hash && head.expiresAt > request.now);
    if (!isKnown) return { result: { result: 'unknown' } };
    const change = new Change({ listReferences, seed, workspace, now: request.now });
    const build = (answer: T) => this.#build(change, request, workspace, answer);
    const answer = rule(change);
    if (!isSteps(answer)) return build(answer);
    return Promise.resolve(this.#runSteps(answer, request)).then(build);
  }

  #build<T>(
    change: Change,
    request: ChangeRequest,
    workspace: WorkspaceContent | undefined,
    answer: T,
  ): Decided<T> {
    const result = { result: 'done', answer } as const;
    if (change.isDiscarded) return { result };
    const built = buildCommit(change, request, workspace, this.#parts.platform.randomBytes(8));
    if (typeof built === 'string') return { result: { result: built } };
    const { commit, growth } = built;
    const countGrowth = growth.bytes > 0 ? request.admit?.(growth) : undefined;
    const { charge } = change;
    const onDurable = () => {
      countGrowth?.();
      if (charge) request.onCharge?.(charge);
    };
    return { result, commit, onDurable };
  }

  /** Begins to write a decided change. The workspace in memory gets it when it is durable. */
  #write<T>(
    workspace: Workspace | undefined,
    { commit, onDurable }: Decided<T>,
    hasMore: boolean,
  ): Promise<boolean> {
    const { store, cache, ownWrites } = this.#parts;
    const finishWrite = workspace && ownWrites.write(workspace.head.key);
    const chain = workspace && this.#chains.add(workspace, commit!);
    const fail = (forgets: boolean) => {
      finishWrite?.();
      if (chain) this.#chains.drop(chain);
      if (workspace && forgets) cache.forget(workspace);
    };
    const written = store.write(commit!, hasMore).then(
      (result) => {
        if (typeof result === 'string') {
          // A shared store is compared before each use anyway.
          fail(!store.isShared);
          return false;
        }
        const applied = this.#apply(workspace, commit!, result.key);
        if (chain) this.#chains.finishFirst(chain);
        finishWrite?.(applied);
        onDurable?.();
        return true;
      },
      (error) => {
        fail(true);
        throw error;
      },
    );
    if (chain) chain.last = written.catch(() => false);
    return written;
  }

  /** Takes a change that is durable into memory. Returns the workspace that it changed or made. */
  #apply(workspace: Workspace | undefined, commit: Commit, key: string): Workspace | undefined {
    const { cache, listReferences } = this.#parts;
    const { after } = commit;
    if (!after) {
      if (workspace) cache.forget(workspace);
      return workspace;
    }
    const changed = workspace ?? new Workspace({ ...after, key }, listReferences);
    changed.apply(commit);
    if (!changed.isForgotten) {
      cache.add(changed);
      return changed;
    }
    // It left memory meanwhile. Who has loaded it since has it without this change.
    const loaded = cache.find(key);
    if (loaded) cache.forget(loaded);
    return changed;
  }

  /** Returns the result of a try once it is durable. Returns undefined if the change must be decided again. */
  async #finish<T>(
    { mint, key }: ChangeRequest,
    found: Workspace | undefined,
    { decided, error, written, basis }: Attempt<T>,
  ): Promise<ChangeResult<T> | undefined> {
    if (written && decided) {
      if (await written) return decided.result;
      return mint ? { result: 'taken' } : undefined;
    }
    if (basis && !(await basis)) return undefined;
    if (!decided) throw error;
    if (decided.result.result !== 'replay') return decided.result;
    const kept = found!.findReply(key!.name);
    const reply = kept && (await this.#parts.store.readReply(found!.head, kept));
    return reply === undefined ? undefined : { result: 'replay', reply };
  }
}

/** Returns the result of a request whose key was used before, or undefined if it was not. */
function findReply<T>(
  { key, now }: ChangeRequest,
  workspace: WorkspaceContent | undefined,
): Decided<T> | undefined {
  const kept = key && workspace?.findReply(key.name);
  if (!kept || kept.expiresAt <= now) return undefined;
  const isSame = kept.fingerprint === key.fingerprint;
  return { result: isSame ? { result: 'replay', reply: '' } : { result: 'mismatch' } };
}
