import * as v from 'valibot';
import {
  type Context,
  defineOperation,
  type OperationReply,
  type OperationRow,
} from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { named } from '../kernel/text.ts';
import { answerClaim, showClaim, startClaim } from './claim.ts';
import { Challenge, claimToken } from './ladder.ts';
import { authorizeSpend, listOwnedWorkspaces, rotateWorkspace } from './owner.ts';
import { getSignIn, signIn } from './sign-in.ts';
import { getWork, submitWork } from './work.ts';

/** The most that may be authorised for a month, in the unit of the hard ceiling. */
const mostAuthorised = 1000;

const isWorkLive = ({ rungs }: Service) => rungs().work === true;
const isClaimLive = ({ rungs }: Service) => rungs().claim === true;

const ofWork = { path: '/work', access: { workspace: 'required', isLive: isWorkLive } } as const;
const ofClaim = { workspace: 'required', isLive: isClaimLive } as const;

/** Hashed as it is sent, so nothing is trimmed. */
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
    run: (_, context) => getWork(context),
  }),
  defineOperation({
    ...ofWork,
    operationId: 'submitWork',
    method: 'POST',
    effect: 'update',
    input: v.object({ challenge: Challenge, nonce: Nonce }),
    run: (proof, context) => submitWork(proof, context),
  }),
  defineOperation({
    operationId: 'startClaim',
    method: 'POST',
    path: '/workspace/claim',
    access: ofClaim,
    run: (_, context) => startClaim(context),
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
    run: ({ ceiling }, context) => authorizeSpend(ceiling, context),
  }),
];

const passkeyAnswer = v.object({
  credential: named(
    v.looseObject({}, 'must be an object'),
    'Credential',
    'What the passkey answered, as JSON (WebAuthn level 3, section 5.1).',
  ),
});

/** An operation that a page of ours calls for a person, as `GET /claim`. No contract lists it. */
function createPageOperation(
  operationId: string,
  door: `${'GET' | 'POST'} /${string}`,
  run: (context: Context, credential: object) => Promise<OperationReply>,
  { input, ...access }: Partial<Pick<OperationRow, 'input'> & OperationRow['access']> = {},
): OperationRow {
  const [method, path] = door.split(' ') as ['GET' | 'POST', string];
  return defineOperation({
    operationId,
    method,
    path,
    effect: method === 'GET' ? 'read' : 'update',
    listed: false,
    ...(input && { input }),
    access: { isLive: isClaimLive, ...access },
    run: (args, context) => run(context, (args as { credential?: object }).credential ?? {}),
  });
}

const ofToken = { capability: claimToken };
const ofPasskey = { input: passkeyAnswer };

export const ladderOperations: readonly OperationRow[] = [
  ...listed,
  createPageOperation('getClaim', 'GET /claim', showClaim, ofToken),
  createPageOperation('answerClaim', 'POST /claim', answerClaim, { ...ofToken, ...ofPasskey }),
  createPageOperation('getSignIn', 'GET /owner/challenge', getSignIn),
  createPageOperation('signIn', 'POST /owner/session', signIn, ofPasskey),
  createPageOperation('listOwned', 'GET /owner/workspaces', listOwnedWorkspaces),
  // It gives the workspace another id, and reads no Idempotency-Key.
  createPageOperation('rotateWorkspace', 'POST /workspace/rotation', rotateWorkspace, {
    workspace: 'required',
  }),
];
