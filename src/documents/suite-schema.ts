/** The JSON Schema keywords that `api.qa/suite@1` knows; others are not looked at. */
export interface SuiteSchema {
  const?: unknown;
  enum?: unknown[];
  nullable?: boolean;
  type?: string | string[];
  required?: string[];
  properties?: Record<string, SuiteSchema>;
  items?: SuiteSchema;
  allOf?: SuiteSchema[];
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  multipleOf?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
}

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const limit = (bound: number | undefined, holds: (bound: number) => boolean) =>
  bound === undefined || holds(bound);

function checkOwn(value: unknown, schema: SuiteSchema): string | undefined {
  if (typeof value === 'string') {
    const size = [...value].length;
    if (!limit(schema.minLength, (least) => size >= least)) return `is shorter than ${schema.minLength}`;
    if (!limit(schema.maxLength, (most) => size <= most)) return `is longer than ${schema.maxLength}`;
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
      return `does not match ${schema.pattern}`;
    }
  }
  if (typeof value === 'number') {
    if (!limit(schema.exclusiveMinimum, (bound) => value > bound))
      return `is not above ${schema.exclusiveMinimum}`;
    if (!limit(schema.exclusiveMaximum, (bound) => value < bound))
      return `is not below ${schema.exclusiveMaximum}`;
    if (!limit(schema.multipleOf, (step) => Number.isInteger(value / step))) {
      return `is no multiple of ${schema.multipleOf}`;
    }
  }
  if (Array.isArray(value)) {
    if (!limit(schema.minItems, (least) => value.length >= least))
      return `has fewer items than ${schema.minItems}`;
    if (!limit(schema.maxItems, (most) => value.length <= most))
      return `has more items than ${schema.maxItems}`;
    if (schema.uniqueItems && new Set(value.map((one) => JSON.stringify(one))).size < value.length) {
      return 'has an item twice';
    }
  }
  return undefined;
}

/** Where and why `value` breaks `schema`; empty where it does not. `place` is the path of the value. */
export function checkSchema(value: unknown, schema: SuiteSchema, place = 'body'): string[] {
  if (value === null && schema.nullable) return [];
  if ('const' in schema) {
    return isSame(value, schema.const) ? [] : [`${place} is not ${JSON.stringify(schema.const)}`];
  }
  if (schema.enum) {
    return schema.enum.some((one) => isSame(one, value))
      ? []
      : [`${place} is none of ${JSON.stringify(schema.enum)}`];
  }
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    return [`${place} is not ${types.join(' or ')}`];
  }
  const own = checkOwn(value, schema);
  const problems = own ? [`${place} ${own}`] : [];
  if (isOfType(value, 'object')) {
    const members = value as Record<string, unknown>;
    const missing = (schema.required ?? []).filter((name) => !Object.hasOwn(members, name));
    problems.push(...missing.map((name) => `${place} has no ${name}`));
    if (!limit(schema.minProperties, (least) => Object.keys(members).length >= least)) {
      problems.push(`${place} has fewer members than ${schema.minProperties}`);
    }
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (Object.hasOwn(members, name))
        problems.push(...checkSchema(members[name], inner, `${place}.${name}`));
    }
  }
  if (Array.isArray(value) && schema.items) {
    for (const [index, one] of value.entries())
      problems.push(...checkSchema(one, schema.items, `${place}.${index}`));
  }
  for (const part of schema.allOf ?? []) problems.push(...checkSchema(value, part, place));
  return problems;
}
