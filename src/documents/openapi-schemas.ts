import type { GenericSchema } from 'valibot';
import { Blocked, Empty, Issue, Warning } from '../kernel/envelope.ts';
import { isObject } from '../kernel/json.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import { Occupation } from '../occupations/occupation.ts';
import { ServedPricingDocument } from '../pricing/document.ts';
import { Offer } from '../pricing/offer.ts';
import { kinds } from '../records/kinds.ts';
import { Retention } from '../records/retention.ts';

const capitalize = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** `InvalidRequest` for `invalid_request`, `If-Match` as it is. */
const toComponentName = (name: string) =>
  name
    .split(/[^A-Za-z0-9-]+/)
    .map(capitalize)
    .join('');

/** What has a name of its own in the contract. */
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
 * One schema of forms that differ by type alone (JSON Schema 2020-12 section 6.1.1); undefined for others. Listed words
 * or null stay two forms, because generators write an enum of text from one.
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

/** Forms without "any string" next to listed words: the schema takes it only to refuse it in words. */
function withoutAnyString(forms: JsonSchema[]): JsonSchema[] {
  const isAny = ({ type, ...rest }: JsonSchema) => type === 'string' && Object.keys(rest).length === 0;
  return forms.some((form) => form.enum) ? forms.filter((form) => !isAny(form)) : forms;
}

/** A JSON Schema in the form of the contract: forms that differ by type alone are one. */
export function tidy(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties, propertyNames: _, ...rest } = schema;
  const forms = anyOf && withoutAnyString(anyOf).map((form) => tidy(form));
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

/** The same schemas are part of many replies. */
const contractSchemas = new WeakMap<GenericSchema, JsonSchema>();

/** A schema in the form of the contract, not to be changed; what has a name there is a reference. */
export const toContractSchema = (schema: GenericSchema): JsonSchema =>
  contractSchemas.getOrInsertComputed(schema, () => tidy(toPlainSchema(schema, components)));

const prefix = '#/components/schemas/';

/**
 * The schema of a reply's body, told apart by `type` where it is one of several envelopes (OpenAPI 3.1,
 * Discriminator Object). Adds to `schemas` those without a name, as `owner` and their type.
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

/** Where a schema, a reply or a parameter is in the contract, and what it would be called as a component. */
export interface ContractPart {
  holder: Record<string, unknown>;
  key: string;
  name: string;
}

/** The schemas right within a schema. */
export function listInnerSchemas(schema: unknown, name: string): ContractPart[] {
  if (!isObject(schema)) return [];
  const { properties = {}, anyOf = [] } = schema as { properties?: object; anyOf?: object };
  const within = (holder: object, nameOf: (key: string) => string): ContractPart[] =>
    Object.keys(holder).map((key) => ({ holder: holder as ContractPart['holder'], key, name: nameOf(key) }));
  const single = Object.entries({ items: 'Item', additionalProperties: 'Member' });
  return [
    ...within(properties, (key) => key),
    ...single.flatMap(([key, as]) =>
      isObject(schema[key]) ? [{ holder: schema, key, name: name + as }] : [],
    ),
    ...within(anyOf, () => `${name}Form`),
  ];
}

interface ShareOptions {
  /** Lists the parts of a part, which are shared as well. */
  inner?: (value: unknown, name: string) => ContractPart[];
  /** Characters that a part has at least to be shared. */
  least?: number;
}

/**
 * Moves parts that occur more than once to `#/components/KIND/`, refers to them there, and answers all that is there.
 * `inner` gives parts of one.
 */
export function share<T>(
  places: readonly ContractPart[],
  kind: string,
  components: Record<string, T> = {},
  { inner = () => [], least = 0 }: ShareOptions = {},
): Record<string, T> {
  const times = new Map<string, number>();
  const count = ({ holder, key, name }: ContractPart): void => {
    const text = JSON.stringify(holder[key]);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 0) for (const one of inner(holder[key], name)) count(one);
  };
  for (const place of places) count(place);
  const names = new Map<string, string>();
  const replace = ({ holder, key, name }: ContractPart): void => {
    const value = holder[key];
    const text = JSON.stringify(value);
    const known = names.get(text);
    if (known === undefined && (text.length < least || times.get(text) === 1)) {
      for (const one of inner(value, name)) replace(one);
      return;
    }
    const { title = '' } = value as { title?: string };
    const isName = /^\w+$/.test(title) && !Object.hasOwn(components, title);
    const own = known ?? findFreeName(isName ? title : toComponentName(name), components);
    holder[key] = { $ref: `#/components/${kind}/${own}` };
    if (known !== undefined) return;
    names.set(text, own);
    components[own] = value as T;
    for (const one of inner(value, name)) replace(one);
  };
  for (const place of places) replace(place);
  return components;
}

/** A name that no component has: with a number from 2 on where one has it. */
function findFreeName(name: string, components: object): string {
  let free = name;
  for (let number = 2; Object.hasOwn(components, free); number += 1) free = `${name}${number}`;
  return free;
}
