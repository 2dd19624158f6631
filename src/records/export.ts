import * as v from 'valibot';
import type { Issue } from '../kernel/envelope.ts';
import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { checkCursor, cutPage, type Positioned, toPosition } from '../kernel/page.ts';
import { Time, toDay } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { byCollection, kinds } from './kinds.ts';
import { countRecords, takeTurn } from './reading-turns.ts';
import type { StoredRecord } from './record.ts';
import type { RecordsInView } from './records-in-view.ts';
import { readOwn } from './scan.ts';
import { present, readNear } from './view.ts';

/** Records on a page of an export at most, and bytes of them. */
export const exportLimit = 200;
export const mostExportBytes = 1_000_000;
const atOnce = 50;

export const exportMembers = ['type', 'warnings', 'exportedAt', 'total', 'nextCursor'];

/** Whether a batch is a page of an export, which says when it was made (RFC 3339). */
export const isExport = (args: object) => 'exportedAt' in args && v.is(Time, args.exportedAt);

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

export function checkExportCursor(cursor: unknown): Issue[] {
  const position = typeof cursor === 'string' ? toPosition(collection, cursor) : undefined;
  const isOutside = position !== undefined && (position < 0 || position >= kinds.length * kindSpan);
  return checkCursor(collection, isOutside ? '' : cursor);
}

/** A record as a batch takes it: no batch takes what was stated, so its status is what it is without. The outcome is told all the same. */
function toExported(kind: Kind, fact: StoredRecord, near: RecordsInView, today: string): object {
  const { evidence, ...sent } = fact as StoredRecord & { evidence?: { validated?: { receipt?: string } } };
  const { id, ...rest } = present(kind, sent, near, today);
  const { outcome } = present(kind, fact, near, today);
  const portable = toPortable(kind, fact, near);
  const receipt = evidence?.validated?.receipt;
  return {
    id,
    ref: portable.ref,
    ...rest,
    ...(outcome !== undefined && { outcome }),
    ...(receipt !== undefined && { receipt }),
    ...portable,
  };
}

interface ExportInput {
  limit?: number;
  cursor?: string;
}

async function readExport(input: ExportInput, context: Context): Promise<Outcome> {
  const { limit = exportLimit, cursor } = input;
  const now = context.service.platform.now();
  const start = cursor === undefined ? 0 : (toPosition(collection, cursor) ?? 0);
  const first = Math.floor(start / kindSpan);
  const rows: (Positioned<object> & { kind: Kind })[] = [];
  const size = () => Math.min(atOnce, limit + 1 - rows.length);
  for (let index = first; index < kinds.length && rows.length <= limit; index += 1) {
    const kind = kinds[index]!;
    const after = index === first ? start % kindSpan : 0;
    for await (const entries of readOwn(kind, { order: 'oldest', after, size }, context)) {
      const facts = entries.map(({ fact }) => fact);
      const near = await readNear(kind, facts, context);
      for (const { fact, seq } of entries) {
        const row = Json.of(toExported(kind, fact, near, toDay(now)));
        rows.push({ kind, row, position: index * kindSpan + seq });
      }
      if (rows.length > limit) break;
    }
  }
  const total = countRecords(context);
  const { entries, nextCursor } = cutPage(collection, rows, { limit, total, mostBytes: mostExportBytes });
  const told = rows.slice(0, entries.length);
  const toRecords = (of: Kind) => told.filter(({ kind }) => kind === of).map(({ row }) => row.value);
  return {
    status: 200,
    body: {
      type: 'OK',
      exportedAt: new Date(now).toISOString(),
      ...byCollection(toRecords),
      total,
      ...(nextCursor !== undefined && { nextCursor }),
    },
  };
}

/** Answers a page of an export in the turn of its client. */
export const exportWorkspace = (input: ExportInput, context: Context): Outcome | Promise<Outcome> =>
  takeTurn(context, countRecords(context), () => readExport(input, context));
