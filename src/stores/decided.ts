import { toTotal } from '../pricing/meter.ts';
import { toNames } from '../records/record.ts';
import type {
  Change,
  Charge,
  Found,
  Put,
  StoreEntry,
  Used,
  WorkspaceHead,
  Writing,
} from '../records/store.ts';

/** A workspace as a driver keeps it: its head, and what only the driver counts by. */
export interface KeptHead extends WorkspaceHead {
  /** The last `seq` that was given. */
  seq: number;
  records: number;
}

/** A fact to write, with its place and its JSON. */
interface NumberedPut extends Put {
  seq: number;
  text: string;
}

/** What a change came to: what there is to write, and its workspace after it. */
export interface Decided<T> {
  answer: T;
  writing: Writing;
  puts: readonly NumberedPut[];
  head: Omit<KeptHead, 'key'>;
  /** What is kept under the key of the change; undefined where nothing is. */
  reply: string | undefined;
  /** What is in `head.used` already, for a driver that counts it anew as it writes. */
  charge?: Charge | undefined;
}

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export const toSize = (text: string) => (/\P{ASCII}/u.test(text) ? encoder.encode(text).length : text.length);

const toWeight = ({ fact }: StoreEntry) => toSize(JSON.stringify(fact));
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** Counts with others added; what is 0 is left out. */
function addCounts(
  counts: WorkspaceHead['counts'],
  more: readonly (readonly [name: string, count: number])[],
): Record<string, number> {
  const sums = new Map(Object.entries(counts));
  for (const [name, count] of more) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries([...sums].filter(([, count]) => count !== 0));
}

/** Where nothing was ever charged. */
export const unused: Used = { period: '', calls: {} };

/**
 * What was used once a charge is added. Undefined where that comes to more than is authorised: by this charge, or
 * already where it has no calls and only asks.
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

/** A workspace before its first change. */
function toFresh({ now, expiresAt }: Change<unknown>): Decided<unknown>['head'] {
  const counted = { revision: 0, seq: 0, records: 0, bytes: 0, counts: {}, state: {}, used: unused };
  return { createdAt: now, expiresAt, ...counted };
}

/**
 * Asks a change for its decision and counts what comes of it; `full` where that is more than the ceiling, `over` where
 * it is more than is authorised. `head` is undefined for a workspace that is to be made. Throws what the decision throws.
 */
export function decideOn<T>(
  change: Change<T>,
  found: readonly Found[],
  head: KeptHead | undefined,
): Decided<T> | 'full' | 'over' {
  const { answer, writing, charge } = change.decide(found, head);
  const before = head ?? toFresh(change);
  const { removes = [], state = before.state } = writing;
  let { seq } = before;
  const puts = (writing.puts ?? []).map((put) => {
    if (!put.was) seq += 1;
    return { ...put, seq: put.was?.seq ?? seq, text: JSON.stringify(put.fact) };
  });
  const fresh = puts.filter(({ was }) => !was);
  const reply = change.key && !writing.forget ? writing.reply : undefined;
  const records = before.records + fresh.length - removes.length;
  const gone = [...removes, ...puts.flatMap(({ was }) => was ?? [])];
  const bytes =
    before.bytes + sum(puts.map(({ text }) => toSize(text))) - sum(gone.map(toWeight)) + toSize(reply ?? '');
  const isMore = records > before.records && records > change.ceiling.records;
  const makes = puts.length > 0;
  const isLarger = makes && !change.mint && bytes > before.bytes && bytes > change.ceiling.bytes;
  if (isMore || isLarger) return 'full';
  const used = charge ? addCharge(before.used, charge) : before.used;
  if (!used) return 'over';
  const counts = addCounts(before.counts, [
    ...fresh.map(({ kind }) => [kind, 1] as const),
    ...removes.map(({ kind }) => [kind, -1] as const),
  ]);
  const expiresAt = Math.max(before.expiresAt, writing.expiresAt ?? change.expiresAt);
  const { createdAt, revision } = before;
  const after = { createdAt, expiresAt, revision: revision + 1, seq, records, bytes, counts, state, used };
  return { answer, writing, puts, reply, charge, head: after };
}

/** A name, and the record that it leads to from now on. */
type Naming = readonly [name: string, record: StoreEntry];

/** The names that lead to nothing from now on, which are to be taken first, and those that lead to a record. */
export function toNamings({ puts, writing }: Decided<unknown>): { gone: string[]; given: Naming[] } {
  const gone = (writing.removes ?? []).flatMap(toNames);
  const given: Naming[] = [];
  for (const put of puts) {
    const [names, old] = [toNames(put), put.was ? toNames(put.was) : []];
    gone.push(...old.filter((name) => !names.includes(name)));
    given.push(...names.filter((name) => !old.includes(name)).map((name) => [name, put] as const));
  }
  return { gone, given };
}
