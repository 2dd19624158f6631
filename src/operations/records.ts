import * as v from 'valibot';
import type { Context, Operation, Outcome, ReplySpec } from '../core/operation.ts';
import { toOperation } from '../core/operation.ts';
import { checkCursor, defaultLimit, toPage } from '../core/page.ts';
import type { Service } from '../core/service.ts';
import { toWorkspaceView, type View } from '../core/view.ts';
import { toCreatedSchema, toOkSchema, toPageSchema } from '../model/envelope.ts';
import { type Kind, recordKinds } from '../model/record.ts';
import { checkCode, create } from './create.ts';
import { toCreatedExample } from './created.ts';
import { type Listed, occupationFilter, paging, toFilter, toListReply, toUnder } from './query.ts';
import { blocked, emptyList, emptyRecord, offer } from './replies.ts';

type ListInput = { status?: string; occupation?: string; limit?: number; cursor?: string };

interface RowTexts {
  operationId: string;
  description: string;
  /** When to use the tool. */
  tool: string;
}

/** What sets one kind of record apart from the other two. */
export interface RecordTexts {
  /** A body that creates one. */
  sample: Record<string, unknown>;
  list: RowTexts;
  create: RowTexts;
  get: RowTexts;
}

/** The records that a caller sees: the seed, with those of its workspace first. */
export function listView<T>({ service, workspace }: Context, use: (view: View) => T): T | Promise<T> {
  const { seed, store, platform } = service;
  if (!workspace) return use(seed);
  const now = platform.now();
  return store.readAll(workspace.hash, now).then((records) => use(toWorkspaceView(seed, records, now)));
}

/** The same as far as it bears on one record: that record, what it refers to, and what holds it. */
async function toViewOf(id: string, { service, workspace }: Context): Promise<View> {
  const { seed, store, platform } = service;
  const now = platform.now();
  const near = await store.find(workspace!.hash, now, [id]);
  const own = near.find(({ fact }) => fact.id === id)?.fact;
  const ids = own && 'candidateId' in own ? [own.candidateId, own.jobOrderId] : [];
  const around = ids.length > 0 ? await store.find(workspace!.hash, now, ids) : [];
  return toWorkspaceView(seed, [...around, ...near], now);
}

const lists = Object.fromEntries(
  Object.entries(recordKinds).map(([kind, { path, collection, plural, statuses }]) => {
    const none = `No ${plural} match. Known status values: ${statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group. Leave a filter out to widen.`;
    return [kind, { path, member: collection, none }];
  }),
) as Record<Kind, Listed>;

/** One page of a kind, as filtered. */
export function list<K extends Kind>(
  kind: K,
  rows: View[K],
  input: ListInput & Record<string, unknown>,
  context?: Context,
): Outcome {
  const { status, occupation, limit = defaultLimit, cursor } = input;
  const isUnder = toUnder(occupation);
  const matching = (rows as View[Kind][number][]).filter(
    ({ row }) => (status === undefined || row.status === status) && isUnder(row.onetCode),
  );
  const page = toPage<View[Kind][number]['row']>(lists[kind].member, matching, { limit, cursor });
  return toListReply(lists[kind], page, input, context?.call);
}

function get(kind: Kind, id: string, view: View): Outcome {
  const { noun, path } = recordKinds[kind];
  const found = view[kind].find(({ row }) => row.id === id);
  if (found) {
    const { row, text = JSON.stringify(row) } = found;
    return { status: 200, body: { type: 'OK', [kind]: row }, text: `{"type":"OK","${kind}":${text}}` };
  }
  const message = `No ${noun} has this id in view. List ${path} for those there are; one that you made needs its X-Workspace (or the argument workspace).`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: path } } };
}

const invalid = (path: string, message: string) =>
  blocked('invalid_request', 'The arguments are not valid; issues names each place.', [{ path, message }]);

/** The replies that any operation on records has. */
const commonReplies: Record<number, ReplySpec> = {
  401: blocked('unknown_workspace', 'No such workspace.'),
};

/** The texts of a row; the tool is called by its summary. */
function toTexts({ tool, ...texts }: RowTexts, summary: string) {
  return { ...texts, summary, tool: { title: summary, description: tool } };
}

const keptFor = 'Records are forgotten some time after the last write; retention in the result says when.';

/** The three rows of a kind: list, create, get. */
export function toRecordOperations(
  kind: Kind,
  texts: RecordTexts,
): [list: Operation, create: Operation, get: Operation] {
  const { collection, path, prefix, noun, plural, body, record } = recordKinds[kind];
  const tag = collection;
  return [
    toOperation({
      ...toTexts(texts.list, `List ${plural}`),
      method: 'GET',
      path,
      tag,
      listed: true,
      sample: { status: recordKinds[kind].statuses[0], limit: 5 },
      input: v.object({
        status: toFilter('Status', `One of ${recordKinds[kind].statuses.join(', ')}.`),
        occupation: occupationFilter,
        ...paging,
      }),
      replies: {
        200: emptyList(
          `A page of ${plural}, or EMPTY where none match.`,
          toPageSchema(collection, record),
          (service) => list(kind, service.seed[kind], { limit: 1 }).body,
        ),
        400: invalid('limit', 'must be at least 1'),
        ...commonReplies,
      },
      cache: 'record',
      workspace: true,
      frozen: () => [path],
      check: ({ cursor }) => checkCursor(collection, cursor),
      run: (input, context) => listView(context, (view) => list(kind, view[kind], input, context)),
    }),
    toOperation({
      ...toTexts({ ...texts.create, tool: `${texts.create.tool} ${keptFor}` }, `Create a ${noun}`),
      method: 'POST',
      path,
      tag,
      sample: texts.sample,
      listed: true,
      input: body as v.ObjectSchema<v.ObjectEntries, undefined>,
      replies: {
        201: {
          description: `The ${noun}, its workspace and how long it is kept.`,
          schema: toCreatedSchema(kind, record),
          headers: ['Location', 'X-Workspace', 'Idempotency-Replayed'],
          example: (service) => toCreatedExample(kind, texts.sample, service),
        },
        400: invalid('onetCode', 'is missing; send it'),
        ...commonReplies,
        402: offer('recordCeiling', 'The workspace is full.'),
        422: blocked('idempotency_mismatch', 'The Idempotency-Key was used for another request.'),
      },
      cache: 'never',
      workspace: true,
      check: checkCode,
      run: (input, context) => create(kind, input, context),
    }),
    toOperation({
      ...toTexts(texts.get, `Read one ${noun}`),
      method: 'GET',
      path: `${path}/{id}`,
      idText: `The ${noun}'s id, \`${prefix}…\`.`,
      tag,
      listed: true,
      sample: { id: `${prefix}001` },
      input: v.object({}),
      replies: {
        200: {
          description: `The ${noun}.`,
          schema: toOkSchema({ [kind]: record }),
          example: ({ seed }) => ({ type: 'OK', [kind]: seed[kind][0]!.row }),
        },
        400: blocked('invalid_path', 'The path or query is not valid.'),
        ...commonReplies,
        404: emptyRecord(`No ${noun} has this id in view.`),
      },
      cache: 'record',
      workspace: true,
      frozen: (service: Service) => service.seed[kind].map(({ row }) => `${path}/${row.id}`),
      run: ({ id }, context) =>
        context.workspace
          ? toViewOf(id, context).then((view) => get(kind, id, view))
          : get(kind, id, context.service.seed),
    }),
  ];
}
