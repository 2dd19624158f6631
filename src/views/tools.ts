import * as v from 'valibot';
import type { Operation } from '../core/operation.ts';
import { type JsonSchema, toPlainSchema } from './json-schema.ts';

/** Rows on a page of a list tool where the model does not say: a model reads what it is sent. */
export const toolLimit = 20;

const workspaceArgument = v.optional(
  v.pipe(
    v.string(),
    v.description('Sandbox workspace id from an earlier create; read and add there. Leave out for the seed.'),
  ),
);

/** A tool as tools/list tells it (MCP 2026-07-28, Tools). */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: object;
}

function toInputSchema({ idText, input, workspace }: Operation): JsonSchema {
  const entries: v.ObjectEntries = { ...input.entries };
  if (idText) entries.id = v.pipe(v.string(), v.description(idText));
  if (workspace) entries.workspace = workspaceArgument;
  return toPlainSchema(v.object(entries));
}

type ObjectJsonSchema = { properties?: Record<string, JsonSchema>; anyOf?: ObjectJsonSchema[] };

/**
 * One flat schema over every envelope the tool can give: `type` is there always, all else may be. A client
 * that checks results against it accepts a refusal as well as a record.
 */
function toOutputSchema(operation: Operation): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const { schema } of Object.values(operation.replies)) {
    if (!schema) continue;
    const plain = toPlainSchema(schema) as ObjectJsonSchema;
    for (const variant of plain.anyOf ?? [plain]) {
      for (const [name, member] of Object.entries(variant.properties ?? {})) properties[name] ??= member;
    }
  }
  properties.type = { enum: ['OK', 'EMPTY', 'BLOCKED', 'OFFER'] };
  return { type: 'object', properties, required: ['type'] };
}

/** The tools of the table, in its order: every row that has a tool. */
export function toTools(operations: readonly Operation[]): Tool[] {
  return operations.flatMap((operation) => {
    const { operationId: name, method, tool } = operation;
    if (!tool) return [];
    const reads = method === 'GET';
    return [
      {
        name,
        ...tool,
        inputSchema: toInputSchema(operation),
        outputSchema: toOutputSchema(operation),
        annotations: {
          readOnlyHint: reads,
          destructiveHint: false,
          idempotentHint: reads,
          openWorldHint: false,
        },
      },
    ];
  });
}
