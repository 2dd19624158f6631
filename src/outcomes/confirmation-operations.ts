import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { blocked, emptyRecord, type Operation, toOperation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { textSchema } from '../kernel/text.ts';
import { offer } from '../pricing/offer.ts';
import { placement } from '../records/placement.ts';
import { invalid, mismatch } from '../records/replies.ts';
import { answerConfirmation, getConfirmation } from './answer-confirmation.ts';
import { ShownAnswer, ShownStatement } from './shown.ts';
import { confirmation } from './token.ts';

const unknown = blocked('unknown_confirmation', 'No such token: unknown, replaced or expired.');

const ofToken = {
  path: '/confirmation',
  tag: placement.collection,
  listed: true,
  cache: 'never',
  workspace: false,
  capability: confirmation,
} as const;

/** What a token shows, as it would be answered. */
function toShownExample({ seed, occupationByCode }: Service, agrees?: boolean): object {
  const { record } = seed.byId.get(seed.rows[placement.name]![0]!.row.value.id)!;
  const { startDate, onetCode, jobOrderId } = record as typeof record & Record<string, string>;
  const order = seed.byId.get(jobOrderId!)!.record as Record<string, unknown>;
  const occupation = { code: onetCode, title: occupationByCode.get(onetCode)!.title };
  const { title, client } = order;
  const statement = { result: 'retained', asOf: startDate, startDate, occupation, title, client };
  return {
    type: 'OK',
    statement,
    answer: agrees === undefined ? null : { agrees, at: `${startDate}T09:00:00.000Z` },
  };
}

const shown = toOkSchema({ statement: ShownStatement, answer: ShownAnswer });

/** What a party does with the token that it was sent. */
export const confirmationOperations: readonly Operation[] = [
  toOperation({
    ...ofToken,
    operationId: 'getConfirmation',
    method: 'GET',
    effect: 'read',
    summary: 'Read what to confirm',
    description:
      'The statement that your token is for, and what was answered with it. It shows nothing else.',
    input: v.object({}),
    replies: {
      200: {
        description: 'The statement, and the answer or null.',
        schema: shown,
        headers: ['ETag'],
        example: (service) => toShownExample(service),
      },
      400: blocked('invalid_request', 'The query is not valid.'),
      401: unknown,
      404: emptyRecord('Nothing is stated at the moment.'),
    },
    tool: {
      title: 'Read what to confirm',
      description: 'Read the statement that a token you were sent is for.',
    },
    run: (_, context) => getConfirmation(context),
  }),
  toOperation({
    ...ofToken,
    operationId: 'answerConfirmation',
    method: 'POST',
    effect: 'update',
    summary: 'Agree or disagree',
    description:
      'Answers the statement that your token is for. One party that agrees, and none that disagrees, by the end of validateBy validates the outcome. If-Match with the ETag that you read answers no other statement.',
    sample: { agrees: true },
    input: v.object({
      agrees: v.pipe(
        v.boolean('must be true or false'),
        v.title('Agrees'),
        v.description('Whether it is so.'),
      ),
      comment: v.optional(textSchema(500, 'Comment', 'For who stated it; 1 to 500 characters.')),
    }),
    replies: {
      200: {
        description: 'The statement, and your answer.',
        schema: shown,
        headers: ['Idempotency-Replayed'],
        example: (service) => toShownExample(service, true),
      },
      400: invalid('agrees', 'must be true or false'),
      401: unknown,
      402: offer('recordCeiling', 'The workspace is full.'),
      409: blocked('already_answered', 'It was answered otherwise, or the outcome is closed.'),
      412: blocked('changed', 'Another statement was made since you read it.'),
      422: mismatch,
    },
    tool: {
      title: 'Agree or disagree',
      description: 'Answer the statement that a token you were sent is for.',
    },
    run: (sent, context) => answerConfirmation(sent, context),
  }),
];
