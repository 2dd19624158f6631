import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { blocked, type Operation, toOperation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { textSchema } from '../kernel/text.ts';
import { mismatch, unknownWorkspace } from '../records/replies.ts';
import { toWorkspaceExample, Workspace } from '../records/workspace-view.ts';
import { toLadder } from './ladder.ts';
import { told } from './work-told.ts';

/** One member of a challenge: it is checked as a whole, by its signature. */
const toPart = (title: string, description: string) => textSchema(200, title, description);

const bits = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(40, 'must be at most 40'),
  v.title('Bits'),
  v.description('Zero bits that the digest has to begin with.'),
);

const Challenge = v.pipe(
  v.object({
    algorithm: toPart('Algorithm', 'SHA-256.'),
    salt: toPart('Salt', 'What the nonce is appended to, after a dot.'),
    bits,
    expiresAt: toPart('Expires at', 'Until when a proof is taken.'),
    signature: toPart('Signature', 'Binds it to your workspace.'),
  }),
  v.title('Challenge'),
  v.description('What is to be solved. Send it back as it was told.'),
);

const sample = {
  challenge: {
    algorithm: 'SHA-256',
    salt: '0'.repeat(39),
    bits: 20,
    expiresAt: '2026-11-01T00:10:00.000Z',
    signature: 'A'.repeat(43),
  },
  nonce: '1048576',
};

const ofWork = {
  path: '/work',
  tag: 'workspaces',
  listed: true,
  cache: 'never',
  workspace: 'required',
  isLive: ({ rungs }: Service) => rungs().work === true,
} as const;

/** Credits that are earned by proof-of-work. */
export const workOperations: readonly Operation[] = [
  toOperation({
    ...ofWork,
    operationId: 'getWork',
    method: 'GET',
    effect: 'read',
    summary: 'Ask for a proof-of-work challenge',
    description: 'A challenge for your workspace, what solving it pays, and how to solve it.',
    input: v.object({}),
    replies: {
      200: {
        description: 'The challenge.',
        schema: toOkSchema({
          challenge: Challenge,
          pays: v.pipe(
            v.record(v.string(), v.union([v.number(), v.string()])),
            v.description('What a credit adds, by what it adds to.'),
          ),
          howTo: v.pipe(
            v.object({
              statement: v.pipe(v.string(), v.description('In words.')),
              snippet: v.pipe(v.string(), v.description('A program that solves it.')),
            }),
            v.description('How a challenge is solved.'),
          ),
        }),
        example: () => ({ type: 'OK', challenge: sample.challenge, ...told }),
      },
      400: blocked('invalid_request', 'The query is not valid.'),
      401: unknownWorkspace,
      409: blocked('not_live', 'No work is taken here.'),
    },
    run: (_, context) => toLadder(context.service, 'work').getWork(context),
  }),
  toOperation({
    ...ofWork,
    operationId: 'submitWork',
    method: 'POST',
    effect: 'update',
    summary: 'Earn a credit',
    description: 'Takes a proof for a challenge of your workspace, once, and gives it a credit.',
    input: v.object({
      challenge: Challenge,
      nonce: textSchema(64, 'Nonce', '1 to 64 characters.'),
    }),
    sample,
    replies: {
      200: {
        description: 'The credits, and the workspace.',
        schema: toOkSchema({
          credits: v.pipe(v.number(), v.integer(), v.description('Credits that it has earned in all.')),
          workspace: Workspace,
        }),
        headers: ['Idempotency-Replayed'],
        example: (service) => ({
          type: 'OK',
          credits: 1,
          workspace: { ...toWorkspaceExample(service), rung: 'worked' },
        }),
      },
      400: blocked('wrong_proof', 'It is no proof for a challenge of this workspace.'),
      401: unknownWorkspace,
      409: blocked(
        'spent',
        'It was paid for already, the workspace is at its limit, or no work is taken here.',
      ),
      422: mismatch,
    },
    run: (proof, context) => toLadder(context.service, 'work').submitWork(proof, context),
  }),
];
