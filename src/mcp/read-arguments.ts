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
import { trimIfText } from '../kernel/text.ts';
import { getToolArguments } from './tool-arguments.ts';

type Arguments = Record<string, unknown>;

const isOptional = (schema: v.GenericSchema) => schema.type === 'optional';

const encoder = new TextEncoder();

/** Parses a text that is an array or object in JSON, and returns any other as it is. Throws a Refusal if it is too large. */
function readJsonText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(encoder.encode(text));
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Returns `params.arguments` of a call, which some clients send as JSON text. null and "" count as absent. */
export function parseArguments(sent: unknown): unknown {
  if (sent === undefined || sent === null || sent === '') return {};
  return typeof sent === 'string' ? readJsonText(sent) : sent;
}

/** Returns the most items that a list takes. A longer list is refused for its length, so its items are not read. */
function findMostItems(schema: Shape): number {
  const { pipe = [] } = schema as { pipe?: readonly { type: string; requirement?: number }[] };
  return pipe.find(({ type }) => type === 'max_length')?.requirement ?? Number.POSITIVE_INFINITY;
}

/** Whether a schema accepts only texts. A text may be one of fixed values. */
function isTextSchema(schema: v.GenericSchema): boolean {
  const shape = unwrap(schema);
  const { options = [] } = shape as { options?: readonly unknown[] };
  if (shape.type === 'union') return options.every((option) => isTextSchema(option as v.GenericSchema));
  const isChoice = shape.type === 'picklist' && options.every((option) => typeof option === 'string');
  return shape.type === 'string' || isChoice;
}

/**
 * Returns a number or a boolean as text, and any other value as it is. A whole number beyond 2^53 stays a number, because
 * its last digits are lost.
 */
function toText(value: unknown): unknown {
  const isExact = typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact || typeof value === 'boolean' ? String(value) : value;
}

/** Returns an array of texts, or one that is sent as JSON text. Returns undefined for anything else. */
function readTexts(sent: unknown): string[] | undefined {
  const value = typeof sent === 'string' ? readJsonText(sent) : sent;
  const texts = Array.isArray(value) ? value.map(toText) : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : undefined;
}

/** Members that a change in a list has beside what it changes. */
const identifying = ['id', 'revision'];

/** Reads the arguments of one call of a tool, and collects what is wrong with them. */
class ArgumentReader {
  readonly issues: WordedIssue[] = [];
  readonly warnings: Warning[] = [];

  /**
   * Returns the members of an object. null counts as absent, and so does "" if the member is optional or unknown.
   * `isAmbiguous`: the object is one of several kinds, it is not known which, and the entries are those of all.
   */
  readMembers(entries: v.ObjectEntries, sent: Arguments, at = '', isAmbiguous = false): Arguments {
    const removable = listRemovable(entries);
    const isChange = removable.length > 0;
    const given: [name: string, value: unknown][] = [];
    for (const [name, value] of Object.entries(sent)) {
      if (value === null || (isChange && name === clearName)) continue;
      const entry = Object.hasOwn(entries, name) ? (entries[name] as v.GenericSchema) : undefined;
      if (value === '' && (!entry || isOptional(entry))) continue;
      given.push([name, entry ? this.#readValue(entry, value, at + name) : value]);
    }
    // An assignment of a member named __proto__ would set the prototype.
    const args = Object.fromEntries(given);
    if (!isChange) return args;
    this.#clear({ entries, isAmbiguous, at }, sent[clearName], args);
    if (Object.keys(args).every((name) => identifying.includes(name)))
      this.#warnOfNothing(removable, sent, at);
    return args;
  }

  /** Says how to remove a member if a change holds only null and "", because the caller may have meant that. */
  #warnOfNothing(removable: readonly string[], sent: Arguments, at: string): void {
    for (const name of removable.filter((member) => Object.hasOwn(sent, member))) {
      const message = `is null or empty, which changes nothing; to remove it, send ${clearName}: ["${name}"]`;
      this.warnings.push({ code: 'nothing_changed', path: at + name, message, advice: true });
    }
  }

  #readValue(schema: v.GenericSchema, sent: unknown, at: string): unknown {
    const shape = unwrap(schema);
    const list = shape.takesCommas && readTexts(sent);
    if (list) return list.join(',');
    const { type, entries, item } = shape;
    const isNested = type === 'array' || type === 'object';
    const read = (text: string) => (isNested ? readJsonText(text) : readText(shape, text));
    const value = typeof sent === 'string' ? read(sent) : sent;

    if (item && Array.isArray(value) && value.length <= findMostItems(shape))
      return value.map((element, index) => this.#readValue(item, element, `${at}[${index}]`));
    if (entries && isObject(value)) {
      const chosen = shape.chooseEntries?.(value);
      const isAmbiguous = shape.chooseEntries !== undefined && chosen === undefined;
      return this.readMembers(chosen ?? entries, value, `${at}.`, isAmbiguous);
    }
    return isTextSchema(shape) ? toText(value) : value;
  }

  /** Sets the members that `clear` names to null, as a JSON Merge Patch removes them. */
  #clear({ entries, isAmbiguous, at }: ClearedObject, sent: unknown, args: Arguments): void {
    const path = at + clearName;
    const names = typeof sent === 'string' ? readJsonText(sent) : sent;
    if (names === undefined || names === null || names === '') return;
    const removable = listRemovable(entries);
    const takes = isAmbiguous ? '' : `; it takes ${removable.join(', ')}`;
    const refuse = (path: string, message: string) => this.issues.push({ path, message });

    if (!Array.isArray(names)) refuse(path, `must be an array of names${takes}`);
    else if (names.length > removable.length)
      refuse(path, `must hold at most ${removable.length} names${takes}`);
    else
      for (const [index, name] of names.map(toText).entries()) {
        const place = `${path}[${index}]`;
        if (isSetToo(name, args))
          refuse(place, `${name} is set and cleared in one call; leave it out of one`);
        else {
          const problem = checkCleared(name, entries);
          if (problem) refuse(place, problem + takes);
          else args[name as string] = null;
        }
      }
  }
}

/** The object whose members `clear` removes. */
interface ClearedObject {
  entries: v.ObjectEntries;
  isAmbiguous: boolean;
  at: string;
}

/** Whether a member is set beside being cleared. Members that were cleared before are null in `args`. */
const isSetToo = (name: unknown, args: Arguments): boolean =>
  typeof name === 'string' && Object.hasOwn(args, name) && args[name] !== null;

/** Returns what is wrong with a name in `clear`, if anything is. */
function checkCleared(name: unknown, entries: v.ObjectEntries): string | undefined {
  if (typeof name !== 'string') return 'must be the name of a member';
  if (!Object.hasOwn(entries, name)) return `${cutExcerpt(name)} is no member that can be removed`;
  if (!isRemovable(entries[name] as v.GenericSchema)) return `${name} cannot be removed, only changed`;
  return undefined;
}

interface ReadArguments {
  /** Arguments of the input of the operation, and unknown ones. */
  args: Arguments;
  /** Arguments that HTTP has in the path and in headers. */
  transport: Arguments;
  issues: WordedIssue[];
  warnings: Warning[];
}

/**
 * Converts the arguments that a client sent to those that the operation takes. Clients fill arguments that a model left out
 * with null or "". They send numbers, booleans, arrays and objects as text, and texts that look like numbers as numbers.
 */
export function readArguments(operation: Operation, sent: Arguments): ReadArguments {
  const { input } = operation;
  const { entries } = getToolArguments(operation).transport;
  const isTransport = ([name]: [string, unknown]) => Object.hasOwn(entries, name);
  const all = Object.entries(sent);
  const reader = new ArgumentReader();
  const own = Object.fromEntries(all.filter((pair) => !isTransport(pair)));
  const args = reader.readMembers(input.entries, own);
  // HTTP trims headers, and the id in a path.
  const named = all.filter(isTransport).map(([name, value]) => [name, trimIfText(value)]);
  const transport = new ArgumentReader().readMembers(entries, Object.fromEntries(named));
  return { args, transport, issues: reader.issues, warnings: reader.warnings };
}
