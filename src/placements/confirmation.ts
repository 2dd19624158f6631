import * as v from 'valibot';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { CalendarDate, Href, may, NonNegativeInteger, say, toIsoTime } from '../kernel/text.ts';
import { defineIssuedEntries, defineTokenKind } from '../kernel/token.ts';
import { OnetCode, Title } from '../occupations/occupation.ts';
import { computeLife, readWorkspaceState } from '../records/account/workspace-state.ts';
import type { Context } from '../records/service.ts';
import { bumpRevision, changeRecord } from '../records/write/change.ts';
import { followToRecord, makeOneTimeToken } from '../records/write/one-time-token.ts';
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
import { explainNoOutcome, refuseClosed } from './state-outcome.ts';
import { readClosingTime, readGuaranteeDays, readValidateBy } from './status.ts';

const hint = 'The token, `cnf_…`, that the party was sent.';
export const confirmation = defineTokenKind(
  'confirmation',
  'cnf_',
  hint,
  outcomeRefusals.unknown_confirmation,
);

/**
 * Returns the confirmation of a placement that has this token hash. Throws the Refusal `unknown_confirmation` if there is
 * none or it has expired.
 */
export function requireIssued(fact: PlacementRecord, hash: string, now: number) {
  const issued = fact.evidence?.confirmations?.find(({ token }) => token === hash);
  if (!issued || issued.expiresAt <= now) throw new Refusal(confirmation.unknown);
  return issued;
}

/** What a party sees of a placement: no id and no name, but the caller's ref or the initials of the candidate. */
const Statement = v.object({
  reference: say(
    v.nullable(v.string()),
    'Tells this placement from others: its ref, or the initials of the candidate; null without either.',
  ),
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
  party: say(v.picklist(parties), 'The party that you answer as.'),
  tag: say(v.string(), 'Names this statement: send it with the answer, which then answers no other.'),
  answer: say(v.nullable(v.object(answerEntries)), 'What the party answered, or null.'),
};

export const answeredEntries = {
  ...confirmationEntries,
  validated: say(v.boolean(), 'Whether the outcome is validated now.'),
  links: may(
    v.object({ receipt: say(Href, 'Its receipt; read it with the workspace of the placement.') }),
    'Related addresses, once there is a receipt.',
  ),
};

/** A confirmation as its issuer sees it. The token is shown only once. */
export const IssuedConfirmation = v.object({
  party: say(v.picklist(parties), 'Who is asked.'),
  ...defineIssuedEntries(confirmation, 'that party', 'answers'),
});

export type Confirmable = Awaited<ReturnType<typeof openConfirmation>>;
type PresentedStatement = v.InferOutput<typeof Statement> | undefined;

/** Returns what a party sees, or undefined if a change of the placement voided the statement. */
function presentStatement(fact: PlacementRecord, { service }: Context): PresentedStatement {
  const { stated } = fact.evidence ?? {};
  if (!stated || fact.startDate === undefined) return undefined;
  const { order } = stated;
  return {
    reference: stated.reference ?? null,
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

/** Returns what a party sees, and a text that no other statement has. The tag is a part of its SHA-256. */
export function describeStatement(fact: PlacementRecord, context: Context) {
  const statement = presentStatement(fact, context);
  const { candidateId, jobOrderId, evidence } = fact;
  const parts = [statement, evidence?.stated?.at, candidateId, jobOrderId];
  return { statement, identity: JSON.stringify(parts) };
}

/** Returns the placement of the caller's token. Malformed, unknown, replaced and expired tokens get the same Refusal. */
export async function openConfirmation(context: Context) {
  const opened = await followToRecord(context, confirmation, placement);
  const { hash, workspace } = opened;
  const fact = opened.fact as PlacementRecord;
  const { platform } = context.service;
  const issued = requireIssued(fact, hash, platform.now());
  const described = describeStatement(fact, context);
  const tag = (await platform.sha256(described.identity)).slice(0, 40);
  return { workspace, fact, issued, hash, ...described, tag };
}

export function presentConfirmation({ statement, tag, issued: { party, answer } }: Confirmable) {
  return { type: 'OK', statement, party, tag, answer: answer ? presentAnswer(answer) : null };
}

/** Presents a confirmation after an answer: it also says whether the outcome is validated, and where its receipt is. */
export function presentAnswered(confirmable: Confirmable) {
  const { id, evidence } = confirmable.fact;
  const { validated } = evidence ?? {};
  const receipt = validated?.receipt && { receipt: `${placement.path}/${id}/receipt` };
  return {
    ...presentConfirmation(confirmable),
    validated: validated !== undefined,
    ...(receipt && { links: receipt }),
  };
}

/** Issues a token to a party and voids its previous one. An answer that the party already gave stays. */
export async function requestConfirmation(
  id: string,
  party: Party,
  context: Context,
): Promise<OperationReply> {
  const { settings } = context.service;
  const present = (token: string) => ({
    confirmation: { token, url: `${settings.baseUrl}/confirm.html#${token}` },
  });
  const { hash, secrets } = await makeOneTimeToken(context, confirmation, present, id);
  return changeRecord(
    { kind: placement, id },
    context,
    (was, _, { change }) => {
      const { now, head, today } = change;
      const fact = was.record as PlacementRecord;
      const { stated, confirmations = [] }: StoredOutcome = fact.evidence ?? {};
      if (readValidateBy(fact) !== null) refuseClosed(fact, now);
      if (!stated) {
        const reason = explainNoOutcome(fact, today);
        throw new Refusal(outcomeRefusals.no_outcome, reason === undefined ? {} : { reason });
      }
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
      change.put(placement.name, bumpRevision({ ...fact, evidence }, was, now), was);
      change.addToken(hash, id, expiresAt);
      change.removeTokens(before.map((one) => one.token));
      const shown = { party, expiresAt: toIsoTime(expiresAt) };
      return { status: 201, body: { type: 'OK', confirmation: shown } };
    },
    { secrets },
  );
}
