import type * as v from 'valibot';
import { cutExcerpt, type Warning, type WordedIssue } from '../kernel/envelope.ts';
import {
  clearName,
  isRemovable,
  listRemovable,
  parseJson,
  readText,
  type Shape,
  unwrap,
} from '../kernel/input.ts';
import { isObject } from '../kernel/json.ts';
import type { Operation } from '../kernel/operation.ts';
import { listTransportArguments } from './transport-arguments.ts';

type Arguments = Record<string, unknown>;

const isOptional = (schema: v.GenericSchema) => schema.type === 'optional';

const encoder = new TextEncoder();

/** Returns the array or object that a text is the JSON of; otherwise the text. Throws a Refusal if that is too large. */
function readJsonText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(encoder.encode(text));
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Returns `params.arguments` of a call, which some clients send as JSON text. Absent, null and "" are no arguments. */
export function parseArguments(sent: unknown): unknown {
  if (sent === undefined || sent === null || sent === '') return {};
  return typeof sent === 'string' ? readJsonText(sent) : sent;
}

/** The most items that a list takes. A longer one is refused by its length, so its items are not read. */
function findMostItems(schema: Shape): number {
  const { pipe = [] } = schema as { pipe?: readonly { type: string; requirement?: number }[] };
  return pipe.find(({ type }) => type === 'max_length')?.requirement ?? Number.POSITIVE_INFINITY;
}

/** Reads the arguments of one call of a tool, and collects what is wrong with them. */
class ArgumentReader {
  readonly issues: WordedIssue[] = [];
  readonly warnings: Warning[] = [];
  /** Whether HTTP would read the arguments from a query, where all values are texts. */
  readonly #isQuery: boolean;

  constructor(isQuery: boolean) {
    this.#isQuery = isQuery;
  }

  /** Returns the members of an object. null, and "" of what may be left out, mean that a member is not given. */
  readMembers(entries: v.ObjectEntries, sent: Arguments, at = ''): Arguments {
    const removable = listRemovable(entries);
    const isChange = removable.length > 0;
    const given: [name: string, value: unknown][] = [];
    for (const [name, value] of Object.entries(sent)) {
      if (value === null || (isChange && name === clearName)) continue;
      const entry = Object.hasOwn(entries, name) ? (entries[name] as v.GenericSchema) : undefined;
      if (value === '' && (!entry || isOptional(entry))) continue;
      given.push([name, entry ? this.#readValue(entry, value, at + name) : value]);
    }
    // Not one by one: a name may be __proto__.
    const args = Object.fromEntries(given);
    if (!isChange) return args;
    this.#clear(entries, sent[clearName], args, at);
    if (Object.keys(args).length === 0) this.#warnOfNothing(removable, sent, at);
    return args;
  }

  /** Says how to remove a member if null or "" is all that a change holds: that may have been meant. */
  #warnOfNothing(removable: readonly string[], sent: Arguments, at: string): void {
    for (const name of removable.filter((one) => Object.hasOwn(sent, one))) {
      const message = `is null or empty, which changes nothing; to remove it, send ${clearName}: ["${name}"]`;
      this.warnings.push({ code: 'nothing_changed', path: at + name, message, advice: true });
    }
  }

  #readValue(schema: v.GenericSchema, sent: unknown, at: string): unknown {
    const shape = unwrap(schema);
    const { type, entries, item } = shape;
    const isNested = type === 'array' || type === 'object';
    const read = (text: string) => (isNested ? readJsonText(text) : readText(shape, text));
    const value = typeof sent === 'string' ? read(sent) : sent;

    if (item && Array.isArray(value) && value.length <= findMostItems(shape))
      return value.map((one, index) => this.#readValue(item, one, `${at}[${index}]`));
    if (entries && isObject(value)) return this.readMembers(entries, value, `${at}.`);
    const isWhole = Number.isSafeInteger(value);
    return this.#isQuery && type === 'string' && isWhole ? String(value) : value;
  }

  /** Sets the members that `clear` names to null, as a JSON Merge Patch removes them. */
  #clear(entries: v.ObjectEntries, sent: unknown, args: Arguments, at: string): void {
    const path = at + clearName;
    const names = typeof sent === 'string' ? readJsonText(sent) : sent;
    if (names === undefined || names === null || names === '') return;
    const removable = listRemovable(entries);
    const refuse = (at: string, what: string) =>
      this.issues.push({ path: at, message: `${what}; it takes ${removable.join(', ')}` });

    if (!Array.isArray(names)) refuse(path, 'must be an array of names');
    else if (names.length > removable.length) refuse(path, `must hold at most ${removable.length} names`);
    else
      for (const [index, name] of names.entries()) {
        const wrong = checkCleared(name, entries, args);
        if (wrong) refuse(`${path}[${index}]`, wrong);
        else args[name as string] = null;
      }
  }
}

/** Returns what is wrong with one name in `clear`, if anything is. `args` has what was cleared before as null. */
function checkCleared(name: unknown, entries: v.ObjectEntries, args: Arguments): string | undefined {
  if (typeof name !== 'string') return 'must be the name of a member';
  if (!Object.hasOwn(entries, name)) return `${cutExcerpt(name)} is no member that can be removed`;
  if (!isRemovable(entries[name] as v.GenericSchema)) return `${name} cannot be removed, only changed`;
  if (Object.hasOwn(args, name) && args[name] !== null)
    return `${name} is set and cleared in one call; leave it out of one of the two`;
  return undefined;
}

interface ReadArguments {
  /** Those of the input of the operation, and unknown ones. */
  args: Arguments;
  /** Those that HTTP has in the path and in headers. */
  transport: Arguments;
  issues: WordedIssue[];
  warnings: Warning[];
}

/**
 * Reads what a client sent as what the operation takes. Clients fill arguments that a model left out with null or "",
 * and send numbers, booleans, arrays and objects as text.
 */
export function readArguments(operation: Operation, sent: Arguments): ReadArguments {
  const { input, method } = operation;
  const entries = listTransportArguments(operation);
  const isTransport = ([name]: [string, unknown]) => Object.hasOwn(entries, name);
  const all = Object.entries(sent);
  const reader = new ArgumentReader(method === 'GET');
  const own = Object.fromEntries(all.filter((pair) => !isTransport(pair)));
  const args = reader.readMembers(input.entries, own);
  const transport = new ArgumentReader(false).readMembers(
    entries,
    Object.fromEntries(all.filter(isTransport)),
  );
  return { args, transport, issues: reader.issues, warnings: reader.warnings };
}
