import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../kernel/refusal.ts';
import type { Durability } from '../kernel/service.ts';
import { type ActivityEntry, listBlanked, mostActivity } from '../workspace/activity.ts';
import type { Charge, MonthlyCalls } from '../workspace/charge.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type {
  Commit,
  QuotaCounter,
  Room,
  Slice,
  Store,
  TokenTarget,
  WriteResult,
} from '../workspace/store.ts';
import { encodeUsed } from './encode-head.ts';
import { listenToChanges } from './redis-changes.ts';
import { RedisCharges } from './redis-charges.ts';
import { RedisConnection } from './redis-connection.ts';
import { readUsedMemory, refuseForgetful } from './redis-durability.ts';
import * as fields from './redis-fields.ts';
import * as scripts from './redis-scripts.ts';
import { createFaultCounts, type FaultWord, StoreFault, toRedisFault } from './store-fault.ts';
import { parseStoreUrl } from './store-url.ts';
import { upgradeStored } from './upgrade-record.ts';

/** Milliseconds between two checks of its own. */
const watchMs = 60_000;
/** Milliseconds that a change may wait for those of other instances. */
const patienceMs = 5000;
/** Milliseconds after which a change is sent again, while another instance has the turn of its workspace. */
const turnPauseMs = 5;
/** Milliseconds that Redis keeps an expired workspace, because its clock may be ahead. */
const graceMs = 60_000;
/** How many fields are read at once. */
const fieldsOfSlice = 200;

const crowded = 'one workspace is changed more often than the server can follow; send it less at once';

/**
 * Workspaces in Redis or Valkey 6.2 and later, for several instances of the service, at a URL that `parseStoreUrl`
 * reads.
 *
 * A write is acknowledged when this many `replicas` have it. The charge of a read waits for none. `check` rejects if
 * the servers are less durable than `durability`, or may evict. A write is sent once. If the connection ends before its
 * answer, the caller gets `store_unavailable`.
 *
 * A workspace is one Redis hash. Records that an earlier release wrote are upgraded when they are read, and written in the
 * new form by their next change. One script writes a change if the workspace still has the version that the change was
 * decided on.
 *
 * Tokens, and the hash of a renamed workspace, have their own keys. Keys that lead to a workspace are written before
 * it, and keys that no longer do are deleted after it.
 */
export class RedisStore implements Store {
  readonly isShared = true;
  readonly #address;
  readonly #server;
  readonly #replicas: number;
  readonly #durability: Durability;
  readonly #stats = { commits: 0, creates: 0 };
  readonly #faults = createFaultCounts();
  /** Names this instance in turns. */
  readonly #instance = randomUUID();
  readonly #charges = new RedisCharges({
    readHead: (key) => this.openByKey(key),
    replaceUsed: async ({ key, version, used }, next) =>
      (await this.#run(scripts.charge, key, [version, encodeUsed(used), encodeUsed(next)])) === 1,
    refuse: () => this.#createCrowdedRefusal('other', 'it changed whenever reads were charged'),
  });
  readonly #watch;
  #stopListening = () => {};

  constructor(url: string, replicas = 0, durability: Durability = 'none') {
    this.#address = parseStoreUrl(url);
    this.#server = new RedisConnection(this.#address, replicas);
    this.#replicas = replicas;
    this.#durability = durability;
    this.#watch = setInterval(() => void this.check().catch(() => {}), watchMs).unref();
  }

  async #attempt<T>(command: Promise<T>): Promise<T> {
    return command.catch((error) => {
      throw this.#createRefusal(error);
    });
  }

  #createRefusal(error: unknown): Refusal {
    return new Refusal('store_unavailable', { cause: this.#faults.count(toRedisFault(error)) });
  }

  #createCrowdedRefusal(word: FaultWord, said: string): Refusal {
    return this.#createRefusal(new StoreFault(word, crowded, said));
  }

  #run(script: scripts.Script, key: string, values: (string | number | Buffer)[]): Promise<unknown> {
    const texts = values.map((value) => (typeof value === 'number' ? String(value) : value));
    return this.#attempt(this.#server.run(script, [key], texts));
  }

  async openByKey(key: string): Promise<Head | undefined> {
    return fields.decodeHeadFields(key, await this.#attempt(this.#server.readFields(key, fields.headFields)));
  }

  /**
   * A master that was away comes back with old data, and answers until the sentinels demote it. So what is missing is
   * looked for again, once the server has shown that its replicas follow it. Calls that come together share that write.
   */
  async open(workspaceHash: string): Promise<Head | undefined> {
    const found = await this.#find(workspaceHash);
    if (found.head || this.#replicas === 0) return found.head;
    const probes = found.keys.map((key) => this.#server.probe(fields.toProbeKey(key)));
    await this.#attempt(Promise.all(probes));
    return (await this.#find(workspaceHash)).head;
  }

  /** Finds the head of a workspace. Also returns the keys that were read, except that of an alias in the same slot. */
  async #find(workspaceHash: string): Promise<{ head?: Head; keys: string[] }> {
    const key = fields.toWorkspaceKey(workspaceHash);
    const head = await this.openByKey(key);
    if (head?.hash === workspaceHash) return { head, keys: [key] };
    const alias = await this.#attempt(this.#server.readText(fields.toAliasKey(workspaceHash)));
    if (!alias) return { keys: [key] };
    const renamed = await this.openByKey(alias);
    const keys = [key, alias];
    return renamed?.hash === workspaceHash ? { head: renamed, keys } : { keys };
  }

  async follow(token: string, now: number): Promise<TokenTarget | undefined> {
    const text = await this.#attempt(this.#server.readText(fields.toTokenKey(token)));
    return text ? fields.decodeToken(text, now) : undefined;
  }

  async *load({ key }: Head): AsyncGenerator<Slice> {
    const names = await this.#attempt(this.#server.listFields(key));
    yield { records: [], replies: names.flatMap((name) => fields.decodeReplyField(name) ?? []) };
    const seqs = names.filter(fields.isRecordField).map(Number);
    seqs.sort((a, b) => a - b);
    for (let from = 0; from < seqs.length; from += fieldsOfSlice) {
      const part = seqs.slice(from, from + fieldsOfSlice);
      const texts = await this.#attempt(this.#server.readFields(key, part.map(String)));
      // A missing one was removed meanwhile. The version is compared after the load.
      const records = part.flatMap((seq, at) =>
        texts[at] ? upgradeStored(fields.decodeRecord(seq, texts[at])) : [],
      );
      yield { records, replies: [] };
    }
  }

  async readReply({ key }: Head, reply: KeptReply): Promise<string | undefined> {
    const value = await this.#attempt(this.#server.readBytes(key, fields.encodeReplyField(reply)));
    if (value && this.#replicas > 0) {
      const probeKeys = [key, fields.toTokenKey(reply.name)].map(fields.toProbeKey);
      await this.#attempt(this.#server.writeFor(probeKeys));
    }
    return value ? fields.decodeReply(value) : undefined;
  }

  async readActivity(
    { key, revision }: Head,
    { before = revision + 1, after, limit }: { before?: number; after?: number; limit: number },
  ): Promise<ActivityEntry[]> {
    const oldest = Math.max(1, revision - mostActivity + 1);
    const revisions: number[] = [];
    if (after !== undefined)
      for (let at = Math.max(oldest, after + 1); at <= revision && revisions.length < limit; at += 1)
        revisions.push(at);
    else for (let at = before - 1; at >= oldest && revisions.length < limit; at -= 1) revisions.push(at);
    if (revisions.length === 0) return [];
    const names = revisions.map(fields.toActivityField);
    const texts = await this.#attempt(this.#server.readFields(key, names));
    return texts.flatMap((text, at) => (text ? fields.decodeActivity(revisions[at]!, text) : []));
  }

  async write(commit: Commit, hasMore = false): Promise<WriteResult> {
    const key = commit.before?.key ?? fields.toWorkspaceKey(commit.after!.hash);
    const isWritten =
      (await this.#writeWays(key, commit)) && (await this.#writeWorkspace(key, commit, hasMore));
    if (!isWritten) return commit.before ? 'moved' : 'taken';
    this.#stats.commits += 1;
    this.#stats.creates += commit.written.filter(({ isNew }) => isNew).length;
    // The change is durable. A key that is left over leads to nothing, until it expires.
    await this.#deleteWays(key, commit).catch(() => {});
    return { key };
  }

  /** Writes the keys that will lead to a workspace. Returns false if the key that makes it leads elsewhere. */
  async #writeWays(key: string, { after, keyToken, addedTokens }: Commit): Promise<boolean> {
    if (keyToken && !(await this.#takeKeyToken(key, keyToken))) return false;
    for (const [name, { to, expiresAt }] of Object.entries(addedTokens))
      await this.#writeToken(fields.toTokenKey(name), fields.encodeToken(key, to, expiresAt), expiresAt);
    if (after && fields.toWorkspaceKey(after.hash) !== key)
      await this.#writeToken(fields.toAliasKey(after.hash), key, after.expiresAt);
    return true;
  }

  /** Deletes the keys that no longer lead to a workspace. */
  async #deleteWays(key: string, { before, after, removedTokens }: Commit): Promise<void> {
    for (const name of removedTokens) await this.#writeToken(fields.toTokenKey(name), '', 0);
    if (before && before.hash !== after?.hash && fields.toWorkspaceKey(before.hash) !== key)
      await this.#writeToken(fields.toAliasKey(before.hash), '', 0);
  }

  /** Writes the hash of a workspace. Waits while another instance has the turn to change it. */
  async #writeWorkspace(key: string, commit: Commit, hasMore: boolean): Promise<boolean> {
    const { before, after } = commit;
    const { sets, deletes } = fields.listChanges(commit);
    sets.push(...(await this.#blankActivity(commit)));
    const expected = [before?.version ?? '', before ? encodeUsed(before.used) : ''];
    const deleteAt = after ? after.expiresAt + graceMs : 0;
    const state = [...expected, deleteAt, this.#instance, Number(!hasMore)];
    const end = performance.now() + patienceMs;
    for (;;) {
      const result = await this.#run(scripts.commit, key, [...state, sets.length / 2, ...sets, ...deletes]);
      if (result !== scripts.otherHasTurn) return result === 1;
      if (performance.now() > end) throw this.#createCrowdedRefusal('timeout', 'no turn in time');
      await pause(turnPauseMs);
    }
  }

  /** Returns the fields of the activity that lose the names and the values of removed records, each before its value. */
  async #blankActivity({ before, after, removed }: Commit): Promise<string[]> {
    if (!before || !after || removed.length === 0) return [];
    const oldest = Math.max(0, after.revision - mostActivity);
    const entries = await this.readActivity(before, { after: oldest, limit: mostActivity });
    return listBlanked(entries, removed).flatMap((entry) => [
      fields.toActivityField(entry.revision),
      fields.encodeActivity(entry),
    ]);
  }

  #writeToken(tokenKey: string, text: string, expiresAt: number): Promise<unknown> {
    return this.#run(scripts.writeToken, tokenKey, [text, expiresAt + graceMs]);
  }

  async #takeKeyToken(key: string, keyToken: NonNullable<Commit['keyToken']>): Promise<boolean> {
    const { name, to, expiresAt, now } = keyToken;
    const text = fields.encodeToken(key, to, expiresAt);
    const values = [text, expiresAt + graceMs, key, now];
    return (await this.#run(scripts.takeToken, fields.toTokenKey(name), values)) === 1;
  }

  charge(head: Head, charge: Charge): Promise<MonthlyCalls | undefined> {
    return this.#charges.add(head, charge);
  }

  readonly count: QuotaCounter = async (name, { windowMs, add, wanted, quota }) => {
    const key = fields.toRateKey(name);
    const result = await this.#run(scripts.count, key, [windowMs, add, wanted, quota]);
    const [granted, age, used, before] = result as [number, number, number, number];
    return { granted, age, count: used, before };
  };

  async check(): Promise<void> {
    await this.#attempt(this.#server.probe());
    await this.#attempt(this.#server.look((node) => refuseForgetful(node, this.#durability)));
  }

  async room(): Promise<Room> {
    const used: number[] = [];
    await this.#server.look(async (node) => void used.push(await readUsedMemory(node)));
    if (used.length === 0) throw new Error('no master answers');
    return { used: used.reduce((sum, bytes) => sum + bytes), free: Number.POSITIVE_INFINITY };
  }

  onChange(listener: (key?: string) => void): void {
    this.#stopListening = listenToChanges(this.#address, () => this.#server.readProbe(), listener);
  }

  stats(): Record<string, number> {
    return { ...this.#stats };
  }

  faults(): Record<string, number> {
    return this.#faults.read();
  }

  close(): Promise<void> {
    clearInterval(this.#watch);
    this.#stopListening();
    return this.#server.close();
  }
}
