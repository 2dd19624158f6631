import * as v from 'valibot';
import {
  blocked,
  defineOperation,
  describeReplies,
  invalid,
  type Operation,
  type OperationReply,
  ok,
} from '../kernel/operation.ts';
import { NonNegativeInteger, named, say, Time } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import { workspaceFull } from '../pricing/offer.ts';
import { Usage } from '../records/usage.ts';
import { ofWorkspace } from '../records/workspace-operations.ts';
import { createWorkspaceExample, createWorkspaceSchema } from '../records/workspace-view.ts';
import { answerClaim, showClaim, startClaim } from './claim.ts';
import type { LadderContext, LadderService } from './ladder.ts';
import { Challenge, claimToken } from './ladder.ts';
import { authorizeSpend, listOwnedWorkspaces, rotateWorkspace } from './owner.ts';
import { ladderRefusals } from './refusals.ts';
import { getSignIn, signIn } from './sign-in.ts';
import { getWork, submitWork, workTerms } from './work.ts';

/** The highest spend that can be authorised for a month, in the unit of the hard ceiling. */
const mostAuthorised = 1000;

const ofWork = {
  ...ofWorkspace,
  path: '/work',
  isLive: ({ rungs }: LadderService) => rungs().work === true,
} as const;
const isClaimLive = ({ rungs }: LadderService) => rungs().claim === true;

const challenge = {
  algorithm: 'SHA-256',
  salt: '0'.repeat(39),
  bits: 20,
  expiresAt: '2026-11-01T00:10:00.000Z',
  signature: 'A'.repeat(43),
};

const claimExample = {
  url: `https://careers.example/claim.html#clm_${'0'.repeat(32)}`,
  userCode: '4H7K-M2QX',
  expiresAt: '2026-11-01T00:15:00.000Z',
};

/** The nonce is hashed as sent, so it is not trimmed. */
const Nonce = named(
  v.pipe(v.string('must be a string'), v.regex(/^[ -~]{1,64}$/, 'must be 1 to 64 ASCII characters')),
  'Nonce',
  '1 to 64 ASCII characters.',
);

const listed: readonly Operation[] = [
  defineOperation({
    ...ofWork,
    operationId: 'getWork',
    method: 'GET',
    summary: 'Ask for a proof-of-work challenge',
    description: 'A challenge for your workspace, what solving it pays, and how to solve it.',
    replies: describeReplies({
      200: ok(
        'The challenge.',
        {
          challenge: Challenge,
          pays: say(
            v.record(v.string(), v.union([v.number(), v.string()])),
            'What a credit adds, by what it adds to.',
          ),
          howTo: say(
            v.object({
              statement: say(v.string(), 'In words.'),
              snippet: say(v.string(), 'A program that solves it.'),
            }),
            'How a challenge is solved.',
          ),
        },
        () => ({ challenge, ...workTerms }),
      ),
      409: blocked('not_live', 'Work is not possible here.'),
    }),
    run: (_, context: LadderContext) => getWork(context),
  }),
  defineOperation({
    ...ofWork,
    operationId: 'submitWork',
    method: 'POST',
    effect: 'update',
    summary: 'Earn a credit',
    description: 'Accepts a proof for a challenge of your workspace, once, and adds a credit.',
    input: v.object({ challenge: Challenge, nonce: Nonce }),
    sample: { challenge, nonce: '1048576' },
    replies: describeReplies({
      200: ok(
        'The credits, and the workspace.',
        {
          credits: say(NonNegativeInteger, 'Credits that it has earned in all.'),
          workspace: createWorkspaceSchema(kinds),
        },
        (service: LadderService) => ({
          credits: 1,
          workspace: { ...createWorkspaceExample(service), rung: 'worked' },
        }),
      ),
      400: blocked(ladderRefusals.wrong_proof, 'It is not a proof for a challenge of this workspace.'),
      402: workspaceFull,
      409: blocked(
        ladderRefusals.spent,
        'It was already paid for, the workspace is at its limit, or work is not possible here.',
      ),
    }),
    run: (proof, context: LadderContext) => submitWork(proof, context),
  }),
  defineOperation({
    ...ofWorkspace,
    isLive: isClaimLive,
    operationId: 'startClaim',
    method: 'POST',
    path: '/workspace/claim',
    summary: 'Have a person claim the workspace',
    description:
      'Returns a url where a person claims your workspace with a passkey, and the code that the page shows. It is valid for 15 minutes; a new one voids it.',
    replies: describeReplies({
      201: ok(
        'Where your person goes, and the code to compare.',
        {
          claim: say(
            v.object({
              url: say(v.pipe(v.string(), v.url()), 'A secret: give it to your person alone.'),
              userCode: say(v.pipe(v.string(), v.length(9)), 'The page shows the same.'),
              expiresAt: Time,
            }),
            'What a person opens to keep the workspace.',
          ),
        },
        () => ({ claim: claimExample }),
      ),
      400: blocked('invalid_request', 'The arguments are not valid.'),
      402: workspaceFull,
      409: blocked(ladderRefusals.already_claimed, 'It is claimed, or claims are not possible here.'),
    }),
    tool: 'Get a url and a code for your person, who claims the workspace there if the page shows that code.',
    // A new claim voids the previous one.
    hints: { destructiveHint: true },
    run: (_, context: LadderContext) => startClaim(context),
  }),
  defineOperation({
    ...ofWorkspace,
    isLive: isClaimLive,
    operationId: 'authorizeSpend',
    method: 'POST',
    effect: 'update',
    path: '/workspace/authorization',
    summary: 'Authorise spend above the ceiling',
    description:
      'For the signed-in owner of a claimed workspace: the limit of the meter for the rest of the month, in the unit of hardCeiling. Nothing is billed.',
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
    sample: { ceiling: 50 },
    replies: describeReplies({
      200: ok('The meter after that.', { usage: Usage }, (service: LadderService) => ({
        usage: createWorkspaceExample(service).usage,
      })),
      400: invalid('ceiling', 'must be at most 1000'),
      402: workspaceFull,
      403: blocked('owner_only', 'You are not its owner, signed in.'),
      409: blocked('not_live', 'Claims are not possible here.'),
    }),
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
  texts: Pick<Operation, 'operationId' | 'path' | 'summary'> & { method: 'GET' | 'POST' },
  run: (context: LadderContext, credential: object) => Promise<OperationReply>,
  more: Partial<Pick<Operation, 'capability' | 'input' | 'workspace'>> = {},
): Operation {
  return defineOperation({
    ...texts,
    description: texts.summary,
    effect: texts.method === 'GET' ? 'read' : 'update',
    tag: 'workspaces',
    isLive: isClaimLive,
    listed: false,
    ...more,
    run: (args, context: LadderContext) => run(context, (args as { credential?: object }).credential ?? {}),
  });
}

const ofClaim = { capability: claimToken };
const ofPasskey = { input: passkeyAnswer };
const rotation = 'Give a workspace another id; no Idempotency-Key is read';

export const ladderOperations: readonly Operation[] = [
  ...listed,
  createPageOperation(
    { operationId: 'getClaim', method: 'GET', path: '/claim', summary: 'Show what a token would claim' },
    showClaim,
    ofClaim,
  ),
  createPageOperation(
    {
      operationId: 'answerClaim',
      method: 'POST',
      path: '/claim',
      summary: 'Claim a workspace with a passkey',
    },
    answerClaim,
    {
      ...ofClaim,
      ...ofPasskey,
    },
  ),
  createPageOperation(
    { operationId: 'getSignIn', method: 'GET', path: '/owner/challenge', summary: 'A challenge to sign in' },
    getSignIn,
  ),
  createPageOperation(
    {
      operationId: 'signIn',
      method: 'POST',
      path: '/owner/session',
      summary: 'Sign an owner in for an hour',
    },
    signIn,
    ofPasskey,
  ),
  createPageOperation(
    { operationId: 'listOwned', method: 'GET', path: '/owner/workspaces', summary: 'List what an owner has' },
    listOwnedWorkspaces,
  ),
  createPageOperation(
    { operationId: 'rotateWorkspace', method: 'POST', path: '/workspace/rotation', summary: rotation },
    rotateWorkspace,
    {
      workspace: 'required',
    },
  ),
];
