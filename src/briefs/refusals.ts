import { defineRefusals } from '../kernel/refusal.ts';

export const briefRefusals = defineRefusals({
  401: { unknown_grader: 'No such grader: the token is unknown or has expired. Start the brief again.' },
});
