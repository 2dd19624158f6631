import * as v from 'valibot';
import type { MeteredDocument } from './document.ts';
import { Alternative, heading, IndicativePrice, type Offer, type Offers, terms } from './offer.ts';

const boundary = v.strictObject({ ...heading, alternatives: v.pipe(v.array(v.string()), v.minLength(1)) });

/**
 * content/offers.json: the terms that all offers share, each alternative once, and an offer a boundary that names its
 * alternatives by id, best first. Refuses an id that no alternative has, and one that two have.
 */
export const OffersFile = v.pipe(
  v.strictObject({
    terms: v.strictObject({ ...terms, price: v.omit(IndicativePrice, ['amount']) }),
    alternatives: v.array(Alternative),
    offers: v.strictObject({
      ladder: boundary,
      spendCeiling: boundary,
      recordCeiling: boundary,
      meterCeiling: boundary,
    } satisfies Record<keyof Offers, typeof boundary>),
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

/** Makes the offers of the file, at the price of what is metered up to the ceiling. */
export function toOffers(
  { terms, alternatives, offers }: v.InferOutput<typeof OffersFile>,
  { hardCeiling: amount }: MeteredDocument,
): Offers {
  const toOffer = (name: keyof Offers): Offer => ({
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
    meterCeiling: toOffer('meterCeiling'),
  };
}
