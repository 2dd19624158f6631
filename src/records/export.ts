import * as v from 'valibot';
import type { Issue } from '../kernel/envelope.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { checkCursor, cutPage, decodeCursor, type PageEntry } from '../kernel/page.ts';
import { Time, toIsoDate } from '../kernel/text.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { openView } from './in-view.ts';
import type { Kind } from './kind.ts';
import { byCollection } from './kind-list.ts';
import { countRecords } from './reading-turns.ts';
import type { Context, RecordService } from './service.ts';
import { presentRecord } from './view.ts';

/** Records on a page of an export at most, and bytes of them. */
export const exportLimit = 200;
export const mostExportBytes = 1_000_000;

export const exportMembers = ['type', 'warnings', 'exportedAt', 'total', 'nextCursor'];

/** Whether a batch is a page of an export, which says when it was made (RFC 3339). */
export const isExport = (args: object) => 'exportedAt' in args && v.is(Time, args.exportedAt);

/** The collection in the cursors of an export, which differ from those of lists. */
const collection = 'export';
/** The positions of one kind come after all positions of the kind before it. */
const kindSpan = 1e12;

/** Returns the ref of a record (its id if it has none) and its references, as a batch accepts them. */
function exportReferences({ references }: Kind, fact: StoredRecord, view: View): Record<string, unknown> {
  const portable: Record<string, unknown> = { ref: fact.ref ?? fact.id };
  for (const [member, of] of Object.entries(references)) {
    const reference = fact[member] as string;
    const found = view.findOwn(of, reference)?.record;
    if (found) portable[member] = `#${found.ref ?? found.id}`;
    // One that names nothing stays one that names nothing, and refuses no batch.
    else if (reference.startsWith('#')) portable[member] = reference.slice(1);
  }
  return portable;
}

export function checkExportCursor(cursor: unknown, { kinds }: RecordService): Issue[] {
  const position = typeof cursor === 'string' ? decodeCursor(collection, cursor) : undefined;
  const isOutside = position !== undefined && (position < 0 || position >= kinds.length * kindSpan);
  return checkCursor(collection, isOutside ? '' : cursor);
}

/**
 * Returns a record as a batch accepts it. No batch accepts evidence, so the status is the one without it, unless the kind
 * restores it. What only the reader needs of it is included.
 */
function exportRecord(kind: Kind, fact: StoredRecord, view: View, today: string): object {
  const { evidence: _, ...sent } = fact;
  const { includesEvidence, presentExtras } = kind.transfer;
  const { id, ...rest } = presentRecord(kind, includesEvidence ? fact : (sent as StoredRecord), view, today);
  const portable = exportReferences(kind, fact, view);
  return { id, ref: portable.ref, ...rest, ...presentExtras?.(fact, today), ...portable };
}

/** A row of an export, at its place among those of all kinds. */
interface ExportedRow extends PageEntry<object> {
  kind: Kind;
}

/** The rows of an export after a position, oldest first: one more than a page has, if there are so many. */
function listExported(start: number, limit: number, context: Context, today: string): ExportedRow[] {
  const view = openView(context);
  const rows: ExportedRow[] = [];
  for (const [index, kind] of context.service.kinds.entries()) {
    for (const { record, seq } of context.workspace!.contents.list(kind.name)) {
      const position = index * kindSpan + seq;
      if (position <= start) continue;
      const row = new Json({ value: () => exportRecord(kind, record, view, today) });
      rows.push({ kind, row, position });
      if (rows.length > limit) return rows;
    }
  }
  return rows;
}

interface ExportInput {
  limit?: number;
  cursor?: string;
}

export function exportWorkspace(input: ExportInput, context: Context): OperationReply {
  const { limit = exportLimit, cursor } = input;
  const { kinds, platform } = context.service;
  const now = platform.now();
  const start = cursor === undefined ? 0 : (decodeCursor(collection, cursor) ?? 0);
  const rows = listExported(start, limit, context, toIsoDate(now));
  const total = countRecords(context);
  const { entries, nextCursor } = cutPage(collection, rows, { limit, total, mostBytes: mostExportBytes });
  const exported = rows.slice(0, entries.length);
  const listOf = (of: Kind) => exported.filter(({ kind }) => kind === of).map(({ row }) => row.value);
  return {
    status: 200,
    body: {
      type: 'OK',
      exportedAt: new Date(now).toISOString(),
      ...byCollection(kinds, listOf),
      total,
      ...(nextCursor !== undefined && { nextCursor }),
    },
  };
}
