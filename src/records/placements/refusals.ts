import { defineRefusals } from '../../kernel/refusal.ts';

export const placementRefusals = defineRefusals({
  409: {
    outcome_closed: 'The outcome can no longer change: it is validated, or its time is over.',
    too_many_proposals: 'As many are open for this one as it takes. Accept or decline some of them first.',
  },
});
