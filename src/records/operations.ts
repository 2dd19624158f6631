import * as v from 'valibot';
import { unwrapJson } from '../kernel/json.ts';
import {
  blocked,
  defineOperation,
  describeReplies,
  emptyList,
  emptyRecord,
  invalid,
  type Operation,
  ok,
  type ReplySpec,
} from '../kernel/operation.ts';
import { checkCursor, filterSchema, pageSchema, paging } from '../kernel/page.ts';
import { mayNamed } from '../kernel/text.ts';
import { checkCode, occupationFilter } from '../occupations/code.ts';
import { workspaceFull } from '../pricing/offer.ts';
import { defineBatchOperation } from './batch.ts';
import {
  checkChange,
  checkRef,
  createChangeSchema,
  refuseSeedRecord,
  removeRecord,
  updateRecord,
} from './change.ts';
import { buildCreateExample, createRecord } from './create.ts';
import { createFilterEntries } from './filters.ts';
import { createIdSchema, type Kind } from './kind.ts';
import { type ListInput, listRecords, listSeed } from './list.ts';
import { getRecord } from './read.ts';
import { createdEntries, keptFor } from './retention.ts';
import type { Context, RecordService, RecordWorkspace } from './service.ts';
import { defineWorkspaceOperations } from './workspace-operations.ts';

export const scopeFilter = filterSchema('Scope', 'public (the seed alone) or workspace (yours alone).');

/** What the operations on one record, or on what belongs to it at `below`, have in common. */
export const createRecordRow = (
  { name, noun, collection, path, prefix }: Kind,
  replies: Record<number, ReplySpec>,
  below = '',
) => ({
  path: `${path}/{id}${below}`,
  idText: `Its id, \`${prefix}…\`, or \`#\` and its ref.`,
  findId: (named: string, { contents }: RecordWorkspace) =>
    (named.startsWith('#') && contents.findByRef(name, named.slice(1))?.record.id) || named,
  tag: collection,
  workspace: true as const,
  replies: describeReplies({ 404: emptyRecord(`No ${noun} has this id in view.`), ...replies }),
});

function defineListOperation(kind: Kind): Operation {
  const { collection, path, plural, record, texts, filters } = kind;
  const { statuses } = kind.lifecycle;
  return defineOperation({
    ...texts.list,
    summary: `List ${plural}`,
    method: 'GET',
    path,
    tag: collection,
    sample: { status: statuses[0], limit: 5 },
    input: v.object({
      status: filterSchema('Status', `One of ${statuses.join(', ')}.`),
      occupation: occupationFilter,
      ...createFilterEntries(filters),
      scope: scopeFilter,
      ...paging,
      ...kind.list?.query,
    }),
    replies: describeReplies({
      200: emptyList(
        `A page of ${plural}, or EMPTY where none match.`,
        pageSchema(collection, record),
        (service: RecordService) => unwrapJson(listSeed(kind, { limit: 1 }, { service }).body),
      ),
      400: invalid('limit', 'must be at least 1'),
      ...kind.list?.replies,
    }),
    cache: 'record',
    workspace: true,
    frozen: () => [path],
    check: ({ cursor }) => checkCursor(collection, cursor),
    run: (input, context: Context) =>
      kind.list?.answer?.(input, context.service) ?? listRecords(kind, input as ListInput, context),
  });
}

function createStatusSchema(initial: readonly string[]) {
  const words = initial.join(' or ');
  const wrong = `must be ${words}, or left out; its other statuses follow by PATCH and by its days`;
  return mayNamed(v.picklist(initial, wrong), 'Status', `${words}; left out, it is accepted.`);
}

function defineCreateOperation(kind: Kind): Operation {
  const { name, collection, path, noun, body, record, sample, texts } = kind;
  const { initial } = kind.lifecycle;
  const { tool } = texts.create;
  return defineOperation({
    ...texts.create,
    ...(tool && { tool: `${tool} ${keptFor}` }),
    summary: `Create a ${noun}`,
    method: 'POST',
    path,
    tag: collection,
    sample,
    input: v.object({
      ...body.entries,
      ...(initial && { status: createStatusSchema(initial) }),
    } as v.ObjectEntries),
    replies: describeReplies({
      201: ok(
        `The ${noun}, its workspace and how long it is kept.`,
        { [name]: record, ...createdEntries },
        (service: RecordService) => buildCreateExample(kind, sample, service),
        ['Location', 'X-Workspace'],
      ),
      400: invalid('onetCode', 'is missing; send it'),
      402: workspaceFull,
      409: blocked('duplicate_ref', 'The ref is that of another, or strict handling found a conflict.'),
    }),
    workspace: true,
    check: async (args, service: RecordService, call) => [
      ...checkRef(kind, args.ref),
      ...(await checkCode(args, service, call)),
    ],
    run: (input, context: Context) => createRecord(kind, input, context),
  });
}

function defineGetOperation(kind: Kind): Operation {
  const { name, path, noun, prefix, record, texts, canWait } = kind;
  return defineOperation({
    ...createRecordRow(kind, {
      200: ok(`The ${noun}.`, { [name]: record }, ({ seed }: RecordService) => ({
        [name]: seed.rows[name]![0]!.row.value,
      })),
    }),
    ...texts.get,
    summary: `Read one ${noun}`,
    method: 'GET',
    sample: { id: `${prefix}001` },
    cache: 'record',
    ...(canWait && { canWait: ({ seed }: RecordService, named) => !seed.byId.has(named!) }),
    frozen: ({ seed }: RecordService) => seed.rows[name]!.map(({ row }) => `${path}/${row.value.id}`),
    run: ({ id }, context: Context) => getRecord(kind, id, context),
  });
}

/** What the operations that write to one record, at `below` it, have in common; `replies` are its own. */
export const createWriteRow = (kind: Kind, replies: Record<number, ReplySpec>, below?: string) => ({
  ...createRecordRow(
    kind,
    describeReplies({
      403: blocked('read_only', 'The record belongs to the seed.'),
      412: blocked('changed', 'The record is not what If-Match, or revision, says.'),
      ...replies,
    }),
    below,
  ),
  workspace: 'required' as const,
  withoutWorkspace: refuseSeedRecord,
});

function defineUpdateOperation(kind: Kind): Operation {
  const { name, noun, prefix, record, sample, texts } = kind;
  const [member, value] = Object.entries(sample)[0]!;
  return defineOperation({
    ...createWriteRow(
      kind,
      describeReplies({
        200: ok(
          `The changed ${noun}.`,
          { [name]: record },
          (service: RecordService) => {
            const created = buildCreateExample(kind, sample, service) as Record<string, object>;
            return { [name]: { ...created[name], revision: 2 } };
          },
          ['ETag'],
        ),
        400: invalid('id', 'is given by the service and cannot be changed; leave it out'),
        402: workspaceFull,
        409: blocked('illegal_transition', 'The status cannot follow, or the change conflicts with others.'),
      }),
    ),
    ...texts.update,
    summary: `Change a ${noun}`,
    description: `${texts.update.description} A JSON Merge Patch (RFC 7396): null removes a member.`,
    method: 'PATCH',
    sample: { id: `${prefix}0000000000000000`, [member]: value },
    input: createChangeSchema(kind),
    check: async (args, service: RecordService, call) => [
      ...checkChange(kind, args),
      ...(await checkCode(args, service, call)),
    ],
    run: ({ id, ...patch }, context: Context) => updateRecord(kind, id, patch, context),
  });
}

function defineDeleteOperation(kind: Kind): Operation {
  const { noun, prefix, texts } = kind;
  const id = `${prefix}0000000000000000`;
  const deleted = createIdSchema(prefix, 'Its id.');
  return defineOperation({
    ...createWriteRow(
      kind,
      describeReplies({ 200: ok(`The ${noun} is deleted.`, { deleted }, () => ({ deleted: id })) }),
    ),
    ...texts.delete,
    summary: `Delete a ${noun}`,
    method: 'DELETE',
    sample: { id },
    run: (args, context: Context) => removeRecord(kind, args.id, context),
  });
}

const makers = [
  defineListOperation,
  defineCreateOperation,
  defineGetOperation,
  defineUpdateOperation,
  defineDeleteOperation,
];

/** The operations on records of these kinds, and on the workspaces that hold them. */
export const defineRecordOperations = (kinds: readonly Kind[]): readonly Operation[] => [
  ...kinds.flatMap((kind) => makers.map((make) => make(kind))),
  defineBatchOperation(kinds),
  ...defineWorkspaceOperations(kinds),
];
