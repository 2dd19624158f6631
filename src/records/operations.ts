import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { toOkSchema, toPageSchema } from '../kernel/envelope.ts';
import {
  type Context,
  type Operation,
  type Outcome,
  type ReplySpec,
  toOperation,
} from '../kernel/operation.ts';
import {
  checkCursor,
  defaultLimit,
  type Listed,
  type Positioned,
  paging,
  toFilter,
  toListReply,
  toPage,
} from '../kernel/page.ts';
import { blocked, emptyList, emptyRecord } from '../kernel/replies.ts';
import type { Service } from '../kernel/service.ts';
import { checkCode, occupationFilter, toUnder } from '../occupations/code.ts';
import { offer } from '../pricing/offer.ts';
import { create } from './create.ts';
import { toCreatedExample, toCreatedSchema } from './created.ts';
import type { Kind, Row, RowTexts } from './kind.ts';
import { kinds } from './kinds.ts';
import { toReferences, toWorkspaceView, type View } from './view.ts';

type ListInput = { status?: string; occupation?: string; scope?: string; limit?: number; cursor?: string };

/** The records that a caller sees: the seed, with those of its workspace first. */
function listView<T>({ service, workspace }: Context, use: (view: View) => T): T | Promise<T> {
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
  const own = near.find(({ fact }) => fact.id === id);
  const ids = own ? toReferences(own.kind, own.fact).map((reference) => reference.id) : [];
  const around = ids.length > 0 ? await store.find(workspace!.hash, now, ids) : [];
  return toWorkspaceView(seed, [...around, ...near], now);
}

function toListed({ path, collection, plural, statuses }: Kind): Listed {
  const none = `No ${plural} match. Known status values: ${statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group. Leave a filter out to widen.`;
  return { path, member: collection, none };
}

/** One page of a kind, as filtered. */
function toPageOf(kind: Kind, rows: Positioned<Row>[], input: ListInput, call?: Call): Outcome {
  const { status, occupation, limit = defaultLimit, cursor } = input;
  const isUnder = toUnder(occupation);
  const matching = rows.filter(
    ({ row }) => (status === undefined || row.status === status) && isUnder(row.onetCode),
  );
  return toListReply(toListed(kind), toPage(kind.collection, matching, { limit, cursor }), input, call);
}

const scopes = ['public', 'workspace'];

function list(kind: Kind, input: ListInput, context: Context): Outcome | Promise<Outcome> {
  const { service, call, warnings } = context;
  const { scope } = input;
  const answer = kind.list?.answer?.(input, service);
  if (answer) return answer;
  if (scope !== undefined && !scopes.includes(scope))
    warnings.push({ path: 'scope', message: 'is not public or workspace and was ignored' });
  if (scope === 'public') return toPageOf(kind, service.seed.rows[kind.name]!, input, call);
  return listView(context, ({ rows }) => {
    const all = rows[kind.name]!;
    const seen = scope === 'workspace' ? all.filter(({ position }) => position < 0) : all;
    return toPageOf(kind, seen, input, call);
  });
}

function get({ name, noun, path }: Kind, id: string, view: View): Outcome {
  const found = view.rows[name]!.find(({ row }) => row.id === id);
  if (found) {
    const { row, text = JSON.stringify(row) } = found;
    return { status: 200, body: { type: 'OK', [name]: row }, text: `{"type":"OK","${name}":${text}}` };
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
function toRecordOperations(kind: Kind): Operation[] {
  const { name, collection, path, prefix, noun, plural, body, record, statuses, sample, texts } = kind;
  const tag = collection;
  return [
    toOperation({
      ...toTexts(texts.list, `List ${plural}`),
      method: 'GET',
      path,
      tag,
      listed: true,
      sample: { status: statuses[0], limit: 5 },
      input: v.object({
        status: toFilter('Status', `One of ${statuses.join(', ')}.`),
        occupation: occupationFilter,
        ...paging,
        ...kind.list?.query,
      }),
      replies: {
        200: emptyList(
          `A page of ${plural}, or EMPTY where none match.`,
          toPageSchema(collection, record),
          ({ seed }) => toPageOf(kind, seed.rows[name]!, { limit: 1 }).body,
        ),
        400: invalid('limit', 'must be at least 1'),
        ...commonReplies,
        ...kind.list?.replies,
      },
      cache: 'record',
      workspace: true,
      frozen: () => [path],
      check: ({ cursor }) => checkCursor(collection, cursor),
      ...(kind.list?.gate && { gate: kind.list.gate }),
      run: (input, context) => list(kind, input as ListInput, context),
    }),
    toOperation({
      ...toTexts({ ...texts.create, tool: `${texts.create.tool} ${keptFor}` }, `Create a ${noun}`),
      method: 'POST',
      path,
      tag,
      sample,
      listed: true,
      input: body,
      replies: {
        201: {
          description: `The ${noun}, its workspace and how long it is kept.`,
          schema: toCreatedSchema(name, record),
          headers: ['Location', 'X-Workspace', 'Idempotency-Replayed'],
          example: (service) => toCreatedExample(kind, sample, service),
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
          schema: toOkSchema({ [name]: record }),
          example: ({ seed }) => ({ type: 'OK', [name]: seed.rows[name]![0]!.row }),
        },
        400: blocked('invalid_path', 'The path or query is not valid.'),
        ...commonReplies,
        404: emptyRecord(`No ${noun} has this id in view.`),
      },
      cache: 'record',
      workspace: true,
      frozen: (service: Service) => service.seed.rows[name]!.map(({ row }) => `${path}/${row.id}`),
      run: ({ id }, context) =>
        context.workspace
          ? toViewOf(id, context).then((view) => get(kind, id, view))
          : get(kind, id, context.service.seed),
    }),
  ];
}

/** The operations on records of every kind. */
export const recordOperations: readonly Operation[] = kinds.flatMap(toRecordOperations);
