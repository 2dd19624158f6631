import { isSteady, type Operation } from '../../kernel/operation.ts';
import { createFind } from '../../kernel/router.ts';
import { Redactor } from './redact.ts';

/** The table of operations, and what the parts of a host need to know of it. Sets are of operationIds. */
export interface HostTable {
  operations: readonly Operation[];
  /** Returns the row of a method and path, if there is one. */
  find(method: string, path: string): Operation | undefined;
  /** Whether a request is a health check, at the plain address of its row. */
  isProbe(method: string | undefined, path: string): boolean;
  /** The operations that change nothing, so that their answer can be refused when it is made. */
  reads: ReadonlySet<string>;
  /** The reads whose reply without a workspace depends only on the request, while a process lives. */
  steadyReads: ReadonlySet<string>;
  /** The reads whose reply is the same for all callers without a workspace. */
  sharedReads: ReadonlySet<string>;
  /** Hides the secrets that these operations take. */
  redactor: Redactor;
}

/** Computes once, when a host starts, what it needs to know of the table. */
export function describeTable(operations: readonly Operation[]): HostTable {
  const listIds = (test: (row: Operation) => boolean) =>
    new Set(operations.filter(test).map(({ operationId }) => operationId));
  const probes = new Set(operations.filter(({ access }) => access.probe).map(({ path }) => path));
  const prefixes = new Set(operations.flatMap(({ access }) => access.capability?.prefix ?? []));
  return {
    operations,
    find: createFind(operations),
    isProbe: (method, path) => (method === 'GET' || method === 'HEAD') && probes.has(path),
    reads: listIds(({ effect }) => effect === 'read'),
    steadyReads: listIds(isSteady),
    sharedReads: listIds(({ effect, caching }) => effect === 'read' && caching.rule === 'record'),
    redactor: new Redactor([...prefixes]),
  };
}
