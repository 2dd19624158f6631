import * as v from 'valibot';
import { cutExcerpt, type Finding, type Issue, mostPlaces } from './envelope.ts';
import { isObject } from './json.ts';
import { findNearName, type NearMisses, suggestName } from './near-miss.ts';
import type { ObjectSchema, Operation } from './operation.ts';
import { Refusal } from './refusal.ts';

type RawArgs = Record<string, unknown>;

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Characters of a number at most: more than a double can tell apart. */
const longestNumber = 40;
const isDecimal = (text: string) => text.length <= longestNumber && decimal.test(text);

/** A valibot schema with the members that are read here. Which ones it has follows from its type. */
export type Shape = v.GenericSchema & {
  type: string;
  wrapped?: v.GenericSchema;
  entries?: v.ObjectEntries;
  item?: v.GenericSchema;
};

/** Returns the schema inside `optional` and `nullable`. */
export function unwrap(schema: v.GenericSchema): Shape {
  const { wrapped } = schema as Shape;
  return wrapped ? unwrap(wrapped) : (schema as Shape);
}

/** Returns the number or boolean that a text stands for, if the schema is for one; otherwise the text itself. */
export function readText(schema: v.GenericSchema | undefined, text: string): string | number | boolean {
  const type = schema && unwrap(schema).type;
  if (type === 'number' && isDecimal(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

export interface ReadArgs {
  args: RawArgs;
  issues: Issue[];
  warnings?: Finding[];
}

/** An object that inherits nothing. V8 makes a hash table of what Object.create(null) answers, and reads it slowly. */
const Bare = function Bare() {} as unknown as new () => RawArgs;
Bare.prototype = Object.create(null);

/** The pairs of a query. A split costs a tenth of URLSearchParams, and is the same where nothing is encoded. */
function splitQuery(query: string): Iterable<string[]> {
  if (/[%+]/.test(query)) return new URLSearchParams(`&${query}`);
  const parts = query.split('&').filter((part) => part !== '');
  return parts.map((part) => {
    const mark = part.indexOf('=');
    return mark < 0 ? [part, ''] : [part.slice(0, mark), part.slice(mark + 1)];
  });
}

/**
 * The names and values of a query string (WHATWG URL, application/x-www-form-urlencoded). A value is a number or a
 * boolean if its member is one in `schema`. A name given twice is an issue; its first value stands.
 */
export function parseQuery(query: string, schema: ObjectSchema): ReadArgs {
  const args = new Bare();
  const issues: Issue[] = [];
  if (query === '') return { args, issues };
  for (const [name = '', text = ''] of splitQuery(query)) {
    if (name in args) {
      issues.push({ path: cutExcerpt(name), message: 'is given more than once; give it once' });
      continue;
    }
    const entry = schema.entries[name] as v.GenericSchema | undefined;
    args[name] = readText(entry, text);
  }
  return { args, issues };
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Nesting and parts of a body at most: many times what the largest accepted body needs. */
const mostDeep = 64;
const mostParts = 40_000;
const [space, quoteByte, backslash, comma, colon] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses, before it is parsed, a body that is nested so deep that it overflows the stack of its readers, or has so many
 * parts that it takes everybody's time. A comma, a colon or a bracket begins a part. It costs less than the parse.
 */
function refuseIntricate(body: Uint8Array): void {
  let depth = 0;
  let parts = 0;
  const { length } = body;
  for (let at = 0; at < length; at += 1) {
    const byte = body[at]!;
    if (byte <= space) continue;
    if (byte === quoteByte) {
      for (at += 1; at < length; at += 1) {
        const inText = body[at];
        if (inText === quoteByte) break;
        if (inText === backslash) at += 1;
      }
    } else if (byte === comma || byte === colon) parts += 1;
    else if (byte === openList || byte === openObject) {
      parts += 1;
      depth += 1;
      if (depth <= mostDeep) continue;
      const reason = `The body is nested more than ${mostDeep} deep. Send it less deep.`;
      throw new Refusal('invalid_json', { reason });
    } else if (byte === closeList || byte === closeObject) depth -= 1;
  }
  if (parts <= mostParts) return;
  const reason = `The body holds more than ${mostParts.toLocaleString('en-US')} members and values. Send less.`;
  throw new Refusal('body_too_large', { reason });
}

/** The value that a body holds (RFC 8259, UTF-8). Throws where it is not JSON. */
export function parseJson(body: Uint8Array): unknown {
  // A shorter body cannot be deeper.
  if (body.length > 2 * mostDeep) refuseIntricate(body);
  return JSON.parse(decoder.decode(body));
}

export function parseBody(body: Uint8Array): RawArgs {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('invalid_json');
  }
  if (!isObject(value)) throw new Refusal('not_an_object');
  return value;
}

/** What to send for a missing member: one of its values, where they are few and fixed. */
function describeExpected(schema: ObjectSchema, path: string): string {
  const { options } = (schema.entries[path] ?? {}) as { options?: unknown };
  const isFixed = Array.isArray(options) && options.every((one) => typeof one === 'string');
  return isFixed ? `one of ${options.join(', ')}` : 'it';
}

const presentIssues = (schema: ObjectSchema, issues: readonly v.BaseIssue<unknown>[] = []): Issue[] =>
  issues.map((issue) => {
    const path = (v.getDotPath(issue) ?? '').replace(/\.(\d+)(?=\.|$)/g, '[$1]');
    const isMissing = issue.received === 'undefined';
    return {
      path,
      message: isMissing ? `is missing; send ${describeExpected(schema, path)}` : issue.message,
    };
  });

export const checkInput = (schema: ObjectSchema, args: RawArgs): Issue[] =>
  presentIssues(schema, v.safeParse(schema, args).issues);

/** The arguments as the schema has them. Refuses with every place at fault, each once: `found` first. */
export function validate(
  { input, unread }: OperationInput,
  args: RawArgs,
  found: readonly Issue[],
  misses: NearMisses,
): RawArgs {
  const result = v.safeParse(input, args);
  if (result.success && found.length === 0) return result.output;
  const near = checkNearMisses(args, { input, unread }, misses);
  const byPath = Map.groupBy([...found, ...near, ...presentIssues(input, result.issues)], ({ path }) => path);
  const issues = Array.from(byPath.values(), ([first]) => first!);
  throw new Refusal('invalid_request', { issues });
}

/** The input of an operation, and the names that it leaves unread. */
type OperationInput = { input: ObjectSchema } & Partial<Pick<Operation, 'unread' | 'access'>>;

/** Names that callers send for the workspace. */
export const isLikeWorkspace = (name: string) => /^(x-?)?(workspace|ws)([-_]?id)?$/i.test(name);

/** What to say of a name that is not known; of one that wraps all others, that. */
function explainUnknownName(
  name: string,
  args: RawArgs,
  { input, access }: OperationInput,
  misses: NearMisses,
): string {
  if (access?.workspace && isLikeWorkspace(name)) return '; send the header X-Workspace';
  const hint = suggestName(name, Object.keys(input.entries), misses);
  if (hint !== '' || !isObject(args[name])) return hint;
  return `; send its members themselves, not inside ${cutExcerpt(name)}`;
}

export const listUnknownNames = (args: RawArgs, { input, unread = [] }: OperationInput) =>
  Object.keys(args).filter((name) => !Object.hasOwn(input.entries, name) && !unread.includes(name));

/** The names that an input does not have, with hints. Those after the first `room` are only counted: they are empty. */
function describeUnknown(args: RawArgs, named: OperationInput, misses: NearMisses, room = mostPlaces) {
  return listUnknownNames(args, named).map((name, index) =>
    index < room
      ? { name: cutExcerpt(name), hint: explainUnknownName(name, args, named, misses) }
      : { name: '', hint: '' },
  );
}

export function warnUnknown(
  args: RawArgs,
  named: OperationInput,
  misses: NearMisses,
  at = '',
  room = mostPlaces,
): Finding[] {
  return describeUnknown(args, named, misses, room).map(({ name, hint }) => ({
    code: 'unknown_name',
    path: at + name,
    message: `is not known here and is not read${hint}`,
    refusal: `is not known here${hint || '; leave it out'}`,
  }));
}

/** An issue for each of the first `room` unknown names where a required member, or another name, was probably meant. */
export function checkNearMisses(
  args: RawArgs,
  named: OperationInput,
  misses: NearMisses,
  at = '',
  room = mostPlaces,
): Issue[] {
  const missing = Object.entries(named.input.entries).flatMap(([name, { type }]) =>
    args[name] === undefined && type !== 'optional' ? [name] : [],
  );
  const sent = listUnknownNames(args, named).slice(0, room);
  return sent.flatMap((name) => {
    const meant = findNearName(name, missing, misses);
    if (meant) return { path: at + meant, message: `is missing; send what you sent as ${cutExcerpt(name)}` };
    const hint = explainUnknownName(name, args, named, misses);
    return hint === '' ? [] : { path: at + cutExcerpt(name), message: `is not read${hint}` };
  });
}
