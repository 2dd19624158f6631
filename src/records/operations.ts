import * as v from 'valibot';
import { toValue } from '../kernel/json.ts';
import {
  blocked,
  emptyList,
  emptyRecord,
  invalid,
  type OpenedWorkspace,
  type Operation,
  ok,
  type ReplySpec,
  toOperation,
  toReplies,
} from '../kernel/operation.ts';
import { checkCursor, paging, toFilter, toPageSchema } from '../kernel/page.ts';
import { mayNamed } from '../kernel/text.ts';
import { checkCode, occupationFilter } from '../occupations/code.ts';
import { full } from '../pricing/offer.ts';
import { createBatch } from './batch.ts';
import { checkChange, checkRef, refuseSeedRecord, remove, toChangeSchema, update } from './change.ts';
import { create, toCreatedExample } from './create.ts';
import { toFilterEntries } from './filters.ts';
import { type Kind, toIdSchema } from './kind.ts';
import { kinds } from './kinds.ts';
import { type ListInput, list, toSeedPage } from './list.ts';
import { get } from './read.ts';
import { createdEntries, keptFor } from './retention.ts';
import { workspaceOperations } from './workspace-operations.ts';

export const scopeFilter = toFilter('Scope', 'public (the seed alone) or workspace (yours alone).');

/** What the operations on one record, or on what belongs to it at `below`, have in common. */
export const toRecordRow = (
  { name, noun, collection, path, prefix }: Kind,
  replies: Record<number, ReplySpec>,
  below = '',
) => ({
  path: `${path}/{id}${below}`,
  idText: `Its id, \`${prefix}…\`, or \`#\` and its ref.`,
  findId: (named: string, { contents }: OpenedWorkspace) =>
    (named.startsWith('#') && contents.findByRef(name, named.slice(1))?.record.id) || named,
  tag: collection,
  workspace: true as const,
  replies: toReplies({ 404: emptyRecord(`No ${noun} has this id in view.`), ...replies }),
});

function toListOperation(kind: Kind): Operation {
  const { collection, path, plural, record, statuses, texts, filters } = kind;
  return toOperation({
    ...texts.list,
    summary: `List ${plural}`,
    method: 'GET',
    path,
    tag: collection,
    sample: { status: statuses[0], limit: 5 },
    input: v.object({
      status: toFilter('Status', `One of ${statuses.join(', ')}.`),
      occupation: occupationFilter,
      ...toFilterEntries(filters),
      scope: scopeFilter,
      ...paging,
      ...kind.list?.query,
    }),
    replies: toReplies({
      200: emptyList(
        `A page of ${plural}, or EMPTY where none match.`,
        toPageSchema(collection, record),
        (service) => toValue(toSeedPage(kind, { limit: 1 }, { service }).body),
      ),
      400: invalid('limit', 'must be at least 1'),
      ...kind.list?.replies,
    }),
    cache: 'record',
    workspace: true,
    frozen: () => [path],
    check: ({ cursor }) => checkCursor(collection, cursor),
    run: (input, context) =>
      kind.list?.answer?.(input, context.service) ?? list(kind, input as ListInput, context),
  });
}

function toBornStatus(born: readonly string[]) {
  const wrong = `must be ${born.join(' or ')}, or left out; its other statuses follow by PATCH and by its days`;
  return mayNamed(v.picklist(born, wrong), 'Status', `${born.join(' or ')}; left out, it is accepted.`);
}

function toCreateOperation(kind: Kind): Operation {
  const { name, collection, path, noun, body, record, sample, texts } = kind;
  const { tool } = texts.create;
  return toOperation({
    ...texts.create,
    ...(tool && { tool: `${tool} ${keptFor}` }),
    summary: `Create a ${noun}`,
    method: 'POST',
    path,
    tag: collection,
    sample,
    input: v.object({
      ...body.entries,
      ...(kind.born && { status: toBornStatus(kind.born) }),
    } as v.ObjectEntries),
    replies: toReplies({
      201: ok(
        `The ${noun}, its workspace and how long it is kept.`,
        { [name]: record, ...createdEntries },
        (service) => toCreatedExample(kind, sample, service),
        ['Location', 'X-Workspace'],
      ),
      400: invalid('onetCode', 'is missing; send it'),
      402: full,
      409: blocked('duplicate_ref', 'The ref is that of another, or strict handling found a conflict.'),
    }),
    workspace: true,
    check: async (args, service, call) => [
      ...checkRef(kind, args.ref),
      ...(await checkCode(args, service, call)),
    ],
    run: (input, context) => create(kind, input, context),
  });
}

function toGetOperation(kind: Kind): Operation {
  const { name, path, noun, prefix, record, texts, canWait } = kind;
  return toOperation({
    ...toRecordRow(kind, {
      200: ok(`The ${noun}.`, { [name]: record }, ({ seed }) => ({ [name]: seed.rows[name]![0]!.row.value })),
    }),
    ...texts.get,
    summary: `Read one ${noun}`,
    method: 'GET',
    sample: { id: `${prefix}001` },
    cache: 'record',
    ...(canWait && { canWait: ({ seed }, named) => !seed.byId.has(named!) }),
    frozen: ({ seed }) => seed.rows[name]!.map(({ row }) => `${path}/${row.value.id}`),
    run: ({ id }, context) => get(kind, id, context),
  });
}

/** What the operations that write to one record, at `below` it, have in common; `replies` are its own. */
export const toWriteRow = (kind: Kind, replies: Record<number, ReplySpec>, below?: string) => ({
  ...toRecordRow(
    kind,
    toReplies({
      403: blocked('read_only', 'The record belongs to the seed.'),
      412: blocked('changed', 'The record is not what If-Match, or revision, says.'),
      ...replies,
    }),
    below,
  ),
  workspace: 'required' as const,
  withoutWorkspace: refuseSeedRecord,
});

function toUpdateOperation(kind: Kind): Operation {
  const { name, noun, prefix, record, sample, texts } = kind;
  const [member, value] = Object.entries(sample)[0]!;
  return toOperation({
    ...toWriteRow(
      kind,
      toReplies({
        200: ok(
          `The changed ${noun}.`,
          { [name]: record },
          (service) => {
            const created = toCreatedExample(kind, sample, service) as Record<string, object>;
            return { [name]: { ...created[name], revision: 2 } };
          },
          ['ETag'],
        ),
        400: invalid('id', 'is given by the service and cannot be changed; leave it out'),
        402: full,
        409: blocked('illegal_transition', 'The status cannot follow, or the change conflicts with others.'),
      }),
    ),
    ...texts.update,
    summary: `Change a ${noun}`,
    description: `${texts.update.description} A JSON Merge Patch (RFC 7396): null removes a member.`,
    method: 'PATCH',
    sample: { id: `${prefix}0000000000000000`, [member]: value },
    input: toChangeSchema(kind),
    check: async (args, service, call) => [
      ...checkChange(kind, args),
      ...(await checkCode(args, service, call)),
    ],
    run: ({ id, ...patch }, context) => update(kind, id, patch, context),
  });
}

function toDeleteOperation(kind: Kind): Operation {
  const { noun, prefix, texts } = kind;
  const id = `${prefix}0000000000000000`;
  const deleted = toIdSchema(prefix, 'Its id.');
  return toOperation({
    ...toWriteRow(
      kind,
      toReplies({ 200: ok(`The ${noun} is deleted.`, { deleted }, () => ({ deleted: id })) }),
    ),
    ...texts.delete,
    summary: `Delete a ${noun}`,
    method: 'DELETE',
    sample: { id },
    run: (args, context) => remove(kind, args.id, context),
  });
}

const makers = [toListOperation, toCreateOperation, toGetOperation, toUpdateOperation, toDeleteOperation];

export const recordOperations: readonly Operation[] = [
  ...kinds.flatMap((kind) => makers.map((make) => make(kind))),
  createBatch,
  ...workspaceOperations,
];
