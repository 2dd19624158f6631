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

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
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

/** A row to remove, and its bytes where they count. */
export interface Expired {
  seq: number;
  key: string;
  bytes: number;
}

/** A workspace as a step saw it: with how many occupy each name, and without replies that expired. */
export interface Seen {
  head: Head;
  kept: Kept;
  /** Replies that expired and are not yet removed. */
  expired: readonly Expired[];
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

/** Entries and rows of replies that are removed. */
function toRemoved(expired: readonly Expired[]) {
  return {
    rows: expired.map(({ seq }) => ({ kind: replyKind, seq, text: undefined, isNew: false })),
    entries: expired.map(({ key }) => [`:${toReplyName(key)}`, undefined] as const),
    bytes: sum(expired.map(({ bytes }) => bytes)),
  };
}

/** Removes the replies that expired, and nothing else. */
export function toPruned({ head, kept, expired }: Seen): Batch {
  const { rows, entries, bytes } = toRemoved(expired);
  const after = { ...head, bytes: head.bytes - bytes };
  const { place, expiresAt } = head;
  return {
    place,
    before: kept,
    after: toTexts(after),
    expiresAt,
    rows,
    entries: new Map(entries),
    doors: [],
  };
}

/** The names that lead to nothing from now on, then those that lead to a row. */
function toLinks(puts: readonly (StoreEntry & { was?: StoreEntry })[], removes: readonly StoreEntry[]) {
  const gone = removes.flatMap(toNames);
  const given: [name: string, link: string][] = [];
  for (const put of puts) {
    const [names, old] = [toNames(put), put.was ? toNames(put.was) : []];
    gone.push(...old.filter((name) => !names.includes(name)));
    for (const name of names) if (!old.includes(name)) given.push([`:${name}`, `${put.kind} ${put.seq}`]);
  }
  return [...gone.map((name) => [`:${name}`, undefined] as const), ...given];
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
  const { removes = [], forget } = writing;
  const before = seen?.head ?? toFresh(change);
  const pruned = toRemoved(seen?.expired ?? []);
  const key = forget || writing.reply === undefined ? undefined : change.key;
  let { seq } = before;
  const puts = (writing.puts ?? []).map(({ kind, fact, was }) => {
    if (!was) seq += 1;
    return { kind, fact, seq: was?.seq ?? seq, text: JSON.stringify(fact), ...(was && { was }) };
  });
  const fresh = puts.filter(({ was }) => !was);
  const gone = [...removes, ...puts.flatMap(({ was }) => was ?? [])];
  const reply = key && { ...change, key: key.name, fingerprint: key.fingerprint, reply: writing.reply! };
  const live = before.bytes - pruned.bytes;
  const added = sum(puts.map(({ text }) => toSize(text))) + toSize(reply?.reply ?? '');
  const bytes = live + added - sum(gone.map(toWeight));
  const records = sum(Object.values(before.counts)) + fresh.length - removes.length;
  const isMore = fresh.length > removes.length && records > change.ceiling.records;
  const isLarger = puts.length > 0 && !change.mint && bytes > live && bytes > change.ceiling.bytes;
  if (isMore || isLarger) return 'full';
  const used = charge ? addCharge(before.used, charge) : before.used;
  if (!used) return 'over';
  const counts = addCounts(before.counts, [
    ...fresh.map(({ kind }) => [kind, 1] as const),
    ...removes.map(({ kind }) => [kind, -1] as const),
  ]);
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
  const rows = [
    ...pruned.rows,
    ...removes.map(({ kind, seq: at }) => ({ kind, seq: at, text: undefined, isNew: false })),
    ...puts.map(({ kind, seq: at, text, was }) => ({ kind, seq: at, text, isNew: !was })),
  ];
  const entries = new Map([...pruned.entries, ...toLinks(puts, removes)]);
  for (const [name, count] of Object.entries(writing.occupies ?? {})) {
    const total = (occupants.get(name) ?? 0) + count;
    if (count !== 0) entries.set(`+${name}`, total === 0 ? undefined : String(total));
  }
  if (reply) {
    rows.push({ kind: replyKind, seq: after.revision, text: toReplyText(reply), isNew: true });
    entries.set(`:${toReplyName(reply.key)}`, `${replyKind} ${after.revision}`);
  }
  const made = toDoors(decided, after);
  const { place, expiresAt } = after;
  if (reply && change.mint) {
    const text = toDoorText({ place, to: '' }, change.expiresAt);
    made.push({ name: doors.key(reply.key), text, expiresAt: change.expiresAt, was: door ?? '' });
  }
  const kept = forget ? undefined : toTexts(after);
  return {
    place,
    before: seen?.kept,
    after: kept,
    expiresAt,
    rows,
    entries,
    doors: made,
    charge: forget ? undefined : charge,
  };
}
