import * as v from 'valibot';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { CalendarDate, Count, say, toTime } from '../kernel/text.ts';
import { toIssuedEntries, toTokenKind } from '../kernel/token.ts';
import { OnetCode, Title } from '../occupations/occupation.ts';
import { changeOne, toNext } from '../records/change.ts';
import { followToRecord, makeOneTimeToken } from '../records/one-time-token.ts';
import { placement } from '../records/placement.ts';
import { answerEntries, presentAnswer } from '../records/placements/outcome.ts';
import {
  type Evidence,
  type Party,
  type PlacementRecord,
  parties,
  statedResults,
} from '../records/placements/record.ts';
import { toClosingTime, toGuaranteeDays, toValidateBy } from '../records/placements/status.ts';
import { toLife, toWorkspaceState } from '../records/workspace-state.ts';
import { refuseClosed } from './state-outcome.ts';

const hint = 'The token, `cnf_…`, that the party was sent.';
export const confirmation = toTokenKind('confirmation', 'cnf_', hint);

/** The confirmation that a placement knows by a token. It knows none that was replaced or never issued. */
export function toIssued(fact: PlacementRecord, hash: string, now: number) {
  const issued = fact.evidence?.confirmations?.find(({ token }) => token === hash);
  if (!issued || issued.expiresAt <= now) throw new Refusal(confirmation.unknown);
  return issued;
}

/** What a party is shown of a placement: nothing that leads to the workspace or to a person. */
const Statement = v.object({
  result: say(v.picklist(statedResults), 'How the guarantee period went.'),
  asOf: say(CalendarDate, 'The day that the statement is of.'),
  startDate: say(CalendarDate, 'First day of work.'),
  guaranteeDays: say(Count, 'Days of the guarantee period after that day.'),
  occupation: say(v.object({ code: OnetCode, title: Title }), 'The occupation of the placement.'),
  title: say(v.nullable(v.string()), 'Of the job order as it was stated; null where it was gone.'),
  client: say(v.nullable(v.string()), 'Of the job order; null where it was gone.'),
});

export const shown = {
  statement: say(Statement, 'What the party is asked to confirm.'),
  tag: say(v.string(), 'Names this statement: send it with the answer, which then answers no other.'),
  answer: say(v.nullable(v.object(answerEntries)), 'What the party answered, or null.'),
};

/** What its issuer is told of a confirmation, once. */
export const Issued = v.object({
  party: say(v.picklist(parties), 'Who is asked.'),
  ...toIssuedEntries(confirmation, 'that party', 'answers'),
});

export type Confirmable = Awaited<ReturnType<typeof openConfirmation>>;
type Shown = v.InferOutput<typeof Statement> | undefined;

/** What a party is shown; undefined where a change of the placement voided the statement. */
function toStatement(fact: PlacementRecord, { service }: Context): Shown {
  const { stated } = fact.evidence ?? {};
  if (!stated || fact.startDate === undefined) return undefined;
  const { order } = stated;
  return {
    result: stated.result,
    asOf: stated.asOf,
    startDate: fact.startDate,
    guaranteeDays: toGuaranteeDays(fact),
    occupation: {
      code: fact.onetCode,
      title: service.occupationByCode.get(fact.onetCode)?.title ?? fact.onetCode,
    },
    title: order?.title ?? null,
    client: order?.client ?? null,
  };
}

/** The placement that the token of a caller is for. Malformed, unknown, replaced and expired ones get the same refusal. */
export async function openConfirmation(context: Context) {
  const opened = await followToRecord(context, confirmation, placement);
  const { hash, workspace } = opened;
  const fact = opened.fact as PlacementRecord;
  const issued = toIssued(fact, hash, context.service.platform.now());
  const statement = toStatement(fact, context);
  return { workspace, fact, issued, hash, statement, tag: await toTag(statement, fact, context) };
}

/** Names what a party read: another tag, another statement. Who states it cannot make two with one tag. */
async function toTag(statement: Shown, fact: PlacementRecord, { service }: Context) {
  const { candidateId, jobOrderId, evidence } = fact;
  const read = [statement, evidence?.stated?.at, candidateId, jobOrderId];
  return (await service.platform.sha256(JSON.stringify(read))).slice(0, 40);
}

export function toConfirmationBody({ statement, tag, issued: { answer } }: Confirmable) {
  return { type: 'OK', statement, tag, answer: answer ? presentAnswer(answer) : null };
}

/** Issues a token to a party, in the place of one before. What the party answered stands: a fresh token voids no answer. */
export async function requestConfirmation(id: string, party: Party, context: Context): Promise<Outcome> {
  const { settings } = context.service;
  const toMembers = (token: string) => ({ token, url: `${settings.baseUrl}/confirm.html#${token}` });
  const { hash, ...token } = await makeOneTimeToken(context, confirmation, toMembers, id);
  return changeOne(
    placement,
    id,
    context,
    (was, _, { now, view, head }) => {
      const fact = was.record as PlacementRecord;
      const { stated, confirmations = [] }: Evidence = fact.evidence ?? {};
      if (toValidateBy(fact) !== null) refuseClosed(fact, now);
      if (!stated) throw new Refusal('no_outcome');
      const workspaceEnd = Math.max(now + toLife(toWorkspaceState(head!.state), settings), head!.expiresAt);
      const expiresAt = Math.min(toClosingTime(fact), workspaceEnd);
      const others = confirmations.filter((one) => one.party !== party);
      const before = confirmations.filter((one) => one.party === party);
      const answer = before[0]?.answer;
      const issued = { party, token: hash, expiresAt, ...(answer && { answer }) };
      const evidence = { ...fact.evidence, confirmations: [...others, issued] };
      view.put(placement.name, toNext({ ...fact, evidence }, was, now), was);
      const body = { party, token: '', url: '', expiresAt: toTime(expiresAt) };
      return {
        addedTokens: { [hash]: { to: id, expiresAt } },
        removedTokens: before.map((one) => one.token),
        outcome: { status: 201, body: { type: 'OK', confirmation: body } },
      };
    },
    token,
  );
}
