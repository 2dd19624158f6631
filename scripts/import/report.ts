/** What the reply says of a column or member in some rows. */
interface Note {
  member: string;
  why: string;
  rows: number[];
  more?: number;
}

/** The reply of POST /imports, as far as it is shown. */
export interface ImportReply {
  records: Record<string, Record<string, unknown>[]>;
  mapping: { from: string; to: string }[];
  /** The code of each row. `id` is the record that the row changes. */
  codes: { at: string; title: string | null; onetCode: string | null; certainty: string; id?: string }[];
  problems: Note[];
  notTaken: Note[];
  warnings?: { path: string; message: string }[];
  statement: string;
  workspace?: string;
  retention?: { statement: string };
}

/** Text of a file could hold codes that a terminal obeys. */
const clean = (text: string) => text.replace(/\p{Cc}/gu, ' ');

function formatPart(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${clean(line)}`)];
}

function formatNote({ member, why, rows, more }: Note): string {
  const named = rows.length > 0 ? ` (${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}` : '';
  const others = more === undefined ? '' : ` and ${more} more`;
  return `${member} ${why}${named}${named && `${others})`}`;
}

function formatRecord(record: Record<string, unknown>): string {
  const { id, name, client, title, onetCode, metro } = record;
  return [id, name ?? client, title, onetCode, metro].filter((value) => value !== undefined).join(' · ');
}

/** Formats a change: the record that was changed, or which record would be, with what differs. */
function formatChange(change: Record<string, unknown>): string {
  const changed = change.candidate ?? change.jobOrder;
  if (changed !== undefined) return formatRecord(changed as Record<string, unknown>);
  const { id, revision: _, ...members } = change;
  const differing = Object.entries(members).map(([name, value]) => `${name} ${[value].flat().join(', ')}`);
  return [id, ...differing].join(' · ');
}

/** Formats what became of a file, for a terminal. `title` is its first line. */
export function formatReport(title: string, reply: ImportReply, isWritten: boolean): string {
  const { records, mapping, codes, problems, notTaken, warnings = [], statement } = reply;
  const { changes = [], ...created } = records;
  const rows = Object.values(created).flat();
  // If rows were left out, the places in a reply are not those of the file, so no row is named.
  const added = codes.filter(({ id }) => id === undefined);
  const coded = added.length === rows.length ? added : [];
  const formatRow = (record: Record<string, unknown>, index: number): string => {
    const { at, certainty } = coded[index] ?? {};
    return at === undefined ? formatRecord(record) : `${at}: ${formatRecord(record)} (${certainty})`;
  };
  return [
    title,
    ...formatPart(
      'What became what',
      mapping.map(({ from, to }) => `${from} -> ${to}`),
    ),
    ...formatPart(isWritten ? 'Created' : 'Would be created', rows.map(formatRow)),
    ...formatPart(isWritten ? 'Changed' : 'Would be changed', changes.map(formatChange)),
    ...formatPart('Problems', problems.map(formatNote)),
    ...formatPart(
      'Look at',
      warnings.map(({ path, message }) => `${path} ${message}`),
    ),
    ...formatPart('Not taken', notTaken.map(formatNote)),
    ...formatPart('Where it goes', [
      statement,
      ...(reply.workspace === undefined ? [] : [`Workspace: ${reply.workspace}`]),
      ...(reply.retention ? [reply.retention.statement] : []),
    ]),
  ].join('\n');
}
