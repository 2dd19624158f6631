import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { okSchema } from '../kernel/envelope.ts';
import {
  blocked,
  defineOperation,
  describeReplies,
  emptyList,
  invalid,
  type Operation,
} from '../kernel/operation.ts';
import {
  checkCursor,
  definePaging,
  filterSchema,
  maxLimit,
  nextCursor,
  paging,
  total,
} from '../kernel/page.ts';
import { Href, mayNamed, say, upTo, wholeSchema } from '../kernel/text.ts';
import { createFilterEntries } from '../records/filters.ts';
import { createIdSchema, type Kind, Ref, type RowTexts } from '../records/kind.ts';
import type { ListInput } from '../records/list.ts';
import { createRecordRow, scopeFilter } from '../records/operations.ts';
import { ofWorkspace } from '../records/workspace-operations.ts';
import { matchEntries, statement } from './match.ts';
import {
  type MatchInput,
  matchedWords,
  matchRecords,
  matchWorkspace,
  mostOrders,
  ordersPage,
  otherOf,
  presentMatch,
  summaryOf,
  usualLimit,
  usualMatches,
} from './match-records.ts';
import type { MatchContext, MatchService } from './matcher.ts';

const minScore = mayNamed(
  v.pipe(
    v.number('must be a number'),
    v.minValue(0, 'must be at least 0'),
    v.maxValue(100, 'must be at most 100'),
  ),
  'Least score',
  'From 0 to 100: those below are left out.',
);

function createMatchSchema(kind: Kind) {
  const members = Object.entries(kind.record.entries).filter(([name]) => summaryOf(kind).includes(name));
  const links = say(v.object({ self: Href }), 'Its address.');
  const summary = say(
    v.object({ ...Object.fromEntries(members), links }),
    'In short: the rest is at links.self.',
  );
  return v.object({ ...matchEntries, [kind.name]: summary });
}

const pageEntries = {
  statement: say(v.string(), 'What a score is made of, what it is not, and where more of it is said.'),
  total,
  nextCursor,
};

const meetsFilter = mayNamed(
  v.boolean('must be true or false'),
  'Meets',
  'true: only those with nothing unmet: must-haves, licence, start, shift.',
);

function defineMatchOperation(kind: Kind, { tool, ...texts }: RowTexts & { summary: string }): Operation {
  const other = otherOf(kind);
  const entries = { minScore, meets: meetsFilter, scope: scopeFilter, ...definePaging(usualLimit) };
  const matches = upTo(maxLimit, createMatchSchema(other), 'Those that fit, best first.');
  const replies = describeReplies({
    200: emptyList(
      `${other.plural} by how well they fit, best first, or EMPTY.`,
      okSchema({ matches, ...pageEntries }),
      async ({ seed, matcher }: MatchService) => {
        const pair = [seed.rows[kind.name]![0]!.row.value, seed.rows[other.name]![0]!.row.value] as const;
        const [order, person] = kind === jobOrder ? pair : pair.toReversed();
        const match = (await matcher()).match(order!, person!);
        return { type: 'OK', matches: [presentMatch(other, match, pair[1])], statement, total: 1 };
      },
    ),
    400: blocked('invalid_request', 'The query is not valid; issues names each place.', [
      { path: 'minScore', message: 'must be at most 100' },
    ]),
  });
  return defineOperation({
    ...createRecordRow(kind, replies, '/matches'),
    ...texts,
    tool: `${tool} Takes the filters of ${other.texts.list.operationId} too.`,
    toolInput: v.object(entries),
    method: 'GET',
    sample: { id: `${kind.prefix}001`, limit: 3 },
    input: v.object({
      status: filterSchema(
        'Status',
        `One of ${other.lifecycle.statuses.join(', ')}; ${matchedWords(other)} unless said.`,
      ),
      ...createFilterEntries(other.filters),
      ...entries,
    }),
    cache: 'record',
    usualLimit,
    frozen: ({ seed }: MatchService) =>
      seed.rows[kind.name]!.map(({ row }) => `${kind.path}/${row.value.id}/matches`),
    run: (input, context: MatchContext) => matchRecords(kind, input as MatchInput, context),
  });
}

const MatchedOrder = v.object({
  jobOrder: say(
    v.object({
      id: createIdSchema(jobOrder.prefix, 'Its id.'),
      ref: v.optional(Ref),
      title: say(v.string(), 'Its title.'),
    }),
    'The order.',
  ),
  matches: upTo(10, createMatchSchema(candidate), 'Those who fit, best first; none where nobody does.'),
});

export const matchOperations: readonly Operation[] = [
  defineMatchOperation(jobOrder, {
    summary: 'Who fits a job order',
    operationId: 'matchCandidates',
    description:
      'Candidates by how well they fit a job order, best first, each with its score, the reasons that add up to it, and what is missing.',
    tool: 'Find who fits a job order: candidates with scores, reasons and gaps. A person decides.',
    isCore: true,
  }),
  defineMatchOperation(candidate, {
    summary: 'Which job orders fit a candidate',
    operationId: 'matchJobOrders',
    description:
      'Job orders by how well they fit a candidate, best first, each with its score, the reasons that add up to it, and what is missing.',
    tool: 'Find which job orders fit a candidate: with scores, reasons and gaps. A person decides.',
  }),
  defineOperation({
    ...ofWorkspace,
    operationId: 'matchWorkspace',
    usualLimit: usualMatches,
    method: 'GET',
    path: '/workspace/matches',
    summary: 'Who fits each open order',
    description: `For each open job order of your workspace the candidates who fit it best; pages of ${mostOrders} orders.`,
    input: v.object({
      limit: v.optional(
        wholeSchema(1, 10, 'Limit', `Matches of an order, 1 to 10; ${usualMatches} unless said.`),
      ),
      meets: meetsFilter,
      scope: scopeFilter,
      cursor: paging.cursor,
    }),
    replies: describeReplies({
      200: emptyList(
        'The orders, newest first, each with its matches, or EMPTY.',
        okSchema({
          orders: upTo(mostOrders, MatchedOrder, 'Open job orders, newest first.'),
          ...pageEntries,
        }),
        () => ({ type: 'EMPTY', message: 'No job order of this workspace is open.', total: 0 }),
        ['ETag'],
      ),
      400: invalid('limit', 'must be at most 10'),
    }),
    tool: 'Match all open job orders of a workspace in one call. A person decides.',
    check: ({ cursor }) => checkCursor(ordersPage, cursor),
    run: (input, context: MatchContext) => matchWorkspace(input as ListInput, context),
  }),
];
