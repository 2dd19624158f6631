import * as v from 'valibot';
import { may, say } from '../kernel/text.ts';
import {
  Address,
  Amount,
  type Breach,
  Flag,
  PositiveAmount,
  Price,
  toChoice,
  toForms,
  toMembers,
  Words,
  withRule,
} from './price.ts';

/** What is included before the price counts: a quantity a month, `"unlimited"`, or an object, by month unless it says. */
const Allowance = toForms(
  [
    Amount,
    v.literal('unlimited'),
    toMembers('An allowance', {
      qty: say(Amount, 'The quantity included in a period.'),
      period: may(toChoice(['day', 'month', 'once']), 'When the quantity is renewed; once is never.'),
      rollover: may(Flag, 'Whether what is left is carried over.'),
      at_limit: may(Words, 'What happens when it is used up.'),
    }),
  ],
  'Write a quantity that is 0 or more, "unlimited", or an object with qty and period.',
);

/** How far a price is told. Absent means `published`; the other three withhold it. */
const Disclosure = toChoice(['published', 'calculator-only', 'quote-only', 'undisclosed']);

/** The range of a withheld price, in the row's unit, and its source. Refuses a low above its high. */
const Estimate = withRule(
  toMembers('An estimate', {
    low: say(Amount, 'The lower end.'),
    high: say(Amount, 'The upper end.'),
    provenance: say(Words, 'Where the estimate comes from.'),
  }),
  ({ low, high }) => [low > high && ['low', 'Write a low that is not above high.']],
);

const Meter = toMembers('A meter', {
  aggregation: say(
    toChoice(['sum', 'distinct', 'high-watermark', 'gauge', 'peak']),
    'How readings become one figure.',
  ),
  basis: may(toChoice(['consumed', 'provisioned', 'standing']), 'What is read.'),
  reset_period: may(Words, 'When the figure starts again from 0.'),
  definition_url: may(Address, 'Where the meter is defined.'),
});

const numberRule = 'Write a number.';
const orderRule = 'Write a whole number that is 0 or more.';

/** A change to a price: of this rate unless `scope` says otherwise; a value below 0 takes off. */
const Modifier = toMembers('A modifier', {
  op: say(toChoice(['multiply', 'add']), 'Whether the price is multiplied by the value, or the value added.'),
  value: say(v.number(numberRule), 'What is multiplied by or added.'),
  scope: may(toChoice(['rate', 'offer', 'card']), 'What is changed: this rate, the offer or the whole card.'),
  condition: may(Words, 'When it holds.'),
  stacking_order: may(
    v.pipe(v.number(orderRule), v.integer(orderRule), v.minValue(0, orderRule)),
    'Lower goes first.',
  ),
});

const percentRule = 'Write a percentage from 0 to 100.';

/** Refuses a price and a percentage together, and neither. */
const VolumeBreak = withRule(
  toMembers('A volume break', {
    from: say(Amount, 'From this much of the basis on.'),
    price: may(Amount, 'The price from there on.'),
    discount_percent: may(
      v.pipe(v.number(percentRule), v.minValue(0, percentRule), v.maxValue(100, percentRule)),
      'Percent off from there on.',
    ),
  }),
  ({ price, discount_percent }) => [
    (price === undefined) === (discount_percent === undefined) && [
      '',
      'A volume break must have exactly one of price and discount_percent.',
    ],
  ],
);

const breaksRule = 'Write a list of at least one volume break.';

/** How the price changes with volume. Refuses one without a mode, and one with neither breaks nor a formula. */
const VolumeBreaks = withRule(
  toMembers('Volume pricing', {
    mode: say(toChoice(['graduated', 'retroactive', 'reprice-offer']), 'Which units a break applies to.'),
    basis: may(toChoice(['units', 'spend', 'instantaneous-rate']), 'What the breaks count.'),
    breaks: may(v.pipe(v.array(VolumeBreak, breaksRule), v.minLength(1, breaksRule)), 'In rising order.'),
    formula_url: may(Address, 'A formula that replaces the breaks.'),
    approximate: may(Flag, 'Whether the breaks only come near the formula.'),
  }),
  ({ breaks, formula_url }) => [
    breaks === undefined &&
      formula_url === undefined && ['breaks', 'Write the breaks, or a formula_url that replaces them.'],
    ...(breaks ?? []).map(({ from }, index, { [index - 1]: before }): Breach | false => {
      if (!before || before.from < from) return false;
      return [`breaks.${index}.from`, `Write breaks in rising order: above ${before.from}.`];
    }),
  ],
);

/** What one operation costs. Refuses a missing price unless it is withheld, and `included` beside `freeQuota`. */
export const RateRow = v.pipe(
  withRule(
    toMembers('A rate', {
      operation: say(Words, 'An operationId; one row an operation.'),
      price: may(Price, 'In `unit`: a number, a price object, or null where it is withheld.'),
      unit: may(Words, 'What the price counts, such as `usd-per-call`.'),
      included: may(Allowance, 'What is included before the price counts.'),
      freeQuota: may(PositiveAmount, 'Shorthand for a monthly allowance.'),
      modifiers: may(
        v.array(Modifier, 'Write a list of modifiers.'),
        'Changes to the price, in their stacking order.',
      ),
      derived_from: may(Words, 'The operation whose rate this one follows.'),
      meter: may(Meter, 'How use is measured.'),
      volume_breaks: may(VolumeBreaks, 'How the price changes with volume.'),
      disclosure: may(Disclosure, '`published` unless said.'),
      estimate: may(Estimate, 'The range in which a withheld price is thought to lie.'),
      note: may(Words, 'What else there is to say.'),
    }),
    ({ price = null, disclosure = 'published', estimate, included, freeQuota }) => [
      price === null &&
        disclosure === 'published' && [
          'price',
          'Write the price, or a disclosure that withholds it: "calculator-only", "quote-only" or "undisclosed".',
        ],
      estimate !== undefined &&
        disclosure === 'published' && [
          'estimate',
          'An estimate is for a withheld price: write the price, or a disclosure other than "published".',
        ],
      included !== undefined &&
        freeQuota !== undefined && [
          'freeQuota',
          'Write the allowance once: keep included and leave out freeQuota.',
        ],
    ],
  ),
  v.title('RateRow'),
);

export type RateRow = v.InferOutput<typeof RateRow>;
