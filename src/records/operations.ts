import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { toValue } from '../kernel/json.ts';
import {
  blocked,
  emptyList,
  emptyRecord,
  type OpenedWorkspace,
  type Operation,
  type ReplySpec,
  toOperation,
  toReplies,
} from '../kernel/operation.ts';
import { checkCursor, paging, toFilter, toPageSchema } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { may } from '../kernel/text.ts';
import { checkCode, occupationFilter } from '../occupations/code.ts';
import { createBatch } from './batch.ts';
import {
  checkChange,
  checkRef,
  refuseSeedRecord,
  remove,
  toChangeSchema,
  toMovesText,
  update,
} from './change.ts';
import { create, toCreatedExample } from './create.ts';
import { toFilterEntries } from './filters.ts';
import { type Kind, Ref, toIdSchema } from './kind.ts';
import { kinds } from './kinds.ts';
import { type ListInput, list, toSeedPage } from './list.ts';
import { get } from './read.ts';
import { toRefName } from './record.ts';
import { badAddress, forbiddenScope, full, invalid, mismatch, unknownWorkspace } from './replies.ts';
import { keptFor, toCreatedSchema } from './retention.ts';
import type { Store } from './store.ts';
import { workspaceOperations } from './workspace-operations.ts';

export const scopeFilter = toFilter('Scope', 'public (the seed alone) or workspace (yours alone).');

export function refuseScope({ scope }: Readonly<Record<string, unknown>>): void {
  if (scope === 'admin' || scope === 'internal') throw new Refusal('forbidden_scope');
}

/** The id of the record that a workspace knows by a ref; `named` where it knows none. */
async function findByRef(store: Store, key: string, refName: string, named: string): Promise<string> {
  const [found] = await store.find(key, [refName]);
  return found?.record?.fact.id ?? named;
}

/** What the operations on one record, or on what belongs to it at `below`, have in common. */
export const toRecordRow = ({ name, collection, path, prefix }: Kind, below = '') => ({
  path: `${path}/{id}${below}`,
  idText: `Its id, \`${prefix}…\`, or \`#\` and its ref.`,
  findId: (named: string, { key }: OpenedWorkspace, { store }: Service) =>
    named.startsWith('#') ? findByRef(store, key, toRefName(name, named.slice(1)), named) : named,
  tag: collection,
  listed: true,
  workspace: true as const,
});

function toListOperation(kind: Kind): Operation {
  const { collection, path, plural, record, statuses, texts, filters } = kind;
  return toOperation({
    ...texts.list,
    summary: `List ${plural}`,
    method: 'GET',
    effect: 'read',
    path,
    tag: collection,
    listed: true,
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
      401: unknownWorkspace,
      403: forbiddenScope,
      ...kind.list?.replies,
    }),
    cache: 'record',
    workspace: true,
    frozen: () => [path],
    gate: refuseScope,
    check: ({ cursor }) => checkCursor(collection, cursor),
    run: (input, context) =>
      kind.list?.answer?.(input, context.service) ?? list(kind, input as ListInput, context),
  });
}

function toBornStatus(born: readonly string[]) {
  const wrong = `must be ${born.join(' or ')}, or left out; its other statuses follow by PATCH and by its days`;
  const status = v.pipe(v.picklist(born, wrong), v.title('Status'));
  return may(status, `${born.join(' or ')}; left out, it is accepted.`);
}

function toCreateOperation(kind: Kind): Operation {
  const { name, collection, path, noun, body, record, sample, texts } = kind;
  const { tool } = texts.create;
  return toOperation({
    ...texts.create,
    ...(tool && { tool: `${tool} ${keptFor}` }),
    summary: `Create a ${noun}`,
    method: 'POST',
    effect: 'create',
    path,
    tag: collection,
    sample,
    listed: true,
    input: v.object({
      ...body.entries,
      ref: v.optional(Ref),
      ...(kind.born && { status: toBornStatus(kind.born) }),
    } as v.ObjectEntries),
    replies: toReplies({
      201: {
        description: `The ${noun}, its workspace and how long it is kept.`,
        schema: toCreatedSchema({ [name]: record }),
        headers: ['Location', 'X-Workspace', 'Idempotency-Replayed'],
        example: (service) => toCreatedExample(kind, sample, service),
      },
      400: invalid('onetCode', 'is missing; send it'),
      401: unknownWorkspace,
      402: full,
      409: blocked('duplicate_ref', 'The ref is that of another, or strict handling found a conflict.'),
      422: mismatch,
    }),
    cache: 'never',
    workspace: true,
    check: async (args, service) => [...checkRef(kind, args.ref), ...(await checkCode(args, service))],
    run: (input, context) => create(kind, input, context),
  });
}

function toGetOperation(kind: Kind): Operation {
  const { name, path, noun, prefix, record, texts, canWait } = kind;
  return toOperation({
    ...toRecordRow(kind),
    ...texts.get,
    summary: `Read one ${noun}`,
    method: 'GET',
    effect: 'read',
    sample: { id: `${prefix}001` },
    input: v.object({}),
    replies: toReplies({
      200: {
        description: `The ${noun}.`,
        schema: toOkSchema({ [name]: record }),
        example: ({ seed }) => ({ type: 'OK', [name]: seed.rows[name]![0]!.row.value }),
      },
      400: badAddress,
      401: unknownWorkspace,
      404: emptyRecord(`No ${noun} has this id in view.`),
    }),
    cache: 'record',
    ...(canWait && { canWait: ({ seed }, named) => !seed.byId.has(named!) }),
    frozen: ({ seed }) => seed.rows[name]!.map(({ row }) => `${path}/${row.value.id}`),
    run: ({ id }, context) => get(kind, id, context),
  });
}

/** What the operations that write to one record, at `below` it, have in common; `replies` are its own. */
export const toWriteRow = (kind: Kind, replies: Record<number, ReplySpec>, below = '') => ({
  ...toRecordRow(kind, below),
  replies: toReplies({
    401: unknownWorkspace,
    403: blocked('read_only', 'The record belongs to the seed.'),
    404: emptyRecord(`No ${kind.noun} has this id in view.`),
    412: blocked('changed', 'The record is not what If-Match, or revision, says.'),
    422: mismatch,
    ...replies,
  }),
  cache: 'never' as const,
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
        200: {
          description: `The changed ${noun}.`,
          schema: toOkSchema({ [name]: record }),
          headers: ['ETag', 'Idempotency-Replayed'],
          example: (service) => {
            const created = toCreatedExample(kind, sample, service) as Record<string, object>;
            return { type: 'OK', [name]: { ...created[name], revision: 2 } };
          },
        },
        400: invalid('id', 'is given by the service and cannot be changed; leave it out'),
        402: full,
        409: blocked('illegal_transition', 'The status cannot follow, or the change conflicts with others.'),
      }),
    ),
    ...texts.update,
    summary: `Change a ${noun}`,
    description: `${texts.update.description} A JSON Merge Patch (RFC 7396): null removes a member. Moves: ${toMovesText(kind)}.`,
    method: 'PATCH',
    effect: 'update',
    sample: { id: `${prefix}0000000000000000`, [member]: value },
    input: toChangeSchema(kind),
    check: async (args, service) => [...checkChange(kind, args), ...(await checkCode(args, service))],
    run: ({ id, ...patch }, context) => update(kind, id, patch, context),
  });
}

function toDeleteOperation(kind: Kind): Operation {
  const { noun, prefix, texts } = kind;
  const id = `${prefix}0000000000000000`;
  return toOperation({
    ...toWriteRow(
      kind,
      toReplies({
        200: {
          description: `The ${noun} is deleted.`,
          schema: toOkSchema({ deleted: toIdSchema(prefix, 'Its id.') }),
          headers: ['Idempotency-Replayed'],
          example: () => ({ type: 'OK', deleted: id }),
        },
        400: badAddress,
      }),
    ),
    ...texts.delete,
    summary: `Delete a ${noun}`,
    method: 'DELETE',
    effect: 'delete',
    sample: { id },
    input: v.object({}),
    run: (args, context) => remove(kind, args.id, context),
  });
}

const makers = [toListOperation, toCreateOperation, toGetOperation, toUpdateOperation, toDeleteOperation];

/** The operations on records of every kind, and on a workspace of them. */
export const recordOperations: readonly Operation[] = [
  ...kinds.flatMap((kind) => makers.map((make) => make(kind))),
  createBatch,
  ...workspaceOperations,
];
