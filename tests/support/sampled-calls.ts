import { hasBody, type Operation } from '../../src/kernel/operation.ts';
import { operations } from '../../src/table.ts';
import type { SentCall } from './ways-of-sending.ts';

const { sample: batch } = operations.find(({ operationId }) => operationId === 'createBatch')!.contract;
const refs = {
  '/candidates/': '%23candidate',
  '/job-orders/': '%23jobOrder',
  '/placements/': '%23placement',
};

/** Returns the ref of the record of a path, in a workspace that `openWorkspace` creates. */
const findRef = (path: string) => Object.entries(refs).find(([prefix]) => path.startsWith(prefix))?.[1];

/** Returns the call with the sample of a row. With a workspace, it goes to the records that `openWorkspace` creates. */
export function buildSampledCall(row: Operation, workspace?: string): SentCall {
  const { method, path, contract, access } = row;
  const { id, ...args } = contract.sample ?? {};
  const sampleId = encodeURIComponent(String(id ?? 'none'));
  const segment = workspace === undefined ? sampleId : (findRef(path) ?? sampleId);
  const headers: Record<string, string> = {};
  if (workspace !== undefined && access.workspace) headers['X-Workspace'] = workspace;
  const body = hasBody(method) && Object.keys(args).length > 0 ? JSON.stringify(args) : undefined;
  return { method, target: path.replace('{id}', segment), headers, body };
}

/** Creates a workspace with a record of each kind, whose refs are the names of the kinds, and returns its id. */
async function openWorkspace(origin: string): Promise<string> {
  const reply = await fetch(`${origin}/batch`, { method: 'POST', body: JSON.stringify(batch) });
  return ((await reply.json()) as { workspace: string }).workspace;
}

/** Sends a call as every other test does, and returns the status. */
export async function fetchStatus(origin: string, call: SentCall): Promise<number> {
  const { method, target, headers, body } = call;
  const options = { method, headers, redirect: 'manual', ...(body && { body }) } as const;
  const reply = await fetch(origin + target, options);
  await reply.arrayBuffer();
  return reply.status;
}

const unknownCalls: SentCall[] = [
  { method: 'POST', target: '/nowhere', headers: {} },
  { method: 'PUT', target: '/candidates/cand_001', headers: {}, body: '{"name":"A"}' },
  { method: 'GET', target: '/nowhere/at/all', headers: {} },
];

/** A call that can be made again and again with the same result. */
export interface RepeatableCall {
  what: string;
  /** Returns the call. If it changes a workspace, each has one of its own. */
  make(): Promise<SentCall>;
}

/** Lists each operation, with a workspace and without one, and some calls that no row answers. */
export function listRepeatableCalls(origin: string): RepeatableCall[] {
  const shared = openWorkspace(origin);
  const withWorkspace = operations.filter(({ access }) => access.workspace);
  return [
    ...operations.map((row) => ({ what: row.operationId, make: async () => buildSampledCall(row) })),
    ...withWorkspace.map((row) => ({
      what: `${row.operationId} in a workspace`,
      make: async () => buildSampledCall(row, await (row.effect === 'read' ? shared : openWorkspace(origin))),
    })),
    ...unknownCalls.map((call) => ({ what: `${call.method} ${call.target}`, make: async () => call })),
  ];
}
