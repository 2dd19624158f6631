import { memoize } from '../kernel/cache.ts';
import type { Effect, Operation, ToolHints } from '../kernel/operation.ts';
import { createToolSchema } from './tool-schema.ts';

/**
 * What a model may assume of a tool (MCP, ToolAnnotations), unless its row says otherwise. Without `idempotentHint` a tool
 * that writes is not idempotent; on one that only reads it means nothing.
 */
const hintsByEffect: Record<Effect, ToolHints> = {
  read: { readOnlyHint: true, destructiveHint: false },
  create: { readOnlyHint: false, destructiveHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

/** A tool as tools/list has it (MCP 2026-07-28, Tools). */
export type Tool = ReturnType<typeof describeTool>[number];

/** Returns the tools of all operations that have one, in the order of the operations. */
export const describeTools = memoize(
  (operations: readonly Operation[]): readonly Tool[] => operations.flatMap(describeTool),
  { most: 10 },
);

function describeTool(operation: Operation) {
  const { operationId: name, contract, effect, tool } = operation;
  if (!tool) return [];
  const { summary: title } = contract;
  const { description, hints } = tool;
  const annotations = { title, ...hintsByEffect[effect], ...hints, openWorldHint: false };
  // Clients show `annotations.title` if a tool has no `title`, and older clients read it too.
  return [{ name, description, inputSchema: createToolSchema(operation), annotations }];
}
