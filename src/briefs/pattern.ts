import * as v from 'valibot';
import { hasAllWords, readPhrase } from '../kernel/words.ts';

/**
 * A condition on a member of a record: a value, one of several conditions, or an object. Texts are compared without
 * regard to case. `#key` means the id of the fixture's record with that ref. `min` is a number or a date. `has` are
 * words of a text or of one item of a list. `record` is a pattern for the record that the member refers to.
 */
export type Condition =
  | string
  | number
  | boolean
  | Condition[]
  | { min: number | string }
  | { has: string }
  | { absent: true }
  | { not: Condition }
  | { record: Pattern };
export type Pattern = { [member: string]: Condition };
export const Condition = v.custom<Condition>((value) => value !== undefined && value !== null);
export const Pattern: v.GenericSchema<Pattern> = v.record(v.string(), Condition);

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns a value as text in lower case with single spaces, for comparisons. */
export const fold = (value: unknown): string => String(value).trim().replace(/\s+/g, ' ').toLowerCase();

/** Returns the value at a path such as `outcome.result`. */
export const readPath = (row: object, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], row);

/** What a pattern means in one workspace. */
export interface PatternScope {
  /** Replaces `#key` by the id of its record. Returns any other value as it is. */
  resolve(value: unknown): unknown;
  /** Returns the record with an id as it is presented. */
  findRow(id: unknown): object | undefined;
}

/** Whether a value meets a condition. */
export function isMatch(test: Condition, value: unknown, scope: PatternScope): boolean {
  if (Array.isArray(test)) return test.some((condition) => isMatch(condition, value, scope));
  if (typeof test === 'string') return typeof value === 'string' && fold(value) === fold(scope.resolve(test));
  if (typeof test !== 'object') return value === test;
  if ('absent' in test) return value === undefined || value === null || isSame(value, []);
  if ('not' in test) return !isMatch(test.not, value, scope);
  if ('record' in test) {
    const row = scope.findRow(value);
    return row !== undefined && listMisses(test.record, row, scope).length === 0;
  }
  if ('has' in test) {
    const phrase = readPhrase(test.has);
    const texts = (Array.isArray(value) ? value : [value]).map((item) =>
      typeof item === 'object' ? JSON.stringify(item) : String(item ?? ''),
    );
    return texts.some((text) => hasAllWords(readPhrase(text), phrase));
  }
  return typeof value === typeof test.min && value! >= test.min;
}

/** Returns the members of a pattern that a record does not match. */
export const listMisses = (pattern: Pattern, row: object, scope: PatternScope): string[] =>
  Object.keys(pattern).filter((path) => !isMatch(pattern[path]!, readPath(row, path), scope));
