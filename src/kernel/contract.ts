import * as v from 'valibot';
import { Blocked, Empty, type Issue, okSchema } from './envelope.ts';
import type { Contract, Operation, OperationRow, ReplySpec, ToolSpec } from './operation.ts';
import { createBlocked, type RefusalCode, type RefusalKind } from './refusal.ts';
import type { KernelService } from './service.ts';

/** What documents and tools say about one operation. */
export type Words = Contract & { tool?: ToolSpec };

/** The words of operations, by operationId. */
export type Contracts = Readonly<Record<string, Words>>;

/** The words of an operation that no document lists. */
const unlisted: Words = { tag: '', summary: '', description: '', replies: {} };

/** Adds its contract to each row, unless the row has one. Throws if a listed row has none. */
export function describeOperations(
  rows: readonly (OperationRow | Operation)[],
  contracts: Contracts,
): Operation[] {
  return rows.map((row) => {
    if ('contract' in row) return row;
    const words = contracts[row.operationId];
    if (!words && row.listed)
      throw new Error(
        `${row.operationId} has no contract: write it in contract.ts of its folder, which src/table.ts lists`,
      );
    const { tool, ...contract } = words ?? unlisted;
    return { ...row, contract, ...(tool && { tool }) };
  });
}

/** Describes an OK reply with these members. `example` leaves out the type. */
export const ok = <S extends KernelService = KernelService>(
  description: string,
  entries: v.ObjectEntries,
  example: (service: S) => object | Promise<object>,
  headers?: readonly string[],
): ReplySpec => ({
  description,
  schema: okSchema(entries),
  headers,
  example: async (service: S) => ({ type: 'OK', ...(await example(service)) }),
});

/** Describes a BLOCKED reply. Its example is the refusal that callers get most often. */
/* @__NO_SIDE_EFFECTS__ */
export function blocked(kind: RefusalCode | RefusalKind, description: string, issues?: Issue[]): ReplySpec {
  return { description, schema: Blocked, example: () => createBlocked(kind, { issues }) };
}

/** The 400 of invalid arguments. Its example has one issue. */
export const invalid = blocked('invalid_request', 'The arguments are not valid; issues names each place.', [
  { path: 'limit', message: 'must be at least 1' },
]);

/** The 412 of a change for another version. */
export const changed = blocked('changed', 'It is not what If-Match, revision or tag says.');

/** The 409 of a service that cannot do this. */
export const notLive = blocked('not_live', 'It is not possible here.');

export function emptyRecord(description: string): ReplySpec {
  return { description, schema: Empty, example: () => ({ type: 'EMPTY', message: description }) };
}

export const emptyList = (
  description: string,
  page: v.GenericSchema,
  example: ReplySpec['example'],
  headers?: readonly string[],
): ReplySpec => ({ description, schema: v.union([page, Empty]), example, headers });
