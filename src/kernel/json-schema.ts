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
  /** For each member, the members that must be sent with it. */
  dependentRequired?: Record<string, readonly string[]>;
  not?: JsonSchema;
  [member: string]: unknown;
}

/** Returns a pattern without escaped slashes. RegExp adds them to its source, and some generators escape them again. */
const unescapeSlashes = (source: string) =>
  source.replace(/\\(.)/g, (whole, escaped) => (escaped === '/' ? escaped : whole));

/** Rules over several members of an object, and the format of a text (JSON Schema 2020-12). */
interface Rules
  extends Pick<JsonSchema, 'dependentRequired' | 'not' | 'properties' | 'additionalProperties'> {
  format?: string;
  /**
   * An object whose members the contract shows in place of those of the schema. It is no JSON Schema, so that a worker,
   * which needs none, does not contain the library that makes one.
   */
  shown?: GenericSchema;
}

const rules = new WeakMap<GenericSchema, Rules>();

/** Adds rules to a schema in the contract, which valibot cannot express. The owner of the schema checks them. */
export function withRules<S extends GenericSchema>(schema: S, own: Rules): S {
  rules.set(schema, own);
  return schema;
}

/** Actions that JSON Schema cannot express. A description states them instead. */
const config = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: ['check', 'trim', 'raw_check'],
  overrideAction: ({ valibotAction: { type }, jsonSchema }) =>
    type === 'regex' ? { ...jsonSchema, pattern: unescapeSlashes(jsonSchema.pattern!) } : undefined,
} satisfies ConversionConfig;

const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`;

/** Adds the rules of an object. Only the contract has them, because some readers of tools do not know them. */
const overrideSchema: ConversionConfig['overrideSchema'] = ({ valibotSchema, jsonSchema }) => {
  const own = rules.get(valibotSchema as GenericSchema);
  if (!own) return undefined;
  const { shown, ...members } = own;
  const properties = shown && toPlainSchema(shown).properties;
  return { ...jsonSchema, ...(properties && { properties }), ...members } as typeof jsonSchema;
};

/**
 * Returns the JSON Schema of a valibot schema. With `components` it has the form of the contract: each component in it
 * is a reference to `#/components/schemas/NAME`.
 */
export function toPlainSchema(schema: GenericSchema, components?: Record<string, GenericSchema>): JsonSchema {
  const named = components && { definitions: components, overrideRef, overrideSchema };
  const { $schema: _, $defs: __, ...plain } = toJsonSchema(schema, { ...config, ...named }) as JsonSchema;
  return plain;
}

/** Returns the components themselves. They refer to each other by name. */
export const toComponents = (components: Record<string, GenericSchema>): Record<string, JsonSchema> =>
  toJsonSchemaDefs(components, { ...config, overrideRef }) as Record<string, JsonSchema>;
