import * as v from 'valibot';
import { warnings } from '../kernel/envelope.ts';
import type { ReplySpec } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Href } from '../kernel/text.ts';

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
type Alternative = v.InferOutput<typeof Alternative>;

/** A price in a plain currency: `amount` in whole units of an ISO 4217 currency, told but not charged. */
export const IndicativePrice = v.strictObject({
  amount: v.pipe(v.number(), v.gtValue(0)),
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)),
  unit: v.pipe(Text, v.description('The unit of hardCeiling in the Pricing Document.')),
  indicative: v.literal(true),
});

/** What every offer says about payment while settlement is inactive: nobody can pay, and paying is no way on. */
export const terms = {
  price: IndicativePrice,
  checkoutUrl: v.pipe(Href, v.description('A page to read the ladder on; it takes no money.')),
  settlement: v.literal('inactive'),
  payable: v.literal(false),
  stub: v.literal(true),
  retry: v.literal('will not succeed by paying'),
  worksNow: v.pipe(Text, v.description('What a caller can do today, without paying.')),
};

/** How every offer begins. */
export const heading = {
  id: Text,
  title: Text,
  statement: v.pipe(Text, v.description('Which boundary this is and what it means.')),
};

/** What was used of a month where its ceiling is the boundary. */
const MeterReading = v.pipe(
  v.object({
    period: v.string(),
    total: v.number(),
    authorised: v.number(),
    unit: v.string(),
  }),
  v.description('What was used, where the ceiling of the meter is the boundary; see GET /workspace.'),
);

/** An offer to proceed (402): a labelled stub of a payment or ceiling boundary. Nothing was changed or billed. */
export const Offer = v.pipe(
  v.object({
    type: v.literal('OFFER'),
    warnings,
    ...heading,
    used: v.optional(MeterReading),
    ...terms,
    alternatives: v.array(Alternative),
  }),
  v.title('Offer'),
  v.description(
    'An offer to proceed. Settlement is inactive: this is a labelled stub and nothing is billed.',
  ),
);
export type Offer = v.InferOutput<typeof Offer>;

/**
 * The boundaries that have an offer: GET /offer (`ladder`), a spend above the hard ceiling, the record ceiling of a
 * workspace and the ceiling of its meter.
 */
type OfferName = 'ladder' | 'spendCeiling' | 'recordCeiling' | 'meterCeiling';

/** The offer made at each boundary, ready to be sent. */
export type Offers = Readonly<Record<OfferName, Offer>>;

/** What can be done without paying: `true` where it is live here, else why not, in words for a caller. */
export type Rungs = Readonly<Record<'free' | 'work' | 'claim', true | string>>;

/** An alternative as it stands here. */
function toHere(one: Alternative, rungs: Rungs): Alternative {
  const { kind } = one;
  // What is free to read is a file wherever nothing is live.
  const isThere = kind === 'pay' || (kind === 'free' && one.method === 'GET');
  const here = isThere || rungs[kind];
  if (here === true) return one;
  const { method: _, url: __, ...rest } = one;
  return { ...rest, live: false, statement: here };
}

/** The offer made at a boundary, with what of it is live here. */
export function toOffer(
  { catalogue, rungs }: Pick<Service, 'catalogue' | 'rungs'>,
  boundary: OfferName,
): Offer {
  const made = catalogue.offers[boundary];
  const here = rungs();
  return { ...made, alternatives: made.alternatives.map((one) => toHere(one, here)) };
}

/** A 402: the offer made at a boundary. */
export function offer(boundary: OfferName, description: string): ReplySpec {
  return { description, schema: Offer, example: (service) => toOffer(service, boundary) };
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** As they are where every rung is live; `toOffer` tells what is here. */
    offers: Offers;
  }
  interface Service {
    rungs(): Rungs;
  }
}
