import * as v from 'valibot';
import { cutExcerpt, type Finding, type Issue, mostPlaces, type WordedIssue } from './envelope.ts';
import { isObject } from './json.ts';
import { createNearNameSearch, type FindNearName, type NearMisses, suggestName } from './near-miss.ts';
import type { ObjectSchema, Operation } from './operation.ts';
import { parseJson } from './parse-json.ts';
import { Refusal } from './refusal.ts';
import { type Shape, unwrap } from './shape.ts';
import { trimText } from './text.ts';
import { compose, type Wording } from './wording.ts';

export type RawArgs = Record<string, unknown>;

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** Maximum length of a number in characters. A double cannot tell longer numbers apart. */
const longestNumber = 40;
const isDecimal = (text: string) => text.length <= longestNumber && decimal.test(text);

/** Parses a text as a number or boolean if the schema wants one. Otherwise returns the text. */
export function readText(schema: v.GenericSchema | undefined, text: string): string | number | boolean {
  const type = schema && unwrap(schema).type;
  if (type === 'number' && isDecimal(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

export interface ReadArgs {
  args: RawArgs;
  issues: WordedIssue[];
  warnings?: Finding[];
}

/** An object that inherits nothing. V8 reads the result of Object.create(null) more slowly, as a hash table. */
const Bare = function Bare() {} as unknown as new () => RawArgs;
Bare.prototype = Object.create(null);

/** Splits a query into pairs. Without encoded characters a split gives the same at a tenth of the cost. */
function splitQuery(query: string): Iterable<string[]> {
  if (/[%+]/.test(query)) return new URLSearchParams(`&${query}`);
  const parts = query.split('&').filter((part) => part !== '');
  return parts.map((part) => {
    const mark = part.indexOf('=');
    return mark < 0 ? [part, ''] : [part.slice(0, mark), part.slice(mark + 1)];
  });
}

/** The names of a list as many libraries write them: `status[]` or `status[0]`. */
const bracketed = /^([^[\]]+)\[[^[\]]*\]$/;

/** Returns an issue for each known name that was sent in brackets, with its values. It says how to send them. */
const checkBrackets = (sent: ReadonlyMap<string, readonly string[]>, { entries }: ObjectSchema): Issue[] =>
  Array.from(sent, ([name, values]) => {
    const { takesCommas } = unwrap(entries[name] as v.GenericSchema);
    const value = takesCommas !== undefined && values.length === 1 ? takesCommas : values.join(',');
    const how = takesCommas === undefined ? '' : ', with commas between several values';
    return { path: name, message: `is not read as ${name}[]; send ${name}=${cutExcerpt(value)}${how}` };
  });

/**
 * Reads a query string (WHATWG URL, application/x-www-form-urlencoded). Values are trimmed. A value becomes a number or a boolean if its
 * member is one in `schema`. A name that is given twice is an issue, and its first value counts. So is a known name in
 * brackets, which would otherwise not filter.
 */
export function parseQuery(query: string, schema: ObjectSchema): ReadArgs {
  const args = new Bare();
  const issues: Issue[] = [];
  if (query === '') return { args, issues };
  const lists = new Map<string, string[]>();
  for (const [name = '', text = ''] of splitQuery(query)) {
    const base = name.endsWith(']') ? bracketed.exec(name)?.[1] : undefined;
    if (base !== undefined && Object.hasOwn(schema.entries, base)) {
      const values = lists.get(base) ?? [];
      values.push(trimText(text));
      lists.set(base, values);
      continue;
    }
    if (name in args) {
      issues.push({ path: cutExcerpt(name), message: 'is given more than once; give it once' });
      continue;
    }
    const entry = schema.entries[name] as v.GenericSchema | undefined;
    args[name] = readText(entry, trimText(text));
  }
  return { args, issues: [...issues, ...checkBrackets(lists, schema)] };
}

/** Parses a body that is one JSON object. Throws a Refusal: that of `createNotJson` if it is not JSON. */
export function parseBody(body: Uint8Array, createNotJson: () => Refusal): RawArgs {
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    throw error instanceof Refusal ? error : createNotJson();
  }
  if (!isObject(value)) throw new Refusal('not_an_object');
  return value;
}

/** What to send for a missing member: one of its values, if they are fixed. */
function describeExpected(schema: ObjectSchema, path: string): string {
  const { options } = (schema.entries[path] ?? {}) as { options?: unknown };
  const isFixed = Array.isArray(options) && options.every((option) => typeof option === 'string');
  return isFixed ? `one of ${options.join(', ')}` : 'it';
}

export const presentIssues = (schema: ObjectSchema, issues: readonly v.BaseIssue<unknown>[] = []): Issue[] =>
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

/** Throws a Refusal with the first issue of each place, if there is any. `earlier` ones come first. */
export function refuseIssues(
  { input, unread }: OperationInput,
  args: RawArgs,
  { earlier, found }: { earlier: readonly WordedIssue[]; found: readonly Issue[] },
  misses: NearMisses,
): void {
  if (earlier.length + found.length === 0) return;
  const nearMisses = checkNearMisses(args, { input, unread }, misses);
  const byPath = Map.groupBy([...earlier, ...nearMisses, ...found], ({ path }) => path);
  const issues = Array.from(byPath.values(), ([first]) => first!);
  throw new Refusal('invalid_request', { issues });
}

/** Whether null removes the member, as in a JSON Merge Patch. */
export function isRemovable(schema: v.GenericSchema): boolean {
  const { type, wrapped } = schema as Shape;
  return type === 'nullable' || (wrapped !== undefined && isRemovable(wrapped));
}

/** The members that a change of such an object can remove; none if the object is no change. */
export const listRemovable = (entries: v.ObjectEntries): string[] =>
  Object.keys(entries).filter((name) => isRemovable(entries[name] as v.GenericSchema));

/** The input of an operation, and the names that it accepts and ignores. */
type OperationInput = { input: ObjectSchema } & Partial<Pick<Operation, 'unread' | 'access'>>;

/** Whether callers use a name for the workspace. */
export const isLikeWorkspace = (name: string) => /^(x-?)?(workspace|ws)([-_]?id)?$/i.test(name);

/** The argument with which a tool removes members. */
export const clearName = 'clear';

const workspaceHeader = { http: 'the header X-Workspace', argument: 'workspace' };

/** What hints for unknown names are made of: the names of the input that a caller may have meant. */
interface NearNames {
  misses: NearMisses;
  findNearName: FindNearName;
}

const nameInput = ({ input }: OperationInput, misses: NearMisses): NearNames => ({
  misses,
  findNearName: createNearNameSearch(Object.keys(input.entries), misses),
});

/** A hint for an unknown name: what to send instead, or that its members belong one level higher. */
function explainUnknownName(
  name: string,
  args: RawArgs,
  { input, access }: OperationInput,
  { misses, findNearName }: NearNames,
): Wording {
  if (access?.workspace && isLikeWorkspace(name)) return compose`; send ${workspaceHeader}`;
  if (name === clearName) {
    const removable = listRemovable(input.entries);
    const cleared = removable.find((one) => [args[name]].flat().includes(one)) ?? removable[0];
    if (cleared !== undefined) return `; to remove a member, send it as null: {"${cleared}": null}`;
  }
  const hint = suggestName(name, findNearName, misses);
  if (hint !== '' || !isObject(args[name])) return hint;
  return `; send its members themselves, not inside ${cutExcerpt(name)}`;
}

export const listUnknownNames = (args: RawArgs, { input, unread = [] }: OperationInput) =>
  Object.keys(args).filter((name) => !Object.hasOwn(input.entries, name) && !unread.includes(name));

/**
 * The unknown names, with hints. After the first `room` names, the name and the hint are empty: they are only counted.
 */
function describeUnknown(args: RawArgs, operation: OperationInput, misses: NearMisses, room = mostPlaces) {
  const nearNames = nameInput(operation, misses);
  return listUnknownNames(args, operation).map((name, index) =>
    index < room
      ? { name: cutExcerpt(name), hint: explainUnknownName(name, args, operation, nearNames) }
      : { name: '', hint: '' },
  );
}

const ignored = 'is not known here and is not read';

/** Where the arguments are in the request, and how many of their names are explained. */
interface NamePlaces {
  at?: string;
  room?: number;
}

export function warnUnknown(
  args: RawArgs,
  operation: OperationInput,
  misses: NearMisses,
  { at = '', room = mostPlaces }: NamePlaces = {},
): Finding[] {
  return describeUnknown(args, operation, misses, room).map(({ name, hint }) => ({
    code: 'unknown_name',
    path: at + name,
    message: hint === '' ? ignored : compose`${ignored}${hint}`,
    refusal: hint === '' ? 'is not known here; leave it out' : compose`is not known here${hint}`,
  }));
}

/** Issues for the first `room` unknown names, if the caller probably meant a required member or another name. */
export function checkNearMisses(
  args: RawArgs,
  operation: OperationInput,
  misses: NearMisses,
  { at = '', room = mostPlaces }: NamePlaces = {},
): WordedIssue[] {
  const missing = Object.entries(operation.input.entries).flatMap(([name, { type }]) =>
    args[name] === undefined && type !== 'optional' ? [name] : [],
  );
  const findMissing = createNearNameSearch(missing, misses);
  const nearNames = nameInput(operation, misses);
  const sent = listUnknownNames(args, operation).slice(0, room);
  return sent.flatMap((name) => {
    const meant = findMissing(name);
    if (meant) return { path: at + meant, message: `is missing; send what you sent as ${cutExcerpt(name)}` };
    const hint = explainUnknownName(name, args, operation, nearNames);
    return hint === '' ? [] : { path: at + cutExcerpt(name), message: compose`is not read${hint}` };
  });
}
