import { fill } from '../kernel/document.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import { hasBody, type Operation } from '../kernel/operation.ts';
import { preview } from '../kernel/service.ts';
import { formatDuration } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import type { Kind } from '../records/kind.ts';
import { describeCeilings } from './llms.ts';
import { tagTexts } from './openapi.ts';
import { collectReplies } from './openapi-operation.ts';
import { tidy, toContractSchema } from './openapi-schemas.ts';
import type { DocumentService } from './service.ts';

/** Formats bounds as `1 to 80`, `<=50`, `>=1` or `>0`. Leaves out bounds so large that no caller reaches them. */
function formatBounds(least: unknown, most: unknown, above?: unknown): string {
  const isMet = (bound: unknown): bound is number => typeof bound === 'number' && Math.abs(bound) < 2 ** 40;
  if (isMet(least) && isMet(most)) return ` ${least} to ${most}`;
  const from = isMet(above) ? ` >${above}` : isMet(least) && least > 0 ? ` >=${least}` : '';
  return isMet(most) ? `${from} <=${most}` : from;
}

const usualText = 200;
/** An object with at most this many members is shown with all of them. */
const mostListed = 10;

const formatMemberName = (name: string, { required = [] }: JsonSchema) =>
  required.includes(name) ? name : `${name}?`;

/** Formats a schema in short: `text 1 to 80`, `open|filled` or `{id, title?}`. Returns '' for text of usual length. */
function formatType(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const words = schema.enum ?? schema.anyOf?.find((form) => form.enum)?.enum;
  if (words) return words.join('|');
  const type = [schema.type ?? 'any'].flat().find((name) => name !== 'null')!;
  if (type === 'array') return `[${formatType(schema.items ?? {}) || 'text'}]`;
  if (type === 'string') {
    if (schema.format === 'date') return 'day';
    return (schema.maxLength ?? usualText) === usualText
      ? ''
      : `text${formatBounds(schema.minLength, schema.maxLength)}`;
  }
  if (type !== 'object') return type + formatBounds(schema.minimum, schema.maximum, schema.exclusiveMinimum);
  const members = Object.keys(schema.properties ?? {}).map((name) => formatMemberName(name, schema));
  return members.length > 0 && members.length <= mostListed ? `{${members.join(', ')}}` : type;
}

function formatMember(name: string, schema: JsonSchema, owner: JsonSchema): string {
  const type = name === 'links' || schema.$ref || schema.items?.$ref ? '' : formatType(schema);
  return formatMemberName(name, owner) + (/[{|]/.test(type) ? `: ${type}` : '');
}

type Line = readonly [name: string, line: string];

/** Returns a line for each member: its name, type and description, without what `description` already says. */
const listMemberLines = (schema: JsonSchema, description = ''): Line[] =>
  Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const text = (one.description ?? '').replace(/,? YYYY-MM-DD \(UTC\)/, '');
    const most = Number(one.maxLength ?? one.maximum).toLocaleString('en');
    const values = formatType(one).replace(/^\[?(object|\{.*\})\]?$/, '');
    const hasAllValues = values.split('|').every((value) => text.includes(value));
    const type = hasAllValues || (text.includes(most) && one.format !== 'date') ? '' : values;
    const isRepeated = description.includes(text.slice(text.indexOf(': ') + 2));
    return [name, `${formatMemberName(name, schema)}${type && ` (${type})`}${isRepeated ? '' : `: ${text}`}`];
  });

/** Returns the kind that a PATCH changes. The members of a kind are listed only once, under its create. */
const findChangedKind = ({ path, method }: Operation) =>
  method === 'PATCH' ? kinds.find((kind) => path.startsWith(kind.path)) : undefined;

const paging = ['limit', 'cursor'];

/** Members that many replies have. The reference describes them only once. */
const usualReply = ['type', 'warnings', 'total', 'nextCursor', 'retention'];

/** Describes the OK reply of an operation and its refusals. The members of an object are shown the first time only. */
function describeReply(row: Operation, service: DocumentService, listed: Set<string>): string {
  const replies = collectReplies(row, service);
  const codes = Object.keys(replies).filter((code) => code.startsWith('2'));
  // The last success shows the most members: the 201 of a batch has those of its 200.
  const status = codes.at(-1) ?? '402';
  const { schema } = (codes.length > 0 && replies[Number(status)]) || {};
  const whole = schema && toContractSchema(schema);
  const okSchema = whole?.anyOf?.find(({ properties }) => properties?.type?.const === 'OK') ?? whole;
  const members = Object.entries(okSchema?.properties ?? {}).flatMap(([name, member]) => {
    const isUsual =
      usualReply.includes(name) || (status === '201' && row.access.workspace && name === 'workspace');
    if (isUsual) return [];
    const text = formatMember(name, member, okSchema!);
    if (listed.has(text)) return [formatMemberName(name, okSchema!)];
    listed.add(text);
    return [text];
  });
  const refusals = Object.keys(replies).filter((code) => Number(code) > 401 && code !== status);
  const text = members.join(', ') || (okSchema ? formatType(okSchema) : '');
  return `${[codes.join(' or ') || status, text].filter(Boolean).join(' ')}. ${refusals.join(' ')}`.trim();
}

/**
 * Formats an example of the header and the query or body, with made-up ids and secrets shortened.
 * Returns undefined if the lines of the members are enough.
 */
function formatExample({ method, contract, access }: Operation): string | undefined {
  const { sample = {} } = contract;
  const { capability } = access;
  const { id: _, ...args } = sample;
  const body = JSON.stringify(args);
  const names = Object.keys(args);
  const isPlain = hasBody(method)
    ? method === 'PATCH' || names.length < 2 || /[:[]{/.test(body)
    : names.every((name) => /^(status|limit)$/.test(name));
  if (isPlain && !capability) return undefined;
  const header = capability && `${capability.header}: ${capability.prefix}…`;
  const query = names.length > 0 && `?${new URLSearchParams(args as Record<string, string>)}`;
  const parts = [header, hasBody(method) ? body : query].filter(Boolean);
  return parts
    .map((part) => `\`${part}\``)
    .join(' ')
    .replace(/(0|A)\1{7,}/g, '…');
}

/** Returns the shorter of an operation's two descriptions, or '' if the name is enough. */
function pickDescription({ method, path, contract, tool }: Operation): string {
  const { description } = contract;
  const isPlain = kinds.some((kind) => path === kind.path || path === `${kind.path}/{id}`);
  if (isPlain && method !== 'PATCH') return '';
  return tool && tool.description.length < description.length ? tool.description : description;
}

/** Lists the members that an operation takes. A change omits the members that it shares with the create. */
function listOwnLines(row: Operation): Line[] {
  const changed = findChangedKind(row);
  const known = changed ? Object.keys(changed.body.entries) : [];
  return listMemberLines(toContractSchema(row.input), pickDescription(row)).filter(
    ([name]) => !known.includes(name),
  );
}

function formatEntry(
  row: Operation,
  service: DocumentService,
  known: ReadonlySet<string>,
  listed: Set<string>,
): string {
  const changed = findChangedKind(row);
  const lines = listOwnLines(row);
  const shared = lines.flatMap(([name, line]) => (known.has(line) && !paging.includes(name) ? [name] : []));
  const takes = [...(changed ? [`any member of POST ${changed.path}`] : []), ...shared].join(', ');
  const mark = row.access.workspace === 'required' ? '*' : '';
  const example = formatExample(row);
  return [
    `### ${row.method} ${row.path}`,
    `${row.operationId}${mark}. ${pickDescription(row)}`.trim(),
    ...(takes ? [`- ${takes}`] : []),
    ...lines.flatMap(([, line]) => (known.has(line) ? [] : [`- ${line}`])),
    `- ${describeReply(row, service, listed)}`,
    ...(example ? [`- ${example}`] : []),
  ].join('\n');
}

function findRepeats(places: readonly string[][]): Set<string> {
  const groups = Map.groupBy(places.flat(), (one) => one);
  return new Set([...groups].flatMap(([one, { length }]) => (length > 1 ? [one] : [])));
}

/** Lists the members of a record that a caller can read but not send. */
function listReadMembers({ record, body, lifecycle }: Kind): string[] {
  const schema = tidy(toPlainSchema(record));
  const sent = ['status', ...Object.keys({ ...body.entries, ...lifecycle.details?.entries })];
  const read = Object.entries(schema.properties ?? {}).filter(([member]) => !sent.includes(member));
  return read.map(([member, memberSchema]) => formatMember(member, memberSchema, schema));
}

const toBullets = (lines: Iterable<string>) => [...lines].map((line) => `- ${line}`).join('\n');

/** Writes the whole API as Markdown, short enough for a context window, from the table of operations. */
export function writeApiReference(service: DocumentService): string {
  const { catalogue, settings, operations } = service;
  const listed = operations.filter((row) => row.listed);
  const rows = listed.filter(({ contract: { tag } }) => tag !== 'discovery' && tag !== 'tools');
  const listInputs = (isBody: boolean) =>
    rows.flatMap((row) =>
      hasBody(row.method) === isBody ? [listOwnLines(row).map(([, line]) => line)] : [],
    );
  const [filters, members] = [findRepeats(listInputs(false)), findRepeats(listInputs(true))];
  const known = new Set([...filters, ...members]);
  const common = findRepeats(kinds.map(listReadMembers));
  const listOwnMembers = (kind: Kind) => {
    const own = listReadMembers(kind).filter((member) => !common.has(member));
    return own.length > 0 ? [`${kind.name}: ${own.join(', ')}`] : [];
  };
  const objects = new Set<string>();
  const formatEntries = (tag: string) =>
    rows
      .flatMap((row) => (row.contract.tag === tag ? [formatEntry(row, service, known, objects)] : []))
      .join('\n');
  const tags = Object.keys(tagTexts).filter((tag) => rows.some((row) => row.contract.tag === tag));
  return fill(service, 'api', {
    ...{ ...catalogue.service, ...settings, usualText },
    preview: settings.live ? '' : `\n${preview}\n`,
    life: formatDuration(settings.retentionSeconds),
    ceilings: describeCeilings(service),
    filters: toBullets(filters),
    members: toBullets(members),
    common: [...common].join(', '),
    ofKinds: toBullets(kinds.flatMap(listOwnMembers)),
    operations: tags.map((tag) => `\n## ${tag}\n\n${formatEntries(tag)}`).join('\n'),
    documents: listed.flatMap((row) => (rows.includes(row) ? [] : [`${row.method} ${row.path}`])).join(', '),
  });
}
