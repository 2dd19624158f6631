import * as v from 'valibot';
import { clearName, listRemovable } from '../kernel/input.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import type { Operation } from '../kernel/operation.ts';
import { unwrap } from '../kernel/shape.ts';
import { getToolArguments, isListed } from './tool-arguments.ts';

/** A schema as a model sees it. The clients of some models refuse all tools if one schema has any other member. */
export interface ToolSchema {
  type: string;
  description?: string;
  enum?: string[];
  items?: ToolSchema;
  properties?: Record<string, ToolSchema>;
  required?: string[];
}

/**
 * How much a schema describes. Changes are `brief`, because the create describes the members. The records of a batch are
 * `bare`: they have no descriptions, and a value is listed only if it is the only one, as the status `proposed` is.
 */
type Detail = 'whole' | 'brief' | 'bare';

/** Returns the first alternative that is not null. An enum comes before plain text, as a hint what to send. */
function pickAlternative(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  const alternative = anyOf?.find(({ type }) => type !== 'null');
  return alternative ? { ...pickAlternative(alternative), ...rest } : rest;
}

function formatDescription({ description = '', format }: JsonSchema, detail: Detail): string {
  if (detail === 'bare') return '';
  const words = detail === 'whole' ? description : '';
  const isDay = format === 'date' && !words.includes('YYYY-MM-DD');
  return isDay ? `${words} YYYY-MM-DD.`.trim() : words;
}

/** Throws if the schema has no single type, or is an array without a schema of its items. */
function simplify(whole: JsonSchema, detail: Detail): ToolSchema {
  const schema = pickAlternative(whole);
  const { type, items, properties, required = [] } = schema;
  if (typeof type !== 'string' || (type === 'array' && !items))
    throw new Error(`No tool can take a value of this schema: ${JSON.stringify(whole)}`);
  const description = formatDescription(schema, detail);
  const showsValues = schema.enum && (detail !== 'bare' || schema.enum.length === 1);
  const members =
    properties && Object.entries(properties).map(([name, property]) => [name, simplify(property, detail)]);
  return {
    type,
    ...(description !== '' && { description }),
    ...(showsValues && { enum: schema.enum as string[] }),
    ...(items && { items: simplify(items, items.properties ? 'bare' : 'brief') }),
    ...(members && { properties: Object.fromEntries(members) }),
    ...(required.length > 0 && { required }),
  };
}

/** The refusal of any other name lists the members that can be removed. */
const clearSchema: ToolSchema = {
  type: 'array',
  description: 'Optional members to remove.',
  items: { type: 'string' },
};

/** Returns a schema with the description that it has as an argument of a tool. */
function describeForTools(entry: v.GenericSchema): v.GenericSchema {
  const shape = unwrap(entry);
  const { ofTool } = shape;
  return ofTool ? v.optional(v.pipe(shape, v.description(ofTool.description))) : entry;
}

/** Returns the schema of the arguments of a tool. It leaves out bounds, because a refusal explains them. */
export function createToolSchema(operation: Operation): ToolSchema {
  const { input = operation.input, unlisted = [] } = operation.tool ?? {};
  const listed = Object.entries(input.entries).filter(([name]) => !unlisted.includes(name));
  const entries = Object.fromEntries(
    listed.map(([name, entry]) => [name, describeForTools(entry as v.GenericSchema)]),
  );
  const isUpdate = listRemovable(entries).length > 0;
  const own = simplify(toPlainSchema(v.object(entries)), isUpdate ? 'brief' : 'whole');
  const transportEntries = Object.entries(getToolArguments(operation).transport.entries);
  const shown = Object.fromEntries(transportEntries.filter(([name]) => isListed(name, operation)));
  const transport = simplify(toPlainSchema(v.object(shown)), 'whole');
  const required = [...(own.required ?? []), ...(transport.required ?? [])];
  return {
    type: 'object',
    properties: {
      ...own.properties,
      ...(isUpdate && { [clearName]: clearSchema }),
      ...transport.properties,
    },
    ...(required.length > 0 && { required }),
  };
}
