import { fill } from '../kernel/document.ts';
import { toPlainSchema } from '../kernel/json-schema.ts';
import { hasBody, type Operation } from '../kernel/operation.ts';
import { previewWithFiles } from '../kernel/service.ts';
import { formatDuration } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import type { Kind } from '../records/kind/kind.ts';
import { formatEntry, listOwnLines, type Repeats } from './api-entries.ts';
import { formatMember, usualText } from './api-lines.ts';
import { groupByTag } from './api-tags.ts';
import { describeCeilings } from './llms.ts';
import { tagTexts } from './openapi.ts';
import { tidy } from './openapi-schemas.ts';
import type { DocumentService } from './service.ts';

/** Lists the members of a record that a caller can read but not send. */
function listReadMembers({ record, body, lifecycle }: Kind): string[] {
  const schema = tidy(toPlainSchema(record));
  const sent = ['status', ...Object.keys({ ...body.entries, ...lifecycle.details?.entries })];
  const read = Object.entries(schema.properties ?? {}).filter(([member]) => !sent.includes(member));
  return read.map(([member, memberSchema]) => formatMember(member, memberSchema, schema));
}

const toBullets = (lines: Iterable<string>) => [...lines].map((line) => `- ${line}`).join('\n');

/** Formats a section, or returns '' if it has no lines. */
function formatSection(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n## ${title}\n\n${toBullets(lines)}\n`;
}

interface TakenLine {
  name: string;
  line: string;
  row: Operation;
}

const listTaken = (rows: readonly Operation[]): TakenLine[] =>
  rows.flatMap((row) => listOwnLines(row).map(([name, line]) => ({ name, line, row })));

/**
 * Splits the lines that several operations have. A line is `common` if at least `least` have it, and no other repeated
 * line has its name as often. The others belong to one operation, that of a list if there is one.
 */
function splitRepeats(rows: readonly Operation[], least: number) {
  const byLine = [...Map.groupBy(listTaken(rows), ({ line }) => line).values()];
  const repeated = byLine.filter(({ length }) => length > 1);
  const common: string[] = [];
  const owners = new Map<string, Operation>();
  for (const lines of Map.groupBy(repeated, ([first]) => first!.name).values()) {
    const [most, second, ...rest] = lines.sort((a, b) => b.length - a.length);
    const isCommon = most!.length >= least && most!.length > (second?.length ?? 0);
    if (isCommon) common.push(most![0]!.line);
    for (const uses of [...(isCommon ? [] : [most!]), ...(second ? [second] : []), ...rest]) {
      const ofList = uses.find(({ row }) => kinds.some(({ path }) => path === row.path));
      owners.set(uses[0]!.line, (ofList ?? uses[0]!).row);
    }
  }
  return { common, owners };
}

/** Formats the sections of what these operations share, and then their entries below a heading for each tag. */
function formatOperations(rows: readonly Operation[], service: DocumentService) {
  // A list and the matches of its kind share their filters, so two operations are one list.
  const filters = splitRepeats(
    rows.filter(({ method }) => !hasBody(method)),
    3,
  );
  const members = splitRepeats(
    rows.filter(({ method }) => hasBody(method)),
    2,
  );
  const repeats: Repeats = {
    common: new Set([...filters.common, ...members.common]),
    owners: new Map([...filters.owners, ...members.owners]),
    objects: new Set(),
  };
  const entries = [...Map.groupBy(rows, ({ contract }) => contract.tag)].map(
    ([tag, own]) => [tag, own.map((row) => formatEntry(row, service, repeats)).join('\n')] as const,
  );
  const shared =
    formatSection('Filters of several lists', filters.common) +
    formatSection('Members of several bodies', members.common);
  return { shared, entries: new Map(entries) };
}

/** Tags whose operations the whole reference lists by address alone. */
const briefly = ['discovery', 'tools'];

/** Writes the whole API as Markdown, short enough for a context window, from the table of operations. */
export function writeApiReference(service: DocumentService): string {
  const { catalogue, settings } = service;
  const groups = [...groupByTag(service)];
  const rows = groups.flatMap(([tag, own]) => (briefly.includes(tag) ? [] : own));
  const documents = groups.flatMap(([tag, own]) => (briefly.includes(tag) ? own : []));
  const { shared, entries } = formatOperations(rows, service);
  const all = kinds.map(listReadMembers);
  const common = all[0]!.filter((member) => all.every((members) => members.includes(member)));
  const listOwnMembers = (kind: Kind, index: number) => {
    const own = all[index]!.filter((member) => !common.includes(member));
    return own.length > 0 ? [`${kind.name}: ${own.join(', ')}`] : [];
  };
  return fill(service, 'api', {
    ...{ ...catalogue.service, ...settings, usualText, shared },
    preview: settings.live ? '' : `\n${previewWithFiles}\n`,
    life: formatDuration(settings.retentionSeconds),
    ceilings: describeCeilings(service),
    parts: [...groupByTag(service).keys()].join(', '),
    common: common.join(', '),
    ofKinds: toBullets(kinds.flatMap(listOwnMembers)),
    operations: [...entries].map(([tag, text]) => `\n## ${tag}\n\n${text}`).join('\n'),
    documents: documents.map(({ method, path }) => `${method} ${path}`).join(', '),
  });
}

/** Writes one part of the reference, which can be read alone. Returns undefined if there is no part for the tag. */
export function writeApiPart(service: DocumentService, tag: string): string | undefined {
  const rows = groupByTag(service).get(tag);
  if (!rows) return undefined;
  const { shared, entries } = formatOperations(rows, service);
  const kind = kinds.find(({ collection }) => collection === tag);
  const read = kind
    ? [`Beside \`status\` and what it was sent with: ${listReadMembers(kind).join(', ')}`]
    : [];
  return fill(service, 'api-part', {
    ...{ ...service.catalogue.service, ...service.settings, usualText, shared, tag },
    about: tagTexts[tag],
    preview: service.settings.live ? '' : `\n${previewWithFiles}\n`,
    life: formatDuration(service.settings.retentionSeconds),
    record: formatSection('The record, as it is read', read),
    operations: entries.get(tag),
  });
}
