import * as v from 'valibot';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import type { Effect, Operation } from '../kernel/operation.ts';
import { toTransportArguments } from './call-tool.ts';

declare module '../kernel/service.ts' {
  interface Service {
    toTools(operations: readonly Operation[]): readonly Tool[];
  }
}

const toolsOf = new WeakMap<readonly Operation[], readonly Tool[]>();

function toInputSchema(operation: Operation): JsonSchema {
  const { entries: own } = operation.toolInput ?? operation.input;
  const entries = { ...own, ...toTransportArguments(operation) };
  const { properties = {}, required = [], ...rest } = toPlainSchema(v.object(entries));
  const told = Object.entries(properties).map(([name, property]) => {
    const isChanged = operation.method === 'PATCH' && Object.hasOwn(own, name);
    return [name, isChanged ? toPatch(property) : toBrief(property)];
  });
  return { ...rest, properties: Object.fromEntries(told), ...(required.length > 0 && { required }) };
}

const untold = new Set(['title', 'minLength', 'maxLength', 'maxItems', 'minimum', 'maximum', 'pattern']);

/** A property as a model needs it to be told: what it is, not how long it may be. A wrong one is refused in words. */
function toBrief({ items, ...property }: JsonSchema): JsonSchema {
  const told = Object.fromEntries(Object.entries(property).filter(([member]) => !untold.has(member)));
  return items ? { ...told, items: { type: items.type, enum: items.enum } } : told;
}

/** A property of a change: its types, and what values there are. What it means is told where one is created. */
function toPatch(property: JsonSchema): JsonSchema {
  const { anyOf = [property] } = property;
  const { format, enum: values } = anyOf[0]!;
  const types = [...new Set(anyOf.map((one) => one.type as string))];
  return {
    type: types.length === 1 ? types[0] : types,
    ...(values !== undefined && { description: `One of ${values.join(', ')}.` }),
    ...(format !== undefined && { format }),
  };
}

/** What a model may assume of a tool (ToolAnnotations): what is not idempotent needs no hint. */
const hints: Record<Effect, object> = {
  read: { readOnlyHint: true },
  create: { readOnlyHint: false, destructiveHint: false },
  update: { readOnlyHint: false, destructiveHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** A tool as tools/list tells it (MCP 2026-07-28, Tools). */
export type Tool = ReturnType<typeof toTool>[number];

/** The tools of the table, in its order: every row that has a tool. The contract says what each answers. */
export function toTools(operations: readonly Operation[]): readonly Tool[] {
  return toolsOf.getOrInsertComputed(operations, () => operations.flatMap(toTool));
}

function toTool(operation: Operation) {
  const { operationId: name, summary: title, effect, tool: description } = operation;
  if (!description) return [];
  const annotations = { ...hints[effect], openWorldHint: false };
  return [{ name, title, description, inputSchema: toInputSchema(operation), annotations }];
}
