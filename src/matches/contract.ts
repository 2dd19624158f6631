import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { type Contracts, emptyList, type Words } from '../kernel/contract.ts';
import { okSchema } from '../kernel/envelope.ts';
import { maxLimit, nextCursor, total } from '../kernel/page.ts';
import { CalendarDate, Href, may, NonNegativeInteger, say, upTo } from '../kernel/text.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { mostProposals } from '../placements/conflicts.ts';
import { placement } from '../placements/placement.ts';
import { createRecordContract } from '../records/contract.ts';
import { createIdSchema, type Kind, Ref } from '../records/kind/kind.ts';
import { matchEntries, statement } from './match.ts';
import { createMatchPresenter, historyEntries, summaryOf } from './match-row.ts';
import { mostOrders, usualMinScore } from './match-workspace.ts';
import { otherOf } from './matched.ts';
import type { MatchService } from './matcher.ts';
import { matchQuery } from './operations.ts';
import { mostOpenings } from './plan-size.ts';
import { emptyReasons } from './plan-workspace.ts';

function createMatchSchema(kind: Kind) {
  const members = Object.entries(kind.record.entries).filter(([name]) => summaryOf(kind).includes(name));
  const links = say(v.object({ self: Href }), 'Its address.');
  const summary = say(
    v.object({ ...Object.fromEntries(members), links }),
    'In short: the rest is at links.self.',
  );
  return v.object({ ...matchEntries, ...historyEntries, [kind.name]: summary });
}

const pageEntries = {
  statement: say(v.string(), 'What a score is made of, what it is not, and where more of it is said.'),
  total,
  nextCursor,
};

function describeMatches(
  kind: Kind,
  { tool, ...texts }: { summary: string; description: string; tool: string },
  isCore?: true,
): Words {
  const other = otherOf(kind);
  const matches = upTo(maxLimit, createMatchSchema(other), 'Those that fit, best first.');
  const replies = {
    200: emptyList(
      `${other.plural} by how well they fit, best first, or EMPTY.`,
      okSchema({ matches, ...pageEntries }),
      async ({ seed, matcher }: MatchService) => {
        const [own, found] = [seed.rows[kind.name]![0]!, seed.rows[other.name]![0]!];
        const [order, person] = kind === jobOrder ? [own, found] : [found, own];
        const match = (await matcher()).match(order.record, person.record);
        const row = createMatchPresenter(other)(match, { record: found.record, status: found.status() });
        return { type: 'OK', statement, matches: [row], total: 1 };
      },
    ),
  };
  return {
    ...createRecordContract(kind, replies),
    ...texts,
    sample: { id: `${kind.prefix}001`, limit: 3 },
    tool: {
      description: `${tool} Takes the filters of ${other.texts.list.operationId} too.`,
      ...(isCore && { isCore }),
      input: v.object(matchQuery),
    },
  };
}

const nameEntries = ({ prefix }: Kind) => ({
  id: createIdSchema(prefix, 'Its id.'),
  ref: v.optional(Ref),
});

const namedOrder = say(
  v.object({ ...nameEntries(jobOrder), title: say(v.string(), 'Its title.') }),
  'The order.',
);

const MatchedOrder = v.object({
  jobOrder: namedOrder,
  matches: upTo(10, createMatchSchema(candidate), 'Those who fit, best first; none where nobody does.'),
});

const pairEntries = {
  candidateId: createIdSchema(candidate.prefix, 'The person.'),
  jobOrderId: createIdSchema(jobOrder.prefix, 'The order.'),
};

const Proposal = v.object({
  ...pairEntries,
  onetCode: OnetCode,
  startDate: may(CalendarDate, "The order's, if ahead."),
  plannedEndDate: may(CalendarDate, "The order's last day."),
  status: say(v.literal('proposed'), 'A person decides.'),
});

/** The members of a row that say how to propose its pair. */
const proposalEntries = {
  placement: may(
    Proposal,
    `A row of placements for POST /batch, as it is. Absent if the pair is proposed, or its order has ${mostProposals} open placements with those above.`,
  ),
  placementId: v.optional(createIdSchema(placement.prefix, 'The open placement, if the pair is proposed.')),
};

const PlannedPair = v.object({
  jobOrder: namedOrder,
  candidate: say(
    v.object({ ...nameEntries(candidate), name: say(v.string(), 'The name.') }),
    'Who fills an opening of it.',
  ),
  score: matchEntries.score,
  unknown: matchEntries.unknown,
  endsDuring: matchEntries.endsDuring,
  ...proposalEntries,
});

const UnfilledOrder = v.object({
  jobOrder: namedOrder,
  openings: say(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Openings that stay empty.'),
  reason: say(v.picklist(emptyReasons), 'Why.'),
});

const planContract: Words = {
  tag: 'workspaces',
  summary: 'Plan all open orders',
  description:
    'One plan for all open job orders of your workspace: most openings filled, then fewest credentials that end during the work, then the highest total score. People come again where days and hours allow. No pair has an unmet gate. It proposes nothing. Newest orders first, as many as fit.',
  replies: {
    200: emptyList(
      'The plan, or EMPTY if no job order is open.',
      okSchema({
        plan: upTo(mostOpenings, PlannedPair, 'One row for each person; newest orders first.'),
        unfilled: upTo(mostOpenings, UnfilledOrder, 'Orders with an opening that stays empty.'),
        more: may(NonNegativeInteger, 'Open orders left out, because one plan does not take as many.'),
        statement: say(v.string(), 'What a plan is, and what it is not.'),
      }),
      () => ({ type: 'EMPTY', message: 'No job order of this workspace is open.', total: 0 }),
      ['ETag'],
    ),
  },
  tool: {
    description:
      'Plan who fills all open job orders, each person once. Proposes nothing: createBatch takes placement of its rows.',
  },
};

const matchCandidates = {
  summary: 'Who fits a job order',
  description:
    'Candidates by how well they fit a job order, best first, each with its score, the reasons that add up to it, and what is missing.',
  tool: 'Find who fits a job order: candidates with scores, reasons and gaps. A person decides.',
};

const matchJobOrders = {
  summary: 'Which job orders fit a candidate',
  description:
    'Job orders by how well they fit a candidate, best first, each with its score, the reasons that add up to it, and what is missing.',
  tool: 'Find which job orders fit a candidate: with scores, reasons and gaps. A person decides.',
};

export const matchContracts: Contracts = {
  matchCandidates: describeMatches(jobOrder, matchCandidates, true),
  matchJobOrders: describeMatches(candidate, matchJobOrders),
  matchWorkspace: {
    tag: 'workspaces',
    summary: 'Who fits each open order',
    description: `For each open job order of your workspace the candidates who fit it best, from ${usualMinScore} points on unless said; pages of ${mostOrders} orders.`,
    replies: {
      200: emptyList(
        'The orders, newest first, each with its matches, or EMPTY.',
        okSchema({
          orders: upTo(mostOrders, MatchedOrder, 'Open job orders, newest first.'),
          ...pageEntries,
        }),
        () => ({ type: 'EMPTY', message: 'No job order of this workspace is open.', total: 0 }),
        ['ETag'],
      ),
    },
    tool: { description: 'Match all open job orders of a workspace in one call. A person decides.' },
  },
  planWorkspace: planContract,
};
