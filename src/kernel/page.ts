import * as v from 'valibot';
import type { Call } from './call.ts';
import { type Issue, okSchema } from './envelope.ts';
import { Json } from './json.ts';
import type { OperationReply } from './operation.ts';
import { runAtOnce, type Steps } from './steps.ts';
import { maxCharacters, may, mayNamed, NonNegativeInteger, say, trimmed, upTo, wholeSchema } from './text.ts';

/** A row and its position in its collection. Positions ascend, and a row keeps its position. */
export interface PageEntry<T> {
  row: Json<T>;
  position: number;
}

export interface Page<T> {
  entries: PageEntry<T>[];
  total: number;
  nextCursor: string | undefined;
}

/** The default number of rows on a page, the default of a tool (a model reads all of them), and the maximum. */
export const defaultLimit = 50;
export const toolLimit = 20;
export const maxLimit = 200;
/** Bytes of rows after which a page ends early. A single row may be larger. */
const mostPageBytes = 262_144;
const longestCursor = 200;

export const nextCursor = may(
  v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]+$/), v.maxLength(longestCursor)),
  'Send it as `cursor` for the next page. A page of large rows can end before its limit.',
);

export const total = say(NonNegativeInteger, 'How many match, over all pages.');

/* @__NO_SIDE_EFFECTS__ */
export function pageSchema<T extends v.GenericSchema>(member: string, row: T) {
  return okSchema({
    [member]: upTo(maxLimit, row, 'The rows of this page, in order.'),
    total,
    nextCursor,
  });
}

function encodeCursor(collection: string, position: number): string {
  return btoa(`${collection}:${position}`).replaceAll('=', '');
}

/** Returns the position in a cursor of this collection, or undefined for any other text. */
export function decodeCursor(collection: string, cursor: string): number | undefined {
  try {
    const [name, position = '', ...rest] = atob(cursor).split(':');
    const isPosition = name === collection && rest.length === 0 && /^(0|-?[1-9]\d{0,14})$/.test(position);
    return isPosition ? Number(position) : undefined;
  } catch {
    return undefined;
  }
}

export function checkCursor(collection: string, cursor: unknown): Issue[] {
  if (typeof cursor !== 'string' || cursor.length > longestCursor) return [];
  if (decodeCursor(collection, cursor) !== undefined) return [];
  const message = 'is not a cursor of this collection; send nextCursor unchanged, or none';
  return [{ path: 'cursor', message }];
}

/** The page after `cursor`. A cursor holds a position, so rows that are added in front neither repeat nor hide rows. */
export function pickPage<T>(
  collection: string,
  rows: PageEntry<T>[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Page<T> {
  const after = cursor === undefined ? undefined : (decodeCursor(collection, cursor) ?? 0);
  const rest = after === undefined ? rows : rows.filter(({ position }) => position > after);
  return cutPage(collection, rest, { limit, total: rows.length });
}

/** How a page is cut: at a number of rows, or at a number of bytes. */
interface PageCut {
  limit: number;
  /** How many rows match, over all pages. */
  total: number;
  mostBytes?: number;
}

/** The page that begins with the first of `rows`. They must include one more than the page if there are more. */
export const cutPage = <T>(collection: string, rows: PageEntry<T>[], cut: PageCut): Page<T> =>
  runAtOnce(cutPageInSteps(collection, rows, cut));

/** Cuts a page as `cutPage` does. Each step makes the JSON of one row. */
export function* cutPageInSteps<T>(
  collection: string,
  rows: PageEntry<T>[],
  { limit, total, mostBytes = mostPageBytes }: PageCut,
): Steps<Page<T>> {
  let [bytes, count] = [0, 0];
  for (; count < rows.length && count < limit; count += 1) {
    bytes += rows[count]!.row.bytes;
    if (bytes > mostBytes && count > 0) break;
    yield;
  }
  const hasMore = count > 0 && count < rows.length;
  const nextCursor = hasMore ? encodeCursor(collection, rows[count - 1]!.position) : undefined;
  return { entries: count === rows.length ? rows : rows.slice(0, count), total, nextCursor };
}

/** Joins texts with commas. `join` would copy them now; a sum is copied once, when it is sent. */
const joinRows = (texts: readonly string[]) => texts.reduce((sum, text) => `${sum},${text}`);

/**
 * The OK envelope of a page under its member name, after `lead`. Rows that are already JSON are not serialised again.
 */
export function createPageBody<T>(
  member: string,
  { entries, total, nextCursor }: Page<T>,
  lead: object,
): Json<object> {
  const head = `${JSON.stringify({ type: 'OK', ...lead }).slice(0, -1)},"${member}":[`;
  const next = nextCursor === undefined ? '' : `,"nextCursor":"${nextCursor}"`;
  const tail = `],"total":${total}${next}}`;
  return new Json<object>({
    value: () => ({
      type: 'OK',
      ...lead,
      [member]: entries.map(({ row }) => row.value),
      total,
      ...(next && { nextCursor }),
    }),
    text: () => head + joinRows(entries.map(({ row }) => row.text)) + tail,
  });
}

/** A text that filters. White space around it does not count. */
export const filterSchema = (title: string, words: string) =>
  mayNamed(v.pipe(v.string('must be a string'), trimmed(), maxCharacters(200)), title, words);

/**
 * A filter that takes several values with commas between, as `example` has them. Over MCP it also takes an array of
 * them.
 */
export function commaFilterSchema(title: string, words: string, example: string) {
  const schema = filterSchema(title, words);
  Object.assign(schema.wrapped, { takesCommas: example });
  return schema;
}

interface LimitRule {
  /** The default over HTTP. */
  usual: number;
  /** The default as a tool, if it is another. */
  tool?: number;
  most?: number;
  /** What is counted, before the range. */
  words?: string;
}

/** `limit` of a list. The contract says its default over HTTP, and the schema of a tool that of the tool. */
export function limitSchema({ usual, tool = usual, most = maxLimit, words = '' }: LimitRule) {
  const describe = (count: number) => `${words}1 to ${most}; ${count} unless said.`;
  const schema = wholeSchema(1, most, 'Limit', describe(usual));
  return v.optional(Object.assign(schema, { ofTool: { usual: tool, description: describe(tool) } }));
}

/** `limit` and `cursor` of a list. */
export const definePaging = (rule: LimitRule) => ({
  limit: limitSchema(rule),
  cursor: filterSchema('Cursor', 'A nextCursor.'),
});

export const paging = definePaging({ usual: defaultLimit, tool: toolLimit });

/** The address of the next page: the same query with the new cursor, at `path` or its public copy `path.json`. */
function formatNextHref(path: string, input: object, cursor: string, call?: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...input, cursor })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${path}${call?.path.endsWith('.json') ? '.json' : ''}?${query}`;
}

export interface ListTexts {
  path: string;
  /** The member of the envelope that holds the rows. */
  member: string;
  /** Returns the message of an empty list. */
  explainNone(): string;
}

/** The reply of a list: a page with a Link to the next and `lead` before its rows, or EMPTY if it has no row. */
export function createListReply<T>(
  { path, member, explainNone }: ListTexts,
  page: Page<T>,
  input: object,
  { call, lead = {} }: { call?: Call | undefined; lead?: object } = {},
): OperationReply {
  const { entries, total, nextCursor } = page;
  if (entries.length === 0) {
    const pastEnd = `There is no row behind this cursor; all ${total} came before it. Leave cursor out to start again.`;
    return { status: 200, body: { type: 'EMPTY', message: total > 0 ? pastEnd : explainNone(), total } };
  }
  const reply = { status: 200, body: createPageBody(member, page, lead) };
  if (nextCursor === undefined) return reply;
  return { ...reply, headers: { Link: `<${formatNextHref(path, input, nextCursor, call)}>; rel="next"` } };
}
