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
  codes: { at: string; title: string | null; onetCode: string | null; certainty: string }[];
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

/** Formats what became of a file, for a terminal. `title` is its first line. */
export function formatReport(title: string, reply: ImportReply): string {
  const { records, mapping, codes, problems, notTaken, warnings = [], statement } = reply;
  const { changes = [], ...created } = records;
  const rows = Object.values(created).flat();
  const isWritten = reply.workspace !== undefined;
  const unsure = (index: number) => (codes[index] ? ` (${codes[index].certainty})` : '');
  return [
    title,
    ...formatPart(
      'What became what',
      mapping.map(({ from, to }) => `${from} -> ${to}`),
    ),
    ...formatPart(
      isWritten ? 'Created' : 'Would be created',
      rows.map((record, index) => `${codes[index]?.at ?? ''}: ${formatRecord(record)}${unsure(index)}`),
    ),
    ...formatPart(
      isWritten ? 'Changed' : 'Would be changed',
      changes.map((change) => formatRecord((Object.values(change)[0] ?? change) as Record<string, unknown>)),
    ),
    ...formatPart('Problems', problems.map(formatNote)),
    ...formatPart(
      'Look at',
      warnings.map(({ path, message }) => `${path} ${message}`),
    ),
    ...formatPart('Not taken', notTaken.map(formatNote)),
    ...formatPart('Where it goes', [
      statement,
      ...(isWritten ? [`Workspace: ${reply.workspace}`] : []),
      ...(reply.retention ? [reply.retention.statement] : []),
    ]),
  ].join('\n');
}
