import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { Shape } from './shape.ts';

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

const overrideRef = ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`;

/** Converts the actions that the library does not know as this service means them. */
const overrideAction: ConversionConfig['overrideAction'] = ({ valibotAction, jsonSchema }) => {
  const { type, maxLength } = valibotAction as { type: string; maxLength?: number };
  if (type === 'regex') return { ...jsonSchema, pattern: unescapeSlashes(jsonSchema.pattern!) };
  // A description states any other check.
  if (type === 'check') return maxLength === undefined ? jsonSchema : { ...jsonSchema, maxLength };
  return undefined;
};

type Components = Readonly<Record<string, GenericSchema>>;

/**
 * Shows a schema that is chosen by the value as the one that is chosen for undefined, in its place. Adds the rules of an
 * object if `hasRules`: only the contract has them, because some readers of tools do not know them.
 */
const createOverrideSchema =
  (hasRules: boolean): ConversionConfig['overrideSchema'] =>
  ({ valibotSchema, jsonSchema, definitions, referenceMap }) => {
    const { getter } = valibotSchema as Shape;
    if (getter) return definitions[referenceMap.get(getter(undefined))!];
    const own = hasRules ? rules.get(valibotSchema as GenericSchema) : undefined;
    if (!own) return undefined;
    const { shown, ...members } = own;
    const properties = shown && toPlainSchema(shown).properties;
    return { ...jsonSchema, ...(properties && { properties }), ...members } as typeof jsonSchema;
  };

/** The options of a conversion. Descriptions state the actions that are ignored. */
const createConfig = (hasRules: boolean, components?: Components) =>
  ({
    target: 'draft-2020-12',
    errorMode: 'throw',
    ignoreActions: ['transform', 'raw_check'],
    overrideAction,
    overrideSchema: createOverrideSchema(hasRules),
    ...(components && { definitions: components, overrideRef }),
  }) satisfies ConversionConfig;

/**
 * Returns the JSON Schema of a valibot schema. With `components` it has the form of the contract: each component in it
 * is a reference to `#/components/schemas/NAME`.
 */
export function toPlainSchema(schema: GenericSchema, components?: Components): JsonSchema {
  const config = createConfig(components !== undefined, components);
  const { $schema: _, $defs: __, ...plain } = toJsonSchema(schema, config) as JsonSchema;
  return plain;
}

/** Returns the components themselves. They refer to each other by name. */
export function toComponents(components: Components): Record<string, JsonSchema> {
  const schemas: Record<string, unknown> = toJsonSchemaDefs(components, createConfig(false, components));
  // The library adds the schemas that are chosen by the value.
  return Object.fromEntries(Object.keys(components).map((name) => [name, schemas[name] as JsonSchema]));
}
