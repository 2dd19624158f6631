import type * as v from 'valibot';
import type { Warning, WordedIssue } from '../kernel/envelope.ts';
import { clearName, listRemovable, readText } from '../kernel/input.ts';
import { isObject } from '../kernel/json.ts';
import type { Operation } from '../kernel/operation.ts';
import { unwrap } from '../kernel/shape.ts';
import { trimIfText } from '../kernel/text.ts';
import { clearMembers } from './clear-members.ts';
import { isTextSchema, readJsonText, readTexts, toText } from './sent-values.ts';
import { getToolArguments } from './tool-arguments.ts';

type Arguments = Record<string, unknown>;

const isOptional = (schema: v.GenericSchema) => schema.type === 'optional';

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
    this.issues.push(...clearMembers(args, sent[clearName], { entries, isAmbiguous, at }));
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
    const { type, entries, item, mostItems = Number.POSITIVE_INFINITY } = shape;
    const isNested = type === 'array' || type === 'object';
    const read = (text: string) => (isNested ? readJsonText(text) : readText(shape, text));
    const value = typeof sent === 'string' ? read(sent) : sent;

    // A longer list is refused for its length, so its items are not read.
    if (item && Array.isArray(value) && value.length <= mostItems)
      return value.map((element, index) => this.#readValue(item, element, `${at}[${index}]`));
    if (entries && isObject(value)) {
      const chosen = shape.chooseEntries?.(value);
      const isAmbiguous = shape.chooseEntries !== undefined && chosen === undefined;
      return this.readMembers(chosen ?? entries, value, `${at}.`, isAmbiguous);
    }
    return isTextSchema(shape) ? toText(value) : value;
  }
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
