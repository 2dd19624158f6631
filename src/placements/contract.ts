import { blocked, type Contracts, changed, emptyRecord, notLive, ok } from '../kernel/contract.ts';
import { keysPath } from '../kernel/signer.ts';
import { say } from '../kernel/text.ts';
import { createIssuedExample } from '../kernel/token.ts';
import { workspaceFull } from '../pricing/contract.ts';
import { createRecordContract, createWriteContract } from '../records/contract.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import type { RecordService } from '../records/service.ts';
import { affectedEntries } from '../records/write/affected.ts';
import { answeredEntries, confirmation, confirmationEntries, IssuedConfirmation } from './confirmation.ts';
import { formatInitials } from './outcome.ts';
import { placement } from './placement.ts';
import { receiptEntries } from './present-receipt.ts';
import { outcomeRefusals } from './refusals.ts';
import { usualGuaranteeDays } from './status.ts';

const exampleId = `${placement.prefix}0000000000000000`;
const exampleTag = '0'.repeat(40);

const findSample = ({ seed }: RecordService) => seed.rows[placement.name]![0]!;

/** Returns the seed's first placement as it reads after an outcome was stated. */
function createOutcomeExample(service: RecordService): object {
  const row = findSample(service).row.value as PresentedRecord & { startDate: string; outcome: object };
  const at = `${row.startDate}T09:00:00.000Z`;
  const outcome = { ...row.outcome, result: 'retained', validated: false, asOf: row.startDate, statedAt: at };
  return { placement: { ...row, id: exampleId, example: false, outcome } };
}

/** Returns what a party reads with its token, before or after its answer. */
function createConfirmationExample(service: RecordService, agrees?: boolean): object {
  const { record } = findSample(service);
  const { startDate, onetCode, candidateId, jobOrderId } = record as typeof record & Record<string, string>;
  const order = service.seed.byId.get(jobOrderId!)!.record as Record<string, unknown>;
  const occupation = { code: onetCode, title: service.occupationByCode.get(onetCode)!.title };
  const { title, client } = order;
  const candidate = service.seed.byId.get(candidateId!)!.record as Record<string, unknown>;
  const statement = {
    reference: formatInitials(String(candidate.name)),
    result: 'retained',
    asOf: startDate,
    startDate,
    guaranteeDays: usualGuaranteeDays,
    occupation,
    title,
    client,
  };
  const answer = agrees === undefined ? null : { agrees, at: `${startDate}T09:00:00.000Z` };
  return { statement, party: 'client', tag: exampleTag, answer };
}

/** Returns what a party gets as the reply to an answer that validates the outcome. */
const createAnsweredExample = (service: RecordService) => ({
  ...createConfirmationExample(service, true),
  validated: true,
  links: { receipt: `${placement.path}/${exampleId}/receipt` },
});

/** Returns a made-up receipt in short, with some of the claims that a real one has. */
function createReceiptExample(service: RecordService) {
  const { startDate, onetCode } = findSample(service).record as unknown as Record<string, string>;
  const claims = { iss: 'https://careers.example', sub: exampleId, onetCode, startDate, result: 'retained' };
  const receipt = 'eyJhbGciOiJFZERTQSIsImtpZCI6IuKApiJ9.e30.AA';
  return { receipt, claims, links: { keys: keysPath } };
}

export const outcomeContracts: Contracts = {
  stateOutcome: {
    ...createWriteContract(placement, {
      200: ok(
        'The placement as it then reads.',
        { placement: placement.record, ...affectedEntries },
        createOutcomeExample,
        ['ETag'],
      ),
      402: workspaceFull,
      409: blocked(
        outcomeRefusals.not_started,
        'It is not accepted or has not started, or its outcome is closed.',
      ),
    }),
    summary: 'State an outcome',
    description:
      'States how the guarantee period went: retained, converted (the client hired the person), finished (the work reached its planned end) or attrited (a fall-off, which ends the placement; endReason says why). A new statement voids the answers.',
    sample: { id: exampleId, result: 'retained' },
    tool: {
      description:
        'State how a placement with a startDate went; then requestConfirmation. Final once confirmed.',
      isCore: true,
    },
  },
  requestConfirmation: {
    ...createWriteContract(placement, {
      201: ok(
        'The token. It is shown only once.',
        { confirmation: say(IssuedConfirmation, 'What was issued to the party.'), ...affectedEntries },
        ({ seed }: RecordService) => ({
          confirmation: { party: 'client', ...createIssuedExample(confirmation, 'confirm', seed.today) },
        }),
      ),
      402: workspaceFull,
      409: blocked(outcomeRefusals.no_outcome, 'Nothing is stated, or the outcome is closed.'),
    }),
    summary: 'Ask a party to confirm',
    description:
      'Issues a token with which the client or the candidate answers your statement. It is shown only once, and replaces an earlier one of that party. Send the party the url, or send its agent the token.',
    sample: { id: exampleId, party: 'client' },
    tool: {
      description: 'Get a url and token for a party. It answers at the url, or with answerConfirmation.',
      // A new token voids the previous one.
      hints: { destructiveHint: true },
    },
  },
  getConfirmation: {
    tag: placement.collection,
    summary: 'Read what to confirm',
    description:
      'The statement that your token is for, the party that you answer as, and your answer so far. Nothing else.',
    replies: {
      200: ok(
        'The statement, and the answer or null.',
        confirmationEntries,
        (service: RecordService) => createConfirmationExample(service),
        ['ETag'],
      ),
      404: emptyRecord('Nothing is stated at the moment.'),
    },
    tool: { description: 'Read the statement that your token is for.' },
  },
  answerConfirmation: {
    tag: placement.collection,
    summary: 'Agree or disagree',
    description:
      'Answers the statement that your token is for. If one party agrees and none disagrees by the end of validateBy, the outcome is validated. `tag` (or If-Match with the ETag) names the statement that you read; the answer counts for no other.',
    sample: { agrees: true, tag: exampleTag },
    replies: {
      200: ok(
        'The statement, your answer, and what follows from it.',
        answeredEntries,
        createAnsweredExample,
      ),
      402: workspaceFull,
      409: blocked(outcomeRefusals.already_answered, 'It was answered otherwise, or the outcome is closed.'),
      412: changed,
    },
    tool: {
      description:
        'Answer the statement that your token is for: read it with getConfirmation, and send its tag.',
    },
  },
  getReceipt: {
    ...createRecordContract(placement, {
      200: ok('The receipt, with its claims.', receiptEntries, createReceiptExample),
      404: emptyRecord('Nothing is validated, or no placement has this id in view.'),
      409: notLive,
    }),
    summary: 'Read a receipt',
    description:
      'The signed receipt of a validated outcome (a compact JWS): it outlives the workspace, and anyone can check it with /.well-known/jwks.json. It names nobody.',
    sample: { id: exampleId },
    tool: { description: 'Get the signed receipt of a validated outcome, which anyone can check.' },
  },
};
