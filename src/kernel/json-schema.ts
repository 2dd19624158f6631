import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import * as v from 'valibot';

/** Where a rule over several members is broken, and what to write instead. */
export interface Breach {
  path: readonly (string | number)[];
  message: string;
}

function toPath(value: unknown, keys: Breach['path']): [v.IssuePathItem, ...v.IssuePathItem[]] {
  let input = value;
  const items = keys.map((key) => {
    const parent = input as Record<string | number, unknown>;
    input = parent[key];
    return { type: 'unknown', origin: 'value', input: parent, key, value: input } as v.IssuePathItem;
  });
  return items as [v.IssuePathItem, ...v.IssuePathItem[]];
}

/** A rule over several members. It is asked only about values whose members are well typed one by one. */
export function toRule<T>(find: (value: T) => readonly Breach[]) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { path, message } of find(dataset.value)) {
      addIssue(path.length ? { message, path: toPath(dataset.value, path) } : { message });
    }
  });
}

/** A rule that is broken at one known place, or kept. */
export function toRuleAt<T>(path: Breach['path'], message: string, isKept: (value: T) => boolean) {
  return toRule<T>((value) => (isKept(value) ? [] : [{ path, message }]));
}

/** A JSON Schema (2020-12) in plain JSON. */
export type JsonSchema = { [member: string]: unknown };

/** JSON Schema has no word for a rule over several members, which descriptions state, nor for a trim. */
const config = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: ['check', 'trim', 'raw_check'],
} satisfies ConversionConfig;

/** The JSON Schema of a valibot schema. Each of `components` in it is a reference to `#/components/schemas/NAME`. */
export function toPlainSchema(schema: GenericSchema, components?: Record<string, GenericSchema>): JsonSchema {
  const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`;
  const named = components && { definitions: components, overrideRef };
  const { $schema: _, $defs: __, ...plain } = toJsonSchema(schema, { ...config, ...named }) as JsonSchema;
  return plain;
}

/** The components themselves, each referring to the others by name. */
export function toComponents(components: Record<string, GenericSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => {
      const others = Object.fromEntries(Object.entries(components).filter(([other]) => other !== name));
      return [name, toPlainSchema(schema, others)];
    }),
  );
}
