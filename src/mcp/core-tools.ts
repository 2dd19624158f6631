import type { Operation } from '../kernel/operation.ts';
import type { ToolSchema } from './tool-schema.ts';
import type { Tool } from './tools.ts';

/** Arguments that a model can do without. They are not listed, but are read if it sends them. */
const hidden = new Set([
  'strict',
  'idempotencyKey',
  'revision',
  'tag',
  'waitSeconds',
  'scope',
  'fields',
  'minimal',
  'updatedSince',
  'spend',
  'contact',
  'source',
  'salaryMaxUsdYear',
  'unstated',
  'feeModel',
  'guaranteeDays',
  'note',
]);

/** Characters of the longest description that an optional argument keeps. Its name and type say most of the rest. */
const longestDescription = 45;

function shortenDescription(schema: ToolSchema): ToolSchema {
  const { description = '', ...rest } = schema;
  if (description.length <= longestDescription) return schema;
  return description.includes('YYYY-MM-DD') ? { ...rest, description: 'YYYY-MM-DD.' } : rest;
}

/** Leaves out hidden arguments, in the records of a batch too, and shortens what describes optional ones. */
function shortenSchema(schema: ToolSchema): ToolSchema {
  const { properties = {}, required = [] } = schema;
  const shown = Object.entries(properties).filter(([name]) => !hidden.has(name));
  const shortened = shown.map(([name, property]) => {
    const short = required.includes(name) ? property : shortenDescription(property);
    const { items } = short;
    return [name, items?.properties ? { ...short, items: shortenSchema(items) } : short];
  });
  return { ...schema, properties: Object.fromEntries(shortened) };
}

/** Returns the tools that place a person, shortened for clients and models that take few tools. */
export function pickCoreTools(tools: readonly Tool[], operations: readonly Operation[]) {
  const core = new Set(operations.filter(({ tool }) => tool?.isCore).map(({ operationId }) => operationId));
  return tools
    .filter(({ name }) => core.has(name))
    .map((tool) => ({ ...tool, inputSchema: shortenSchema(tool.inputSchema) }));
}
