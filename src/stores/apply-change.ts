import type { Growth } from '../kernel/service.ts';
import { toTotal } from '../pricing/meter.ts';
import { toNames } from '../records/record.ts';
import type { Change, Charge, Found, StoreEntry, Used, Writing } from '../records/store.ts';
import {
  doors,
  type Head,
  type KeptReply,
  replyKind,
  toDoor,
  toReplyName,
  toReplyText,
  toSize,
  toTexts,
  unused,
} from './codec.ts';
import type { Batch } from './driver.ts';

/** Bytes that a new row or door takes beside its text: names, indexes and its share of its workspace. */
const rowBytes = 200;

const toWeight = ({ fact }: StoreEntry) => toSize(JSON.stringify(fact));

/** Counts with others added; what is 0 is left out. */
function addCounts(counts: Used['calls'], more: readonly (readonly [string, number])[]): Used['calls'] {
  const sums = { ...counts };
  for (const [name, count] of more) {
    sums[name] = (sums[name] ?? 0) + count;
    if (sums[name] === 0) delete sums[name];
  }
  return sums;
}

/**
 * What was used once a charge is added. Undefined where its limit holds at another revision, and where that is more than
 * is authorised: by this charge, or already where it has no calls and only asks.
 */
export function addCharge(
  { revision, used }: Pick<Head, 'revision' | 'used'>,
  { period, calls: added, limit }: Charge,
): Used | undefined {
  if (limit?.revision !== undefined && limit.revision !== revision) return undefined;
  const before = used.period < period ? {} : used.calls;
  const calls = addCounts(before, Object.entries(added));
  if (limit) {
    const rates = Object.entries(limit.rates);
    const total = toTotal(rates, calls);
    const isMore = Object.keys(added).length === 0 || total > toTotal(rates, before);
    if (isMore && total > limit.authorised) return undefined;
  }
  return { period: used.period < period ? period : used.period, calls };
}

/** A workspace as a step saw it: its head without the replies that expired, which are still to be removed. */
export interface Seen {
  head: Head;
  expired: readonly (KeptReply & { seq: number })[];
}

/** A workspace before its first change. */
function toFresh({ workspace, now, expiresAt }: Change<unknown>): Omit<Head, 'key' | 'text'> {
  const counted = { revision: 0, seq: 0, bytes: 0, counts: {}, state: {}, used: unused, lapsesAt: 0 };
  return { place: workspace, hash: workspace, createdAt: now, expiresAt, ...counted };
}

/** Removes the replies that expired, and nothing else. */
export function toPruned({ head, expired }: Seen) {
  const { place, expiresAt, key, text, used } = head;
  const rows: Batch['rows'][number][] = [];
  const links = new Map<string, string | undefined>();
  for (const reply of expired) {
    rows.push({ kind: replyKind, seq: reply.seq, text: undefined, isNew: false });
    links.set(toReplyName(reply.name), undefined);
  }
  const before = { key, head: text, used };
  return { place, before, after: toTexts(head), expiresAt, rows, links, occupies: {}, doors: [] };
}

/** What leads to a workspace without its hash, or by another hash than it was made with. */
function toDoors(
  { points = {}, unpoints = [], rename, forget }: Writing,
  before: string,
  { place, hash, expiresAt }: Omit<Head, 'key' | 'text'>,
): Batch['doors'][number][] {
  const names = unpoints.map(doors.pointer);
  if (before !== place && (rename || forget)) names.push(doors.hash(before));
  const removed = names.map((name) => ({ name, text: undefined, expiresAt }));
  if (forget) return removed;
  const pointers = Object.entries(points).map(([name, { to, expiresAt: until }]) =>
    toDoor(doors.pointer(name), place, to, until),
  );
  const renamed = hash === place ? [] : [toDoor(doors.hash(hash), place, before, expiresAt)];
  return [...pointers, ...removed, ...renamed];
}

/** What a change adds: its records and kept replies, the state of its workspace, and the doors to it. */
function toGrowth(
  before: Pick<Head, 'revision' | 'bytes' | 'state'>,
  after: Pick<Head, 'bytes' | 'state'>,
  { rows, doors }: Pick<Batch, 'rows' | 'doors'>,
): Growth {
  const added = rows.filter(({ isNew }) => isNew).length;
  // A workspace without a row is that of an owner.
  const newRows = before.revision === 0 ? Math.max(added, 1) : added;
  const newDoors = doors.filter(({ text }) => text !== undefined).length;
  const toStateSize = (state: Head['state']) => toSize(JSON.stringify(state));
  const state = after.state === before.state ? 0 : toStateSize(after.state) - toStateSize(before.state);
  return {
    rows: newRows,
    bytes: after.bytes - before.bytes + state + (newRows + newDoors) * rowBytes,
  };
}

/**
 * Decides a change, and turns what it writes into a batch: numbers the new records, counts what there is after it, and
 * holds that to its ceilings. `full` where it is more than the workspace may hold, `over` where it is more than is
 * authorised. `door` is the text of the door of the key that makes the workspace.
 */
export function applyChange<T>(
  change: Change<T>,
  seen: Seen | undefined,
  found: readonly Found[],
  door = '',
): { batch: Batch; answer: T } | 'full' | 'over' {
  const { writing, charge, answer } = change.decide(found, seen?.head);
  const { puts = [], removes = [], occupies = {}, forget } = writing;
  const before = seen?.head ?? toFresh(change);
  const pruned = seen && toPruned(seen);
  const rows: Batch['rows'][number][] = pruned?.rows ?? [];
  const links = pruned?.links ?? new Map<string, string | undefined>();
  const counted: [kind: string, more: number][] = [];
  const linked: [name: string, link: string][] = [];
  let { seq, bytes } = before;
  for (const one of removes) {
    rows.push({ kind: one.kind, seq: one.seq, text: undefined, isNew: false });
    counted.push([one.kind, -1]);
    bytes -= toWeight(one);
    for (const name of toNames(one)) links.set(name, undefined);
  }
  for (const put of puts) {
    const { kind, fact, was } = put;
    const text = JSON.stringify(fact);
    if (!was) counted.push([kind, 1]);
    const at = was?.seq ?? ++seq;
    rows.push({ kind, seq: at, text, isNew: !was });
    bytes += toSize(text) - (was ? toWeight(was) : 0);
    const [names, old] = [toNames(put), was ? toNames(was) : []];
    for (const name of old) if (!names.includes(name)) links.set(name, undefined);
    for (const name of names) if (!old.includes(name)) linked.push([name, `${kind} ${at}`]);
  }
  for (const [name, link] of linked) links.set(name, link);
  const key = forget || writing.reply === undefined ? undefined : change.key;
  if (key) {
    const reply = writing.reply!;
    const text = toReplyText({ ...key, expiresAt: change.expiresAt, reply });
    bytes += toSize(reply);
    rows.push({ kind: replyKind, seq: before.revision + 1, text, isNew: true });
    links.set(toReplyName(key.name), `${replyKind} ${before.revision + 1}`);
  }
  const counts = addCounts(before.counts, counted);
  const records = Object.values(counts).reduce((all, one) => all + one, 0);
  const isMore = seq - before.seq > removes.length && records > change.ceiling.records;
  const isLarger = !change.mint && bytes > before.bytes && bytes > change.ceiling.bytes;
  if (isMore || isLarger) return 'full';
  const used = charge ? addCharge(before, charge) : before.used;
  if (!used) return 'over';
  const after = {
    ...before,
    revision: before.revision + 1,
    seq,
    bytes,
    counts,
    used,
    state: writing.state ?? before.state,
    hash: writing.rename ?? before.hash,
    expiresAt: Math.max(before.expiresAt, writing.expiresAt ?? change.expiresAt),
    lapsesAt: before.lapsesAt || (key ? change.expiresAt : 0),
  };
  const { place, expiresAt } = after;
  const made = toDoors(writing, before.hash, after);
  if (key && change.mint)
    made.push({ ...toDoor(doors.key(key.name), place, '', change.expiresAt), was: door });
  const kept = forget ? undefined : toTexts(after);
  const growth = toGrowth(before, after, { rows, doors: made });
  if (!forget && growth.bytes > 0) change.admit?.(growth);
  const batch = { place, before: pruned?.before, after: kept, expiresAt, rows, links, occupies, doors: made };
  return { batch, answer };
}
