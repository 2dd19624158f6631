import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { nodePlatform } from '../../src/hosts/node-platform.ts';
import type { Refusal } from '../../src/kernel/refusal.ts';
import { kinds } from '../../src/kinds.ts';
import { createListReferences } from '../../src/records/kind/kind-list.ts';
import { RedisStore } from '../../src/stores/redis.ts';
import { SqliteStore } from '../../src/stores/sqlite.ts';
import type { StoreFault } from '../../src/stores/store-fault.ts';
import type { ChangeRequest, WorkspaceRule } from '../../src/workspace/build-commit.ts';
import type { Change } from '../../src/workspace/change.ts';
import type { Charge } from '../../src/workspace/charge.ts';
import type { Head } from '../../src/workspace/head.ts';
import type { StoredRecord } from '../../src/workspace/record.ts';
import type { Store } from '../../src/workspace/store.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import type { ChangeResult } from '../../src/workspace/workspace-changes.ts';
import { Workspaces } from '../../src/workspace/workspaces.ts';
import { until } from './redis.ts';

const listReferences = createListReferences(kinds);
const hour = 3_600_000;

/** The result of a successful change of `toWrite`. */
export const done = { result: 'done', answer: null };

/** Returns a new hash, as of a workspace id, a key or a request. */
export const toHash = (text: string = randomUUID()) => createHash('sha256').update(text).digest('hex');

/** Returns a new name for a key, a fingerprint or a token: the first half of a hash. */
export const toName = () => toHash().slice(0, 32);

/** Returns a new candidate, with the given members. */
export const toRecord = (more: Partial<StoredRecord> = {}): StoredRecord => ({
  id: `cand_${randomBytes(8).toString('hex')}`,
  name: 'Ann Sample',
  onetCode: '15-1252.00',
  ...more,
});

type Request = Partial<ChangeRequest>;

/** A change with the rule that decides it. */
interface TestedChange<T> extends ChangeRequest {
  rule: WorkspaceRule<T>;
}

/** Returns a change. By default it makes a new workspace. */
export function toChange<T>(rule: WorkspaceRule<T>, more: Request = {}): TestedChange<T> {
  const now = more.now ?? Date.now();
  return {
    hash: toHash(),
    mint: true,
    now,
    expiresAt: now + hour,
    ceiling: { records: 1000, bytes: 4_096_000 },
    ...more,
    rule,
  };
}

/** What a change writes beside records. */
type Effects = Partial<
  Pick<
    Change,
    | 'state'
    | 'expiresAt'
    | 'rename'
    | 'deletesWorkspace'
    | 'isDiscarded'
    | 'addedTokens'
    | 'removedTokens'
    | 'activity'
    | 'charge'
    | 'keptReply'
  >
>;

/** Returns a change that writes the given values, and drafts what `draft` does. */
export const toWrite = (effects: Effects, more: Request = {}, draft: (change: Change) => void = () => {}) =>
  toChange((change) => {
    draft(change);
    Object.assign(change, effects);
    return null;
  }, more);

type CreateParts = Request & { kind?: string; record?: StoredRecord; reply?: string };

/** Returns a change that creates one candidate, or what is given. */
export function toCreate({ kind = 'candidate', record = toRecord(), reply, ...more }: CreateParts = {}) {
  const effects = reply === undefined ? {} : { keptReply: reply };
  return { ...toWrite(effects, more, (draft) => draft.put(kind, record)), record };
}

/** An empty seed, because these tests look at workspaces alone. */
const toSeed = () => {
  const head = { key: 'seed', hash: '', createdAt: 0, expiresAt: 0, revision: 0, version: '', lastSeq: 0 };
  const used = { period: '', calls: {} };
  return new Workspace({ ...head, bytes: 0, counts: {}, state: {}, used }, listReferences);
};

/** A store with workspaces over it, as a service uses it, with the time of each call. */
export class TestedStore {
  readonly store: Store;
  readonly workspaces: Workspaces;
  now = Date.now();

  constructor(store: Store, cacheBytes?: number) {
    this.store = store;
    const { randomBytes, runSteps } = nodePlatform;
    const platform = { now: () => this.now, randomBytes, runSteps };
    const bound = cacheBytes === undefined ? {} : { cacheBytes };
    this.workspaces = new Workspaces({ store, platform, seed: toSeed(), listReferences, ...bound });
    store.onChange((key) => {
      if (key === undefined) this.workspaces.forgetAll();
    });
  }

  /** Changes a workspace. A key makes the same workspace again, as in src/records/write/write.ts. */
  async change<T>({ rule, ...request }: TestedChange<T>): Promise<ChangeResult<T>> {
    this.now = request.now;
    if (!request.mint || !request.key) return this.workspaces.change(request, rule);
    const before = await this.workspaces.followToken(request.key.name);
    const isThere = before && (await this.workspaces.openByKey(before.key));
    const hash = before && !isThere ? before.to : request.hash;
    return this.workspaces.change({ ...request, hash, keyToken: { before, to: hash } }, rule);
  }

  async open(hash: string, now = Date.now()): Promise<Head | undefined> {
    this.now = now;
    return (await this.workspaces.open(hash))?.head;
  }

  async charge(hash: string, charge: Charge): Promise<boolean> {
    const workspace = await this.workspaces.open(hash);
    return this.workspaces.charge(workspace!, charge);
  }

  async follow(token: string, now = Date.now()) {
    this.now = now;
    const found = await this.workspaces.follow(token);
    return found && { ...found.workspace.head, to: found.to };
  }

  /** Reads a whole workspace past the cache, with its records by number. */
  async readWhole(hash: string, now = Date.now()) {
    const head = await this.store.open(hash);
    if (!head || head.expiresAt <= now) return undefined;
    const records: { kind: string; seq: number; record: StoredRecord }[] = [];
    const replies: string[] = [];
    for await (const slice of this.store.load(head)) {
      for (const { kind, seq, text } of slice.records) records.push({ kind, seq, record: JSON.parse(text) });
      replies.push(...slice.replies.map(({ name }) => name));
    }
    return { ...head, records, replies };
  }

  async listIds(hash: string, now?: number): Promise<string[] | undefined> {
    return (await this.readWhole(hash, now))?.records.map(({ record }) => record.id);
  }

  check(): Promise<void> {
    return this.store.check();
  }

  faults(): Record<string, number> {
    return this.store.faults();
  }

  close(): Promise<void> {
    return this.store.close();
  }
}

/** Makes a workspace as `toCreate` says. Returns the change, and how to write more into the workspace. */
export async function make(tested: TestedStore, more: CreateParts = {}) {
  const change = toCreate(more);
  const { now, expiresAt } = change;
  const { result } = await tested.change(change);
  if (result !== 'done') throw new Error(`not made: ${result}`);
  const write = (effects: Effects, draft?: (change: Change) => void, hash: string = change.hash) =>
    tested.change(toWrite(effects, { hash, mint: false, now, expiresAt }, draft));
  return { ...change, write };
}

/**
 * Returns the fault behind the refusal of a call of a store, or undefined if it succeeded. Throws other
 * refusals.
 */
export async function toFault(call: Promise<unknown>): Promise<StoreFault | undefined> {
  const refusal = (await call.then(() => {}).catch((reason) => reason)) as Refusal | undefined;
  if (refusal && refusal.envelope?.code !== 'store_unavailable') throw refusal;
  return refusal?.cause as StoreFault | undefined;
}

/** Returns the result of a change, or the code of its fault. */
export async function toWord(tested: TestedStore, change: TestedChange<null> = toCreate()): Promise<string> {
  const changed = tested.change(change);
  return (await toFault(changed))?.word ?? (await changed).result;
}

type Checked = Pick<Store, 'check'>;

export const toChecked = async (store: Checked) => (await toFault(store.check()))?.word ?? 'up';
export const isUp = async (store: Checked) => (await toChecked(store)) === 'up';

/** Opens a store on Redis, and waits until it answers. */
export async function openRedisStore(url: string, replicas?: number): Promise<RedisStore> {
  const store = new RedisStore(url, replicas);
  await until(() => isUp(store), `${url} answers`, 20_000);
  return store;
}

/** Opens workspaces over a store on Redis, and waits until it answers. */
export const openRedis = async (url: string, replicas?: number) =>
  new TestedStore(await openRedisStore(url, replicas));

/** Opens workspaces over a SQLite file. */
export const openSqlite = (path: string) => new TestedStore(new SqliteStore(path));
