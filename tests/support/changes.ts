import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Refusal } from '../../src/kernel/refusal.ts';
import type { StoredRecord } from '../../src/records/record.ts';
import type { Change, Store, StoreEntry, Writing } from '../../src/records/store.ts';
import { openRedisStore } from '../../src/stores/redis.ts';
import type { StoreFault } from '../../src/stores/store-fault.ts';
import { until } from './redis.ts';

const hour = 3_600_000;

/** A fresh hash, as of a workspace id, a key or a request. */
export const toHash = (text: string = randomUUID()) => createHash('sha256').update(text).digest('hex');

/** A fresh candidate, unless told otherwise. */
export const toFact = (more: Partial<StoredRecord> = {}): StoredRecord => ({
  id: `cand_${randomBytes(8).toString('hex')}`,
  name: 'Ann Sample',
  onetCode: '15-1252.00',
  ...more,
});

/** What a change is made of; it makes a fresh workspace, unless told otherwise. */
export function toChange<T>(
  decide: Change<T>['decide'],
  more: Omit<Partial<Change<T>>, 'decide'> = {},
): Change<T> {
  const now = more.now ?? Date.now();
  return {
    workspace: toHash(),
    mint: true,
    now,
    expiresAt: now + hour,
    ceiling: { records: 1000, bytes: 4_096_000 },
    needs: [],
    ...more,
    decide,
  };
}

/** A change that writes what it is told, and answers nothing. */
export const toWrite = (writing: Writing, more: Omit<Partial<Change<null>>, 'decide'> = {}) =>
  toChange(() => ({ writing, answer: null }), more);

type CreateParts = Omit<Partial<Change<null>>, 'decide'> & {
  kind?: string;
  fact?: StoredRecord;
  reply?: string;
};

/** A change that keeps one candidate, unless told otherwise, and the record that it keeps. */
export function toCreate({ kind = 'candidate', fact = toFact(), reply, ...more }: CreateParts = {}) {
  const writing = { puts: [{ kind, fact }], ...(reply !== undefined && { reply }) };
  return { ...toWrite(writing, more), record: { kind, fact } };
}

/** Makes a workspace as `toCreate` says, and answers that, and how to write more into it. */
export async function make(store: Store, more: CreateParts = {}) {
  const change = toCreate(more);
  const { now, expiresAt } = change;
  const { result } = await store.change(change);
  if (result !== 'done') throw new Error(`not made: ${result}`);
  const write = (writing: Writing, workspace = change.workspace) =>
    store.change(toWrite(writing, { workspace, mint: false, now, expiresAt }));
  return { ...change, write };
}

/** Every record of a kind, read a few at a time. */
export async function readKind(
  store: Store,
  key: string,
  kind: string,
  order: 'newest' | 'oldest' = 'oldest',
): Promise<StoreEntry[]> {
  const limit = 25;
  const records: StoreEntry[] = [];
  for (;;) {
    const slice = await store.read(key, { kind, order, after: records.at(-1)?.seq, limit });
    records.push(...slice);
    if (slice.length < limit) return records;
  }
}

/** The whole of a workspace, its records in the order of their `seq`, or undefined where there is none. */
export async function readWhole(store: Store, workspace: string, now = Date.now()) {
  const head = await store.open(workspace, now);
  if (!head) return undefined;
  const kinds = await Promise.all(Object.keys(head.counts).map((kind) => readKind(store, head.key, kind)));
  return { ...head, records: kinds.flat().sort((a, b) => a.seq - b.seq) };
}

/** The ids in a workspace, oldest first, or undefined where there is none. */
export const idsOf = async (store: Store, workspace: string, now = Date.now()) =>
  (await readWhole(store, workspace, now))?.records.map(({ fact }) => fact.id);

/** The fault behind the refusal of a call of a store; undefined where it was answered. Any other refusal is thrown. */
export async function toFault(call: Promise<unknown>): Promise<StoreFault | undefined> {
  const refusal = (await call.then(() => {}).catch((reason) => reason)) as Refusal | undefined;
  if (refusal && refusal.envelope?.code !== 'store_unavailable') throw refusal;
  return refusal?.cause as StoreFault | undefined;
}

/** What becomes of a change: its result, or the word of the fault that it met. */
export async function toWord(store: Store, change: Change<null> = toCreate()): Promise<string> {
  const changed = store.change(change);
  return (await toFault(changed))?.word ?? (await changed).result;
}

export const toChecked = async (store: Store) => (await toFault(store.check()))?.word ?? 'up';
export const isUp = async (store: Store) => (await toChecked(store)) === 'up';

/** A store on Redis that answers. */
export async function openRedis(url: string, replicas?: number): Promise<Store> {
  const store = openRedisStore(url, replicas);
  await until(() => isUp(store), `${url} answers`, 20_000);
  return store;
}
