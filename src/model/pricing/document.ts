import * as v from 'valibot';
import { toOkSchema } from '../envelope.ts';
import { Amount, PositiveAmount } from './amount.ts';
import { toMembers } from './members.ts';
import { Rates } from './rates.ts';
import { toRule, toRuleAt } from './rule.ts';
import { Address, Flag, toChoice, Words } from './words.ts';

const entries = {
  model: toChoice(['free', 'metered']),
  hardCeiling: v.optional(
    v.pipe(
      PositiveAmount,
      v.description('In `unit`; nobody is metered past it without authorising it again.'),
    ),
  ),
  unit: v.optional(v.pipe(Words, v.description('Unit of hardCeiling and price, such as `usd-per-month`.'))),
  price: v.optional(v.pipe(Amount, v.description('One price for everything, in `unit`.'))),
  rates: v.optional(v.pipe(Rates, v.description('The rate card, keyed by operationId.'))),
  binding: v.optional(
    v.pipe(
      Flag,
      v.description('Whether published terms bind the price; absent means not declared, never bound.'),
    ),
  ),
  statement: v.optional(v.pipe(Words, v.description('The stated intent, where the price is not bound.'))),
  termsUrl: v.optional(v.pipe(Address, v.description('The terms that bind the price.'))),
  ledgerUrl: v.optional(v.pipe(Address, v.description('Where the open item to bind the price is tracked.'))),
};

const Members = toMembers('A Pricing Document', entries);
type Members = v.InferOutput<typeof Members>;

/**
 * The Pricing Document as it is kept. Refuses a metered model without a hard ceiling, a free one with a price
 * or rate that is not plainly 0, `binding: false` without a statement, `binding: true` without terms, and
 * every member that the vocabulary does not name.
 */
export const PricingDocument = v.pipe(
  Members,
  toRuleAt<Members>(
    ['hardCeiling'],
    'A metered model must have a hardCeiling: write a number above 0.',
    ({ model, hardCeiling }) => model !== 'metered' || hardCeiling !== undefined,
  ),
  toRuleAt<Members>(
    ['price'],
    'A free model charges nothing: write 0, or the model "metered".',
    ({ model, price = 0 }) => model !== 'free' || price === 0,
  ),
  toRule<Members>(({ model, rates = [] }) =>
    rates.flatMap(({ price }, index) => {
      if (model !== 'free' || price === 0) return [];
      const message = 'A free model charges nothing: write the price 0, or the model "metered".';
      return [{ path: ['rates', index, 'price'], message }];
    }),
  ),
  toRuleAt<Members>(
    ['statement'],
    'A price that is not bound must have a statement: write the intent.',
    ({ binding, statement }) => binding !== false || statement !== undefined,
  ),
  toRuleAt<Members>(
    ['termsUrl'],
    'A bound price must have a termsUrl: write where the terms are.',
    ({ binding, termsUrl }) => binding !== true || termsUrl !== undefined,
  ),
  v.title('PricingDocument'),
);

export type PricingDocument = v.InferOutput<typeof PricingDocument>;

/** The Pricing Document as it is served: the content in an OK envelope. */
export const ServedPricingDocument = v.pipe(
  toOkSchema(entries),
  v.title('PricingDocument'),
  v.description('What each operation costs, the hard ceiling, and whether published terms bind the price.'),
);

export type ServedPricingDocument = v.InferOutput<typeof ServedPricingDocument>;
