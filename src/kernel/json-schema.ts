import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';

/** A JSON Schema (2020-12) in plain JSON, with the members that are read here. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  description?: string;
  [member: string]: unknown;
}

/** JSON Schema has no word for a rule over several members, which descriptions state, nor for a trim. */
const config = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: ['check', 'trim', 'raw_check'],
} satisfies ConversionConfig;

const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`;

/** The JSON Schema of a valibot schema. Each of `components` in it is a reference to `#/components/schemas/NAME`. */
export function toPlainSchema(schema: GenericSchema, components?: Record<string, GenericSchema>): JsonSchema {
  const named = components && { definitions: components, overrideRef };
  const { $schema: _, $defs: __, ...plain } = toJsonSchema(schema, { ...config, ...named }) as JsonSchema;
  return plain;
}

/** The components themselves, each referring to the others by name. */
export const toComponents = (components: Record<string, GenericSchema>): Record<string, JsonSchema> =>
  toJsonSchemaDefs(components, { ...config, overrideRef }) as Record<string, JsonSchema>;
