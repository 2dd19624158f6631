import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { blocked, type Capability, type Operation, toOperation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Time } from '../kernel/text.ts';
import { invalid, mismatch, unknownWorkspace } from '../records/replies.ts';
import { Usage } from '../records/usage.ts';
import { toWorkspaceExample } from '../records/workspace-view.ts';
import { toLadder } from './ladder.ts';
import { workOperations } from './work-operations.ts';

/** How a person's page shows the token of a claim. */
const claimToken: Capability = {
  header: 'X-Claim',
  argument: 'claim',
  description: 'The token, `clm_…`, after the # of the url.',
  shape: /^clm_[0-9a-hjkmnp-tv-z]{32}$/,
  unknown: 'unknown_claim',
};

/** The most that may be authorised for a month, in the unit of the hard ceiling. */
const mostAuthorised = 1000;

const common = {
  tag: 'workspaces',
  cache: 'never',
  isLive: ({ rungs }: Service) => rungs().claim === true,
} as const;
/** What a page of ours calls for a person: no contract lists it. */
const ofPage = { ...common, listed: false, workspace: false } as const;
const ofClaim = { ...ofPage, path: '/claim', capability: claimToken } as const;

const answer = v.object({
  credential: v.pipe(
    v.looseObject({}, 'must be an object'),
    v.title('Credential'),
    v.description('What the passkey answered, as JSON (WebAuthn level 3, section 5.1).'),
  ),
});

const claimExample = {
  url: `https://careers.example/claim.html#clm_${'0'.repeat(32)}`,
  userCode: '4H7K-M2QX',
  expiresAt: '2026-11-01T00:15:00.000Z',
};

/** What climbs the ladder: work, and the claim of a workspace by a person. */
export const ladderOperations: readonly Operation[] = [
  ...workOperations,
  toOperation({
    ...common,
    operationId: 'startClaim',
    method: 'POST',
    effect: 'create',
    path: '/workspace/claim',
    summary: 'Have a person claim the workspace',
    description:
      'Gives a url at which a person claims your workspace with a passkey, and the code that the page shows there. It holds for 15 minutes; a new one voids it.',
    listed: true,
    workspace: 'required',
    input: v.object({}),
    replies: {
      201: {
        description: 'Where your person goes, and the code to compare.',
        schema: toOkSchema({
          claim: v.pipe(
            v.object({
              url: v.pipe(v.string(), v.description('A secret: give it to your person alone.')),
              userCode: v.pipe(v.string(), v.description('The page shows the same.')),
              expiresAt: Time,
            }),
            v.description('What a person opens to keep the workspace.'),
          ),
        }),
        headers: ['Idempotency-Replayed'],
        example: () => ({ type: 'OK', claim: claimExample }),
      },
      400: blocked('invalid_request', 'The arguments are not valid.'),
      401: unknownWorkspace,
      409: blocked('already_claimed', 'It is claimed, or no claim is taken here.'),
      422: mismatch,
    },
    tool: {
      title: 'Have a person claim the workspace',
      description: 'Get a url and a code for your person, who claims it there if the page shows that code.',
    },
    run: (_, context) => toLadder(context.service, 'claim').startClaim(context),
  }),
  toOperation({
    ...common,
    operationId: 'authorizeSpend',
    method: 'POST',
    effect: 'update',
    path: '/workspace/authorization',
    summary: 'Authorise spend above the ceiling',
    description:
      'For the owner of a claimed workspace, signed in: what the meter may come to for the rest of the month, in the unit of hardCeiling. Nothing is billed.',
    listed: true,
    workspace: 'required',
    input: v.object({
      ceiling: v.pipe(
        v.number('must be a number'),
        v.minValue(0, 'must be 0 or more'),
        v.maxValue(mostAuthorised, `must be at most ${mostAuthorised}`),
        v.title('Ceiling'),
        v.description('At least what is used.'),
      ),
    }),
    sample: { ceiling: 50 },
    replies: {
      200: {
        description: 'The meter as it then reads.',
        schema: toOkSchema({ usage: Usage }),
        headers: ['Idempotency-Replayed'],
        example: (service) => ({
          type: 'OK',
          usage: (toWorkspaceExample(service) as { usage: object }).usage,
        }),
      },
      400: invalid('ceiling', 'must be at most 1000'),
      401: unknownWorkspace,
      403: blocked('owner_only', 'You are not its owner, signed in.'),
      409: blocked('not_live', 'No claim is taken here.'),
      422: mismatch,
    },
    run: ({ ceiling }, context) => toLadder(context.service, 'claim').authorizeSpend(ceiling, context),
  }),
  toOperation({
    ...ofClaim,
    operationId: 'getClaim',
    method: 'GET',
    effect: 'read',
    summary: 'What a token claims',
    description: 'What the workspace holds, and what a passkey is to answer.',
    input: v.object({}),
    replies: {},
    run: (_, context) => toLadder(context.service, 'claim').showClaim(context),
  }),
  toOperation({
    ...ofClaim,
    operationId: 'answerClaim',
    method: 'POST',
    effect: 'update',
    summary: 'Claim a workspace',
    description: 'Claims it with what a passkey answered.',
    input: answer,
    replies: {},
    run: ({ credential }, context) => toLadder(context.service, 'claim').claim(credential, context),
  }),
  toOperation({
    ...ofPage,
    operationId: 'getSignIn',
    method: 'GET',
    effect: 'read',
    path: '/owner/challenge',
    summary: 'What to sign in by',
    description: 'What a passkey is to answer.',
    input: v.object({}),
    replies: {},
    run: (_, context) => toLadder(context.service, 'claim').challenge(context),
  }),
  toOperation({
    ...ofPage,
    operationId: 'signIn',
    method: 'POST',
    effect: 'update',
    path: '/owner/session',
    summary: 'Sign in',
    description: 'Lets an owner in for an hour with what its passkey answered.',
    input: answer,
    replies: {},
    run: ({ credential }, context) => toLadder(context.service, 'claim').signIn(credential, context),
  }),
  toOperation({
    ...ofPage,
    operationId: 'listOwned',
    method: 'GET',
    effect: 'read',
    path: '/owner/workspaces',
    summary: 'The workspaces of an owner',
    description: 'Those that the owner of the bearer holds, each by its handle.',
    input: v.object({}),
    replies: {},
    run: (_, context) => toLadder(context.service, 'claim').list(context),
  }),
  toOperation({
    ...common,
    operationId: 'rotateWorkspace',
    method: 'POST',
    effect: 'update',
    path: '/workspace/rotation',
    summary: 'Give a workspace another id',
    description:
      'For its owner. The id before is unknown at once, and its Idempotency-Keys with it: none is read here.',
    listed: false,
    workspace: 'required',
    input: v.object({}),
    replies: {},
    run: (_, context) => toLadder(context.service, 'claim').rotateWorkspace(context),
  }),
];
