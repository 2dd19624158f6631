import * as v from 'valibot';
import type { WordedIssue } from '../kernel/envelope.ts';
import { defineOperation, type OperationRow } from '../kernel/operation.ts';
import { commaFilterSchema, paging } from '../kernel/page.ts';
import { mayNamed } from '../kernel/text.ts';
import { checkCode, occupationFilter } from '../occupations/code.ts';
import { workspaceOperations } from './account/workspace-operations.ts';
import { reasonEntry } from './activity/remark.ts';
import { defineBatchOperation } from './batch/batch.ts';
import { createFilterEntries, listFilters } from './kind/filters.ts';
import type { Kind } from './kind/kind.ts';
import { checkSortedCursor, createSortFilter } from './kind/sort.ts';
import { type ListInput, listRecords, withUsualSort } from './list/list.ts';
import { checkFields, fieldsFilter, listFields } from './read/pick-fields.ts';
import { getRecord } from './read/read.ts';
import { scopeFilter } from './read/scope.ts';
import type { Context, RecordService, RecordWorkspace } from './service.ts';
import { refuseSeedRecord, removeRecord, updateRecord } from './write/change.ts';
import { checkChange, createChangeSchema } from './write/change-input.ts';
import { checkRef } from './write/check-record.ts';
import { createRecord } from './write/create.ts';

/** Returns what the operations on one record share. `below` is the part of the path after the id. */
export const createRecordRow = ({ name, path }: Kind, below = '') => ({
  path: `${path}/{id}${below}`,
  findId: (idOrRef: string, { contents }: RecordWorkspace) =>
    (idOrRef.startsWith('#') && contents.findByRef(name, idOrRef.slice(1))?.record.id) || idOrRef,
  access: { workspace: true as const },
});

/** Returns what the operations that write to one record share. They refuse a seed record. */
export const createWriteRow = (kind: Kind, below?: string) => ({
  ...createRecordRow(kind, below),
  readsIfMatch: true as const,
  access: { workspace: 'required' as const, withoutWorkspace: refuseSeedRecord },
});

function defineListOperation(kind: Kind): OperationRow {
  const { path, texts, filters, sorts } = kind;
  const { statuses } = kind.lifecycle;
  return defineOperation({
    operationId: texts.list.operationId,
    method: 'GET',
    path,
    input: v.object({
      status: commaFilterSchema(
        'Status',
        `Any of, with commas: ${statuses.join(', ')}.`,
        statuses.slice(0, 2).join(),
      ),
      occupation: occupationFilter,
      ...createFilterEntries(filters),
      ...listFilters,
      scope: scopeFilter,
      fields: fieldsFilter,
      sort: createSortFilter(sorts),
      ...paging,
      ...kind.list?.query,
    }),
    caching: { rule: 'record', frozen: () => [path] },
    access: { workspace: true },
    check: (input) => [
      ...checkSortedCursor(kind, withUsualSort(kind, input)),
      ...checkFields(input.fields, listFields(kind)),
    ],
    run: (input, context: Context) =>
      kind.list?.answer?.(input, context.service) ?? listRecords(kind, input as ListInput, context),
  });
}

function createStatusSchema(initial: readonly string[]) {
  const words = initial.join(' or ');
  const message = `must be ${words}, or left out; its other statuses follow by PATCH and by its days`;
  return mayNamed(v.picklist(initial, message), 'Status', `${words}; left out, it is accepted.`);
}

/** Adds the issues of a code to others. A code that is known is checked at once. */
const joinIssues = (issues: WordedIssue[], ofCode: WordedIssue[] | Promise<WordedIssue[]>) =>
  ofCode instanceof Promise ? ofCode.then((found) => [...issues, ...found]) : [...issues, ...ofCode];

function defineCreateOperation(kind: Kind): OperationRow {
  const { path, body, texts } = kind;
  const { initial } = kind.lifecycle;
  return defineOperation({
    operationId: texts.create.operationId,
    method: 'POST',
    path,
    input: v.object({
      ...body.entries,
      ...(initial && { status: createStatusSchema(initial) }),
    } as v.ObjectEntries),
    hasMinimal: true,
    access: { workspace: true },
    check: (args, service: RecordService, call) =>
      joinIssues(checkRef(kind, args.ref), checkCode(args, service, call)),
    run: (input, context: Context) => createRecord(kind, input, context),
  });
}

function defineGetOperation(kind: Kind): OperationRow {
  const { name, path, texts, canWait } = kind;
  return defineOperation({
    ...createRecordRow(kind),
    operationId: texts.get.operationId,
    method: 'GET',
    input: v.object({ fields: fieldsFilter }),
    check: ({ fields }) => checkFields(fields, listFields(kind)),
    caching: {
      rule: 'record',
      frozen: ({ seed }: RecordService) => seed.rows[name]!.map(({ row }) => `${path}/${row.value.id}`),
      ...(canWait && { canWait: ({ seed }: RecordService, id) => !seed.byId.has(id!) }),
    },
    run: (input, context: Context) => getRecord(kind, input, context),
  });
}

function defineUpdateOperation(kind: Kind): OperationRow {
  return defineOperation({
    ...createWriteRow(kind),
    operationId: kind.texts.update.operationId,
    method: 'PATCH',
    input: createChangeSchema(kind),
    hasMinimal: true,
    check: (args, service: RecordService, call) =>
      joinIssues(checkChange(kind, args), checkCode(args, service, call)),
    run: ({ id, ...patch }, context: Context) => updateRecord(kind, id, patch, context),
  });
}

function defineDeleteOperation(kind: Kind): OperationRow {
  return defineOperation({
    ...createWriteRow(kind),
    operationId: kind.texts.delete.operationId,
    method: 'DELETE',
    input: v.object({ reason: reasonEntry }),
    hasMinimal: true,
    run: (args, context: Context) => removeRecord(kind, args, context),
  });
}

const defineByKind = [
  defineListOperation,
  defineCreateOperation,
  defineGetOperation,
  defineUpdateOperation,
  defineDeleteOperation,
];

/** Returns the operations on records of these kinds, and on the workspaces that hold them. */
export const defineRecordOperations = (kinds: readonly Kind[]): readonly OperationRow[] => [
  ...kinds.flatMap((kind) => defineByKind.map((define) => define(kind))),
  defineBatchOperation(kinds),
  ...workspaceOperations,
];
