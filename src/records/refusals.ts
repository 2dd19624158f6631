import { defineRefusals } from '../kernel/refusal.ts';

export const storeRefusals = defineRefusals(
  {
    503: {
      store_full:
        'The workspace store is full, so nothing was added. Send it again later. Reads, deletes, changes that add little, and answers to confirmations and shortlists still work.',
    },
  },
  { store_full: { 'Retry-After': '60' } },
);
