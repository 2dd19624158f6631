import * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import { Json } from '../../kernel/json.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import { checkCursor, cutPageInSteps, decodeCursor, type PageEntry } from '../../kernel/page.ts';
import type { Steps } from '../../kernel/steps.ts';
import { Time, toIsoDate } from '../../kernel/text.ts';
import { countRecords } from '../../workspace/head.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import { findPlace, openView } from '../read/in-view.ts';
import { presentRecord } from '../read/view.ts';
import type { Context, RecordService } from '../service.ts';

/** A page of an export holds at most this many records, and this many bytes. */
export const exportLimit = 200;
const mostExportBytes = 1_000_000;

export const exportMembers = ['type', 'warnings', 'exportedAt', 'total', 'nextCursor'];

/** Whether a batch is a page of an export. A page has the time of its export (RFC 3339) as `exportedAt`. */
export const isExport = (args: object) => 'exportedAt' in args && v.is(Time, args.exportedAt);

/** The collection in the cursors of an export. Cursors of lists have others. */
const collection = 'export';
/** Each kind has this many positions, after those of the kinds before it. */
const kindSpan = 1e12;

/**
 * Returns the ref of a record and its references, as a batch accepts them. The id is the ref of a record without
 * one.
 */
function exportReferences({ references }: Kind, record: StoredRecord, view: View): Record<string, unknown> {
  const portable: Record<string, unknown> = { ref: record.ref ?? record.id };
  for (const [member, targetName] of Object.entries(references)) {
    const reference = record[member] as string;
    const target = view.findOwn(targetName, reference)?.record;
    if (target) portable[member] = `#${target.ref ?? target.id}`;
    // A batch refuses an unknown `#ref`. Without `#` it is an unknown id, which only gives a warning.
    else if (reference.startsWith('#')) portable[member] = reference.slice(1);
  }
  return portable;
}

export function checkExportCursor(cursor: unknown, { kinds }: RecordService): Issue[] {
  const position = typeof cursor === 'string' ? decodeCursor(collection, cursor) : undefined;
  const isOutside = position !== undefined && (position < 0 || position >= kinds.length * kindSpan);
  return checkCursor(collection, isOutside ? '' : cursor);
}

function withoutEvidence({ evidence: _, ...rest }: StoredRecord): StoredRecord {
  return rest as StoredRecord;
}

/**
 * Returns a record as a batch accepts it, with the members that only a reader needs. No batch accepts evidence. So
 * its status is the one without evidence, unless the kind can restore that.
 */
function exportRecord(kind: Kind, record: StoredRecord, view: View, today: string): object {
  const { toPortable = withoutEvidence, presentExtras } = kind.transfer;
  const { id, links, ...rest } = presentRecord(kind, toPortable(record), view, today);
  const portable = exportReferences(kind, record, view);
  const { links: more, ...extras } = presentExtras?.(record, today) ?? {};
  return { id, ref: portable.ref, ...rest, ...extras, ...portable, links: { ...links, ...more } };
}

/** A row of an export. Its position counts through all kinds. */
interface ExportedRow extends PageEntry<object> {
  kind: Kind;
}

/**
 * Returns the rows of an export after a position, oldest first. If another page follows, it returns one more than a
 * page has.
 */
function listExported(start: number, limit: number, context: Context, today: string): ExportedRow[] {
  const view = openView(context);
  const rows: ExportedRow[] = [];
  for (const [index, kind] of context.service.kinds.entries()) {
    const entries = context.workspace!.contents.list(kind.name);
    const first = findPlace(entries, start - index * kindSpan + 1);
    for (const entry of entries.slice(first, first + limit + 1 - rows.length)) {
      const row = new Json({ value: () => exportRecord(kind, entry.record, view, today) });
      rows.push({ kind, row, position: index * kindSpan + entry.seq });
    }
  }
  return rows;
}

/** The body of a page of an export. It joins the JSON of its rows, because they are large. */
function createExportBody(
  rows: readonly ExportedRow[],
  kinds: readonly Kind[],
  { exportedAt, ...rest }: { exportedAt: string; total: number; nextCursor?: string },
): Json<object> {
  const listOfKind = (wanted: Kind) => rows.filter(({ kind }) => kind === wanted).map(({ row }) => row);
  const lists = byCollection(kinds, listOfKind);
  return new Json<object>({
    value: () => ({
      type: 'OK',
      exportedAt,
      ...byCollection(kinds, (kind) => listOfKind(kind).map((row) => row.value)),
      ...rest,
    }),
    text() {
      const members = Object.entries(lists).map(
        ([name, list]) => `"${name}":[${list.map((row) => row.text).join(',')}]`,
      );
      const head = JSON.stringify({ type: 'OK', exportedAt }).slice(0, -1);
      return `${head},${members.join(',')},${JSON.stringify(rest).slice(1)}`;
    },
  });
}

interface ExportInput {
  limit?: number;
  cursor?: string;
}

/** Bounds the bytes of a page. A record that is exported has members that are not stored. */
export const boundExport = ({ workspace }: Context): number =>
  Math.min(mostExportBytes, 3 * workspace!.contents.head.bytes);

/** Replies with a page of all records of a workspace, in the form that a batch accepts. */
export function* exportWorkspace(input: ExportInput, context: Context): Steps<OperationReply> {
  const { limit = exportLimit, cursor } = input;
  const { kinds, platform } = context.service;
  const now = platform.now();
  const start = cursor === undefined ? 0 : (decodeCursor(collection, cursor) ?? 0);
  const rows = listExported(start, limit, context, toIsoDate(now));
  const total = countRecords(context.workspace!.contents.head);
  const cut = { limit, total, mostBytes: mostExportBytes };
  const { entries, nextCursor } = yield* cutPageInSteps(collection, rows, cut);
  const exportedAt = new Date(now).toISOString();
  const rest = { exportedAt, total, ...(nextCursor !== undefined && { nextCursor }) };
  return { status: 200, body: createExportBody(rows.slice(0, entries.length), kinds, rest) };
}
