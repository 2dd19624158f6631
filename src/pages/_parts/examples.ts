import type { Operation } from '../../core/operation.ts';
import { recordKinds } from '../../model/record.ts';
import type { ContractOperation } from '../_scripts/contract.ts';
import type { Values } from '../_scripts/request.ts';
import { service } from './ask.ts';

const { agentClasses } = service.catalogue.service.icp;
const firstFacts = {
  [recordKinds.candidate.path]: service.catalogue.seed.candidates[0],
  [recordKinds.jobOrder.path]: service.catalogue.seed.jobOrders[0],
  [recordKinds.placement.path]: service.catalogue.seed.placements[0],
} as Record<string, Record<string, unknown>>;

function toBody({ path, fields }: ContractOperation): Record<string, unknown> {
  if (path === '/mcp') return { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const fact = firstFacts[path] ?? {};
  const names = fields.filter(({ place }) => place === 'body').map(({ name }) => name);
  return Object.fromEntries(names.filter((name) => name in fact).map((name) => [name, fact[name]]));
}

function rowOf(operationId: string): Operation {
  return service.operations.find((row) => row.operationId === operationId)!;
}

/** Values that an operation answers well: from the first frozen address, the first seed record, or a known first call. */
export function toExample(operation: ContractOperation): Values {
  const call = agentClasses.find(({ firstCall }) => firstCall.operationId === operation.operationId)?.firstCall;
  const query = Object.fromEntries(new URLSearchParams(call?.path.split('?')[1] ?? ''));
  const frozen = operation.path.includes('{id}') ? rowOf(operation.operationId).frozen?.(service)[0] : undefined;
  const id = frozen?.slice(frozen.lastIndexOf('/') + 1);
  return {
    path: id === undefined ? {} : { id },
    query,
    body: operation.method === 'POST' ? (call?.body ?? toBody(operation)) : {},
  };
}

/** Whether the operation is a tool of /mcp. */
export function isTool(operationId: string): boolean {
  return rowOf(operationId).tool !== undefined;
}
