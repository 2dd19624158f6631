import * as v from 'valibot';
import type { ReplySpec } from '../kernel/operation.ts';
import { Href } from '../kernel/text.ts';
import type { MeteredDocument } from './document.ts';

const Text = v.pipe(v.string(), v.regex(/\S/, 'must hold more than white space'));

/** One way to go on from an offer. */
export const Alternative = v.pipe(
  v.strictObject({
    id: v.pipe(v.string(), v.regex(/^[a-z][a-z-]*$/, 'must be lower case words joined by hyphens')),
    title: Text,
    kind: v.pipe(
      v.picklist(['free', 'pay', 'work', 'claim']),
      v.description('`free` costs nothing; the other three are the rungs of the ladder.'),
    ),
    live: v.pipe(v.boolean(), v.description('Whether it works now.')),
    method: v.optional(v.picklist(['GET', 'POST'])),
    url: v.optional(v.pipe(Href, v.description('Absent: the address that answered with the offer.'))),
    statement: v.pipe(Text, v.description('What to send, or why there is nothing to send yet.')),
  }),
  v.check(
    ({ live, method }) => live === (method !== undefined),
    'must have a method if, and only if, it is live',
  ),
  v.title('Alternative'),
);

/** A price in a plain currency: `amount` in whole units of an ISO 4217 currency, told but not charged. */
const IndicativePrice = v.strictObject({
  amount: v.pipe(v.number(), v.gtValue(0)),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  unit: v.pipe(Text, v.description('The unit of hardCeiling in the Pricing Document.')),
  indicative: v.literal(true),
});

/** What every offer says about payment while settlement is inactive: nobody can pay, and paying is no way on. */
const terms = {
  price: IndicativePrice,
  checkoutUrl: v.pipe(Href, v.description('A page to read the ladder on; it takes no money.')),
  settlement: v.literal('inactive'),
  payable: v.literal(false),
  stub: v.literal(true),
  retry: v.literal('will not succeed by paying'),
  worksNow: v.pipe(Text, v.description('What a caller can do today, without paying.')),
};

const heading = {
  id: Text,
  title: Text,
  statement: v.pipe(Text, v.description('Which boundary this is and what it means.')),
};

/** An offer to proceed (402): a labelled stub of a payment or ceiling boundary. Nothing was changed or billed. */
export const Offer = v.pipe(
  v.object({ type: v.literal('OFFER'), ...heading, ...terms, alternatives: v.array(Alternative) }),
  v.title('Offer'),
  v.description(
    'An offer to proceed. Settlement is inactive: this is a labelled stub and nothing is billed.',
  ),
);
export type Offer = v.InferOutput<typeof Offer>;

const boundary = v.strictObject({ ...heading, alternatives: v.pipe(v.array(v.string()), v.minLength(1)) });

/**
 * The content that offers are made of: the terms all of them share, each alternative once, and an offer a
 * boundary that names its alternatives by id, best first. The boundaries are GET /offer (`ladder`), a spend
 * above the hard ceiling, and the record ceiling of a workspace. Refuses an id that no alternative has, and
 * one that two have.
 */
export const LadderContent = v.pipe(
  v.strictObject({
    terms: v.strictObject({ ...terms, price: v.omit(IndicativePrice, ['amount']) }),
    alternatives: v.array(Alternative),
    offers: v.strictObject({ ladder: boundary, spendCeiling: boundary, recordCeiling: boundary }),
  }),
  v.check(
    ({ alternatives }) => new Set(alternatives.map(({ id }) => id)).size === alternatives.length,
    'must have one alternative an id',
  ),
  v.check(
    ({ alternatives, offers }) =>
      Object.values(offers).every((offer) =>
        offer.alternatives.every((id) => alternatives.some((one) => one.id === id)),
      ),
    'must name, in each offer, ids of alternatives',
  ),
);
export type LadderContent = v.InferOutput<typeof LadderContent>;

/** The offer made at each boundary, ready to be sent. */
type Ladder = Record<keyof LadderContent['offers'], Offer>;

/** Makes the offers of content/offers.json, at the price of what is metered up to the ceiling. */
export function toLadder(
  { terms, alternatives, offers }: LadderContent,
  { hardCeiling: amount }: MeteredDocument,
): Ladder {
  const toOffer = (name: keyof Ladder): Offer => ({
    type: 'OFFER',
    ...offers[name],
    ...terms,
    price: { amount, ...terms.price },
    alternatives: offers[name].alternatives.flatMap((id) => alternatives.filter((one) => one.id === id)),
  });
  return {
    ladder: toOffer('ladder'),
    spendCeiling: toOffer('spendCeiling'),
    recordCeiling: toOffer('recordCeiling'),
  };
}

/** A 402: the offer made at a boundary. */
export function offer(boundary: keyof Ladder, description: string): ReplySpec {
  return { description, schema: Offer, example: ({ catalogue }) => catalogue.offers[boundary] };
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    offers: Ladder;
  }
}
