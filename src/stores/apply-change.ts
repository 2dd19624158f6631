import { toTotal } from '../pricing/meter.ts';
import { toNames } from '../records/record.ts';
import type { Change, Charge, StoreEntry, Used, Writing } from '../records/store.ts';
import {
  doors,
  type Head,
  replyKind,
  toDoorText,
  toReplyName,
  toReplyText,
  toSize,
  toTexts,
  unused,
} from './codec.ts';
import type { Batch, Kept } from './driver.ts';

/** Bytes that a new row takes beside its text: names, doors, indexes and its share of its workspace. */
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
 * What was used once a charge is added. Undefined where that is more than is authorised: by this charge, or already
 * where it has no calls and only asks. The script of Redis does the same (`redis-scripts.ts`).
 */
export function addCharge(used: Used, { period, calls: added, limit }: Charge): Used | undefined {
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
  kept: Kept;
  expired: readonly { seq: number; key: string }[];
}

/** What is decided, and what it was decided on. */
export interface Decided<T> {
  change: Change<T>;
  seen: Seen | undefined;
  writing: Writing;
  charge?: Charge | undefined;
  /** How many occupy each name that `writing.occupies` has. */
  occupants: ReadonlyMap<string, number>;
}

/** A workspace before its first change. */
function toFresh({ workspace, now, expiresAt }: Change<unknown>): Omit<Head, 'key'> {
  const counted = { revision: 0, seq: 0, bytes: 0, counts: {}, state: {}, used: unused, lapsesAt: 0 };
  return { place: workspace, hash: workspace, createdAt: now, expiresAt, ...counted };
}

/** Removes replies. */
const toRemoved = (replies: Seen['expired']) => ({
  rows: replies.map(({ seq }): Batch['rows'][number] => ({
    kind: replyKind,
    seq,
    text: undefined,
    isNew: false,
  })),
  entries: new Map<string, string | undefined>(replies.map(({ key }) => [`:${toReplyName(key)}`, undefined])),
});

/** Removes the replies that expired, and nothing else. */
export function toPruned({ head, kept, expired }: Seen): Batch {
  const { place, expiresAt } = head;
  return { place, before: kept, after: toTexts(head), expiresAt, ...toRemoved(expired), doors: [] };
}

/** What leads to a workspace without its hash, or by another hash than it was made with. */
function toDoors({ writing, change, seen }: Decided<unknown>, { place, hash, expiresAt }: Omit<Head, 'key'>) {
  const { points = {}, unpoints = [], rename, forget } = writing;
  const made: Batch['doors'][number][] = [];
  for (const [name, { to, expiresAt: until }] of forget ? [] : Object.entries(points))
    made.push({
      name: doors.pointer(name),
      text: toDoorText({ place, to }, until),
      expiresAt: until,
    });
  for (const name of unpoints) made.push({ name: doors.pointer(name), text: undefined, expiresAt });
  const before = seen?.head.hash ?? place;
  if (before !== place && (rename || forget))
    made.push({ name: doors.hash(before), text: undefined, expiresAt });
  if (hash !== place && !forget)
    made.push({
      name: doors.hash(hash),
      text: toDoorText({ place, to: change.workspace }, expiresAt),
      expiresAt,
    });
  return made;
}

/**
 * Turns what was decided into a batch: numbers the new records, counts what there is after it, and holds that to its
 * ceilings. `full` where it is more than the workspace may hold, `over` where it is more than is authorised.
 */
export function applyChange(decided: Decided<unknown>, door?: string): Batch | 'full' | 'over' {
  const { change, seen, writing, charge, occupants } = decided;
  const { puts = [], removes = [], forget } = writing;
  const before = seen?.head ?? toFresh(change);
  const { rows, entries } = toRemoved(seen?.expired ?? []);
  const counted: [kind: string, more: number][] = [];
  const links: [name: string, link: string][] = [];
  let { seq, bytes } = before;
  for (const one of removes) {
    rows.push({ kind: one.kind, seq: one.seq, text: undefined, isNew: false });
    counted.push([one.kind, -1]);
    bytes -= toWeight(one);
    for (const name of toNames(one)) entries.set(`:${name}`, undefined);
  }
  for (const put of puts) {
    const { kind, fact, was } = put;
    const text = JSON.stringify(fact);
    if (!was) counted.push([kind, 1]);
    const at = was?.seq ?? ++seq;
    rows.push({ kind, seq: at, text, isNew: !was });
    bytes += toSize(text) - (was ? toWeight(was) : 0);
    const [names, old] = [toNames(put), was ? toNames(was) : []];
    for (const name of old) if (!names.includes(name)) entries.set(`:${name}`, undefined);
    for (const name of names) if (!old.includes(name)) links.push([`:${name}`, `${kind} ${at}`]);
  }
  for (const [name, link] of links) entries.set(name, link);
  const key = forget || writing.reply === undefined ? undefined : change.key;
  const reply = key && { ...change, key: key.name, fingerprint: key.fingerprint, reply: writing.reply! };
  bytes += toSize(reply?.reply ?? '');
  const counts = addCounts(before.counts, counted);
  const records = Object.values(counts).reduce((all, one) => all + one, 0);
  const isMore = seq - before.seq > removes.length && records > change.ceiling.records;
  const isLarger = puts.length > 0 && !change.mint && bytes > before.bytes && bytes > change.ceiling.bytes;
  if (isMore || isLarger) return 'full';
  const used = charge ? addCharge(before.used, charge) : before.used;
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
    lapsesAt: before.lapsesAt || (reply ? change.expiresAt : 0),
  };
  for (const [name, count] of Object.entries(writing.occupies ?? {})) {
    const total = (occupants.get(name) ?? 0) + count;
    if (count !== 0) entries.set(`+${name}`, total === 0 ? undefined : String(total));
  }
  if (reply) {
    rows.push({ kind: replyKind, seq: after.revision, text: toReplyText(reply), isNew: true });
    entries.set(`:${toReplyName(reply.key)}`, `${replyKind} ${after.revision}`);
  }
  const growth = {
    records: counted.filter(([, more]) => more > 0).length,
    bytes: bytes - before.bytes + rows.filter(({ isNew }) => isNew).length * rowBytes,
  };
  const { place, expiresAt } = after;
  const made = toDoors(decided, after);
  if (reply && change.mint) {
    const text = toDoorText({ place, to: '' }, change.expiresAt);
    made.push({ name: doors.key(reply.key), text, expiresAt: change.expiresAt, was: door ?? '' });
  }
  return {
    place,
    before: seen?.kept,
    after: forget ? undefined : toTexts(after),
    expiresAt,
    rows,
    entries,
    doors: made,
    growth: growth.records > 0 || growth.bytes > 0 ? growth : undefined,
    charge: forget ? undefined : charge,
  };
}
