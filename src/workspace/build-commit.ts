import { countBytes, countJsonBytes } from '../kernel/json.ts';
import type { Growth } from '../kernel/service.ts';
import type { Steps } from '../kernel/steps.ts';
import type { Change } from './change.ts';
import { addCharge, type Charge, noCalls } from './charge.ts';
import type { Head, KeptReply } from './head.ts';
import type { Entry } from './record.ts';
import type { Commit, TokenTarget, WrittenRecord } from './store.ts';
import type { Workspace, WorkspaceContent } from './workspace.ts';

/** A change of one workspace, or one that makes it. */
export interface ChangeRequest {
  /** The hash that opens the workspace, or that will open the new one. */
  hash: string;
  /** Whether the change makes the workspace. */
  mint: boolean;
  /** The workspace as the caller has opened it in the same call. The first try then does not read its head. */
  opened?: Workspace | undefined;
  /** Milliseconds since the epoch. */
  now: number;
  /** When the workspace expires after the change, in milliseconds since the epoch. */
  expiresAt: number;
  /**
   * The maximum that the workspace may hold. Its bytes are not checked for a change that makes the workspace or adds no
   * bytes.
   */
  ceiling: { records: number; bytes: number };
  /** The name and the fingerprint of the request, if it may be repeated. */
  key?: { name: string; fingerprint: string };
  /** For a change that makes a workspace under a key: where the key leads, and what is stored with it. */
  keyToken?: { before: TokenTarget | undefined; to: string };
  /** The address of the caller. Long loads are shared fairly by client. */
  client?: string | undefined;
  /** The operation, for which steps are counted. */
  operation?: string;
  /**
   * Called before a change that makes the store larger is written. Throws a Refusal. The returned function is called once
   * the change is durable.
   */
  admit?(growth: Growth): (() => void) | undefined;
  /** Called once a change with a charge is durable. */
  onCharge?(charge: Charge): void;
}

/**
 * Decides a change, at once or in steps, and returns its answer. It runs again if the workspace has changed meanwhile, or if
 * a change that it was decided on was not written. Throws a Refusal.
 */
export type WorkspaceRule<T> = (change: Change) => T | Steps<T>;

/** Bytes that a row or a token takes in a store in addition to its text. */
const bytesOfRow = 200;
/** One change removes at most this many expired replies. */
const mostExpiredReplies = 100;

function encodeVersion(revision: number, random: Uint8Array): string {
  let text = `${revision}.`;
  for (const byte of random) text += byte.toString(16).padStart(2, '0');
  return text;
}

function createHead({ hash, now, expiresAt, key }: ChangeRequest): Head {
  const counters = { revision: 0, lastSeq: 0, bytes: 0, counts: {} };
  const head = {
    key: '',
    hash,
    createdAt: now,
    expiresAt,
    version: '',
    ...counters,
    state: {},
    used: noCalls,
  };
  return key ? { ...head, mintKey: key.name } : head;
}

/** Numbers the drafted records and makes their texts. */
function writeRecords({ drafted }: Change, lastSeq: number): WrittenRecord[] {
  let seq = lastSeq;
  return drafted.map(({ kind, record, before }) => {
    const text = JSON.stringify(record);
    if (!before) seq += 1;
    const entry = { kind, seq: before?.seq ?? seq, record, bytes: countBytes(text) };
    return { entry, text, isNew: !before };
  });
}

function countKinds(
  before: Head['counts'],
  added: readonly Entry[],
  removed: readonly Entry[],
): Head['counts'] {
  const counts: Record<string, number> = { ...before };
  for (const { kind } of added) counts[kind] = (counts[kind] ?? 0) + 1;
  for (const { kind } of removed) counts[kind] = (counts[kind] ?? 0) - 1;
  return counts;
}

const sum = (numbers: Iterable<number>): number => {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
};

/** Lists the oldest expired replies, and the reply to this request if it has expired. */
function listExpired(workspace: WorkspaceContent | undefined, { now, key }: ChangeRequest): KeptReply[] {
  const expired: KeptReply[] = [];
  for (const reply of workspace?.listReplies() ?? []) {
    if (reply.expiresAt > now || expired.length === mostExpiredReplies) break;
    expired.push(reply);
  }
  const own = key && workspace?.findReply(key.name);
  if (own && own.expiresAt <= now && !expired.includes(own)) expired.push(own);
  return expired;
}

/** A change to write, and how much larger it makes the store. */
interface BuiltCommit {
  commit: Commit;
  growth: Growth;
}

/**
 * Turns a decided change into a commit. `random` is the random part of its version. Returns `full` if the workspace would
 * hold more than it may, and `over` if the charge is more than is authorised.
 */
export function buildCommit(
  change: Change,
  request: ChangeRequest,
  workspace: WorkspaceContent | undefined,
  random: Uint8Array,
): BuiltCommit | 'full' | 'over' {
  const before = workspace?.head ?? createHead(request);
  const written = writeRecords(change, before.lastSeq);
  const { removed } = change;
  const expiredReplies = listExpired(workspace, request);
  const keptReply = change.deletesWorkspace ? undefined : keepReply(change, request);
  const added = written.flatMap(({ entry, isNew }) => (isNew ? entry : []));
  const counts = countKinds(before.counts, added, removed);
  const bytes = before.bytes + measureChange(change, written, { keptReply, expiredReplies });
  if (isAboveCeiling(request, before, { counts, bytes, added: added.length - removed.length })) return 'full';
  const used = change.charge ? addCharge(before, change.charge) : before.used;
  if (!used) return 'over';

  const revision = before.revision + Math.max(1, change.activity.length);
  const after: Head = {
    ...before,
    hash: change.rename ?? before.hash,
    expiresAt: Math.max(before.expiresAt, change.expiresAt ?? request.expiresAt),
    revision,
    version: encodeVersion(revision, random),
    lastSeq: before.lastSeq + added.length,
    bytes,
    counts,
    state: change.state,
    used,
  };
  const { key, keyToken, now } = request;
  const commit: Commit = {
    before: workspace?.head,
    after: change.deletesWorkspace ? undefined : after,
    written,
    removed,
    ...(keptReply && { keptReply }),
    expiredReplies,
    ...(key && keyToken && { keyToken: { name: key.name, ...keyToken, expiresAt: request.expiresAt, now } }),
    addedTokens: change.addedTokens,
    removedTokens: listRemovedTokens(before, change),
    activity: change.activity.map((entry, place) => ({
      ...entry,
      revision: before.revision + 1 + place,
      at: now,
    })),
  };
  return { commit, growth: measureGrowth(before, commit) };
}

/** How many more bytes of records and stored replies a workspace holds after a change. */
function measureChange(
  { drafted, removed }: Change,
  written: readonly WrittenRecord[],
  { keptReply, expiredReplies }: Pick<Commit, 'keptReply' | 'expiredReplies'>,
): number {
  const added = sum(written.map(({ entry }) => entry.bytes)) + (keptReply?.bytes ?? 0);
  const replaced = sum(drafted.map(({ before }) => before?.bytes ?? 0));
  const gone = sum([...removed, ...expiredReplies].map((entry) => entry.bytes));
  return added - replaced - gone;
}

/** Whether a change adds records or bytes, and brings the workspace above its ceiling. */
function isAboveCeiling(
  { ceiling, mint }: ChangeRequest,
  before: Head,
  { counts, bytes, added }: { counts: Head['counts']; bytes: number; added: number },
): boolean {
  const hasTooManyRecords = added > 0 && sum(Object.values(counts)) > ceiling.records;
  const hasTooManyBytes = !mint && bytes > before.bytes && bytes > ceiling.bytes;
  return hasTooManyRecords || hasTooManyBytes;
}

/** How much larger a change makes the store: by records, replies, the state of the workspace and tokens. */
function measureGrowth(before: Head, { after, written, keptReply, keyToken, addedTokens }: Commit): Growth {
  if (!after) return { rows: 0, bytes: 0 };
  const added = written.filter(({ isNew }) => isNew).length + (keptReply ? 1 : 0);
  // A new workspace without a record is that of an owner.
  const rows = before.revision === 0 ? Math.max(added, 1) : added;
  const tokens = Object.keys(addedTokens).length + (keyToken ? 1 : 0);
  const state = after.state === before.state ? 0 : countJsonBytes(after.state) - countJsonBytes(before.state);
  return { rows, bytes: after.bytes - before.bytes + state + (rows + tokens) * bytesOfRow };
}

/** Lists the tokens to remove. A deleted workspace also removes its mint key, which can then make another. */
const listRemovedTokens = (
  { mintKey }: Head,
  { removedTokens, deletesWorkspace }: Change,
): readonly string[] => (deletesWorkspace && mintKey ? [...removedTokens, mintKey] : removedTokens);

function keepReply({ keptReply: text }: Change, { key, expiresAt }: ChangeRequest): Commit['keptReply'] {
  return key && text !== undefined ? { ...key, expiresAt, bytes: countBytes(text), text } : undefined;
}
