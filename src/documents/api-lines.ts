import type { JsonSchema } from '../kernel/json-schema.ts';

/** Formats bounds as `1 to 80`, `<=50`, `>=1` or `>0`. Leaves out bounds so large that no caller reaches them. */
function formatBounds(least: unknown, most: unknown, above?: unknown): string {
  const isMet = (bound: unknown): bound is number =>
    typeof bound === 'number' && Math.abs(bound) < 10_000_000;
  if (isMet(least) && isMet(most)) return ` ${least} to ${most}`;
  const from = isMet(above) ? ` >${above}` : isMet(least) && least > 0 ? ` >=${least}` : '';
  return isMet(most) ? `${from} <=${most}` : from;
}

/** Text has at most this many characters unless a line says otherwise. */
export const usualText = 200;
/** An object with at most this many members is shown with all of them. */
const mostListed = 10;

export const formatMemberName = (name: string, { required = [] }: JsonSchema) =>
  required.includes(name) ? name : `${name}?`;

/** Leaves out the orders of a list with - before them, because each order has one. */
const withoutDescending = (words: readonly unknown[]) =>
  words.filter((word) => !(String(word).startsWith('-') && words.includes(String(word).slice(1))));

/** Formats a schema in short: `text 1 to 80`, `open|filled` or `{id, title?}`. Returns '' for text of usual length. */
export function formatType(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const words = schema.enum ?? schema.anyOf?.find((form) => form.enum)?.enum;
  if (words) return withoutDescending(words).join('|');
  const type = [schema.type ?? 'any'].flat().find((name) => name !== 'null')!;
  if (type === 'array') return `[${formatType(schema.items ?? {}) || 'text'}]`;
  if (type === 'string') {
    if (schema.format === 'date') return 'day';
    if (schema.format === 'date-time') return 'time';
    return (schema.maxLength ?? usualText) === usualText
      ? ''
      : `text${formatBounds(schema.minLength, schema.maxLength)}`;
  }
  if (type !== 'object') return type + formatBounds(schema.minimum, schema.maximum, schema.exclusiveMinimum);
  const members = Object.keys(schema.properties ?? {}).map((name) => formatMemberName(name, schema));
  return members.length > 0 && members.length <= mostListed ? `{${members.join(', ')}}` : type;
}

export function formatMember(name: string, schema: JsonSchema, owner: JsonSchema): string {
  const type = name === 'links' || schema.$ref || schema.items?.$ref ? '' : formatType(schema);
  return formatMemberName(name, owner) + (/[{|]/.test(type) ? `: ${type}` : '');
}

/** A member of an operation: its name, and what is said of it. */
export type Line = readonly [name: string, line: string];

/** Returns a line for each member: its name, type and description, without what `description` already says. */
export const listMemberLines = (schema: JsonSchema, description = ''): Line[] =>
  Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const text = (one.description ?? '').replace(/,? YYYY-MM-DD \(UTC\)/, '');
    const most = Number(one.maxLength ?? one.maximum).toLocaleString('en');
    const values = formatType(one).replace(/^\[?(object|\{.*\})\]?$/, '');
    const hasAllValues = values.split('|').every((value) => text.includes(value));
    const type = hasAllValues || (text.includes(most) && one.format !== 'date') ? '' : values;
    const isRepeated = description.includes(text.slice(text.indexOf(': ') + 2));
    return [name, `${formatMemberName(name, schema)}${type && ` (${type})`}${isRepeated ? '' : `: ${text}`}`];
  });
