import type { JsonSchema } from '../kernel/json-schema.ts';
import { memberBounds } from './member-bounds.ts';
import { memberWords } from './member-words.ts';

/** What is read here of a schema. */
type Node = JsonSchema & {
  type?: string | string[];
  enum?: unknown[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  description?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  additionalProperties?: Node | boolean;
};

const isSchema = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** The largest integer that every reader of JSON has exactly (RFC 8259 section 6). */
const { MAX_SAFE_INTEGER: exact } = Number;
const largest32 = 2 ** 31 - 1;

/**
 * Forms that differ by type alone, as one schema with several types (JSON Schema 2020-12 section 6.1.1): a keyword
 * holds of values of its own type only. Undefined where they are more than that.
 */
function merge(forms: readonly Node[]): Node | undefined {
  const types = forms.flatMap(({ type }) => type ?? []);
  const isPlain = forms.every(
    ({ type, const: one, properties }) => type && one === undefined && !(forms.length > 2 && properties),
  );
  if (forms.length === 1) return forms[0];
  if (!isPlain || new Set(types).size < types.length) return undefined;
  const isNull = (form: Node) => form.type === 'null';
  if (forms.some((form) => form.enum) && !(forms.length === 2 && forms.some(isNull))) return undefined;
  const merged: Node = Object.assign({}, ...forms);
  return { ...merged, type: types, ...(merged.enum && { enum: [...merged.enum, null] }) };
}

/** Forms without one that any text has, beside words of which one is to be sent: it is there to be refused in words. */
function toNarrow(forms: Node[] | undefined): Node[] | undefined {
  const isAny = ({ type, ...rest }: Node) => type === 'string' && Object.keys(rest).length === 0;
  return forms?.some((form) => form.enum) ? forms.filter((form) => !isAny(form)) : forms;
}

/** An integer with its width and its ends, which every integer of JSON has. */
function bound({ minimum = -exact, maximum = exact, ...schema }: Node): Node {
  const isShort = minimum >= -largest32 - 1 && maximum <= largest32;
  return { ...schema, format: schema.format ?? (isShort ? 'int32' : 'int64'), minimum, maximum };
}

const isType = ({ type }: Node, name: string) =>
  type === name || (Array.isArray(type) && type.includes(name));
const isText = (schema: Node) =>
  isType(schema, 'string') && schema.enum === undefined && schema.const === undefined;

/**
 * A schema as the contract tells it: every member in words, forms that differ by type alone as one, integers with
 * their bounds. `owner` is the member, component or operation around it; `most` is how many bytes may hold what is
 * sent, and so how long a text in it can be that has no other end.
 */
export function tellMembers(schema: JsonSchema, owner: string, most?: number): JsonSchema {
  const { properties, items, anyOf, additionalProperties, propertyNames: _, ...rest } = schema as Node;
  const forms = toNarrow(anyOf)?.map((form) => tellMembers(form, owner, most) as Node);
  const merged = forms && merge(forms);
  const told: Node = { ...(merged ?? (forms && { anyOf: forms })), ...rest };
  if (properties) {
    told.properties = Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, tellMember(member, name, owner, most)]),
    );
  }
  if (items) told.items = tellMembers(items, owner, most) as Node;
  if (isSchema(additionalProperties))
    told.additionalProperties = tellMembers(additionalProperties, owner, most) as Node;
  else if (additionalProperties !== undefined) told.additionalProperties = additionalProperties;
  if (most !== undefined && isText(told)) told.maxLength ??= told.format === 'date' ? 10 : most;
  return told.type === 'integer' ? bound(told) : told;
}

function tellMember(member: Node, name: string, owner: string, most?: number): Node {
  if (member.$ref !== undefined) return member;
  const { maxItems, ...ofText } = memberBounds[`${owner}.${name}`] ?? memberBounds[name] ?? {};
  const bounds = {
    ...(isType(member, 'array') && maxItems !== undefined && { maxItems }),
    ...(isText(member) && ofText),
  };
  const told = tellMembers({ ...bounds, ...member }, name, most) as Node;
  const description = told.description ?? memberWords[`${owner}.${name}`] ?? memberWords[name];
  return description === undefined ? told : { ...told, description };
}

const prefix = '#/components/schemas/';

export const toComponentName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** A reference to a schema, which joins `schemas` under a name. */
export function toNamed(name: string, schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  schemas[name] = schema;
  return { $ref: prefix + name };
}

/** What the `type` of an envelope is, where the schema tells one. */
const toKind = ({ properties }: Node) => properties?.type?.const as string | undefined;

/**
 * A reply that can be one of several envelopes, told apart by `type` (OpenAPI 3.1, Discriminator Object, which takes
 * named schemas only). Adds to `schemas` those that have no name yet, as `owner` and their type.
 */
export function tellReply(
  schema: JsonSchema,
  owner: string,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const told = tellMembers(schema, owner) as Node;
  if (!told.anyOf) return told;
  const { anyOf, ...rest } = told;
  const mapping: Record<string, string> = {};
  for (const form of anyOf) {
    const known = typeof form.$ref === 'string' ? form.$ref : undefined;
    const kind = toKind(known ? (schemas[known.slice(prefix.length)] as Node) : form);
    if (kind === undefined) return told;
    const name = toComponentName(owner) + toComponentName(kind.toLowerCase());
    mapping[kind] = known ?? (toNamed(name, form, schemas).$ref as string);
  }
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  return { ...rest, oneOf, discriminator: { propertyName: 'type', mapping } };
}
