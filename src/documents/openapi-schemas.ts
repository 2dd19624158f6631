import type { GenericSchema } from 'valibot';
import { memoize } from '../kernel/cache.ts';
import { Blocked, Empty, Issue, Warning } from '../kernel/envelope.ts';
import { isObject } from '../kernel/json.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import { kinds } from '../kinds.ts';
import { Occupation } from '../occupations/occupation.ts';
import { ServedPricingDocument } from '../pricing/document.ts';
import { Offer } from '../pricing/offer.ts';
import { Retention } from '../records/account/workspace-state.ts';

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns `InvalidRequest` for `invalid_request`, and `If-Match` unchanged. */
const toComponentName = (name: string) =>
  name
    .split(/[^A-Za-z0-9-]+/)
    .map(capitalize)
    .join('');

/** Schemas that have their own name in the contract. */
export const components: Record<string, GenericSchema> = {
  ...Object.fromEntries(kinds.map(({ name, record }) => [toComponentName(name), record])),
  Occupation,
  PricingDocument: ServedPricingDocument,
  Retention,
  Issue,
  Warning,
  Empty,
  Blocked,
  Offer,
};

/**
 * Merges forms that differ only by type into one schema (JSON Schema 2020-12 section 6.1.1). Returns undefined for
 * other forms. An enum or null stays two forms, because generators would read a merged one as an enum of text only.
 */
function merge(forms: readonly JsonSchema[]): JsonSchema | undefined {
  const types = forms.flatMap(({ type }) => type ?? []);
  const isNullable = forms.length === 2 && forms.some(({ type }) => type === 'null');
  const isPlain = forms.every(
    (form) =>
      form.type !== undefined &&
      form.const === undefined &&
      form.enum === undefined &&
      (isNullable || !form.properties),
  );
  if (forms.length === 1) return forms[0];
  if (!isPlain || new Set(types).size < types.length) return undefined;
  return { ...Object.assign({}, ...forms), type: types };
}

/** Leaves out "any string" beside an enum. The schema accepts it only to refuse it with a clear message. */
function withoutAnyString(forms: JsonSchema[]): JsonSchema[] {
  const isAny = ({ type, maxLength: _, ...rest }: JsonSchema) =>
    type === 'string' && Object.keys(rest).length === 0;
  return forms.some((form) => form.enum) ? forms.filter((form) => !isAny(form)) : forms;
}

/** Returns any boolean for a fixed one, because generators write classes that do not compile for `const: true`. */
function withoutFixedBoolean(schema: JsonSchema): JsonSchema {
  const { const: value, ...rest } = schema;
  return typeof value === 'boolean' ? { type: 'boolean', ...rest } : schema;
}

/** Returns a pattern for a fixed word, because generators hold the values of all forms to a `const` of one of them. */
function withoutFixedWord(schema: JsonSchema): JsonSchema {
  const { const: value, ...rest } = schema;
  const isWord = typeof value === 'string' && /^\w+$/.test(value);
  return isWord ? { type: 'string', pattern: `^${value}$`, ...rest } : schema;
}

/** Returns a JSON Schema in the form of the contract: forms that differ only by type are merged. */
export function tidy(schema: JsonSchema): JsonSchema {
  const {
    properties,
    items,
    anyOf,
    additionalProperties,
    propertyNames: _,
    required = [],
    ...rest
  } = withoutFixedBoolean(schema);
  const forms = anyOf && withoutAnyString(anyOf).map((form) => withoutFixedWord(tidy(form)));
  const merged = forms && merge(forms);
  const isSchema = typeof additionalProperties === 'object';
  return {
    ...(merged ?? (forms && { anyOf: forms })),
    ...rest,
    ...(required.length > 0 && { required }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, tidy(member)]),
      ),
    }),
    ...(items && { items: tidy(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: isSchema ? tidy(additionalProperties) : additionalProperties,
    }),
  };
}

/** More than there are schemas. */
const mostSchemas = 10_000;

/** Returns a schema in the form of the contract. Named schemas become references. The caller must not change it. */
export const toContractSchema = memoize(
  (schema: GenericSchema): JsonSchema => tidy(toPlainSchema(schema, components)),
  { most: mostSchemas },
);

const prefix = '#/components/schemas/';

/**
 * Returns the schema of a reply's body. If the body is one of several envelopes, `type` is the discriminator (OpenAPI
 * 3.1, Discriminator Object). Adds envelopes without a name to `schemas`, named by `owner` and their type.
 */
export function createReplySchema(
  schema: GenericSchema,
  owner: string,
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const { anyOf, ...rest } = toContractSchema(schema);
  if (!anyOf) return rest;
  const mapping: Record<string, string> = {};
  for (const form of anyOf) {
    const known = form.$ref?.slice(prefix.length);
    const { properties } = known === undefined ? form : schemas[known]!;
    const kind = properties!.type!.const as string;
    const name = known ?? toComponentName(owner) + toComponentName(kind.toLowerCase());
    schemas[name] ??= form;
    mapping[kind] = prefix + name;
  }
  const oneOf = Object.values(mapping).map(($ref) => ({ $ref }));
  return { ...rest, oneOf, discriminator: { propertyName: 'type', mapping } };
}

/** A place of a schema, reply or parameter in the contract, and the name that it would have as a component. */
export interface ContractPart {
  holder: Record<string, unknown>;
  key: string;
  name: string;
  /** The name with what the part belongs to before it, in case that other parts want the name. */
  fullName: string;
}

/** Lists the schemas directly inside a schema. */
export function listInnerSchemas(schema: unknown, name: string, fullName: string): ContractPart[] {
  if (!isObject(schema)) return [];
  const { properties = {}, anyOf = [] } = schema as { properties?: object; anyOf?: object };
  const members = Object.keys(properties).map((key) => ({
    holder: properties as ContractPart['holder'],
    key,
    name: key,
    fullName: `${fullName} ${key}`,
  }));
  const within = (holder: object, key: string, as: string) => ({
    holder: holder as ContractPart['holder'],
    key,
    name: name + as,
    fullName: fullName + as,
  });
  const single = Object.entries({ items: 'Item', additionalProperties: 'Member' });
  return [
    ...members,
    ...single.flatMap(([key, as]) => (isObject(schema[key]) ? [within(schema, key, as)] : [])),
    ...Object.keys(anyOf).map((key) => within(anyOf, key, 'Form')),
  ];
}

interface ShareOptions {
  /** Lists the parts of a part, which are shared as well. */
  inner?: (value: unknown, name: string, fullName: string) => ContractPart[];
  /** Characters that a part has at least to be shared. */
  least?: number;
}

/** Returns the name of a part from its own title, else from its place. */
function nameComponent({ holder, key, name }: ContractPart): string {
  const { title = '' } = holder[key] as { title?: string };
  return /^\w+$/.test(title) ? title : toComponentName(name);
}

/** Counts how often each part occurs, by its JSON. Also returns the JSON of the parts by the name that each wants. */
function countParts(places: readonly ContractPart[], inner: Required<ShareOptions>['inner']) {
  const times = new Map<string, number>();
  const wanted = new Map<string, Set<string>>();
  const count = (part: ContractPart): void => {
    const value = part.holder[part.key];
    const text = JSON.stringify(value);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before > 0) return;
    wanted.getOrInsertComputed(nameComponent(part), () => new Set()).add(text);
    for (const one of inner(value, part.name, part.fullName)) count(one);
  };
  for (const place of places) count(place);
  return { times, wanted };
}

/**
 * Moves parts that occur more than once to `#/components/KIND/` and replaces them by references. Returns the components
 * of the kind. `inner` lists the parts inside a part. Parts of fewer than `least` characters of JSON stay in place.
 * Of components that would have the same name, one keeps it if it occurs more often than all others together. The rest
 * are named by what they belong to as well.
 */
export function share<T>(
  places: readonly ContractPart[],
  kind: string,
  components: Record<string, T> = {},
  { inner = () => [], least = 0 }: ShareOptions = {},
): Record<string, T> {
  const { times, wanted } = countParts(places, inner);
  const isShared = (text: string) => text.length >= least && times.get(text)! > 1;
  const given = new Set(Object.keys(components));
  const countAll = (texts: readonly string[]) => texts.reduce((sum, text) => sum + times.get(text)!, 0);
  const isAmbiguous = (name: string, text: string) => {
    const others = [...wanted.get(name)!].filter((other) => other !== text && isShared(other));
    return given.has(name) || (others.length > 0 && countAll(others) >= times.get(text)!);
  };
  const names = new Map<string, string>();
  const replace = (part: ContractPart): void => {
    const { holder, key, name, fullName } = part;
    const value = holder[key];
    const text = JSON.stringify(value);
    const known = names.get(text);
    if (known === undefined && !isShared(text)) {
      for (const one of inner(value, name, fullName)) replace(one);
      return;
    }
    const [short, long] = [nameComponent(part), toComponentName(fullName)];
    const componentName =
      known ?? findFreeName(isAmbiguous(short, text) ? [long] : [short, long], components);
    holder[key] = { $ref: `#/components/${kind}/${componentName}` };
    if (known !== undefined) return;
    names.set(text, componentName);
    components[componentName] = value as T;
    for (const one of inner(value, name, componentName)) replace(one);
  };
  for (const place of places) replace(place);
  return components;
}

/** Returns the first name that no component has. If all are taken, the last gets a number, from 2 on. */
function findFreeName(names: readonly string[], components: object): string {
  const isFree = (name: string) => !Object.hasOwn(components, name);
  let free = names.find(isFree) ?? names.at(-1)!;
  for (let number = 2; !isFree(free); number += 1) free = `${names.at(-1)}${number}`;
  return free;
}
