import { joinPieces } from '../kernel/call.ts';
import type { OperationReply } from '../kernel/operation.ts';
import type { Steps } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import { openView } from '../records/read/in-view.ts';
import { presentRecord } from '../records/read/view.ts';
import type { Context } from '../records/service.ts';
import { byteOrderMark, type CellValue, formatRow } from './format-csv.ts';

const lastColumns = ['id', 'createdAt', 'updatedAt', 'revision'];

/** Lists the columns of a kind by their names in the API. An import takes `ref`, the members and the status. */
function listColumns({ body, transfer }: Kind): string[] {
  const members = Object.keys(body.entries).filter((name) => name !== 'ref');
  return ['ref', ...members, 'status', ...(transfer.derivedColumns ?? []), ...lastColumns];
}

/** Lists the values of a row. Only columns that follow from other records are looked for in an outcome. */
function listCells(record: PresentedRecord, columns: readonly string[], { transfer }: Kind): CellValue[] {
  const { outcome = {}, ...members } = record as PresentedRecord & { outcome?: Record<string, CellValue> };
  const values: Record<string, unknown> = members;
  const isDerived = (column: string) => transfer.derivedColumns?.includes(column) ?? false;
  return columns.map((column) => {
    const value = values[column] ?? (isDerived(column) ? outcome[column] : undefined);
    return value as CellValue;
  });
}

/** Bounds the bytes of a file. Its names of members are in one line, but it has columns that are not stored. */
export const boundCsv = ({ workspace }: Context): number => 2 * workspace!.contents.head.bytes;

/** Answers all records of a kind in the workspace as one CSV file, oldest first. */
export function* exportCsv(collection: string, context: Context): Steps<OperationReply> {
  const { service, workspace } = context;
  const kind = service.kinds.find((one) => one.collection === collection)!;
  const columns = listColumns(kind);
  const view = openView(context);
  const today = toIsoDate(service.platform.now());
  const pieces = [byteOrderMark + formatRow(columns)];
  for (const { record } of workspace!.contents.list(kind.name)) {
    pieces.push(formatRow(listCells(presentRecord(kind, record, view, today), columns, kind)));
    yield;
  }
  return {
    status: 200,
    type: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': `attachment; filename="${collection}.csv"` },
    body: joinPieces(pieces),
    pieces,
  };
}
