import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { type Breach, toRule, toRuleAt } from '../kernel/json-schema.ts';
import { Address, Amount, Flag, may, PositiveAmount, say, toChoice, toMembers, Words } from './price.ts';
import { RateRow } from './rate-row.ts';

function findRepeats(rows: readonly RateRow[]): Breach[] {
  return rows.flatMap(({ operation }, index) => {
    const first = rows.findIndex((row) => row.operation === operation);
    const message = `Write one row an operation: row ${first} is for "${operation}" already.`;
    return first < index ? [{ path: [index, 'operation'], message }] : [];
  });
}

/** A row follows another one of its card. */
function findLostSources(rows: readonly RateRow[]): Breach[] {
  return rows.flatMap(({ operation, derived_from: source }, index) => {
    if (source === undefined || (source !== operation && rows.some((row) => row.operation === source)))
      return [];
    const message = `There is no other rate for "${source}": write another operation of this card.`;
    return [{ path: [index, 'derived_from'], message }];
  });
}

/** The rate card, keyed by operationId. Refuses two rows for one operation, and a `derived_from` not on the card. */
const Rates = v.pipe(
  v.array(RateRow, 'Write a list of rates.'),
  toRule<RateRow[]>(findRepeats),
  toRule<RateRow[]>(findLostSources),
);

const entries = {
  model: say(toChoice(['free', 'metered']), 'Free, or metered up to a hard ceiling.'),
  hardCeiling: may(PositiveAmount, 'In `unit`; nobody is metered past it without authorising it again.'),
  unit: may(Words, 'Unit of hardCeiling and price, such as `usd-per-month`.'),
  price: may(Amount, 'One price for everything, in `unit`.'),
  rates: may(Rates, 'The rate card, keyed by operationId.'),
  binding: may(Flag, 'Whether published terms bind the price; absent means not declared, never bound.'),
  statement: may(Words, 'The stated intent, where the price is not bound.'),
  termsUrl: may(Address, 'The terms that bind the price.'),
  ledgerUrl: may(Address, 'Where the open item to bind the price is tracked.'),
};

const Members = toMembers('A Pricing Document', entries);
type Members = v.InferOutput<typeof Members>;

/**
 * The Pricing Document as it is kept. Refuses a model, price, statement or terms that contradict each other, and
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

/** A document that is metered, as our own is: such a one has a ceiling. */
export type MeteredDocument = Members & { model: 'metered'; hardCeiling: number };
export type PricingDocument = (Members & { model: 'free' }) | MeteredDocument;

/** The Pricing Document as it is served: the content in an OK envelope. */
export const ServedPricingDocument = v.pipe(
  toOkSchema(entries),
  v.title('PricingDocument'),
  v.description('What each operation costs, the hard ceiling, and whether published terms bind the price.'),
);

/** Where a Pricing Document is amiss, as `rates.0.price` (empty for the whole), and what to write instead. */
interface PricingProblem {
  path: string;
  message: string;
}

type PricingCheck = { ok: true; document: PricingDocument } | { ok: false; problems: PricingProblem[] };

function findStrangers({ rates = [] }: Members, legal: readonly string[]): Breach[] {
  return rates.flatMap(({ operation }, index) => {
    if (legal.includes(operation)) return [];
    const message = `This service has no operation "${operation}": write one of ${legal.join(', ')}.`;
    return [{ path: ['rates', index, 'operation'], message }];
  });
}

/** Judges a value by the vocabulary; with `legalOperations`, a rate for any other operationId is a problem too. */
export function checkPricing(value: unknown, legalOperations?: readonly string[]): PricingCheck {
  const schema = v.pipe(
    PricingDocument,
    toRule<Members>((document) => (legalOperations ? findStrangers(document, legalOperations) : [])),
  );
  const result = v.safeParse(schema, value);
  if (result.success) return { ok: true, document: result.output as PricingDocument };
  const problems = result.issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '',
    message: issue.message,
  }));
  return { ok: false, problems };
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    pricing: MeteredDocument;
  }
}
