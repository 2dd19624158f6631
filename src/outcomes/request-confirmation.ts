import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { changeOne } from '../records/change-one.ts';
import { makeOneTimeToken } from '../records/one-time-token.ts';
import { placement } from '../records/placement.ts';
import {
  type Evidence,
  type Party,
  type PlacementRecord,
  toClosingTime,
} from '../records/placement-outcome.ts';
import { toLife, toWorkspaceState } from '../records/workspace-state.ts';
import { refuseClosed, toNext } from './state-outcome.ts';
import { ofConfirmation } from './token.ts';

/** The page on which a person answers; a fragment is sent to no server. */
export const toConfirmUrl = (baseUrl: string, token: string) => `${baseUrl}/confirm.html#${token}`;

/**
 * Issues a token to a party, in the place of one that it was issued before. What the party answered to the statement
 * stands: a fresh token takes no disagreement away.
 */
export async function requestConfirmation(id: string, party: Party, context: Context): Promise<Outcome> {
  const { settings } = context.service;
  const { hash, salt, tell } = await makeOneTimeToken(context, ofConfirmation, id);
  return changeOne(
    placement,
    id,
    context,
    [],
    (was, _, { now, head }) => {
      const fact = was.fact as PlacementRecord;
      const { stated, confirmations = [] }: Evidence = fact.evidence ?? {};
      if (fact.startDate !== undefined) refuseClosed(fact, now);
      if (!stated) throw new Refusal('no_outcome');
      const workspaceEnd = Math.max(now + toLife(toWorkspaceState(head!.state), settings), head!.expiresAt);
      const expiresAt = Math.min(toClosingTime(fact), workspaceEnd);
      const others = confirmations.filter((one) => one.party !== party);
      const before = confirmations.filter((one) => one.party === party);
      const answer = before[0]?.answer;
      const issued = { party, token: hash, expiresAt, ...(answer && { answer }) };
      const evidence = { ...fact.evidence, confirmations: [...others, issued] };
      const body = { party, token: '', url: '', expiresAt: new Date(expiresAt).toISOString() };
      return {
        writing: {
          puts: [{ kind: placement.name, fact: toNext({ ...fact, evidence }, was, now), was }],
          points: { [hash]: { to: id, expiresAt } },
          unpoints: before.map((one) => one.token),
        },
        outcome: { status: 201, body: { type: 'OK', confirmation: body } },
      };
    },
    {
      salt,
      async fill(outcome, kept) {
        const body = outcome.body as { confirmation?: object };
        if (!body.confirmation) return outcome;
        const token = await tell(kept);
        const url = toConfirmUrl(settings.baseUrl, token);
        return { ...outcome, body: { ...body, confirmation: { ...body.confirmation, token, url } } };
      },
    },
  );
}
