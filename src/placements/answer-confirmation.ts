import { refuseOtherVersion } from '../kernel/entity-tag.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findSigner } from '../kernel/signer.ts';
import { toIsoTime } from '../kernel/text.ts';
import { compose } from '../kernel/wording.ts';
import { bumpRevision, changeOne } from '../records/change.ts';
import type { Context, RecordService } from '../records/service.ts';
import { mintRecordId } from '../records/workspace.ts';
import { type Confirmable, openConfirmation, presentConfirmation, requireIssued } from './confirmation.ts';
import { listDisputing } from './outcome.ts';
import { placement } from './placement.ts';
import type { Answer, PlacementRecord, StoredOutcome } from './placement-record.ts';
import { outcomeRefusals } from './refusals.ts';
import { signReceipt } from './sign-receipt.ts';
import { refuseClosed } from './state-outcome.ts';
import { readGuaranteeDays } from './status.ts';

/** How often an answer is prepared again if the placement changes meanwhile. */
const mostTries = 10;

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

/** The receipt of an outcome that is validated by an answer at `at`; undefined where nothing signs here. */
async function issueReceipt(
  fact: PlacementRecord,
  asked: StoredOutcome['confirmations'],
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
    confirmedBy: asked!.filter(({ answer }) => answer?.agrees).map(({ party }) => party),
    ...(disputedBy && { disputedBy: [...disputedBy] }),
    confirmedAt: toIsoTime(at),
  };
  return signReceipt(facts, signer);
}

/** The evidence with an answer in it, validated where it is the one that was missing. */
async function recordAnswer(
  { fact, hash, issued: { party } }: Confirmable,
  answer: Answer,
  service: RecordService,
): Promise<StoredOutcome> {
  const { confirmations: before = [], disputedBy = [] } = fact.evidence!;
  const confirmations = before.map((one) => (one.token === hash ? { ...one, answer } : one));
  const evidence = { ...fact.evidence, confirmations };
  if (!answer.agrees) return { ...evidence, disputedBy: [...new Set([...disputedBy, party])] };
  if (listDisputing(evidence).length > 0) return evidence;
  const receipt = await issueReceipt(fact, confirmations, answer.at, service);
  return { ...evidence, validated: { at: answer.at, ...(receipt && { receipt }) } };
}

/** The entity tags that an answer names its statement by. `*` names none: nobody agrees with what they did not read. */
function readTags({ tag }: SentAnswer, { options: { ifMatch } }: Context): string[] {
  const field = ifMatch?.trim() === '*' ? undefined : ifMatch;
  const named = [tag && `"${tag}"`, field].filter((one) => one !== undefined);
  if (named.length > 0) return named;
  const read = { http: 'GET /confirmation', operation: 'getConfirmation' };
  const message = compose`is missing; send the tag that ${read} answered with the statement that you read`;
  throw new Refusal('invalid_request', { issues: [{ path: 'tag', message }] });
}

type SentAnswer = { agrees: boolean; tag?: string | undefined; comment?: string | undefined };

/** What a party answers now to the statement that it is shown. */
interface Attempt {
  sent: SentAnswer;
  shown: Confirmable;
  at: number;
}

/** The reply to an answer that was given before. Throws a Refusal if this one cannot be given. */
function findReply({ sent, shown, at }: Attempt, context: Context): OperationReply | undefined {
  const { fact, issued, statement, tag } = shown;
  if (!statement) throw new Refusal(outcomeRefusals.no_outcome, { reason: noStatement.body.message });
  const named = readTags(sent, context);
  if (issued.answer?.agrees === sent.agrees) return { status: 200, body: presentConfirmation(shown) };
  if (issued.answer) throw new Refusal(outcomeRefusals.already_answered);
  const reason = 'Another statement was made since you read this one. Read it, then answer that.';
  for (const one of named) refuseOtherVersion(one, `"${tag}"`, reason);
  refuseClosed(fact, at);
  return undefined;
}

/**
 * Answers once, on what is read now. A receipt is signed before the change is decided. Returns `stale` if the placement
 * is no longer what was signed.
 */
async function tryAnswer(sent: SentAnswer, context: Context): Promise<OperationReply | 'stale'> {
  const { service, options } = context;
  const shown = await openConfirmation(context);
  const { fact, issued, hash, workspace } = shown;
  const at = service.platform.now();
  const attempt: Attempt = { sent, shown, at };
  // Under an Idempotency-Key the reply that was kept comes first.
  const known = options.key === undefined ? findReply(attempt, context) : undefined;
  if (known) return known;
  const { agrees, comment } = sent;
  const answer: Answer = { agrees, at, ...(comment !== undefined && { comment }) };
  const evidence = shown.statement ? await recordAnswer(shown, answer, service) : fact.evidence;
  const inWorkspace = {
    ...context,
    workspace,
    options: { ...options, ifMatch: undefined, revision: undefined },
  };
  let isStale = false;
  const outcome = await changeOne(
    { kind: placement, id: fact.id },
    inWorkspace,
    (was, _, { now, view }) => {
      const current = was.record as PlacementRecord;
      isStale = (current.revision ?? 1) !== (fact.revision ?? 1);
      if (isStale) return { outcome: noStatement, isUnchanged: true };
      requireIssued(current, hash, now);
      const before = findReply(attempt, context);
      if (before) return { outcome: before, isUnchanged: true };
      refuseClosed(current, now);
      view.put(placement.name, bumpRevision({ ...current, evidence }, was, now), was);
      const answered = { ...shown, issued: { ...issued, answer } };
      return { outcome: { status: 200, body: presentConfirmation(answered) } };
    },
    { id: hash },
  );
  return isStale ? 'stale' : outcome;
}

/** Keeps what a party answers to the statement that its token is for; one that agrees in time validates the outcome. */
export async function answerConfirmation(sent: SentAnswer, context: Context): Promise<OperationReply> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const outcome = await tryAnswer(sent, context);
    if (outcome !== 'stale') return outcome;
  }
  throw new Refusal('changed');
}
