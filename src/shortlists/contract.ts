import * as v from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { ShortlistLinks } from '../job-orders/shortlist-links.ts';
import { blocked, type Contracts, changed, emptyRecord, ok } from '../kernel/contract.ts';
import { CalendarDate, may, named, say, Time, upTo } from '../kernel/text.ts';
import { createIssuedExample, defineIssuedEntries } from '../kernel/token.ts';
import { matchEntries } from '../matches/match.ts';
import type { MatchService } from '../matches/matcher.ts';
import { commentsEntry } from '../placements/client-words.ts';
import { placement } from '../placements/placement.ts';
import { workspaceFull } from '../pricing/contract.ts';
import { createWriteContract } from '../records/contract.ts';
import { createIdSchema } from '../records/kind/kind.ts';
import { affectedEntries } from '../records/write/affected.ts';
import { View } from '../workspace/view.ts';
import { decisionNames, decisions, type ShortlistDecision, undoMinutes } from './decision-rules.ts';
import { declinedBeforeEntry } from './declined-before.ts';
import { shortlistRefusals } from './refusals.ts';
import {
  pickEntries,
  presentShortlistOrder,
  presentShortlistRow,
  shortlistMembers,
  shortlistToken,
} from './shortlist.ts';

const exampleId = `${placement.prefix}0000000000000000`;

const createRowSchema = () => {
  const { score, reasons, met, unmet, endsDuring } = matchEntries;
  return named(
    v.object({
      id: createIdSchema(placement.prefix, 'Of the placement.'),
      status: say(v.picklist(placement.lifecycle.statuses), 'Of the placement.'),
      tag: say(v.string(), 'Names it as it was read: send it with the decision.'),
      candidate: say(
        v.object(pickEntries(candidate, shortlistMembers.candidate)),
        'Who is proposed: no pay, note, ref or id.',
      ),
      score,
      reasons,
      met,
      missing: upTo(
        20,
        v.object({
          phrase: say(v.string(), 'The must-have.'),
          until: may(CalendarDate, 'The last day of the credential that shows it, before the work starts.'),
        }),
        'Must-haves that are not met. The texts of `unmet` begin with these, in the same order.',
      ),
      unmet,
      endsDuring,
      decision: may(v.picklist(decisionNames), 'What was decided through a link.'),
      decidedBy: may(v.string(), 'The reviewer of that link.'),
      undoableUntil: may(
        Time,
        'Until this time, "undo" takes the decision back. Absent if it cannot be undone.',
      ),
      declinedBefore: declinedBeforeEntry,
      comments: commentsEntry,
    }),
    'ShortlistedPlacement',
    'A placement as the people of the client see it.',
  );
};

const createShortlistSchema = () =>
  say(
    v.object({
      jobOrder: say(
        v.object(pickEntries(jobOrder, shortlistMembers.jobOrder)),
        'What is wanted: no pay, note, ref or id.',
      ),
      placements: upTo(100, createRowSchema(), 'Those to decide on first, then those that were decided.'),
      expiresAt: say(Time, 'When the link expires.'),
      reviewer: may(v.string(), 'Whose link it is.'),
      anonymous: may(v.literal(true), 'Names, titles and employers are hidden.'),
    }),
    'The order, and who is proposed for it.',
  );

/** Returns the first seed order and candidate as a shortlist shows them. */
async function createShortlistExample({ seed, matcher }: MatchService, sampleDecision?: ShortlistDecision) {
  const view = new View(seed.workspace);
  const [order, person] = [jobOrder, candidate].map(({ name }) => seed.rows[name]![0]!.record);
  const now = Date.parse(seed.today);
  const fact = {
    id: exampleId,
    candidateId: person!.id,
    jobOrderId: order!.id,
    onetCode: order!.onetCode,
    asked: sampleDecision ? decisions[sampleDecision] : 'proposed',
    ...(sampleDecision && {
      transitions: [{ at: now, from: 'proposed', to: decisions[sampleDecision], by: 'shortlist' as const }],
      updatedAt: now,
    }),
  };
  const pairing = { order: order!, view, matcher: await matcher(), now };
  const { reasons, candidate: shown, ...row } = presentShortlistRow(fact, pairing)!;
  const { name } = shown;
  return {
    row: { ...row, candidate: { name, onetCode: order!.onetCode }, reasons: reasons.slice(0, 1) },
    order: presentShortlistOrder(order!, view, seed.today),
  };
}

export const shortlistContracts: Contracts = {
  createShortlist: {
    ...createWriteContract(jobOrder, {
      200: ok('The link is revoked. These stay.', { links: ShortlistLinks }, () => ({ links: [] })),
      201: ok(
        'The link. Its token is shown only once.',
        {
          shortlist: say(
            v.object(defineIssuedEntries(shortlistToken, 'the people of the client', 'decides')),
            'The link to the shortlist.',
          ),
          ...affectedEntries,
        },
        ({ seed }: MatchService) => ({
          shortlist: createIssuedExample(shortlistToken, 'shortlist', seed.today),
        }),
      ),
      402: workspaceFull,
      409: blocked(
        shortlistRefusals.nothing_proposed,
        'Nobody is proposed, the link is out already, or too many reviewers have one.',
      ),
    }),
    summary: 'Share who is proposed',
    description:
      'Makes a link on which the people of the client see who is proposed for your job order, and decide whom to interview, without an account. Each reviewer has a link of their own, five at most. The token is shown once. It lives 14 days, or as long as its workspace.',
    sample: { id: `${jobOrder.prefix}0000000000000000` },
    tool: {
      description:
        "Get a url on which the client's people decide on those proposed. Decisions show as moves.",
      // A new link can void the previous one.
      hints: { destructiveHint: true },
    },
  },
  getShortlist: {
    tag: placement.collection,
    summary: 'Read a shortlist',
    description:
      'The job order of your token, and who is proposed or interviewing for it: how they fit, and what is unmet. What was decided stays.',
    replies: {
      200: ok(
        'The shortlist.',
        { shortlist: createShortlistSchema() },
        async (service: MatchService) => {
          const { row, order } = await createShortlistExample(service);
          const expiresAt = `${service.seed.today}T00:00:00.000Z`;
          return { shortlist: { jobOrder: order, placements: [row], expiresAt } };
        },
        ['ETag'],
      ),
    },
  },
  decideShortlist: {
    tag: placement.collection,
    summary: 'Decide on who is proposed',
    description: `Moves a placement of the shortlist to interviewing or declined. \`transitions\` keep \`by: "shortlist"\` and the \`reviewer\`. For ${undoMinutes} minutes, if nothing followed, \`undo\` removes the decision with its move and reason.`,
    sample: { placementId: exampleId, decision: 'interview', tag: '1.0.0' },
    replies: {
      200: ok(
        'The placement as the shortlist then shows it.',
        { placement: createRowSchema() },
        async (service: MatchService) => ({
          placement: (await createShortlistExample(service, 'interview')).row,
        }),
      ),
      402: workspaceFull,
      404: emptyRecord('It is not on the shortlist.'),
      409: blocked(
        shortlistRefusals.already_decided,
        'It was decided differently, its job order is closed, or it cannot be undone: too late, overtaken, or `too_many_proposals` are open.',
      ),
      412: changed,
    },
  },
};
