import * as v from 'valibot';
import { effects } from '../kernel/effect.ts';
import { type JsonSchema, toPlainSchema } from '../kernel/json-schema.ts';
import type { Operation } from '../kernel/operation.ts';
import { toAsides } from './asides.ts';

/** A tool as tools/list tells it (MCP 2026-07-28, Tools). */
interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: object;
}

const toolsOf = new WeakMap<readonly Operation[], readonly Tool[]>();

function toInputSchema(operation: Operation): JsonSchema {
  const entries = { ...operation.input.entries, ...toAsides(operation) };
  const schema = toPlainSchema(v.object(entries)) as { properties: Record<string, JsonSchema> };
  for (const property of Object.values(schema.properties)) delete property.title;
  return schema;
}

type Node = JsonSchema & {
  type?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
};

/** A schema without words and limits, its objects told to `depth` levels: enough to check a result against. */
function toOutline(
  { type, enum: values, const: value, properties, items, anyOf }: Node,
  depth: number,
): JsonSchema {
  const nested = properties && depth > 0 ? Object.entries(properties) : [];
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(value !== undefined && { const: value }),
    ...(anyOf && { anyOf: anyOf.map((one) => toOutline(one, depth)) }),
    ...(nested.length > 0 && {
      properties: Object.fromEntries(nested.map(([name, node]) => [name, toOutline(node, depth - 1)])),
    }),
    ...(items && { items: toOutline(items, depth) }),
  };
}

/**
 * One flat schema over every envelope the tool can give: `type` is there always, all else may be. A client
 * that checks results against it accepts a refusal as well as a record.
 */
function toOutputSchema(operation: Operation): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const [status, { schema }] of Object.entries(operation.replies)) {
    if (!schema) continue;
    const plain = toPlainSchema(schema) as Node;
    const depth = Number(status) < 300 ? 1 : 0;
    for (const variant of plain.anyOf ?? [plain]) {
      for (const [name, member] of Object.entries(variant.properties ?? {})) {
        properties[name] ??= toOutline(member, name === 'warnings' ? 0 : depth);
      }
    }
  }
  properties.type = { enum: ['OK', 'EMPTY', 'BLOCKED', 'OFFER'] };
  return { type: 'object', properties, required: ['type'] };
}

/** The tools of the table, in its order: every row that has a tool. Made once for a table. */
export function toTools(operations: readonly Operation[]): readonly Tool[] {
  const made = toolsOf.get(operations) ?? makeTools(operations);
  toolsOf.set(operations, made);
  return made;
}

function makeTools(operations: readonly Operation[]): Tool[] {
  return operations.flatMap((operation) => {
    const { operationId: name, effect, tool } = operation;
    if (!tool) return [];
    return [
      {
        name,
        ...tool,
        inputSchema: toInputSchema(operation),
        outputSchema: toOutputSchema(operation),
        annotations: { ...effects[effect].hints, openWorldHint: false },
      },
    ];
  });
}
