import * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import { Json } from '../../kernel/json.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import { checkCursor, cutPageInSteps, decodeCursor, type PageEntry } from '../../kernel/page.ts';
import { countParts, mostParts } from '../../kernel/parse-json.ts';
import type { Steps } from '../../kernel/steps.ts';
import { Time, toIsoDate } from '../../kernel/text.ts';
import {
  type ActivityEntry,
  type HistoryEntry,
  mostActivity,
  mostBytesOfEntry,
  mostHistory,
} from '../../workspace/activity.ts';
import { countRecords } from '../../workspace/head.ts';
import type { Entry, StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';
import { joinHistory, readHistories } from '../activity/history.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import { findPlace, openView } from '../read/in-view.ts';
import { presentRecord } from '../read/view.ts';
import type { Context, RecordService } from '../service.ts';

/** A page of an export holds at most this many records, and this many bytes. */
export const exportLimit = 200;
const mostExportBytes = 1_000_000;
/** A batch takes no more parts. Its own members, and the refs of other pages, take the rest. */
const mostExportParts = mostParts - 2000;

export const exportMembers = ['type', 'warnings', 'exportedAt', 'refs', 'total', 'nextCursor'];

/** Whether a batch is a page of an export. A page has the time of its export (RFC 3339) as `exportedAt`. */
export const isExport = (args: object) => 'exportedAt' in args && v.is(Time, args.exportedAt);

/** The collection in the cursors of an export. Cursors of lists have others. */
const collection = 'export';
/** Each kind has this many positions, after those of the kinds before it. */
const kindSpan = 1e12;

/** Returns the ref of a record: its id if it has none, so that the records of later pages are found by it. */
const toExportRef = ({ ref, id }: StoredRecord): string => ref ?? id;

/** Returns the references of a record that resolve to nothing as plain texts. A batch refuses an unknown `#ref`. */
function exportReferences({ references }: Kind, record: StoredRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(references).map((member) => [member, String(record[member]).replace(/^#/, '')]),
  );
}

/** Returns the refs of the records that a page refers to and does not hold, by id. A batch finds those by their refs. */
function* listOtherRefs(rows: readonly ExportedRow[], view: View): Steps<Record<string, string>> {
  const ids = new Set<unknown>();
  for (const { entry } of rows) {
    ids.add(entry.record.id);
    yield;
  }
  const refs: Record<string, string> = {};
  for (const { kind, entry, row } of rows) {
    const { history = [] } = row.value as { history?: readonly HistoryEntry[] };
    const changes = history.flatMap((earlier) => earlier.changes ?? []);
    for (const [member, targetName] of Object.entries(kind.references)) {
      yield;
      const earlier = changes.flatMap((change) => (change.member === member ? [change.from, change.to] : []));
      for (const id of new Set([entry.record[member], ...earlier])) {
        const ref = ids.has(id) ? undefined : view.findOwn(targetName, String(id))?.record.ref;
        if (ref !== undefined) refs[String(id)] = ref;
      }
    }
  }
  return refs;
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
function exportRecord(
  kind: Kind,
  record: StoredRecord,
  { view, today, history }: { view: View; today: string; history: readonly HistoryEntry[] | undefined },
): object {
  const { toPortable = withoutEvidence, presentExtras } = kind.transfer;
  const { id, links, ...rest } = presentRecord(kind, toPortable(record), view, today);
  const references = exportReferences(kind, record);
  const { links: more, ...extras } = presentExtras?.(record, today) ?? {};
  return {
    id,
    ...rest,
    ...extras,
    ref: toExportRef(record),
    ...references,
    ...(history && history.length > 0 && { history }),
    links: { ...links, ...more },
  };
}

/** A row of an export. Its position counts through all kinds. */
interface ExportedRow extends PageEntry<object> {
  kind: Kind;
  /** Its record is read when it is first asked for. */
  entry: Entry;
}

/** The records of an export after a position, oldest first: one more than a page has, if another page follows. */
function listExported(start: number, limit: number, { service, workspace }: Context) {
  const exported: Pick<ExportedRow, 'kind' | 'entry' | 'position'>[] = [];
  for (const [index, kind] of service.kinds.entries()) {
    const entries = workspace!.contents.list(kind.name);
    const first = findPlace(entries, start - index * kindSpan + 1);
    for (const entry of entries.slice(first, first + limit + 1 - exported.length))
      exported.push({ kind, entry, position: index * kindSpan + entry.seq });
  }
  return exported;
}

/** Returns the rows of exported records, with what happened to each if that is given. */
function createRows(
  exported: ReturnType<typeof listExported>,
  histories: ReadonlyMap<string, ActivityEntry[]> | undefined,
  context: Context,
  today: string,
): ExportedRow[] {
  const view = openView(context);
  return exported.map(({ kind, entry, position }) => {
    const present = () => {
      const { record } = entry;
      const history = histories && joinHistory(record, kind, histories.get(record.id));
      return exportRecord(kind, record, { view, today, history });
    };
    return { kind, entry, row: new Json({ value: present }), position };
  });
}

/** The body of a page of an export. It joins the JSON of its rows, because they are large. */
function createExportBody(
  rows: readonly ExportedRow[],
  kinds: readonly Kind[],
  { exportedAt, ...rest }: { exportedAt: string; refs?: object; total: number; nextCursor?: string },
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

/** Counts the first rows that have so few parts that a batch takes them. */
function* countFitting(rows: readonly ExportedRow[]): Steps<number> {
  let parts = 0;
  for (const [index, { row }] of rows.entries()) {
    parts += countParts(row.text);
    if (parts > mostExportParts && index > 0) return index;
    yield;
  }
  return rows.length;
}

interface ExportInput {
  limit?: number;
  cursor?: string;
  /** Whether each record has its history. A tool leaves it out unless it is asked for. */
  history?: boolean;
}

/** The most bytes of a record that an export adds, and that it repeats of an entry for each record of it. */
const bytesOfAdded = 1000;

/** Bounds the bytes of a page. A record that is exported has members that are not stored, and its history. */
export function boundExport({ workspace }: Context): number {
  const { head } = workspace!.contents;
  const entries = Math.min(head.revision, mostActivity);
  const repeated = countRecords(head) * (1 + Math.min(entries, mostHistory)) * bytesOfAdded;
  return Math.min(mostExportBytes, 3 * head.bytes + mostBytesOfEntry * entries + repeated);
}

/** Replies with a page of all records of a workspace, in the form that a batch accepts. */
export function* exportWorkspace(input: ExportInput, context: Context): Steps<OperationReply> {
  const { limit = exportLimit, cursor, history = !context.options.isTool } = input;
  const { kinds, platform } = context.service;
  const now = platform.now();
  const start = cursor === undefined ? 0 : (decodeCursor(collection, cursor) ?? 0);
  const exported = listExported(start, limit, context);
  const recorded = exported.map(({ entry }) => entry);
  const histories = history ? yield* readHistories(recorded, {}, context) : undefined;
  const rows = createRows(exported, histories, context, toIsoDate(now));
  const total = countRecords(context.workspace!.contents.head);
  const cut = { limit: Math.min(limit, yield* countFitting(rows)), total, mostBytes: mostExportBytes };
  const { entries, nextCursor } = yield* cutPageInSteps(collection, rows, cut);
  const exportedAt = new Date(now).toISOString();
  const shown = rows.slice(0, entries.length);
  const refs = yield* listOtherRefs(shown, openView(context));
  const rest = {
    exportedAt,
    ...(Object.keys(refs).length > 0 && { refs }),
    total,
    ...(nextCursor !== undefined && { nextCursor }),
  };
  return { status: 200, body: createExportBody(shown, kinds, rest) };
}
