import * as v from 'valibot';
import { defineOperation, type OperationReply, type OperationRow } from '../kernel/operation.ts';
import { named } from '../kernel/text.ts';
import { answerClaim, showClaim, startClaim } from './claim.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { Challenge, claimToken } from './ladder.ts';
import { authorizeSpend, listOwnedWorkspaces, rotateWorkspace } from './owner.ts';
import { getSignIn, signIn } from './sign-in.ts';
import { getWork, submitWork } from './work.ts';

/** The highest spend that can be authorised for a month, in the unit of the hard ceiling. */
const mostAuthorised = 1000;

const isWorkLive = ({ rungs }: LadderService) => rungs().work === true;
const isClaimLive = ({ rungs }: LadderService) => rungs().claim === true;

const ofWork = { path: '/work', access: { workspace: 'required', isLive: isWorkLive } } as const;
const ofClaim = { workspace: 'required', isLive: isClaimLive } as const;

/** The nonce is hashed as sent, so it is not trimmed. */
const Nonce = named(
  v.pipe(v.string('must be a string'), v.regex(/^[ -~]{1,64}$/, 'must be 1 to 64 ASCII characters')),
  'Nonce',
  '1 to 64 ASCII characters.',
);

const listed: readonly OperationRow[] = [
  defineOperation({
    ...ofWork,
    operationId: 'getWork',
    method: 'GET',
    run: (_, context: LadderContext) => getWork(context),
  }),
  defineOperation({
    ...ofWork,
    operationId: 'submitWork',
    method: 'POST',
    effect: 'update',
    input: v.object({ challenge: Challenge, nonce: Nonce }),
    run: (proof, context: LadderContext) => submitWork(proof, context),
  }),
  defineOperation({
    operationId: 'startClaim',
    method: 'POST',
    path: '/workspace/claim',
    access: ofClaim,
    run: (_, context: LadderContext) => startClaim(context),
  }),
  defineOperation({
    operationId: 'authorizeSpend',
    method: 'POST',
    effect: 'update',
    path: '/workspace/authorization',
    input: v.object({
      ceiling: named(
        v.pipe(
          v.number('must be a number'),
          v.minValue(0, 'must be 0 or more'),
          v.maxValue(mostAuthorised, `must be at most ${mostAuthorised}`),
        ),
        'Ceiling',
        'At least what is used.',
      ),
    }),
    access: ofClaim,
    run: ({ ceiling }, context: LadderContext) => authorizeSpend(ceiling, context),
  }),
];

const passkeyAnswer = v.object({
  credential: named(
    v.looseObject({}, 'must be an object'),
    'Credential',
    'What the passkey answered, as JSON (WebAuthn level 3, section 5.1).',
  ),
});

/** Defines an operation that one of our pages calls for a person. The contract omits it. */
function createPageOperation(
  door: Pick<OperationRow, 'operationId' | 'path'> & { method: 'GET' | 'POST' },
  run: (context: LadderContext, credential: object) => Promise<OperationReply>,
  { input, ...access }: Partial<Pick<OperationRow, 'input'> & OperationRow['access']> = {},
): OperationRow {
  return defineOperation({
    ...door,
    effect: door.method === 'GET' ? 'read' : 'update',
    listed: false,
    ...(input && { input }),
    access: { isLive: isClaimLive, ...access },
    run: (args, context: LadderContext) => run(context, (args as { credential?: object }).credential ?? {}),
  });
}

const ofToken = { capability: claimToken };
const ofPasskey = { input: passkeyAnswer };

export const ladderOperations: readonly OperationRow[] = [
  ...listed,
  createPageOperation({ operationId: 'getClaim', method: 'GET', path: '/claim' }, showClaim, ofToken),
  createPageOperation({ operationId: 'answerClaim', method: 'POST', path: '/claim' }, answerClaim, {
    ...ofToken,
    ...ofPasskey,
  }),
  createPageOperation({ operationId: 'getSignIn', method: 'GET', path: '/owner/challenge' }, getSignIn),
  createPageOperation({ operationId: 'signIn', method: 'POST', path: '/owner/session' }, signIn, ofPasskey),
  createPageOperation(
    { operationId: 'listOwned', method: 'GET', path: '/owner/workspaces' },
    listOwnedWorkspaces,
  ),
  // It gives the workspace another id, and reads no Idempotency-Key.
  createPageOperation(
    { operationId: 'rotateWorkspace', method: 'POST', path: '/workspace/rotation' },
    rotateWorkspace,
    { workspace: 'required' },
  ),
];
