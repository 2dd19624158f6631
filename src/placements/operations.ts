import * as v from 'valibot';
import { defineDocument } from '../kernel/document.ts';
import {
  blocked,
  defineOperation,
  describeReplies,
  emptyRecord,
  invalid,
  type Operation,
  ok,
} from '../kernel/operation.ts';
import { JwkSet, keysPath, listPublicKeys } from '../kernel/signer.ts';
import { CalendarDate, mayNamed, named, say, textSchema } from '../kernel/text.ts';
import { createIssuedExample, defineTokenRow } from '../kernel/token.ts';
import { workspaceFull } from '../pricing/offer.ts';
import { createRecordRow, createWriteRow } from '../records/operations.ts';
import type { PresentedRecord } from '../records/record.ts';
import type { Context, RecordService } from '../records/service.ts';
import { answerConfirmation, getConfirmation } from './answer-confirmation.ts';
import {
  confirmation,
  confirmationEntries,
  IssuedConfirmation,
  requestConfirmation,
} from './confirmation.ts';
import { getReceipt, Receipt } from './get-receipt.ts';
import { longestNote } from './outcome.ts';
import { placement } from './placement.ts';
import { fallOffReasons, parties, statedResults } from './placement-record.ts';
import { outcomeRefusals } from './refusals.ts';
import { stateOutcome } from './state-outcome.ts';
import { usualGuaranteeDays } from './status.ts';

const exampleId = `${placement.prefix}0000000000000000`;
const exampleTag = '0'.repeat(40);
const result = named(
  v.picklist(statedResults, `must be one of ${statedResults.join(', ')}`),
  'Result',
  'converted: taken on by the client; attrited: fell off; finished: reached its planned end.',
);
const asOf = mayNamed(
  CalendarDate,
  'As of',
  'Day from startDate to today (UTC), the default; after an end, its last day (send it for retained).',
);

const findSample = ({ seed }: RecordService) => seed.rows[placement.name]![0]!;

/** A placement with a stated outcome, as it would be answered. */
function createOutcomeExample(service: RecordService): object {
  const row = findSample(service).row.value as PresentedRecord & { startDate: string; outcome: object };
  const at = `${row.startDate}T09:00:00.000Z`;
  const outcome = { ...row.outcome, result: 'retained', validated: false, asOf: row.startDate, statedAt: at };
  return { placement: { ...row, id: exampleId, example: false, outcome } };
}

const ofToken = defineTokenRow(confirmation, placement.collection);

/** What a token shows, as it would be answered. */
function createConfirmationExample(service: RecordService, agrees?: boolean): object {
  const { record } = findSample(service);
  const { startDate, onetCode, jobOrderId } = record as typeof record & Record<string, string>;
  const order = service.seed.byId.get(jobOrderId!)!.record as Record<string, unknown>;
  const occupation = { code: onetCode, title: service.occupationByCode.get(onetCode)!.title };
  const { title, client } = order;
  const statement = {
    result: 'retained',
    asOf: startDate,
    startDate,
    guaranteeDays: usualGuaranteeDays,
    occupation,
    title,
    client,
  };
  const answer = agrees === undefined ? null : { agrees, at: `${startDate}T09:00:00.000Z` };
  return { statement, tag: exampleTag, answer };
}

export const outcomeOperations: readonly Operation[] = [
  defineOperation({
    ...createWriteRow(
      placement,
      describeReplies({
        200: ok('The placement as it then reads.', { placement: placement.record }, createOutcomeExample, [
          'ETag',
        ]),
        400: invalid('asOf', 'must not be before startDate, 2026-09-01'),
        402: workspaceFull,
        409: blocked(outcomeRefusals.not_started, 'It has not started, or its outcome is closed.'),
      }),
      '/outcome',
    ),
    operationId: 'stateOutcome',
    method: 'POST',
    effect: 'update',
    summary: 'State an outcome',
    description:
      'States how the guarantee period went: retained, converted (the client hired the person), finished (the work reached its planned end) or attrited (a fall-off, which ends the placement; endReason says why). A new statement voids the answers.',
    sample: { id: exampleId, result: 'retained' },
    input: v.object({
      result,
      asOf,
      endReason: mayNamed(
        v.picklist(fallOffReasons, `must be one of ${fallOffReasons.join(', ')}`),
        'End reason',
        'Why it ended; with attrited.',
      ),
      note: v.optional(textSchema(longestNote, 'Note', 'Yours; no other party sees it.', 'many')),
    }),
    tool: 'State how a placement with a startDate went; then requestConfirmation. Final once confirmed.',
    isCore: true,
    run: ({ id, ...stated }, context: Context) => stateOutcome(id, stated as never, context),
  }),
  defineOperation({
    ...createWriteRow(
      placement,
      describeReplies({
        201: ok(
          'The token. It is shown only once.',
          { confirmation: say(IssuedConfirmation, 'What was issued to the party.') },
          ({ seed }: RecordService) => ({
            confirmation: { party: 'client', ...createIssuedExample(confirmation, 'confirm', seed.today) },
          }),
        ),
        400: invalid('party', `must be one of ${parties.join(', ')}`),
        402: workspaceFull,
        409: blocked(outcomeRefusals.no_outcome, 'Nothing is stated, or the outcome is closed.'),
      }),
      '/confirmations',
    ),
    operationId: 'requestConfirmation',
    method: 'POST',
    summary: 'Ask a party to confirm',
    description:
      'Issues a token with which the client or the candidate answers your statement. It is shown only once, and replaces an earlier one of that party. Send the party the url, or send its agent the token.',
    sample: { id: exampleId, party: 'client' },
    input: v.object({
      party: named(v.picklist(parties, `must be one of ${parties.join(', ')}`), 'Party', 'Who confirms.'),
    }),
    tool: 'Get a url and token for a party. It answers at the url, or with answerConfirmation.',
    // A new token voids the one before.
    hints: { destructiveHint: true },
    run: ({ id, party }, context: Context) => requestConfirmation(id, party, context),
  }),
  defineOperation({
    ...ofToken,
    operationId: 'getConfirmation',
    method: 'GET',
    canWait: () => true,
    summary: 'Read what to confirm',
    description: 'The statement that your token is for, and your answer so far. Nothing else.',
    replies: describeReplies({
      200: ok(
        'The statement, and the answer or null.',
        confirmationEntries,
        (service: RecordService) => createConfirmationExample(service),
        ['ETag'],
      ),
      404: emptyRecord('Nothing is stated at the moment.'),
    }),
    tool: 'Read the statement that your token is for.',
    run: (_, context: Context) => getConfirmation(context),
  }),
  defineOperation({
    ...ofToken,
    operationId: 'answerConfirmation',
    method: 'POST',
    effect: 'update',
    summary: 'Agree or disagree',
    description:
      'Answers the statement that your token is for. If one party agrees and none disagrees by the end of validateBy, the outcome is validated. `tag` (or If-Match with the ETag) names the statement that you read; the answer counts for no other.',
    sample: { agrees: true, tag: exampleTag },
    input: v.object({
      agrees: named(v.boolean('must be true or false'), 'Agrees', 'Whether it is so.'),
      tag: v.optional(textSchema(100, 'Tag', 'That of the statement you read; required without If-Match.')),
      comment: v.optional(
        textSchema(longestNote, 'Comment', 'For who stated it; 1 to 500 characters.', 'many'),
      ),
    }),
    replies: describeReplies({
      200: ok('The statement, and your answer.', confirmationEntries, (service: RecordService) =>
        createConfirmationExample(service, true),
      ),
      400: invalid('agrees', 'must be true or false'),
      402: workspaceFull,
      409: blocked(outcomeRefusals.already_answered, 'It was answered otherwise, or the outcome is closed.'),
      412: blocked('changed', 'Another statement was made since you read it.'),
    }),
    tool: 'Answer the statement that your token is for: read it with getConfirmation, and send its tag.',
    run: answerConfirmation,
  }),
  defineOperation({
    ...createRecordRow(
      placement,
      describeReplies({
        200: ok('The receipt.', { receipt: Receipt }, () => ({
          receipt: 'eyJhbGciOiJFZERTQSIsImtpZCI6IuKApiJ9.e30.AA',
        })),
        404: emptyRecord('Nothing is validated, or no placement has this id in view.'),
        409: blocked('not_live', 'Nothing is signed here.'),
      }),
      '/receipt',
    ),
    operationId: 'getReceipt',
    isLive: ({ signer }) => !(signer && 'reason' in signer),
    method: 'GET',
    summary: 'Read a receipt',
    description:
      'The signed receipt of a validated outcome (a compact JWS): it outlives the workspace, and anyone can check it with /.well-known/jwks.json. It names nobody.',
    sample: { id: exampleId },
    tool: 'Get the signed receipt of a validated outcome, which anyone can check.',
    run: ({ id }, context: Context) => getReceipt(id, context),
  }),
];

/** The public key of RFC 8037 appendix A.2, with its thumbprint of appendix A.3. */
const example: JwkSet = {
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      use: 'sig',
      alg: 'EdDSA',
    },
  ],
};

/** The keys that receipts are checked by. Kept briefly by caches: a receipt may be signed by a key of this hour. */
export const getKeys = defineDocument({
  operationId: 'getKeys',
  path: keysPath,
  summary: 'Keys that receipts are signed by',
  description:
    'A JWK Set (RFC 7517) of public Ed25519 keys, with which anyone can check a receipt. Empty where nothing signs. The example is the key of RFC 8037.',
  enveloped: false,
  cache: 'brief',
  atStart: true,
  type: 'application/jwk-set+json',
  schema: JwkSet,
  example: () => example,
  make: listPublicKeys,
});
