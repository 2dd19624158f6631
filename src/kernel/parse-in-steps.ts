import * as v from 'valibot';
import { type Issue, mostPlaces, type WordedIssue } from './envelope.ts';
import { presentIssues, type RawArgs } from './input.ts';
import type { ObjectSchema } from './operation.ts';
import { unwrap } from './shape.ts';
import { isSteps, type Steps, wait } from './steps.ts';

/** Arguments as their schema has them, and what is wrong with them. */
export interface Parsed {
  output: RawArgs;
  issues: Issue[];
}

export function parseAtOnce(schema: ObjectSchema, args: RawArgs): Parsed {
  const { success, output, issues } = v.safeParse(schema, args);
  return { output: success ? output : {}, issues: presentIssues(schema, issues) };
}

/** Returns the list that a member holds and the schema of its items, or undefined if it has to be parsed as a whole. */
function findItems(entry: v.GenericSchema, value: unknown) {
  const { item, mostItems = 0 } = unwrap(entry);
  return item && Array.isArray(value) && value.length <= mostItems ? { item, values: value } : undefined;
}

const joinPaths = (place: string, path: string) =>
  path === '' || path.startsWith('[') ? place + path : `${place}.${path}`;

/**
 * Parses arguments as `schema` does, and yields after each item of a list. It stops once it has found more issues than a
 * refusal names, so that wrong arguments cost little.
 */
function* parseInSteps(schema: ObjectSchema, args: RawArgs): Steps<Parsed> {
  const entries = Object.entries(schema.entries) as [string, v.GenericSchema][];
  const listed = entries.filter(([name, entry]) => findItems(entry, args[name]));
  const others = entries.filter(([name, entry]) => !findItems(entry, args[name]));
  const { output, issues } = parseAtOnce(v.object(Object.fromEntries(others)) as ObjectSchema, args);
  for (const [name, entry] of listed) {
    const { item, values } = findItems(entry, args[name])!;
    const parsed: unknown[] = [];
    for (const [index, value] of values.entries()) {
      if (issues.length > mostPlaces) return { output, issues };
      yield;
      const result = v.safeParse(item, value);
      if (result.success) parsed.push(result.output);
      for (const { path, message } of presentIssues(v.object({}), result.issues))
        issues.push({ path: joinPaths(`${name}[${index}]`, path), message });
    }
    output[name] = parsed;
  }
  return { output, issues };
}

/** The issues that a check of an operation finds, at once, later or in steps. */
type FoundIssues = WordedIssue[] | Promise<WordedIssue[]> | Steps<WordedIssue[]>;

/** Checks the arguments of a bulk operation, and parses them. If there are many issues already, nothing is parsed. */
export function* checkInSteps(
  input: ObjectSchema,
  args: RawArgs,
  checked: FoundIssues,
): Steps<{ found: WordedIssue[]; parsed: Parsed }> {
  const found = isSteps(checked) ? yield* checked : yield* wait(checked);
  const parsed: Parsed =
    found.length > mostPlaces ? { output: {}, issues: [] } : yield* parseInSteps(input, args);
  return { found, parsed };
}
