import * as v from 'valibot';
import { Amount } from './amount.ts';
import { toForms } from './forms.ts';
import { toMembers } from './members.ts';
import { Flag, toChoice, Words } from './words.ts';

/**
 * What is included before the price counts: a quantity a month, `"unlimited"`, or an object with `qty`,
 * `period` (`month` unless said; `once` is never renewed), `rollover` (whether what is left is carried over)
 * and `at_limit` (what happens when it is used up). Refuses quantities below 0 and an object without `qty`.
 */
export const Allowance = toForms(
  [
    Amount,
    v.literal('unlimited'),
    toMembers('An allowance', {
      qty: Amount,
      period: v.optional(toChoice(['day', 'month', 'once'])),
      rollover: v.optional(Flag),
      at_limit: v.optional(Words),
    }),
  ],
  'Write a quantity that is 0 or more, "unlimited", or an object with qty and period.',
);

export type Allowance = v.InferOutput<typeof Allowance>;
