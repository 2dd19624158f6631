import * as v from 'valibot';
import { defineDocument } from '../kernel/document.ts';
import { defineOperation, type OperationRow } from '../kernel/operation.ts';
import { JwkSet, keysPath, listPublicKeys } from '../kernel/signer.ts';
import { CalendarDate, mayNamed, named, textSchema } from '../kernel/text.ts';
import { defineTokenRow } from '../kernel/token.ts';
import { createRecordRow, createWriteRow } from '../records/operations.ts';
import type { Context } from '../records/service.ts';
import { answerConfirmation, getConfirmation } from './answer-confirmation.ts';
import { confirmation, requestConfirmation } from './confirmation.ts';
import { getReceipt } from './get-receipt.ts';
import { longestNote } from './outcome.ts';
import { placement } from './placement.ts';
import { fallOffReasons, parties, statedResults } from './placement-record.ts';
import { stateOutcome } from './state-outcome.ts';

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

const ofToken = defineTokenRow(confirmation);

export const outcomeOperations: readonly OperationRow[] = [
  defineOperation({
    ...createWriteRow(placement, '/outcome'),
    operationId: 'stateOutcome',
    hasMinimal: true,
    method: 'POST',
    effect: 'update',
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
    run: ({ id, ...statement }, context: Context) => stateOutcome(id, statement, context),
  }),
  defineOperation({
    ...createWriteRow(placement, '/confirmations'),
    operationId: 'requestConfirmation',
    method: 'POST',
    input: v.object({
      party: named(v.picklist(parties, `must be one of ${parties.join(', ')}`), 'Party', 'Who confirms.'),
    }),
    run: ({ id, party }, context: Context) => requestConfirmation(id, party, context),
  }),
  defineOperation({
    ...ofToken,
    operationId: 'getConfirmation',
    method: 'GET',
    caching: { canWait: () => true },
    run: (_, context: Context) => getConfirmation(context),
  }),
  defineOperation({
    ...ofToken,
    operationId: 'answerConfirmation',
    method: 'POST',
    effect: 'update',
    readsIfMatch: true,
    input: v.object({
      agrees: named(v.boolean('must be true or false'), 'Agrees', 'Whether it is so.'),
      tag: v.optional(textSchema(100, 'Tag', 'That of the statement you read; required without If-Match.')),
      comment: v.optional(
        textSchema(longestNote, 'Comment', 'For who stated it; 1 to 500 characters.', 'many'),
      ),
    }),
    run: answerConfirmation,
  }),
  defineOperation({
    ...createRecordRow(placement, '/receipt'),
    operationId: 'getReceipt',
    method: 'GET',
    access: { workspace: true, isLive: ({ signer }) => !(signer && 'reason' in signer) },
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

/** The public keys that verify receipts. Caches keep them only briefly, because a receipt may be signed by a new key. */
export const getKeys = defineDocument({
  operationId: 'getKeys',
  path: keysPath,
  contract: {
    summary: 'Keys that receipts are signed by',
    description:
      'A JWK Set (RFC 7517) of public Ed25519 keys, with which anyone can check a receipt. Empty where nothing signs. The example is the key of RFC 8037.',
    enveloped: false,
    schema: JwkSet,
    example: () => example,
  },
  caching: {
    rule: 'brief',
    atStart: true,
  },
  type: 'application/jwk-set+json',
  make: listPublicKeys,
});
