import type { Schema } from './contract.ts';

/** Splits a schema with several types into one form for each type. */
const splitTypes = ({ type, ...rest }: Schema): Schema[] | undefined =>
  Array.isArray(type) ? type.map((name) => ({ ...(name === 'null' ? {} : rest), type: name })) : undefined;

const readReferenceName = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

/** Formats a schema as `{ type: "OK", total: number }`. Objects more than `depth` deep become `{ … }`. */
export function formatShape(schema: Schema, depth = 2): string {
  if (schema.$ref) return readReferenceName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const forms = schema.anyOf ?? schema.oneOf ?? splitTypes(schema);
  if (forms) return forms.map((form) => formatShape(form, depth)).join(' | ');
  if (schema.type === 'array') {
    const items = formatShape(schema.items ?? {}, depth);
    return items.includes(' | ') ? `(${items})[]` : `${items}[]`;
  }
  if (schema.type !== 'object') return String(schema.type ?? 'any');
  if (depth === 0) return '{ … }';
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const mark = schema.required?.includes(name) ? '' : '?';
    return `${name}${mark}: ${formatShape(member, depth - 1)}`;
  });
  return members.length > 0 ? `{ ${members.join(', ')} }` : 'object';
}

/** Returns a bound of the value itself, but not one that only follows from the size of a request or a JSON number. */
const pickOwnBound = (bound: number | undefined) =>
  bound !== undefined && bound !== 16_384 && Math.abs(bound) < 65_536 ** 3 ? bound : undefined;

/** Describes a schema in a few words: `string, 1 to 200 characters`. */
export function describeRule(schema: Schema): string {
  const parts = [schema.type === 'array' ? `list of ${schema.items?.type ?? 'values'}` : formatShape(schema)];
  const { minLength, exclusiveMinimum, maxItems } = schema;
  const [maxLength, minimum, maximum] = [schema.maxLength, schema.minimum, schema.maximum].map(pickOwnBound);
  if (maxLength !== undefined) {
    parts.push(minLength ? `${minLength} to ${maxLength} characters` : `at most ${maxLength} characters`);
  }
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (minimum !== undefined && maximum !== undefined) parts.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) parts.push(`at least ${minimum}`);
  else if (maximum !== undefined) parts.push(`at most ${maximum}`);
  if (maxItems !== undefined) parts.push(`at most ${maxItems}`);
  return parts.join(', ');
}
