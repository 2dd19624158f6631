import * as v from 'valibot';
import { blocked, type Contracts, notLive, ok } from '../kernel/contract.ts';
import { NonNegativeInteger, say, Time } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import { workspaceFull } from '../pricing/contract.ts';
import { Usage } from '../records/account/usage.ts';
import { createWorkspaceExample, createWorkspaceSchema } from '../records/account/workspace-view.ts';
import type { LadderService } from './ladder.ts';
import { Challenge } from './ladder.ts';
import { ladderRefusals } from './refusals.ts';
import { workTerms } from './work.ts';

const tag = 'workspaces';

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

export const ladderContracts: Contracts = {
  getWork: {
    tag,
    summary: 'Ask for a proof-of-work challenge',
    description: 'A challenge for your workspace, what solving it pays, and how to solve it.',
    replies: {
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
      409: notLive,
    },
  },
  submitWork: {
    tag,
    summary: 'Earn a credit',
    description: 'Accepts a proof for a challenge of your workspace, once, and adds a credit.',
    sample: { challenge, nonce: '1048576' },
    replies: {
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
    },
  },
  startClaim: {
    tag,
    summary: 'Have a person claim the workspace',
    description:
      'Returns a url where a person claims your workspace with a passkey, and the code that the page shows. It is valid for 15 minutes; a new one voids it.',
    replies: {
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
    },
    tool: {
      description:
        'Get a url and a code for your person, who claims the workspace there if the page shows that code.',
      // A new claim voids the previous one.
      hints: { destructiveHint: true },
    },
  },
  authorizeSpend: {
    tag,
    summary: 'Authorise spend above the ceiling',
    description:
      'For the signed-in owner of a claimed workspace: the limit of the meter for the rest of the month, in the unit of hardCeiling. Nothing is billed.',
    sample: { ceiling: 50 },
    replies: {
      200: ok('The meter after that.', { usage: Usage }, (service: LadderService) => ({
        usage: createWorkspaceExample(service).usage,
      })),
      402: workspaceFull,
      403: blocked('owner_only', 'You are not its owner, signed in.'),
      409: notLive,
    },
  },
};
