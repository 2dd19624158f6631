import { createHash, randomBytes, randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Addition, Store } from '../../src/records/store.ts';

const hour = 3_600_000;

/** A fresh hash, as of a workspace id, a key or a request. */
export const toHash = (text: string = randomUUID()) => createHash('sha256').update(text).digest('hex');

/** A create of one candidate in a fresh workspace, unless told otherwise. */
export function toAddition(more: Partial<Addition> = {}): Addition {
  const now = more.now ?? Date.now();
  const id = `cand_${randomBytes(8).toString('hex')}`;
  return {
    workspace: toHash(),
    mint: true,
    record: { kind: 'candidate', fact: { id, name: 'Ann Sample', onetCode: '15-1252.00' } },
    ceiling: { records: 1000, bytes: 4_096_000 },
    now,
    expiresAt: now + hour,
    ...more,
  };
}

/** The whole of a workspace, or undefined where there is none. */
export async function readWhole(store: Store, workspace: string, now: number) {
  const head = await store.open(workspace, now);
  const records = await store.readAll(workspace, now);
  if (!head) assert.equal(records, []);
  return head && { ...head, records };
}

/** The ids in a workspace, oldest first, or undefined where there is none. */
export const idsOf = async (store: Store, workspace: string, now = Date.now()) =>
  (await readWhole(store, workspace, now))?.records.map(({ fact }) => fact.id);
