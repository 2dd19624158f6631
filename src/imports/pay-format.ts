import type { Kind } from '../records/kind/kind.ts';
import { isForeignCurrency, type PayFormat, readPayUnit } from './amounts.ts';
import { findFileMember } from './cells.ts';
import { isFiller } from './fillers.ts';
import type { FileColumn } from './header.ts';
import type { FilledCell } from './row-reader.ts';

/** A cell that is not empty, and its column. */
export interface ColumnCell {
  cell: FilledCell;
  column: FileColumn;
}

/** Returns what the cells for the currency and the period of pay say of the amounts of their row. */
export function readPayFormat(
  filled: readonly ColumnCell[],
  { kind, columns }: { kind: Kind; columns: readonly FileColumn[] },
): Pick<PayFormat, 'isForeign' | 'payUnit'> {
  const find = (name: string) =>
    filled.find(({ cell, column }) => column.member === name && !isFiller(cell.text))?.cell.text;
  const [currency, period] = [find('currency'), find('payPeriod')];
  const payUnit = period === undefined ? undefined : readPayUnit(period);
  const usual = columns.flatMap(({ member }) => {
    const file = member === undefined ? undefined : findFileMember(kind, member);
    return file?.form === 'pay' && file.members.year.length > 0 ? [file.usual] : [];
  });
  // Beside columns for both units, "hourly" says which of them counts, and not how the other is read.
  const isClear = new Set(usual).size <= 1 || payUnit === 'other';
  return {
    isForeign: currency !== undefined && isForeignCurrency(currency),
    ...(isClear && { payUnit }),
  };
}
