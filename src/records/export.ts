import * as v from 'valibot';
import type { Issue } from '../kernel/envelope.ts';
import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { checkCursor, cutPage, type Positioned, toPosition } from '../kernel/page.ts';
import { toDay } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { byCollection, kinds } from './kinds.ts';
import type { StoredRecord } from './record.ts';
import type { RecordsInView } from './records-in-view.ts';
import { readNear } from './references.ts';
import type { StoreEntry } from './store.ts';
import { present } from './view.ts';

/** Records on a page of an export at most, and bytes of them. */
export const exportLimits = { usual: 200, mostBytes: 1_000_000 };
/** Records that are read at once. */
const atOnce = 50;

/** What a page of an export has beside its records. */
export const exportMembers = ['type', 'warnings', 'exportedAt', 'total', 'nextCursor'];

const ExportedAt = v.pipe(v.string(), v.isoTimestamp());

/** Whether a batch is a page of an export, which says when it was made (RFC 3339). */
export const isExport = (args: object) => 'exportedAt' in args && v.is(ExportedAt, args.exportedAt);

/** The name of an export where a cursor is told from those of lists. */
const collection = 'export';
/** Positions of a kind stand behind all those of the kind before it. */
const kindSpan = 1e12;

/** The ref of a record, its id where it has none, and its references by those of others, as a batch takes them. */
function toPortable({ references }: Kind, fact: StoredRecord, near: RecordsInView): Record<string, unknown> {
  const portable: Record<string, unknown> = { ref: fact.ref ?? fact.id };
  for (const [member, of] of Object.entries(references)) {
    const reference = fact[member] as string;
    const found = near.own(of, reference)?.fact;
    if (found) portable[member] = `#${found.ref ?? found.id}`;
    // One that names nothing stays one that names nothing, and refuses no batch.
    else if (reference.startsWith('#')) portable[member] = reference.slice(1);
  }
  return portable;
}

/** An issue where a cursor is none of an export. */
export function checkExportCursor(cursor: unknown): Issue[] {
  const position = typeof cursor === 'string' ? toPosition(collection, cursor) : undefined;
  const isOutside = position !== undefined && (position < 0 || position >= kinds.length * kindSpan);
  return checkCursor(collection, isOutside ? '' : cursor);
}

/** Answers a page of a workspace, as createBatch takes it. */
export async function exportWorkspace(
  input: { limit?: number; cursor?: string },
  context: Context,
): Promise<Outcome> {
  const { service, workspace } = context;
  const { store, platform } = service;
  const { key, counts } = workspace!;
  const { limit = exportLimits.usual, cursor } = input;
  const now = platform.now();
  const start = cursor === undefined ? 0 : (toPosition(collection, cursor) ?? 0);
  const entries: Positioned<{ of: string; row: object }>[] = [];

  async function addEntries(index: number, records: readonly StoreEntry[]): Promise<void> {
    const kind = kinds[index]!;
    const near = await readNear(
      kind,
      records.map(({ fact }) => fact),
      context,
    );
    for (const { fact, seq } of records) {
      // No batch takes what was stated, so that its status is what it is without; the outcome is told all the same.
      const { evidence, ...sent } = fact;
      const today = toDay(now);
      const { id, ...rest } = present(kind, sent, near, today);
      const { outcome } = present(kind, fact, near, today) as { outcome?: object };
      const portable = toPortable(kind, fact, near);
      const { ref } = portable;
      const { receipt } = (evidence as { validated?: { receipt?: string } })?.validated ?? {};
      const told = { ...(outcome !== undefined && { outcome }), ...(receipt !== undefined && { receipt }) };
      const whole = { id, ref, ...rest, ...told, ...portable };
      entries.push({ row: Json.of({ of: kind.name, row: whole }), position: index * kindSpan + seq });
    }
  }

  for (
    let index = Math.floor(start / kindSpan);
    index < kinds.length && entries.length <= limit;
    index += 1
  ) {
    let after = index === Math.floor(start / kindSpan) ? start % kindSpan : 0;
    for (;;) {
      const most = Math.min(atOnce, limit + 1 - entries.length);
      const records = await store.read(key, {
        kind: kinds[index]!.name,
        order: 'oldest',
        after,
        limit: most,
      });
      await addEntries(index, records);
      if (records.length < most || entries.length > limit) break;
      after = records.at(-1)!.seq;
      await platform.pause();
    }
  }
  const total = kinds.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0);
  const page = cutPage(collection, entries, { limit, total, mostBytes: exportLimits.mostBytes });
  const body = {
    type: 'OK',
    exportedAt: new Date(now).toISOString(),
    ...byCollection((kind) =>
      page.entries.flatMap(({ row: { value } }) => (value.of === kind.name ? [value.row] : [])),
    ),
    total,
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
  return { status: 200, body };
}
