import { toKeyed } from '../kernel/idempotency.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { writeRecord } from '../records/on-record.ts';
import { placement } from '../records/placement.ts';
import { type Evidence, type Judged, type Party, toClosingTime } from '../records/placement-outcome.ts';
import { makeSalt } from '../records/workspace.ts';
import { refuseClosed, toNext } from './state-outcome.ts';
import { deriveToken, makeToken, toTokenHash } from './token.ts';

/** The page on which a person answers; a fragment is sent to no server. */
export const toConfirmUrl = (baseUrl: string, token: string) => `${baseUrl}/confirm.html#${token}`;

/**
 * Issues a token to a party, in the place of one that it was issued before. What the party answered to the statement
 * stands: a fresh token takes no disagreement away.
 */
export async function requestConfirmation(id: string, party: Party, context: Context): Promise<Outcome> {
  const { service, workspace } = context;
  const { retentionSeconds, baseUrl } = service.settings;
  const keyed = await toKeyed(context, id);
  const own = makeSalt(service);
  const toToken = (salt = own) => deriveToken(service, salt, workspace!.id, keyed!.key);
  const token = keyed ? await toToken() : makeToken(service);
  const hash = await toTokenHash(service, token);
  return writeRecord(
    placement,
    id,
    context,
    [],
    (was, _, { now, head }) => {
      const fact = was.fact as Judged;
      const { stated, confirmations = [] }: Evidence = fact.evidence ?? {};
      if (!stated) throw new Refusal('no_outcome');
      refuseClosed(fact, now);
      const workspaceEnd = Math.max(now + retentionSeconds * 1000, head?.expiresAt ?? 0);
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
      salt: own,
      async fill(outcome, salt) {
        const told = keyed ? await toToken(salt) : token;
        const body = outcome.body as { confirmation?: object };
        if (!body.confirmation) return outcome;
        const url = toConfirmUrl(baseUrl, told);
        return { ...outcome, body: { ...body, confirmation: { ...body.confirmation, token: told, url } } };
      },
    },
  );
}
