import { Json } from '../kernel/json.ts';
import type { Context } from '../kernel/operation.ts';
import type { Platform } from '../kernel/service.ts';
import { toDay } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import { readNear } from './references.ts';
import { present, presentSeed } from './view.ts';

/** Records of a page that are read and presented at once: a few milliseconds. */
export const atOnce = 100;
/** The same where a filter reads all of them: each may be as large as a record can be, 16 KB of text. */
export const scannedAtOnce = 25;
/** Milliseconds of work before others have their turn. */
const mostMs = 4;

/** A record in view, which a filter reads first, and how it reads. */
interface Scanned {
  record: StoredRecord;
  position: number;
  present(): Json<PresentedRecord>;
}

interface ScanOptions {
  scope?: string | undefined;
  /** Whether the workspace's own records are read, and after which `seq`. */
  own?: boolean;
  after?: number | undefined;
  /** How many of them to read next. */
  size?(): number;
}

/** Returns a function to call before each piece of work: it awaits others once a few milliseconds have passed. */
export function createPacer({
  now,
  pause,
}: Pick<Platform, 'now' | 'pause'>): () => Promise<void> | undefined {
  let since = now();
  return () => {
    if (now() - since < mostMs) return undefined;
    return pause().then(() => {
      since = now();
    });
  };
}

/**
 * Reads the records of a kind in view, in batches between which others have their turn: those of the workspace,
 * newest first, then the seed. `scope` is as in lists.
 */
export async function* scan(
  kind: Kind,
  { scope, own = true, after, size = () => scannedAtOnce }: ScanOptions,
  context: Context,
): AsyncGenerator<Scanned[]> {
  const { service, workspace } = context;
  const { seed, store, platform } = service;
  const rows = seed.rows[kind.name]!;
  if (!workspace || scope === 'public') {
    if (scope === 'workspace') return;
    yield rows.map(({ row, position }) => ({
      record: seed.byId.get(row.value.id)!.record,
      position,
      present: () => row,
    }));
    return;
  }
  const { key, counts } = workspace;
  const today = toDay(platform.now());
  const isAnyOccupied = kinds.some(({ name, occupies }) => occupies && (counts[name] ?? 0) > 0);

  const toNear = async (records: readonly StoredRecord[]) =>
    isAnyOccupied ? readNear(kind, records, context) : new RecordsInView(seed);

  for (let last = after, isMore = own; isMore; ) {
    const limit = size();
    const entries = await store.read(key, { kind: kind.name, order: 'newest', after: last, limit });
    const near = await toNear(entries.map(({ fact }) => fact));
    yield entries.map(({ fact, seq }) => ({
      record: fact,
      position: -seq,
      present: () => Json.of(present(kind, fact, near, today)),
    }));
    isMore = entries.length === limit;
    last = entries.at(-1)?.seq;
    if (isMore) await platform.pause();
  }
  if (scope === 'workspace') return;
  const known = rows.map(({ row, position }) => ({ position, one: seed.byId.get(row.value.id)! }));
  const near = await toNear(known.map(({ one }) => one.record));
  yield known.map(({ one, position }) => ({
    record: one.record,
    position,
    present: () => presentSeed(seed, one, near),
  }));
}
