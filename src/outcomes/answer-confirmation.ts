import { namesTag } from '../kernel/entity-tag.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { toSigner } from '../kernel/signer.ts';
import { toTime } from '../kernel/text.ts';
import { changeOne, retryOn, toNext } from '../records/change-one.ts';
import { placement } from '../records/placement.ts';
import type { Answer, Evidence, PlacementRecord } from '../records/placement-outcome.ts';
import { mintRecordId } from '../records/workspace.ts';
import {
  type Confirmable,
  openConfirmation,
  toConfirmationBody,
  toIssued,
  toStatementTag,
} from './confirmation.ts';
import { toReceipt } from './receipt.ts';
import { refuseClosed } from './state-outcome.ts';

/** Thrown where the placement is no longer what was read of it. */
class Reread extends Error {}

const noStatement = {
  status: 404,
  body: {
    type: 'EMPTY',
    message:
      'There is nothing to confirm at the moment: the placement changed, and its outcome was not stated anew. Ask who sent this.',
  },
};

/** Shows the statement that a token is for, and what was answered with it. */
export async function getConfirmation(context: Context): Promise<Outcome> {
  const shown = await openConfirmation(context);
  if (!shown.statement) return noStatement;
  return { status: 200, headers: { ETag: toStatementTag(shown) }, body: toConfirmationBody(shown) };
}

/** The receipt of an outcome that is validated by an answer at `at`; undefined where nothing signs here. */
async function sign(
  fact: PlacementRecord,
  confirmations: Evidence['confirmations'],
  at: number,
  service: Service,
) {
  const signer = toSigner(service);
  if ('reason' in signer) return undefined;
  const { result, asOf, at: statedAt } = fact.evidence!.stated!;
  const facts = {
    iss: service.settings.baseUrl,
    jti: mintRecordId(service, 'rcp_'),
    sub: fact.id,
    onetCode: fact.onetCode,
    startDate: fact.startDate!,
    result,
    asOf,
    recordedAt: toTime(fact.createdAt!),
    statedAt: toTime(statedAt),
    confirmedBy: confirmations!.filter(({ answer }) => answer?.agrees).map(({ party }) => party),
    confirmedAt: toTime(at),
  };
  return toReceipt({ ...facts, at }, signer);
}

/** The evidence with an answer in it, validated where it is the one that was missing. */
async function toEvidence({ fact, hash }: Confirmable, answer: Answer, service: Service): Promise<Evidence> {
  const { evidence } = fact;
  const confirmations = (evidence!.confirmations ?? []).map((one) =>
    one.token === hash ? { ...one, answer } : one,
  );
  const answers = confirmations.flatMap((one) => one.answer ?? []);
  if (!answers.every(({ agrees }) => agrees)) return { ...evidence, confirmations };
  const receipt = await sign(fact, confirmations, answer.at, service);
  return { ...evidence, confirmations, validated: { at: answer.at, ...(receipt && { receipt }) } };
}

type Sent = { agrees: boolean; comment?: string | undefined };

/** Answers once, on what is read now. What it signs is written only where that is still so. */
async function tryAnswer(sent: Sent, context: Context): Promise<Outcome> {
  const { service, options } = context;
  const shown = await openConfirmation(context);
  const { fact, issued, hash, workspace } = shown;
  if (!shown.statement) throw new Refusal('no_outcome', { reason: noStatement.body.message });
  if (issued.answer?.agrees === sent.agrees) return { status: 200, body: toConfirmationBody(shown) };
  if (issued.answer) throw new Refusal('already_answered');
  if (options.ifMatch !== undefined && !namesTag(options.ifMatch, toStatementTag(shown), 'strong')) {
    throw new Refusal('changed', {
      reason: 'Another statement was made since you read this one. Read it, then answer that.',
    });
  }
  const at = service.platform.now();
  refuseClosed(fact, at);
  const { agrees, comment } = sent;
  const answer: Answer = { agrees, at, ...(comment !== undefined && { comment }) };
  const evidence = await toEvidence(shown, answer, service);
  const inWorkspace = {
    ...context,
    workspace,
    options: { ...options, ifMatch: undefined, revision: undefined },
  };
  return changeOne(
    placement,
    fact.id,
    inWorkspace,
    [],
    (was, _, { now }) => {
      if ((was.fact.revision ?? 1) !== (fact.revision ?? 1)) throw new Reread();
      toIssued(was.fact as PlacementRecord, hash, now);
      refuseClosed(was.fact as PlacementRecord, now);
      const next = toNext({ ...was.fact, evidence }, was, now);
      return {
        writing: { puts: [{ kind: placement.name, fact: next, was }] },
        outcome: { status: 200, body: toConfirmationBody({ ...shown, issued: { ...issued, answer } }) },
      };
    },
    { id: hash },
  );
}

/** Keeps what a party answers to the statement that its token is for; one that agrees in time validates the outcome. */
export const answerConfirmation = (sent: Sent, context: Context): Promise<Outcome> =>
  retryOn(Reread, () => tryAnswer(sent, context));
