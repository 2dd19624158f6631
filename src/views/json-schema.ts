import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { ruleActions } from '../model/pricing/rule.ts';

/** A JSON Schema (2020-12) in plain JSON. */
export type JsonSchema = { [member: string]: unknown };

/** Rules over several members are checked here and told in words; JSON Schema has no word for them. */
const config = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: ['check', ...ruleActions],
} satisfies ConversionConfig;

/**
 * The JSON Schema of a valibot schema. With `components`, every schema among them is told by reference to
 * `#/components/schemas/NAME`, as OpenAPI 3.1 has it.
 */
export function toPlainSchema(schema: GenericSchema, components?: Record<string, GenericSchema>): JsonSchema {
  const converted = toJsonSchema(
    schema,
    components
      ? {
          ...config,
          definitions: components,
          overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
        }
      : config,
  );
  const { $schema: _, $defs: __, ...plain } = converted as JsonSchema;
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
