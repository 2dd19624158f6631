import type { GenericSchema } from 'valibot';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import { toComponentName } from './openapi-share.ts';

/** What is read here of a schema. */
type Node = JsonSchema & {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  additionalProperties?: Node | boolean;
};

/** One schema of forms that differ by type alone (JSON Schema 2020-12 section 6.1.1); undefined for others. */
function merge(forms: readonly Node[]): Node | undefined {
  const types = forms.flatMap(({ type }) => type ?? []);
  const isNullable = forms.length === 2 && forms.some(({ type }) => type === 'null');
  const isPlain = forms.every(
    (form) =>
      form.type !== undefined && form.const === undefined && (isNullable || !(form.enum || form.properties)),
  );
  if (forms.length === 1) return forms[0];
  if (!isPlain || new Set(types).size < types.length) return undefined;
  const merged: Node = Object.assign({}, ...forms);
  return { ...merged, type: types, ...(merged.enum && { enum: [...merged.enum, null] }) };
}

/** Forms without "any string" next to listed words: the schema takes it only to refuse it in words. */
function withoutAnyString(forms: Node[]): Node[] {
  const isAny = ({ type, ...rest }: Node) => type === 'string' && Object.keys(rest).length === 0;
  return forms.some((form) => form.enum) ? forms.filter((form) => !isAny(form)) : forms;
}

/** A JSON Schema in the form of the contract: forms that differ by type alone are one. */
export function tidy(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties, propertyNames: _, ...rest } = schema as Node;
  const forms = anyOf && withoutAnyString(anyOf).map((form) => tidy(form) as Node);
  const merged = forms && merge(forms);
  const isSchema = typeof additionalProperties === 'object';
  return {
    ...(merged ?? (forms && { anyOf: forms })),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, tidy(one)])),
    }),
    ...(items && { items: tidy(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isSchema ? tidy(additionalProperties) : additionalProperties,
    }),
  };
}

const prefix = '#/components/schemas/';

/**
 * The schema of a reply's body, told apart by `type` where it is one of several envelopes (OpenAPI 3.1,
 * Discriminator Object). Adds to `schemas` those without a name, as `owner` and their type.
 */
export function toReplySchema(
  schema: GenericSchema,
  owner: string,
  components: Record<string, GenericSchema>,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const { anyOf, ...rest } = tidy(toPlainSchema(schema, components)) as Node;
  if (!anyOf) return rest;
  const mapping: Record<string, string> = {};
  for (const form of anyOf) {
    const known = typeof form.$ref === 'string' ? form.$ref.slice(prefix.length) : undefined;
    const { properties } = (known === undefined ? form : schemas[known]) as Node;
    const kind = properties!.type!.const as string;
    const name = known ?? toComponentName(owner) + toComponentName(kind.toLowerCase());
    schemas[name] ??= form;
    mapping[kind] = prefix + name;
  }
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  return { ...rest, oneOf, discriminator: { propertyName: 'type', mapping } };
}
