import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One row of a tab-separated file, by column name. */
export type Row<Column extends string> = Record<Column, string>;

/**
 * Reads NAME of the release folder: UTF-8, tab-separated, one header line, no quoting.
 * Throws when the file or a column is missing, or a row has another number of cells than the header.
 */
export function readTable<Column extends string>(folder: string, name: string, columns: readonly Column[]) {
  const path = join(folder, name);
  if (!existsSync(path)) throw new Error(`${path} is missing`);
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);
  const names = header.split('\t');
  const places = columns.map((column) => {
    if (!names.includes(column)) throw new Error(`${path} has no column "${column}"`);
    return [column, names.indexOf(column)] as const;
  });
  return lines.map((line, index) => {
    const cells = line.split('\t');
    if (cells.length !== names.length) {
      throw new Error(`${path}, line ${index + 2}: ${cells.length} cells, not ${names.length}`);
    }
    return Object.fromEntries(places.map(([column, place]) => [column, cells[place]])) as Row<Column>;
  });
}

/** Reads NAME, whose rows belong to an occupation by their column `code`: the rows of each code, in file order. */
export function readByCode<Column extends string>(
  folder: string,
  name: string,
  known: ReadonlyMap<string, string>,
  columns: readonly Column[],
) {
  const byCode = new Map<string, Row<Column | 'code'>[]>();
  for (const row of readTable(folder, name, ['code', ...columns])) {
    if (!known.has(row.code)) throw new Error(`${name}: ${row.code} is not in occupations.tsv`);
    const rows = byCode.get(row.code);
    if (rows) rows.push(row);
    else byCode.set(row.code, [row]);
  }
  return byCode;
}
