import { hasBody, type Operation } from '../kernel/operation.ts';
import { kinds } from '../kinds.ts';
import { formatMember, formatMemberName, formatType, type Line, listMemberLines } from './api-lines.ts';
import { collectReplies } from './openapi-operation.ts';
import { toContractSchema } from './openapi-schemas.ts';
import type { DocumentService } from './service.ts';

/** Returns the kind that a PATCH changes. The members of a kind are listed only once, under its create. */
const findChangedKind = ({ path, method }: Operation) =>
  method === 'PATCH' ? kinds.find((kind) => path.startsWith(kind.path)) : undefined;

/** Members of most lists. An entry does not name them if they are as usual. */
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

/** The most characters of an example. */
const longestExample = 250;

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
    ? (method !== 'PATCH' && names.length < 2) || body.length > longestExample
    : names.every((name) => /^(kind|status|limit)$/.test(name));
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
export function listOwnLines(row: Operation): Line[] {
  const changed = findChangedKind(row);
  const known = changed ? Object.keys(changed.body.entries) : [];
  return listMemberLines(toContractSchema(row.input), pickDescription(row)).filter(
    ([name]) => !known.includes(name),
  );
}

/** Which lines several operations share, and which objects the text has shown already. */
export interface Repeats {
  /** Lines that have a section of their own. */
  common: ReadonlySet<string>;
  /** The operation that has a line, if others that take the same refer to it. */
  owners: ReadonlyMap<string, Operation>;
  /** The objects in replies that were shown with their members. */
  objects: Set<string>;
}

/** Names the members that an operation shares with others: in a common section, or as another operation takes them. */
function listShared(row: Operation, { common, owners }: Repeats): string[] {
  const lines = listOwnLines(row);
  const changed = findChangedKind(row);
  const named = lines.flatMap(([name, line]) => (common.has(line) && !paging.includes(name) ? [name] : []));
  const first = [...(changed ? [`any member of POST ${changed.path}`] : []), ...named].join(', ');
  const borrowed = lines.filter(([, line]) => owners.has(line) && owners.get(line) !== row);
  const groups = Map.groupBy(borrowed, ([, line]) => owners.get(line)!);
  const others = [...groups].map(
    ([owner, own]) => `as ${owner.method} ${owner.path}: ${own.map(([name]) => name).join(', ')}`,
  );
  return [first, ...others].filter(Boolean);
}

/** Formats the entry of an operation: its address, what it takes, what it replies, and an example. */
export function formatEntry(row: Operation, service: DocumentService, repeats: Repeats): string {
  const { common, owners, objects } = repeats;
  const own = listOwnLines(row).filter(([, line]) => !common.has(line) && (owners.get(line) ?? row) === row);
  const mark = row.access.workspace === 'required' ? '*' : '';
  const example = formatExample(row);
  const bullets = [
    ...listShared(row, repeats),
    ...own.map(([, line]) => line),
    describeReply(row, service, objects),
    ...(example ? [example] : []),
  ];
  return [
    `### ${row.method} ${row.path}`,
    `${row.operationId}${mark}. ${pickDescription(row)}`.trim(),
    ...bullets.map((text) => `- ${text}`),
  ].join('\n');
}
