import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { defineOperation, type OperationRow } from '../kernel/operation.ts';
import { checkCursor, commaFilterSchema, definePaging, limitSchema, paging } from '../kernel/page.ts';
import { mayNamed } from '../kernel/text.ts';
import { ofWorkspace } from '../records/account/workspace-operations.ts';
import { createFilterEntries } from '../records/kind/filters.ts';
import type { Kind } from '../records/kind/kind.ts';
import { createRecordRow } from '../records/operations.ts';
import { checkFields, fieldsFilter } from '../records/read/pick-fields.ts';
import { scopeFilter } from '../records/read/scope.ts';
import { type MatchInput, matchRecords, usualLimit } from './match-records.ts';
import { listMatchFields } from './match-row.ts';
import { matchWorkspace, ordersPage, usualMatches, usualMinScore } from './match-workspace.ts';
import { matchedWords, otherOf, type WorkspaceMatchInput } from './matched.ts';
import type { MatchContext, MatchService } from './matcher.ts';
import { type PlanInput, planWorkspace } from './plan-workspace.ts';

const scoreSchema = (words: string) =>
  mayNamed(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be at least 0'),
      v.maxValue(100, 'must be at most 100'),
    ),
    'Least score',
    words,
  );

const meetsFilter = mayNamed(
  v.boolean('must be true or false'),
  'Meets',
  'true: only those that meet a gate and leave none unmet.',
);

const unstated = mayNamed(v.picklist(['unmet'], 'must be unmet'), 'Unstated', 'What is not stated is unmet.');

/** The query of matches, besides the filters of the other kind. */
export const matchQuery = {
  minScore: scoreSchema('0 to 100; lower ones are left out.'),
  meets: meetsFilter,
  unstated,
  scope: scopeFilter,
  fields: fieldsFilter,
  ...definePaging({ usual: usualLimit }),
};

function defineMatchOperation(operationId: string, kind: Kind): OperationRow {
  const other = otherOf(kind);
  return defineOperation({
    ...createRecordRow(kind, '/matches'),
    operationId,
    method: 'GET',
    input: v.object({
      status: commaFilterSchema(
        'Status',
        `Any of, with commas: ${other.lifecycle.statuses.join(', ')}; ${matchedWords(other)} unless said.`,
        other.lifecycle.statuses.slice(0, 2).join(),
      ),
      ...createFilterEntries(other.filters),
      ...matchQuery,
    }),
    check: ({ fields }) => checkFields(fields, listMatchFields(other)),
    caching: {
      rule: 'record',
      frozen: ({ seed }: MatchService) =>
        seed.rows[kind.name]!.map(({ row }) => `${kind.path}/${row.value.id}/matches`),
    },
    run: (input, context: MatchContext) => matchRecords(kind, input as MatchInput, context),
  });
}

export const matchOperations: readonly OperationRow[] = [
  defineMatchOperation('matchCandidates', jobOrder),
  defineMatchOperation('matchJobOrders', candidate),
  defineOperation({
    ...ofWorkspace,
    operationId: 'matchWorkspace',
    method: 'GET',
    path: '/workspace/matches',
    input: v.object({
      limit: limitSchema({ usual: usualMatches, most: 10, words: 'Matches of an order, ' }),
      minScore: scoreSchema(`0 to 100; ${usualMinScore} unless said.`),
      meets: meetsFilter,
      unstated,
      scope: scopeFilter,
      fields: fieldsFilter,
      cursor: paging.cursor,
    }),
    check: ({ cursor, fields }) => [
      ...checkCursor(ordersPage, cursor),
      ...checkFields(fields, listMatchFields(candidate)),
    ],
    run: (input, context: MatchContext) => matchWorkspace(input as WorkspaceMatchInput, context),
  }),
  defineOperation({
    ...ofWorkspace,
    operationId: 'planWorkspace',
    method: 'GET',
    path: '/workspace/plan',
    input: v.object({
      minScore: scoreSchema(`0 to 100; ${usualMinScore} unless said.`),
      unstated,
    }),
    run: (input, context: MatchContext) => planWorkspace(input as PlanInput, context),
  }),
];
