import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { blocked, emptyRecord, type Operation, type ReplySpec, toOperation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { CalendarDate, textSchema } from '../kernel/text.ts';
import { offer } from '../pricing/offer.ts';
import { refuseSeedRecord } from '../records/change-one.ts';
import { placement } from '../records/placement.ts';
import { parties, statedResults } from '../records/placement-outcome.ts';
import type { PresentedRecord } from '../records/record.ts';
import { invalid, mismatch, unknownWorkspace } from '../records/replies.ts';
import { confirmationOperations } from './confirmation-operations.ts';
import { getReceipt } from './get-receipt.ts';
import { requestConfirmation, toConfirmUrl } from './request-confirmation.ts';
import { stateOutcome } from './state-outcome.ts';

const { prefix, path, collection } = placement;
const exampleId = `${prefix}0000000000000000`;
const exampleToken = `cnf_${'0'.repeat(32)}`;
const idText = `The placement's id, \`${prefix}…\`.`;
const noPlacement = emptyRecord('No placement has this id in view.');

const ofPlacement = { idText, tag: collection, listed: true, cache: 'never' } as const;
const ofWorkspace = { ...ofPlacement, workspace: 'required', withoutWorkspace: refuseSeedRecord } as const;
const result = v.pipe(
  v.picklist(statedResults, `must be one of ${statedResults.join(', ')}`),
  v.title('Result'),
  v.description('converted: taken on by the client; attrited: fell off.'),
);
const asOf = v.optional(
  v.pipe(CalendarDate, v.title('As of'), v.description('Day from startDate to today (UTC), the default.')),
);

const toSampleRow = ({ seed }: Service) => seed.rows[placement.name]![0]!.row.value;

/** A placement with a stated outcome, as it would be answered. */
function toStatedExample(service: Service): object {
  const row = toSampleRow(service) as PresentedRecord & { startDate: string; outcome: object };
  const at = `${row.startDate}T09:00:00.000Z`;
  const outcome = { ...row.outcome, result: 'retained', validated: false, asOf: row.startDate, statedAt: at };
  return { type: 'OK', placement: { ...row, id: exampleId, example: false, outcome } };
}

const writeReplies: Record<number, ReplySpec> = {
  401: unknownWorkspace,
  402: offer('recordCeiling', 'The workspace is full.'),
  403: blocked('read_only', 'The record belongs to the seed.'),
  404: noPlacement,
  412: blocked('changed', 'The record is not what If-Match, or revision, says.'),
  422: mismatch,
};

/** An outcome from its statement to its receipt. */
export const outcomeOperations: readonly Operation[] = [
  toOperation({
    ...ofWorkspace,
    operationId: 'stateOutcome',
    method: 'POST',
    effect: 'update',
    path: `${path}/{id}/outcome`,
    summary: 'State an outcome',
    description:
      'States how the first 90 days of a placement of yours went: retained, converted (the client took the person on) or attrited (a fall-off, which ends the placement early). Stating it again voids what was answered.',
    sample: { id: exampleId, result: 'retained' },
    input: v.object({
      result,
      asOf,
      note: v.optional(textSchema(500, 'Note', 'Yours; no other party sees it.')),
    }),
    replies: {
      200: {
        description: 'The placement as it then reads.',
        schema: toOkSchema({ placement: placement.record }),
        headers: ['ETag', 'Idempotency-Replayed'],
        example: toStatedExample,
      },
      400: invalid('asOf', 'must not be before startDate, 2026-09-01'),
      ...writeReplies,
      409: blocked('not_started', 'It has not started, or its outcome is closed.'),
    },
    tool: {
      title: 'State an outcome',
      description:
        'State how a placement with a startDate went; then requestConfirmation. Final once confirmed.',
    },
    run: ({ id, ...stated }, context) => stateOutcome(id, stated as never, context),
  }),
  toOperation({
    ...ofWorkspace,
    operationId: 'requestConfirmation',
    method: 'POST',
    effect: 'create',
    path: `${path}/{id}/confirmations`,
    summary: 'Ask a party to confirm',
    description:
      'Issues a token by which the client or the candidate answers what you stated. It is told once, and replaces an earlier one of that party. Send that party the url, or the token to its agent.',
    sample: { id: exampleId, party: 'client' },
    input: v.object({
      party: v.pipe(
        v.picklist(parties, `must be one of ${parties.join(', ')}`),
        v.title('Party'),
        v.description('Who confirms.'),
      ),
    }),
    replies: {
      201: {
        description: 'The token, told this once.',
        schema: toOkSchema({
          confirmation: v.pipe(
            v.object({
              party: v.pipe(v.picklist(parties), v.description('Who is asked.')),
              token: v.pipe(v.string(), v.description('A capability: for that party alone.')),
              url: v.pipe(v.string(), v.description('A page on which a person answers.')),
              expiresAt: v.pipe(v.string(), v.isoTimestamp(), v.description('When the token expires.')),
            }),
            v.description('What was issued to the party.'),
          ),
        }),
        headers: ['Idempotency-Replayed'],
        example: ({ seed }) => ({
          type: 'OK',
          confirmation: {
            party: 'client',
            token: exampleToken,
            url: toConfirmUrl('https://careers.example', exampleToken),
            expiresAt: `${seed.today}T00:00:00.000Z`,
          },
        }),
      },
      400: invalid('party', `must be one of ${parties.join(', ')}`),
      ...writeReplies,
      409: blocked('no_outcome', 'Nothing is stated, or the outcome is closed.'),
    },
    tool: {
      title: 'Ask a party to confirm',
      description: 'Get a url and token for a party, who answers there or by answerConfirmation.',
    },
    run: ({ id, party }, context) => requestConfirmation(id, party, context),
  }),
  ...confirmationOperations,
  toOperation({
    ...ofPlacement,
    operationId: 'getReceipt',
    isLive: ({ signer }) => !(signer && 'reason' in signer),
    method: 'GET',
    effect: 'read',
    path: `${path}/{id}/receipt`,
    summary: 'Read a receipt',
    description:
      'The signed receipt of a validated outcome (a compact JWS): it outlives the workspace, and anyone can check it with /.well-known/jwks.json. It names nobody.',
    sample: { id: exampleId },
    input: v.object({}),
    workspace: true,
    replies: {
      200: {
        description: 'The receipt.',
        schema: toOkSchema({ receipt: v.pipe(v.string(), v.description('A compact JWS (RFC 7515).')) }),
        example: () => ({ type: 'OK', receipt: 'eyJhbGciOiJFZERTQSIsImtpZCI6IuKApiJ9.e30.AA' }),
      },
      400: blocked('invalid_path', 'The path or query is not valid.'),
      401: unknownWorkspace,
      404: emptyRecord('Nothing is validated, or no placement has this id in view.'),
      409: blocked('not_live', 'Nothing is signed here.'),
    },
    run: ({ id }, context) => getReceipt(id, context),
  }),
];
