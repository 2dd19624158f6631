import type { Operation } from '../kernel/operation.ts';
import type { Kind } from '../records/kind/kind.ts';
import { listMembersWith } from '../records/kind/member.ts';
import type { ToolSchema } from './tool-schema.ts';
import type { Tool } from './tools.ts';

/** Arguments that a model can do without, beside such members. They are not listed, but are read if it sends them. */
const spareArguments = [
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
  'unstated',
];

/** Characters of the longest description that an optional argument keeps. Its name and type say most of the rest. */
const longestDescription = 45;

function shortenDescription(schema: ToolSchema): ToolSchema {
  const { description = '', ...rest } = schema;
  if (description.length <= longestDescription) return schema;
  return description.includes('YYYY-MM-DD') ? { ...rest, description: 'YYYY-MM-DD.' } : rest;
}

/** Leaves out spare arguments, in the records of a batch too, and shortens what describes optional ones. */
function shortenSchema(schema: ToolSchema, spare: ReadonlySet<string>): ToolSchema {
  const { properties = {}, required = [] } = schema;
  const shown = Object.entries(properties).filter(([name]) => !spare.has(name));
  const shortened = shown.map(([name, property]) => {
    const short = required.includes(name) ? property : shortenDescription(property);
    const { items } = short;
    return [name, items?.properties ? { ...short, items: shortenSchema(items, spare) } : short];
  });
  return { ...schema, properties: Object.fromEntries(shortened) };
}

/** Returns the tools that place a person, shortened for clients and models that take few tools. */
export function pickCoreTools(
  tools: readonly Tool[],
  { operations, kinds }: { operations: readonly Operation[]; kinds: readonly Kind[] },
) {
  const spareMembers = kinds.flatMap(({ members }) =>
    listMembersWith(members, ({ isCore }) => isCore === false),
  );
  const spare = new Set([...spareArguments, ...spareMembers]);
  const core = new Set(operations.filter(({ tool }) => tool?.isCore).map(({ operationId }) => operationId));
  return tools
    .filter(({ name }) => core.has(name))
    .map((tool) => ({ ...tool, inputSchema: shortenSchema(tool.inputSchema, spare) }));
}
