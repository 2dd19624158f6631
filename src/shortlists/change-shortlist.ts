import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toDay } from '../kernel/text.ts';
import { move } from '../records/change.ts';
import { changeOne, replace, toNext } from '../records/change-one.ts';
import { jobOrder, toIssuedShortlist } from '../records/job-order.ts';
import { makeOneTimeToken } from '../records/one-time-token.ts';
import { placement } from '../records/placement.ts';
import { toProposalsName } from '../records/placement-stages.ts';
import { AnswerWithoutWriting } from '../records/write.ts';
import {
  type Decision,
  decisions,
  knows,
  ofShortlist,
  openShortlist,
  shortlistToken,
  toDecision,
  toRow,
} from './shortlist.ts';

/** Milliseconds that a link lives at most. */
const lifeMs = 14 * 86_400_000;

/** The page on which people decide; a fragment is sent to no server. */
export const toShortlistUrl = (baseUrl: string, token: string) => `${baseUrl}/shortlist.html#${token}`;

/** Makes a link to the placements that are proposed on a job order. One that is out is replaced only where that is asked. */
export async function createShortlist(id: string, replaces: boolean, context: Context): Promise<Outcome> {
  const { baseUrl } = context.service.settings;
  const toMembers = (token: string) => ({ token, url: toShortlistUrl(baseUrl, token) });
  const { hash, ...token } = await makeOneTimeToken(context, ofShortlist, toMembers, id);
  return changeOne(
    jobOrder,
    id,
    context,
    [],
    (was, _, { now, near, head }) => {
      const before = toIssuedShortlist(was.fact);
      if (near.occupantsOf(toProposalsName(id)) === 0) throw new Refusal('nothing_proposed');
      if (before && before.expiresAt > now && !replaces) throw new Refusal('pending');
      const expiresAt = now + lifeMs;
      const evidence = { shortlist: { token: hash, expiresAt } };
      const told = new Date(Math.min(expiresAt, head!.expiresAt)).toISOString();
      return {
        writing: {
          puts: [{ kind: jobOrder.name, fact: toNext({ ...was.fact, evidence }, was, now), was }],
          points: { [hash]: { to: id, expiresAt } },
          unpoints: before ? [before.token] : [],
        },
        outcome: {
          status: 201,
          body: { type: 'OK', shortlist: { token: '', url: '', expiresAt: told } },
        },
      };
    },
    token,
  );
}

const notListed: Outcome = {
  status: 404,
  body: {
    type: 'EMPTY',
    message: 'No placement with this id is on the shortlist. Read GET /shortlist for those that are.',
  },
};

export interface Sent {
  placementId: string;
  decision: Decision;
  reason?: string | undefined;
  tag: string;
}

/**
 * Moves a placement as the client's people decided it, and answers it as the shortlist then shows it. The same decision
 * again is answered the same; any other is for the placement as its `tag` names it.
 */
export async function decideShortlist(sent: Sent, context: Context): Promise<Outcome> {
  const { hash, order, context: opened } = await openShortlist(context);
  const { service, options } = opened;
  const matcher = await service.matcher();
  const inside = {
    ...opened,
    options: { ...options, isStrict: false, ifMatch: undefined, revision: undefined },
  };
  const { placementId: id, decision, reason, tag } = sent;
  if (service.seed.byId.has(id)) return notListed;
  const outcome = await changeOne(
    placement,
    id,
    inside,
    [order.id],
    (was, { status }, moment) => {
      const { now, near } = moment;
      const current = near.own(jobOrder.name, order.id)?.fact;
      if (!current || !knows(current, hash, now)) throw new Refusal(shortlistToken.unknown);
      const pairing = { order: current, near, matcher, today: toDay(now) };
      const row = was.fact.jobOrderId === order.id ? toRow(was.fact, pairing) : undefined;
      const isListed = status === 'proposed' || status === 'interviewing' || toDecision(was.fact);
      if (!row || !isListed) throw new AnswerWithoutWriting(notListed);
      if (row.decision === decision)
        throw new AnswerWithoutWriting({ status: 200, body: { type: 'OK', placement: row } });
      if (row.tag !== tag)
        throw new Refusal('changed', { reason: 'It changed since you read it. Read it again, then decide.' });
      if (row.decision !== undefined || status === decisions[decision]) throw new Refusal('already_decided');
      if (current.asked === 'closed') throw new Refusal('order_closed');
      const how = { to: decisions[decision], reason, by: 'shortlist' as const };
      const moved = move(placement, was.fact, status, how, now);
      const declined = decision === 'decline' && { declineReason: 'client' };
      const { writing } = replace(placement, was, { ...moved, ...declined }, moment, placement.amend);
      const next = near.recordOf(placement.name, id)!;
      return { writing, outcome: { status: 200, body: { type: 'OK', placement: toRow(next, pairing) } } };
    },
    { id: hash },
  );
  return outcome.status === 404 ? notListed : outcome;
}
