import * as v from 'valibot';
import { okSchema } from '../kernel/envelope.ts';
import { may, named, say } from '../kernel/text.ts';
import {
  Address,
  Amount,
  createChoice,
  createStrictObject,
  Flag,
  PositiveAmount,
  RateRow,
  RateText,
  withRule,
} from './rate-row.ts';

/** The rate card: one row per operationId. Refuses a second row, and a `derived_from` that no other row has. */
const Rates = withRule(v.array(RateRow, 'Write a list of rates.'), (rows, breach) => {
  for (const [index, { operation, derived_from: source }] of rows.entries()) {
    const first = rows.findIndex((row) => row.operation === operation);
    const hasSource = rows.some((row) => row.operation === source && source !== operation);
    if (first < index)
      breach(`${index}.operation`, `Write one row an operation: row ${first} is for "${operation}" already.`);
    if (source !== undefined && !hasSource)
      breach(
        `${index}.derived_from`,
        `There is no other rate for "${source}": write another operation of this card.`,
      );
  }
});

const entries = {
  model: say(createChoice(['free', 'metered']), 'Free, or metered up to a hard ceiling.'),
  hardCeiling: may(PositiveAmount, 'In `unit`; nobody is metered past it without authorising it again.'),
  unit: may(RateText, 'Unit of hardCeiling and price, such as `usd-per-month`.'),
  price: may(Amount, 'One price for everything, in `unit`.'),
  rates: may(Rates, 'The rate card, keyed by operationId.'),
  binding: may(Flag, 'Whether published terms bind the price; absent means not declared, never bound.'),
  statement: may(RateText, 'The stated intent, where the price is not bound.'),
  termsUrl: may(Address, 'The terms that bind the price.'),
  ledgerUrl: may(Address, 'Where the open item to bind the price is tracked.'),
};

const Members = createStrictObject('A Pricing Document', entries);
type Members = v.InferOutput<typeof Members>;

/** Refuses a model, price, statement or terms that contradict each other. */
const PricingDocument = withRule(
  Members,
  ({ model, hardCeiling, price = 0, rates = [], binding, statement, termsUrl }, breach) => {
    const isFree = model === 'free';
    if (!isFree && hardCeiling === undefined)
      breach('hardCeiling', 'A metered model must have a hardCeiling: write a number above 0.');
    if (isFree && price !== 0)
      breach('price', 'A free model charges nothing: write 0, or the model "metered".');
    for (const [index, rate] of rates.entries())
      if (isFree && rate.price !== 0)
        breach(
          `rates.${index}.price`,
          'A free model charges nothing: write the price 0, or the model "metered".',
        );
    if (binding === false && statement === undefined)
      breach('statement', 'A price that is not bound must have a statement: write the intent.');
    if (binding === true && termsUrl === undefined)
      breach('termsUrl', 'A bound price must have a termsUrl: write where the terms are.');
  },
);

/** A metered document, as ours is. It always has a ceiling. */
export type MeteredDocument = Members & { model: 'metered'; hardCeiling: number };

export const ServedPricingDocument = named(
  okSchema(entries),
  'PricingDocument',
  'What each operation costs, the hard ceiling, and whether published terms bind the price.',
);

/**
 * Creates the schema of content/pricing.json. It refuses members that the vocabulary does not name.
 * If `legal` is given, it also refuses rates for any other operationId.
 */
export const createPricingSchema = (legal?: readonly string[]) =>
  withRule(PricingDocument, ({ rates = [] }, breach) => {
    for (const [index, { operation }] of rates.entries()) {
      if (!legal || legal.includes(operation)) continue;
      const message = `This service has no operation "${operation}": write one of ${legal.join(', ')}.`;
      breach(`rates.${index}.operation`, message);
    }
  });
