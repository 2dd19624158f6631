import * as v from 'valibot';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { CalendarDate, NonNegativeInteger, say, toIsoTime } from '../kernel/text.ts';
import { defineIssuedEntries, defineTokenKind } from '../kernel/token.ts';
import { OnetCode, Title } from '../occupations/occupation.ts';
import { bumpRevision, changeOne } from '../records/change.ts';
import { followToRecord, makeOneTimeToken } from '../records/one-time-token.ts';
import type { Context } from '../records/service.ts';
import { computeLife, readWorkspaceState } from '../records/workspace-state.ts';
import { answerEntries, presentAnswer } from './outcome.ts';
import { placement } from './placement.ts';
import {
  type Party,
  type PlacementRecord,
  parties,
  type StoredOutcome,
  statedResults,
} from './placement-record.ts';
import { outcomeRefusals } from './refusals.ts';
import { refuseClosed } from './state-outcome.ts';
import { readClosingTime, readGuaranteeDays, readValidateBy } from './status.ts';

const hint = 'The token, `cnf_…`, that the party was sent.';
export const confirmation = defineTokenKind(
  'confirmation',
  'cnf_',
  hint,
  outcomeRefusals.unknown_confirmation,
);

/** The confirmation that a placement knows by a token. It knows none that was replaced or never issued. */
export function requireIssued(fact: PlacementRecord, hash: string, now: number) {
  const issued = fact.evidence?.confirmations?.find(({ token }) => token === hash);
  if (!issued || issued.expiresAt <= now) throw new Refusal(confirmation.unknown);
  return issued;
}

/** What a party is shown of a placement: nothing that leads to the workspace or to a person. */
const Statement = v.object({
  result: say(v.picklist(statedResults), 'How the guarantee period went.'),
  asOf: say(CalendarDate, 'The day that the statement is of.'),
  startDate: say(CalendarDate, 'First day of work.'),
  guaranteeDays: say(NonNegativeInteger, 'Days of the guarantee period after that day.'),
  occupation: say(v.object({ code: OnetCode, title: Title }), 'The occupation of the placement.'),
  title: say(v.nullable(v.string()), 'Of the job order as it was stated; null where it was gone.'),
  client: say(v.nullable(v.string()), 'Of the job order; null where it was gone.'),
});

export const confirmationEntries = {
  statement: say(Statement, 'What the party is asked to confirm.'),
  tag: say(v.string(), 'Names this statement: send it with the answer, which then answers no other.'),
  answer: say(v.nullable(v.object(answerEntries)), 'What the party answered, or null.'),
};

/** What its issuer is told of a confirmation, once. */
export const IssuedConfirmation = v.object({
  party: say(v.picklist(parties), 'Who is asked.'),
  ...defineIssuedEntries(confirmation, 'that party', 'answers'),
});

export type Confirmable = Awaited<ReturnType<typeof openConfirmation>>;
type PresentedStatement = v.InferOutput<typeof Statement> | undefined;

/** What a party is shown; undefined where a change of the placement voided the statement. */
function presentStatement(fact: PlacementRecord, { service }: Context): PresentedStatement {
  const { stated } = fact.evidence ?? {};
  if (!stated || fact.startDate === undefined) return undefined;
  const { order } = stated;
  return {
    result: stated.result,
    asOf: stated.asOf,
    startDate: fact.startDate,
    guaranteeDays: readGuaranteeDays(fact),
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
  const issued = requireIssued(fact, hash, context.service.platform.now());
  const statement = presentStatement(fact, context);
  return { workspace, fact, issued, hash, statement, tag: await hashStatement(statement, fact, context) };
}

/** Names what a party read: another tag, another statement. Who states it cannot make two with one tag. */
async function hashStatement(statement: PresentedStatement, fact: PlacementRecord, { service }: Context) {
  const { candidateId, jobOrderId, evidence } = fact;
  const read = [statement, evidence?.stated?.at, candidateId, jobOrderId];
  return (await service.platform.sha256(JSON.stringify(read))).slice(0, 40);
}

export function presentConfirmation({ statement, tag, issued: { answer } }: Confirmable) {
  return { type: 'OK', statement, tag, answer: answer ? presentAnswer(answer) : null };
}

/** Issues a token to a party, in the place of one before. What the party answered stands: a fresh token voids no answer. */
export async function requestConfirmation(
  id: string,
  party: Party,
  context: Context,
): Promise<OperationReply> {
  const { settings } = context.service;
  const presentLink = (token: string) => ({ token, url: `${settings.baseUrl}/confirm.html#${token}` });
  const { hash, ...token } = await makeOneTimeToken(context, confirmation, presentLink, id);
  return changeOne(
    { kind: placement, id },
    context,
    (was, _, { now, view, head }) => {
      const fact = was.record as PlacementRecord;
      const { stated, confirmations = [] }: StoredOutcome = fact.evidence ?? {};
      if (readValidateBy(fact) !== null) refuseClosed(fact, now);
      if (!stated) throw new Refusal(outcomeRefusals.no_outcome);
      const workspaceEnd = Math.max(
        now + computeLife(readWorkspaceState(head!.state), settings),
        head!.expiresAt,
      );
      const expiresAt = Math.min(readClosingTime(fact), workspaceEnd);
      const others = confirmations.filter((one) => one.party !== party);
      const before = confirmations.filter((one) => one.party === party);
      const answer = before[0]?.answer;
      const issued = { party, token: hash, expiresAt, ...(answer && { answer }) };
      const evidence = { ...fact.evidence, confirmations: [...others, issued] };
      view.put(placement.name, bumpRevision({ ...fact, evidence }, was, now), was);
      const body = { party, token: '', url: '', expiresAt: toIsoTime(expiresAt) };
      return {
        addedTokens: { [hash]: { to: id, expiresAt } },
        removedTokens: before.map((one) => one.token),
        outcome: { status: 201, body: { type: 'OK', confirmation: body } },
      };
    },
    token,
  );
}
