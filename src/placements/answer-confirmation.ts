import { refuseOtherVersion } from '../kernel/entity-tag.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findSigner } from '../kernel/signer.ts';
import { toIsoTime } from '../kernel/text.ts';
import { compose } from '../kernel/wording.ts';
import { mintRecordId } from '../records/account/workspace.ts';
import type { Context, RecordService } from '../records/service.ts';
import { bumpRevision, changeRecord } from '../records/write/change.ts';
import { addAnswer } from './add-answer.ts';
import {
  type Confirmable,
  describeStatement,
  openConfirmation,
  presentAnswered,
  presentConfirmation,
  requireIssued,
} from './confirmation.ts';
import { placement } from './placement.ts';
import type { Answer, PlacementRecord, StoredOutcome } from './placement-record.ts';
import { outcomeRefusals } from './refusals.ts';
import { signReceipt } from './sign-receipt.ts';
import { refuseClosed } from './state-outcome.ts';
import { readGuaranteeDays } from './status.ts';

const noStatement = {
  status: 404,
  body: {
    type: 'EMPTY',
    message:
      'There is nothing to confirm at the moment: the placement changed, and its outcome was not stated again. Ask the sender.',
  },
};

export async function getConfirmation(context: Context): Promise<OperationReply> {
  const shown = await openConfirmation(context);
  if (!shown.statement) return noStatement;
  const { workspace, issued, tag } = shown;
  const watched = { key: workspace.key, expiresAt: Math.min(workspace.expiresAt, issued.expiresAt) };
  return { status: 200, headers: { ETag: `"${tag}"` }, body: presentConfirmation(shown), watched };
}

/**
 * Returns the receipt of an outcome that an answer validates, or undefined if this service has no signing key. `at` is the
 * time of the answer in milliseconds since the epoch.
 */
function issueReceipt(
  fact: PlacementRecord,
  confirmations: StoredOutcome['confirmations'],
  at: number,
  service: RecordService,
) {
  const signer = findSigner(service);
  if (!signer) return undefined;
  const { stated, disputedBy } = fact.evidence!;
  const { result, asOf, at: statedAt } = stated!;
  const facts = {
    at,
    iss: service.settings.baseUrl,
    jti: mintRecordId(service, 'rcp_'),
    sub: fact.id,
    onetCode: fact.onetCode,
    startDate: fact.startDate!,
    guaranteeDays: readGuaranteeDays(fact),
    result,
    asOf,
    recordedAt: toIsoTime(fact.createdAt!),
    statedAt: toIsoTime(statedAt),
    confirmedBy: confirmations!.filter(({ answer }) => answer?.agrees).map(({ party }) => party),
    ...(disputedBy && { disputedBy: [...disputedBy] }),
    confirmedAt: toIsoTime(at),
  };
  return signReceipt(facts, signer);
}

/** Returns the outcome with an answer added. An agreement validates it, unless a party still disagrees. */
function recordAnswer(
  { fact, issued: { party } }: Confirmable,
  answer: Answer,
  service: RecordService,
): StoredOutcome {
  const { evidence, isValidated } = addAnswer(fact.evidence!, party, answer);
  if (!isValidated) return evidence;
  const receipt = issueReceipt(fact, evidence.confirmations, answer.at, service);
  return { ...evidence, validated: { at: answer.at, ...(receipt && { receipt }) } };
}

/**
 * Returns the entity tags of the statement that an answer is for. `*` does not count, because a party must name what it
 * read. Throws the Refusal `invalid_request` if there is no tag.
 */
function readTags({ tag }: SentAnswer, { options: { ifMatch } }: Context): string[] {
  const header = ifMatch?.trim() === '*' ? undefined : ifMatch;
  const tags = [tag && `"${tag}"`, header].filter((value) => value !== undefined);
  if (tags.length > 0) return tags;
  const read = { http: 'GET /confirmation', operation: 'getConfirmation' };
  const message = compose`is missing; send the tag that ${read} answered with the statement that you read`;
  throw new Refusal('invalid_request', { issues: [{ path: 'tag', message }] });
}

type SentAnswer = { agrees: boolean; tag?: string | undefined; comment?: string | undefined };

/**
 * Returns the reply to an answer that was already given, if there is one. Throws a Refusal if this answer is not allowed at
 * `now` (milliseconds since the epoch). `shown` has the statement that its tag is of, and the placement as it is now.
 */
function findReply(sent: SentAnswer, shown: Confirmable, now: number, context: Context) {
  const { fact, issued, tag } = shown;
  const { statement, identity } = describeStatement(fact, context);
  if (!statement) throw new Refusal(outcomeRefusals.no_outcome, { reason: noStatement.body.message });
  const sentTags = readTags(sent, context);
  const reason = 'Another statement was made since you read this one. Read it, then answer that.';
  if (identity !== shown.identity) throw new Refusal('changed', { reason });
  if (issued.answer?.agrees === sent.agrees) return { status: 200, body: presentAnswered(shown) };
  if (issued.answer) throw new Refusal(outcomeRefusals.already_answered);
  for (const sentTag of sentTags) refuseOtherVersion(sentTag, `"${tag}"`, reason);
  refuseClosed(fact, now);
  return undefined;
}

/**
 * Stores the answer of a party to the statement that its token is for. An agreement in time validates the outcome, and is
 * signed with it.
 */
export async function answerConfirmation(sent: SentAnswer, context: Context): Promise<OperationReply> {
  const opened = await openConfirmation(context);
  const { hash, workspace } = opened;
  // The link speaks for the party, whatever X-Actor says.
  const options = { ...context.options, actor: undefined, ifMatch: undefined, revision: undefined };
  return changeRecord(
    { kind: placement, id: opened.fact.id },
    { ...context, workspace, options },
    (was, _, { change, service }) => {
      const { now } = change;
      const fact = was.record as PlacementRecord;
      const issued = requireIssued(fact, hash, now);
      const shown = { ...opened, fact, issued };
      const earlierReply = findReply(sent, shown, now, context);
      if (earlierReply) {
        change.discard();
        return earlierReply;
      }
      const { agrees, comment } = sent;
      const answer: Answer = { agrees, at: now, ...(comment !== undefined && { comment }) };
      const evidence = recordAnswer(shown, answer, service);
      change.put(placement.name, bumpRevision({ ...fact, evidence }, was, now), was);
      const answered = { ...shown, fact: { ...fact, evidence }, issued: { ...issued, answer } };
      return { status: 200, body: presentAnswered(answered) };
    },
    { id: hash },
  );
}
