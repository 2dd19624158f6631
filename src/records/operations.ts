import * as v from 'valibot';
import { toOkSchema, toPageSchema } from '../kernel/envelope.ts';
import { toValue } from '../kernel/json.ts';
import { blocked, emptyList, emptyRecord, type Operation, toOperation } from '../kernel/operation.ts';
import { checkCursor, paging, toFilter } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { checkCode, occupationFilter } from '../occupations/code.ts';
import { offer } from '../pricing/offer.ts';
import { createBatch } from './batch.ts';
import { checkRef } from './change.ts';
import { toDeleteOperation, toUpdateOperation } from './change-operations.ts';
import { create, toCreatedExample } from './create.ts';
import { type Filters, toFilterEntries } from './filters.ts';
import { type Kind, Ref } from './kind.ts';
import { kinds } from './kinds.ts';
import { type ListInput, list, toSeedPage } from './list.ts';
import { invalid, mismatch, toRecordRow, toTexts, unknownWorkspace } from './operation-parts.ts';
import { get } from './read.ts';
import { keptFor, toCreatedSchema } from './retention.ts';
import { workspaceOperations } from './workspace-operations.ts';

export const scopeFilter = toFilter('Scope', 'public (the seed alone) or workspace (yours alone).');

/** Refuses what is open to no caller. */
export function refuseScope({ scope }: Readonly<Record<string, unknown>>): void {
  if (scope === 'admin' || scope === 'internal') throw new Refusal('forbidden_scope');
}

/** What a list has instead of a search by words. */
const byCode = 'occupation (a code: find it at /occupations?q=)';

/** Names that callers guess, and the filters that they mean. */
function toMeantNames(filters: Filters): Record<string, string> {
  const toByCode = ['q', 'query', 'title', 'search', 'name', 'keyword', 'onetCode', 'code', 'soc'];
  const guesses = Object.entries(filters).flatMap(([filter, { guesses = [] }]) =>
    guesses.map((guess) => [guess, filter]),
  );
  return { ...Object.fromEntries(toByCode.map((name) => [name, byCode])), ...Object.fromEntries(guesses) };
}

function toListOperation(kind: Kind): Operation {
  const { collection, path, plural, record, statuses, texts, filters } = kind;
  return toOperation({
    ...toTexts(texts.list, `List ${plural}`),
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
    replies: {
      200: emptyList(
        `A page of ${plural}, or EMPTY where none match.`,
        toPageSchema(collection, record),
        (service) => toValue(toSeedPage(kind, { limit: 1 }, { service }).body),
      ),
      400: invalid('limit', 'must be at least 1'),
      401: unknownWorkspace,
      403: blocked('forbidden_scope', 'scope is admin or internal.'),
      ...kind.list?.replies,
    },
    cache: 'record',
    workspace: true,
    suggestions: toMeantNames(filters),
    frozen: () => [path],
    gate: refuseScope,
    check: ({ cursor }) => checkCursor(collection, cursor),
    run(input, context) {
      return kind.list?.answer?.(input, context.service) ?? list(kind, input as ListInput, context);
    },
  });
}

function toCreateOperation(kind: Kind): Operation {
  const { name, collection, path, noun, body, record, sample, texts } = kind;
  const { tool } = texts.create;
  return toOperation({
    ...toTexts({ ...texts.create, ...(tool && { tool: `${tool} ${keptFor}` }) }, `Create a ${noun}`),
    method: 'POST',
    effect: 'create',
    path,
    tag: collection,
    sample,
    listed: true,
    input: v.object({ ...body.entries, ref: v.optional(Ref) }),
    replies: {
      201: {
        description: `The ${noun}, its workspace and how long it is kept.`,
        schema: toCreatedSchema({ [name]: record }),
        headers: ['Location', 'X-Workspace', 'Idempotency-Replayed'],
        example: (service) => toCreatedExample(kind, sample, service),
      },
      400: invalid('onetCode', 'is missing; send it'),
      401: unknownWorkspace,
      402: offer('recordCeiling', 'The workspace is full.'),
      409: blocked('duplicate_ref', 'The ref is that of another, or strict handling found a conflict.'),
      422: mismatch,
    },
    cache: 'never',
    workspace: true,
    check(args, service) {
      const codes = checkCode(args, service);
      const refs = checkRef(kind, args.ref);
      return codes instanceof Promise ? codes.then((more) => [...refs, ...more]) : [...refs, ...codes];
    },
    run: (input, context) => create(kind, input, context),
  });
}

function toGetOperation(kind: Kind): Operation {
  const { name, path, noun, prefix, record, texts } = kind;
  return toOperation({
    ...toRecordRow(kind),
    ...toTexts(texts.get, `Read one ${noun}`),
    method: 'GET',
    effect: 'read',
    sample: { id: `${prefix}001` },
    input: v.object({}),
    replies: {
      200: {
        description: `The ${noun}.`,
        schema: toOkSchema({ [name]: record }),
        example: ({ seed }) => ({ type: 'OK', [name]: seed.rows[name]![0]!.row.value }),
      },
      400: blocked('invalid_path', 'The path or query is not valid.'),
      401: unknownWorkspace,
      404: emptyRecord(`No ${noun} has this id in view.`),
    },
    cache: 'record',
    workspace: true,
    frozen: (service: Service) => service.seed.rows[name]!.map(({ row }) => `${path}/${row.value.id}`),
    run: ({ id }, context) => get(kind, id, context),
  });
}

/** The rows of a kind: list, create, get, update, delete. */
const toRecordOperations = (kind: Kind): Operation[] =>
  [toListOperation, toCreateOperation, toGetOperation, toUpdateOperation, toDeleteOperation].map((make) =>
    make(kind),
  );

/** The operations on records of every kind, and on a workspace of them. */
export const recordOperations: readonly Operation[] = [
  ...kinds.flatMap(toRecordOperations),
  createBatch,
  ...workspaceOperations,
];
