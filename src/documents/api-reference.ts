import { fill } from '../kernel/document.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import { hasBody, type Operation } from '../kernel/operation.ts';
import { preview, type Service } from '../kernel/service.ts';
import { formatDuration } from '../kernel/text.ts';
import type { Kind } from '../records/kind.ts';
import { kinds } from '../records/kinds.ts';
import { describeCeilings } from './llms.ts';
import { tagTexts } from './openapi.ts';
import { collectReplies } from './openapi-operation.ts';
import { tidy, toContractSchema } from './openapi-schemas.ts';

/** Bounds as `1 to 80`, `<=50`, `>=1` or `>0`, without those that no caller meets. */
function formatBounds(least: unknown, most: unknown, above?: unknown): string {
  const isMet = (bound: unknown): bound is number => typeof bound === 'number' && Math.abs(bound) < 2 ** 40;
  if (isMet(least) && isMet(most)) return ` ${least} to ${most}`;
  const from = isMet(above) ? ` >${above}` : isMet(least) && least > 0 ? ` >=${least}` : '';
  return isMet(most) ? `${from} <=${most}` : from;
}

const usualText = 200;
/** Members of an object that are listed where it is named; a longer one is described in words. */
const mostListed = 10;

const formatMemberName = (name: string, { required = [] }: JsonSchema) =>
  required.includes(name) ? name : `${name}?`;

/** A schema in a few characters, such as `text 1 to 80`, `open|filled` or `{id, title?}`; nothing for usual text. */
function formatType(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const words = schema.enum ?? schema.anyOf?.find((form) => form.enum)?.enum;
  if (words) return words.join('|');
  const type = [schema.type ?? 'any'].flat().find((one) => one !== 'null')!;
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

function formatMember(name: string, one: JsonSchema, owner: JsonSchema): string {
  const type = name === 'links' || one.$ref || one.items?.$ref ? '' : formatType(one);
  return formatMemberName(name, owner) + (/[{|]/.test(type) ? `: ${type}` : '');
}

type Line = readonly [name: string, line: string];

/** A line for each member: its name, what it must be, and what it is, but for what `told` or its type says already. */
const listMemberLines = (schema: JsonSchema, told = ''): Line[] =>
  Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const about = (one.description ?? '').replace(/,? YYYY-MM-DD \(UTC\)/, '');
    const most = Number(one.maxLength ?? one.maximum).toLocaleString('en');
    const values = formatType(one).replace(/^\[?(object|\{.*\})\]?$/, '');
    const isSaid = values.split('|').every((value) => about.includes(value));
    const type = isSaid || (about.includes(most) && one.format !== 'date') ? '' : values;
    const isTold = told.includes(about.slice(about.indexOf(': ') + 2));
    return [name, `${formatMemberName(name, schema)}${type && ` (${type})`}${isTold ? '' : `: ${about}`}`];
  });

/** The kind that a change is of: its members are listed once, under the create. */
const findChangedKind = ({ path, method }: Operation) =>
  method === 'PATCH' ? kinds.find((kind) => path.startsWith(kind.path)) : undefined;

const paging = ['limit', 'cursor'];

/** In every such reply, and so said once. */
const usualReply = ['type', 'warnings', 'total', 'nextCursor', 'retention'];

/** What the OK of an operation holds, as a caller reads it; the members of an object are listed at its first place. */
function describeReply(row: Operation, service: Service, listed: Set<string>): string {
  const replies = collectReplies(row, service);
  const [status, { schema }] = Object.entries(replies).find(([one]) => one.startsWith('2')) ?? ['402', {}];
  const whole = schema && toContractSchema(schema);
  const ok = whole?.anyOf?.find(({ properties }) => properties?.type?.const === 'OK') ?? whole;
  const members = Object.entries(ok?.properties ?? {}).flatMap(([name, one]) => {
    const isUsual =
      usualReply.includes(name) || (status === '201' && row.access.workspace && name === 'workspace');
    if (isUsual) return [];
    const text = formatMember(name, one, ok!);
    if (listed.has(text)) return [formatMemberName(name, ok!)];
    listed.add(text);
    return [text];
  });
  const refusals = Object.keys(replies).filter((one) => Number(one) > 401 && one !== status);
  const text = members.join(', ') || (ok ? formatType(ok) : '');
  return `${[status, text].filter(Boolean).join(' ')}. ${refusals.join(' ')}`.trim();
}

/** What is sent beside the address, made-up ids and secrets cut short; undefined where the lines of members say it all. */
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

/** What an operation does, in the fewer words of the two that its row has; nothing where its name says it. */
function pickDescription({ method, path, contract, tool }: Operation): string {
  const { description } = contract;
  const isPlain = kinds.some((kind) => path === kind.path || path === `${kind.path}/{id}`);
  if (isPlain && method !== 'PATCH') return '';
  return tool && tool.description.length < description.length ? tool.description : description;
}

/** What an operation takes; a change is of the members that its create has. */
function listOwnLines(row: Operation): Line[] {
  const changed = findChangedKind(row);
  const known = changed ? Object.keys(changed.body.entries) : [];
  return listMemberLines(toContractSchema(row.input), pickDescription(row)).filter(
    ([name]) => !known.includes(name),
  );
}

function formatEntry(
  row: Operation,
  service: Service,
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

/** What a record is read with, beside what it is created or changed with. */
function listReadMembers({ record, body, moving }: Kind): string[] {
  const schema = tidy(toPlainSchema(record));
  const sent = ['status', ...Object.keys({ ...body.entries, ...moving?.entries })];
  const read = Object.entries(schema.properties ?? {}).filter(([member]) => !sent.includes(member));
  return read.map(([member, one]) => formatMember(member, one, schema));
}

const toBullets = (lines: Iterable<string>) => [...lines].map((line) => `- ${line}`).join('\n');

/** The whole of the API in Markdown that fits a context window, read from the table. */
export function writeApiReference(service: Service): string {
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
