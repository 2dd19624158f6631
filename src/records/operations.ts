import * as v from 'valibot';
import { toOkSchema, toPageSchema } from '../kernel/envelope.ts';
import { toValue } from '../kernel/json.ts';
import { type Operation, type ReplySpec, toOperation } from '../kernel/operation.ts';
import { checkCursor, paging, toFilter } from '../kernel/page.ts';
import { blocked, emptyList, emptyRecord } from '../kernel/replies.ts';
import type { Service } from '../kernel/service.ts';
import { checkCode, occupationFilter } from '../occupations/code.ts';
import { offer } from '../pricing/offer.ts';
import { create } from './create.ts';
import { toCreatedExample, toCreatedSchema } from './created.ts';
import type { Kind, RowTexts } from './kind.ts';
import { kinds } from './kinds.ts';
import { get, type ListInput, list, toPageOf } from './read.ts';

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
      effect: 'read',
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
          ({ seed }) => toValue(toPageOf(kind, seed.rows[name]!, { limit: 1 }).body),
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
      effect: 'create',
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
      effect: 'read',
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
          example: ({ seed }) => ({ type: 'OK', [name]: seed.rows[name]![0]!.row.value }),
        },
        400: blocked('invalid_path', 'The path or query is not valid.'),
        ...commonReplies,
        404: emptyRecord(`No ${noun} has this id in view.`),
      },
      cache: 'record',
      workspace: true,
      frozen: (service: Service) => service.seed.rows[name]!.map(({ row }) => `${path}/${row.value.id}`),
      run: ({ id }, context) => get(kind, id, context),
    }),
  ];
}

/** The operations on records of every kind. */
export const recordOperations: readonly Operation[] = kinds.flatMap(toRecordOperations);
