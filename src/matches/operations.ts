import * as v from 'valibot';
import { Empty, toOkSchema } from '../kernel/envelope.ts';
import { blocked, emptyRecord, type Operation, toOperation, toReplies } from '../kernel/operation.ts';
import { maxLimit, nextCursor, toFilter, toPaging, total } from '../kernel/page.ts';
import { candidate } from '../records/candidate.ts';
import { toFilterEntries } from '../records/filters.ts';
import { jobOrder } from '../records/job-order.ts';
import type { RowTexts } from '../records/kind.ts';
import { refuseScope, scopeFilter, toRecordRow, toTexts } from '../records/operations.ts';
import { forbiddenScope, unknownWorkspace } from '../records/replies.ts';
import { matchEntries, Points, toStatement } from './match.ts';
import { type Direction, type MatchInput, matchRecords, usualLimit } from './match-records.ts';

const minScore = v.optional(
  v.pipe(
    v.number('must be a number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(100, 'must be at most 100'),
    v.title('Least score'),
    v.description('From 0 to 100: those below are left out.'),
  ),
);

function toMatchOperation(direction: Direction, summary: string, texts: RowTexts): Operation {
  const { kind, other } = direction;
  return toOperation({
    ...toRecordRow(kind, '/matches'),
    ...toTexts(texts, summary),
    method: 'GET',
    effect: 'read',
    sample: { id: `${kind.prefix}001`, limit: 3 },
    input: v.object({
      status: toFilter('Status', `One of ${other.statuses.join(', ')}; ${other.statuses[0]} unless said.`),
      ...toFilterEntries(other.filters),
      minScore,
      scope: scopeFilter,
      ...toPaging({ usual: usualLimit }),
    }),
    replies: toReplies({
      200: {
        description: `${other.plural} by how well they fit, best first, or EMPTY.`,
        schema: v.union([
          toOkSchema({
            matches: v.pipe(
              v.array(v.object({ ...matchEntries, [other.name]: other.record })),
              v.maxLength(maxLimit),
              v.description('Those that fit, best first.'),
            ),
            weights: Points,
            statement: v.pipe(v.string(), v.description('What a score is made of, and what it is not.')),
            total,
            nextCursor,
          }),
          Empty,
        ]),
        example: async ({ seed, catalogue, matcher }) => {
          const pair = [seed.rows[kind.name]![0]!.row.value, seed.rows[other.name]![0]!.row.value] as const;
          const [order, person] = kind === jobOrder ? pair : pair.toReversed();
          const match = (await matcher()).match(order!, person!);
          const { matching } = catalogue;
          const entry = { ...match, [other.name]: pair[1] };
          return {
            type: 'OK',
            matches: [entry],
            weights: matching.points,
            statement: toStatement(matching),
            total: 1,
          };
        },
      },
      400: blocked('invalid_request', 'The query is not valid; issues names each place.', [
        { path: 'minScore', message: 'must be at most 100' },
      ]),
      401: unknownWorkspace,
      403: forbiddenScope,
      404: emptyRecord(`No ${kind.noun} has this id in view.`),
    }),
    cache: 'record',
    usualLimit,
    frozen: ({ seed }) => seed.rows[kind.name]!.map(({ row }) => `${kind.path}/${row.value.id}/matches`),
    gate: refuseScope,
    run: (input, context) => matchRecords(direction, input as MatchInput, context),
  });
}

/** From orders to people, and back. */
export const matchOperations: readonly Operation[] = [
  toMatchOperation({ kind: jobOrder, other: candidate, rank: 'rankCandidates' }, 'Who fits a job order', {
    operationId: 'matchCandidates',
    description:
      'Candidates by how well they fit a job order, best first, each with its score, the reasons that add up to it, and what is missing.',
    tool: 'Find who fits a job order: candidates with scores, reasons and gaps. A person decides.',
  }),
  toMatchOperation(
    { kind: candidate, other: jobOrder, rank: 'rankOrders' },
    'Which job orders fit a candidate',
    {
      operationId: 'matchJobOrders',
      description:
        'Job orders by how well they fit a candidate, best first, each with its score, the reasons that add up to it, and what is missing.',
      tool: 'Find which job orders fit a candidate: with scores, reasons and gaps. A person decides.',
    },
  ),
];
