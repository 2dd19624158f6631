import type { ChangeKey, Charge, FollowedHead, Found, Pointer, Slice, StoreEntry } from '../records/store.ts';
import { addCharge, type Decided, type KeptHead, toNamings, toSize, unused } from './decided.ts';
import { readRange, settle, toRange } from './indexeddb-requests.ts';
import { toBroughtOver, type WorkspaceBefore } from './version-before.ts';

/** A workspace under its place, which is the hash that it was made with, and the hash that opens it now. */
type KeptWorkspace = Omit<KeptHead, 'key'> & { hash: string };

/** The record that has a name, and how many hold that. */
type KeptName = { kind?: string; seq?: number; held: number };

/** A reply, and the place of its workspace. */
type KeptReply = { place: string; expiresAt: number; fingerprint: string; reply: string };

/** What leads to a workspace without its hash. */
type KeptPointer = Pointer & { place: string };

/** Where a hash leads to, where the reply of a key stands, and where a name of a workspace leads to. */
export const hashes = 'hash';
export const replies = 'reply';
export const pointers = 'pointer';
const toHashKey = (hash: string) => [hashes, hash];
const toReplyKey = (name: string) => [replies, name];
const toPointerKey = (name: string) => [pointers, name];
const toPointedKey = (place: string, name: string) => [place, 'pointer', name];
/** All that belongs to a workspace stands behind its place: its head, its records, its names and those of its keys. */
const toHeadKey = (place: string) => [place, 'head'];
const toRecordKey = (place: string, kind: string, seq: number) => [place, 'record', kind, seq];
const toNameKey = (place: string, name: string) => [place, 'name', name];
const toKeyKey = (place: string, name: string) => [place, 'key', name];
const toKeyBefore = (hash: string) => `workspace:${hash}`;

/** The workspaces of an object store, in one transaction: every verb rejects with what its requests do. */
export function toWorkspaces(objects: IDBObjectStore) {
  const get = <T>(key: IDBValidKey) => settle<T | undefined>(objects.get(key));

  /** The workspace at a place; the version before charged nothing. */
  async function readHead(place: string): Promise<KeptWorkspace | undefined> {
    const kept = await get<KeptWorkspace>(toHeadKey(place));
    return kept && { ...kept, used: kept.used ?? unused };
  }

  /** The workspace that a hash opens. */
  async function open(hash: string, now: number): Promise<KeptHead | undefined> {
    const place = await get<string>(toHashKey(hash));
    const kept = place === undefined ? undefined : await readHead(place);
    if (!kept || kept.expiresAt <= now) return undefined;
    const { hash: _, ...head } = kept;
    return { ...head, key: place! };
  }

  function unpoint(place: string, name: string): void {
    objects.delete(toPointerKey(name));
    objects.delete(toPointedKey(place, name));
  }

  async function find(place: string, name: string): Promise<Found> {
    const { kind, seq, held } = (await get<KeptName>(toNameKey(place, name))) ?? { held: 0 };
    if (kind === undefined || seq === undefined) return { occupants: held };
    const fact = (await get<StoreEntry['fact']>(toRecordKey(place, kind, seq)))!;
    const own = fact.id === name ? { held } : await get<KeptName>(toNameKey(place, fact.id));
    return { record: { kind, seq, fact }, occupants: own!.held };
  }

  async function rename(place: string, name: string, to: (kept: KeptName) => KeptName): Promise<void> {
    const kept = to((await get<KeptName>(toNameKey(place, name))) ?? { held: 0 });
    if (kept.kind === undefined && kept.held === 0) objects.delete(toNameKey(place, name));
    else objects.put(kept, toNameKey(place, name));
  }

  /** Writes what was decided of the workspace at a place, which `hash` opened or is to open. */
  async function write(place: string, hash: string, decided: Decided<unknown>): Promise<void> {
    const { head, writing, puts } = decided;
    const opensBy = writing.rename ?? hash;
    if (opensBy !== hash) objects.delete(toHashKey(hash));
    objects.put(place, toHashKey(opensBy));
    objects.put({ ...head, hash: opensBy }, toHeadKey(place));
    for (const { kind, seq } of writing.removes ?? []) objects.delete(toRecordKey(place, kind, seq));
    for (const { kind, seq, fact } of puts) objects.put(fact, toRecordKey(place, kind, seq));
    for (const name of writing.unpoints ?? []) unpoint(place, name);
    for (const [name, pointer] of Object.entries(writing.points ?? {})) {
      objects.put({ ...pointer, place } satisfies KeptPointer, toPointerKey(name));
      objects.put(0, toPointedKey(place, name));
    }
    const { gone, given } = toNamings(decided);
    for (const name of gone) await rename(place, name, ({ held }) => ({ held }));
    for (const [name, { kind, seq }] of given) await rename(place, name, ({ held }) => ({ kind, seq, held }));
    for (const [name, count] of Object.entries(writing.occupies ?? {}))
      await rename(place, name, ({ held, ...record }) => ({ ...record, held: held + count }));
  }

  function forgetReply(name: string, place: string): void {
    objects.delete(toReplyKey(name));
    objects.delete(toKeyKey(place, name));
  }

  async function readBefore(hash: string, now: number): Promise<WorkspaceBefore | undefined> {
    const before = await get<WorkspaceBefore>(toKeyBefore(hash));
    return before && before.expiresAt > now ? before : undefined;
  }

  return {
    find,
    write,
    open,
    /** Whether the version before kept a workspace under a hash. */
    isBefore: async (hash: string, now: number) => (await readBefore(hash, now)) !== undefined,
    /** The workspace that a hash opens, written anew where the version before kept it. */
    async openOrBringOver(hash: string, now: number): Promise<KeptHead | undefined> {
      const head = await open(hash, now);
      const before = head ? undefined : await readBefore(hash, now);
      if (!before) return head;
      await write(hash, hash, toBroughtOver(hash, before, now));
      objects.delete(toKeyBefore(hash));
      return open(hash, now);
    },
    async read(place: string, { kind, order, after, limit }: Slice): Promise<StoreEntry[]> {
      const [first, last] = [
        [place, 'record', kind],
        [place, 'record', kind, []],
      ];
      const from = after === undefined ? undefined : toRecordKey(place, kind, after);
      const isOldest = order === 'oldest';
      const range = isOldest
        ? IDBKeyRange.bound(from ?? first, last, true)
        : IDBKeyRange.bound(first, from ?? last, false, true);
      const direction = isOldest ? 'next' : 'prev';
      const rows = await readRange<StoreEntry['fact']>(objects, range, { direction, limit });
      return rows.map(({ key, value: fact }) => ({
        kind,
        seq: (key as [string, string, string, number])[3],
        fact,
      }));
    },
    /** What is kept under a key, unless it has expired. */
    async readReply(name: string, now: number): Promise<KeptReply | undefined> {
      const kept = await get<KeptReply>(toReplyKey(name));
      return kept && kept.expiresAt > now ? kept : undefined;
    },
    keepReply({ name, fingerprint }: ChangeKey, kept: Omit<KeptReply, 'fingerprint'>): void {
      objects.put({ ...kept, fingerprint }, toReplyKey(name));
      objects.put(0, toKeyKey(kept.place, name));
    },
    /** Forgets what is kept under a key once it has expired, so that its workspace is that much smaller. */
    async forgetReply(name: string, now: number): Promise<void> {
      const kept = await get<KeptReply>(toReplyKey(name));
      if (!kept || kept.expiresAt > now) return;
      forgetReply(name, kept.place);
      const workspace = await get<KeptWorkspace>(toHeadKey(kept.place));
      if (!workspace) return;
      const bytes = workspace.bytes - toSize(kept.reply);
      objects.put({ ...workspace, bytes }, toHeadKey(kept.place));
    },
    /** The workspace that a name leads to. */
    async follow(name: string, now: number): Promise<FollowedHead | undefined> {
      const pointer = await get<KeptPointer>(toPointerKey(name));
      if (!pointer || pointer.expiresAt <= now) return undefined;
      const kept = await readHead(pointer.place);
      return kept && kept.expiresAt > now ? { ...kept, key: pointer.place, to: pointer.to } : undefined;
    },
    /** Charges the workspace at a place, where there is one; false where that is more than is authorised, or not as it holds. */
    async charge(place: string, charge: Charge): Promise<boolean> {
      const kept = await readHead(place);
      const { revision = kept?.revision } = charge.limit ?? {};
      const used = kept && kept.revision === revision ? addCharge(kept.used, charge) : undefined;
      if (used) objects.put({ ...kept, used }, toHeadKey(place));
      return !kept || used !== undefined;
    },
    async forgetPointer(name: string, now: number): Promise<void> {
      const pointer = await get<KeptPointer>(toPointerKey(name));
      if (pointer && pointer.expiresAt <= now) unpoint(pointer.place, name);
    },
    /** Forgets a workspace whole. */
    async forget(place: string): Promise<void> {
      const kept = await get<KeptWorkspace>(toHeadKey(place));
      if (kept) objects.delete(toHashKey(kept.hash));
      const keys = await settle(objects.getAllKeys(toRange(place, 'key')));
      for (const key of keys) objects.delete(toReplyKey((key as string[])[2]!));
      const pointed = await settle(objects.getAllKeys(toRange(place, 'pointer')));
      for (const key of pointed) objects.delete(toPointerKey((key as string[])[2]!));
      objects.delete(toRange(place));
    },
  };
}
