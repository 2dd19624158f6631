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
  /** By member, those that have to be sent with it. */
  dependentRequired?: Record<string, readonly string[]>;
  not?: JsonSchema;
  [member: string]: unknown;
}

/** A pattern without escaped slashes: RegExp writes them into its source, and some generators escape them again. */
const unescapeSlashes = (source: string) =>
  source.replace(/\\(.)/g, (whole, escaped) => (escaped === '/' ? escaped : whole));

/** What JSON Schema says of several members of an object (2020-12). */
type Rules = Pick<JsonSchema, 'dependentRequired' | 'not'>;

const rules = new WeakMap<GenericSchema, Rules>();

/** A schema whose form in the contract has these rules, which valibot has no word for. Checking them is its owner's work. */
export function withRules<S extends GenericSchema>(schema: S, own: Rules): S {
  rules.set(schema, own);
  return schema;
}

/** Any other rule over several members is stated in a description; a trim has no word at all. */
const config = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  ignoreActions: ['check', 'trim', 'raw_check'],
  overrideAction: ({ valibotAction: { type }, jsonSchema }) =>
    type === 'regex' ? { ...jsonSchema, pattern: unescapeSlashes(jsonSchema.pattern!) } : undefined,
} satisfies ConversionConfig;

const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`;

/** Adds the rules of an object, which some readers of tools do not know: the contract alone has them. */
const overrideSchema: ConversionConfig['overrideSchema'] = ({ valibotSchema, jsonSchema }) => {
  const own = rules.get(valibotSchema as GenericSchema);
  return own && ({ ...jsonSchema, ...own } as typeof jsonSchema);
};

/**
 * The JSON Schema of a valibot schema. With `components` it is in the form of the contract: each of them in it is a
 * reference to `#/components/schemas/NAME`.
 */
export function toPlainSchema(schema: GenericSchema, components?: Record<string, GenericSchema>): JsonSchema {
  const named = components && { definitions: components, overrideRef, overrideSchema };
  const { $schema: _, $defs: __, ...plain } = toJsonSchema(schema, { ...config, ...named }) as JsonSchema;
  return plain;
}

/** The components themselves, each referring to the others by name. */
export const toComponents = (components: Record<string, GenericSchema>): Record<string, JsonSchema> =>
  toJsonSchemaDefs(components, { ...config, overrideRef }) as Record<string, JsonSchema>;
