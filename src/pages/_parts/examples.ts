import type { Operation } from '../../kernel/operation.ts';
import type { ContractOperation } from '../_scripts/contract.ts';
import type { Values } from '../_scripts/request.ts';
import { service } from './ask.ts';

function rowOf(operationId: string): Operation {
  return service.operations.find((row) => row.operationId === operationId)!;
}

/** Values that an operation answers well: the sample of its row. */
export function toExample({ operationId, method }: ContractOperation): Values {
  const { id, ...args } = rowOf(operationId).sample ?? {};
  if (method === 'POST') return { path: {}, query: {}, body: { ...args, ...(id !== undefined && { id }) } };
  const query = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
  return { path: id === undefined ? {} : { id: String(id) }, query, body: {} };
}

/** Whether the operation is a tool of /mcp. */
export function isTool(operationId: string): boolean {
  return rowOf(operationId).tool !== undefined;
}
