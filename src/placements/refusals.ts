import { createChallenge, defineRefusals } from '../kernel/refusal.ts';

export const outcomeRefusals = defineRefusals(
  {
    401: {
      unknown_confirmation:
        'No such confirmation: it never existed, was replaced, or has expired. Ask the sender for a new one.',
    },
    409: {
      not_started: 'It is not accepted, or it has not started, so no outcome can be stated yet.',
      no_outcome: 'No outcome is stated, so there is nothing to confirm. State one first.',
      already_answered:
        'This was already answered differently. An answer is final until the statement changes.',
    },
  },
  { unknown_confirmation: createChallenge('Confirmation realm="sandbox"') },
);

export const placementRefusals = defineRefusals({
  409: {
    outcome_closed: 'The outcome can no longer change: it is validated, or its time is over.',
    too_many_proposals: 'As many are open for this one as it takes. Accept or decline some of them first.',
  },
});
