import { type Finding, mostPlaces, pickWarnings } from '../kernel/envelope.ts';
import type { RowFinding } from './draft-rows.ts';
import type { FileRow } from './import-file.ts';
import { presentRows } from './notes.ts';

const mostNamed = 5;

const describeMore = (rows: readonly FileRow[]): string => {
  const named = [...new Set(rows.map(({ at }) => at))];
  const more = named.length > mostNamed ? ', …' : '';
  return ` (and in ${named.length} more: ${named.slice(0, mostNamed).join(', ')}${more})`;
};

/**
 * Returns the warnings of a file. Those of one code and member are one, at the place of the first. What strict handling
 * refuses comes before advice.
 */
export function groupFindings(findings: readonly RowFinding[], locate: (row: FileRow) => string) {
  const groups = Map.groupBy(findings, ({ code, path }) => `${code} ${path.split('[')[0]}`);
  const grouped = [...groups.values()].map((group): Finding => {
    const [{ row, ...first }, ...others] = group as [RowFinding, ...RowFinding[]];
    const more = others.filter((other) => other.row !== row).map((other) => other.row);
    const [warning] = pickWarnings([first]);
    const message = warning!.message + (more.length > 0 ? describeMore(more) : '');
    const rows = presentRows(group.map((one) => one.row.number));
    return { ...warning!, path: `${locate(row)}.${first.path}`, message, ...rows };
  });
  const ordered = grouped.toSorted(
    (one, other) => Number(one.advice ?? false) - Number(other.advice ?? false),
  );
  return pickWarnings(ordered.slice(0, mostPlaces));
}
