import { createChallenge, defineRefusals } from '../kernel/refusal.ts';

export const ladderRefusals = defineRefusals(
  {
    400: {
      wrong_proof: 'This is not a valid proof of work. Get a challenge, and solve that one.',
      wrong_passkey: 'The answer of this passkey is not valid. Start again, with a passkey made here.',
    },
    401: {
      unknown_claim:
        'No such claim: it never existed, was used or replaced, or has expired. Ask the agent to start a new one.',
      unknown_owner:
        'Only the signed-in owner of a claimed workspace may do this. The bearer is missing, wrong or expired. Sign in again at /workspace.html.',
    },
    409: {
      spent: 'This challenge was already paid for. Get another one.',
      at_limit: 'This workspace has earned as much as it may for now.',
      already_claimed: 'This workspace is already claimed, and stays with its owner.',
    },
  },
  {
    unknown_claim: createChallenge('Claim realm="sandbox"'),
    unknown_owner: createChallenge('Bearer realm="owner"'),
  },
);
