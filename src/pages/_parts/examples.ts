import type { Operation } from '../../kernel/operation.ts';
import type { ContractOperation } from '../_scripts/contract.ts';
import type { Values } from '../_scripts/request.ts';
import { service } from './ask.ts';

function rowOf(operationId: string): Operation {
  return service.operations.find((row) => row.operationId === operationId)!;
}

/** Values that an operation answers well: the sample of its row. */
export function toExample({ operationId, method, path }: ContractOperation): Values {
  const { id, ...args } = rowOf(operationId).sample ?? {};
  const inPath: Record<string, string> = path.includes('{id}') ? { id: String(id) } : {};
  if (method === 'POST' || method === 'PATCH') {
    const isMember = id !== undefined && !path.includes('{id}');
    return { path: inPath, query: {}, header: {}, body: { ...args, ...(isMember && { id }) } };
  }
  const query = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
  return { path: inPath, query, header: {}, body: {} };
}

/** Whether the operation is a tool of /mcp. */
export function isTool(operationId: string): boolean {
  return rowOf(operationId).tool !== undefined;
}
