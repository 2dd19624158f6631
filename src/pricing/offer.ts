import * as v from 'valibot';
import { warnings } from '../kernel/envelope.ts';
import { defineOperation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { Href, may, named, say } from '../kernel/text.ts';
import type { MeteredDocument } from './document.ts';

const Text = v.pipe(v.string(), v.regex(/\S/, 'must hold more than white space'));

const idRule = v.regex<string, string>(/^[a-z][a-z-]*$/, 'must be lower case words joined by hyphens');

export const Alternative = v.pipe(
  v.strictObject({
    id: say(v.pipe(v.string(), idRule), 'Stable name, for programs.'),
    title: say(Text, 'In words, for people.'),
    kind: say(
      v.picklist(['free', 'pay', 'work', 'claim']),
      '`free` costs nothing; the other three are the rungs of the ladder.',
    ),
    live: say(v.boolean(), 'Whether it works now.'),
    method: may(v.picklist(['GET', 'POST']), 'The method to send.'),
    url: may(Href, 'Absent: the address that answered with the offer.'),
    statement: say(Text, 'What to send, or why there is nothing to send yet.'),
  }),
  v.check(
    ({ live, method }) => live === (method !== undefined),
    'must have a method if, and only if, it is live',
  ),
  v.title('Alternative'),
);
type Alternative = v.InferOutput<typeof Alternative>;

/** A price in a plain currency: `amount` in whole units of an ISO 4217 currency, told but not charged. */
const IndicativePrice = v.strictObject({
  amount: say(v.pipe(v.number(), v.gtValue(0)), 'In whole units of the currency.'),
  currency: say(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)), 'ISO 4217.'),
  unit: say(Text, 'The unit of hardCeiling in the Pricing Document.'),
  indicative: say(v.literal(true), 'Always true: shown, not charged.'),
});

/** What every offer says about payment while settlement is inactive: nobody can pay, and paying is no way on. */
const terms = {
  price: say(IndicativePrice, 'Shown, not charged.'),
  checkoutUrl: say(Href, 'A page to read the ladder on; it takes no money.'),
  settlement: say(v.literal('inactive'), 'Always inactive: nothing is billed.'),
  payable: say(v.literal(false), 'Always false: nobody can pay here.'),
  stub: say(v.literal(true), 'Always true: a labelled stub.'),
  retry: say(v.literal('will not succeed by paying'), 'Paying changes nothing.'),
  worksNow: say(Text, 'What a caller can do today, without paying.'),
};

const heading = {
  id: say(Text, 'Stable name, for programs.'),
  title: say(Text, 'In words, for people.'),
  statement: say(Text, 'Which boundary this is and what it means.'),
};

/** What was used of a month where its ceiling is the boundary. */
const MeterReading = v.object({
  period: say(v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)), 'The calendar month, UTC.'),
  total: say(v.pipe(v.number(), v.minValue(0)), 'What the calls of the month cost.'),
  authorised: say(v.pipe(v.number(), v.minValue(0)), 'The total never exceeds this.'),
  unit: say(v.string(), 'What the amounts are in.'),
});

export const Offer = named(
  v.object({
    type: v.literal('OFFER'),
    warnings,
    ...heading,
    used: may(
      MeterReading,
      'What was used, where the ceiling of the meter is the boundary; see GET /workspace.',
    ),
    ...terms,
    alternatives: say(v.array(Alternative), 'Ways to go on, best first.'),
  }),
  'Offer',
  'An offer to proceed. Settlement is inactive: this is a labelled stub and nothing is billed.',
);
export type Offer = v.InferOutput<typeof Offer>;

/** Where an offer is made: GET /offer (`ladder`), and the ceilings of spend, records and meter. */
const boundaries = ['ladder', 'spendCeiling', 'recordCeiling', 'meterCeiling'] as const;
export type Boundary = (typeof boundaries)[number];

/** The offer made at each boundary, ready to be sent. */
type Offers = Readonly<Record<Boundary, Offer>>;

/** What can be done without paying: `true` where it is live here, else why not, in words for a caller. */
export type Rungs = Readonly<Record<'free' | 'work' | 'claim', true | string>>;

function presentAlternative(one: Alternative, rungs: Rungs): Alternative {
  const { method, url: _, ...rest } = one;
  const { kind } = rest;
  // Free reads are files wherever nothing is live.
  const isThere = kind === 'pay' || (kind === 'free' && method === 'GET');
  const here = isThere || rungs[kind];
  return here === true ? one : { ...rest, live: false, statement: here };
}

/** The offer made at a boundary, with what of it is live here. A claimed workspace is offered its owner, not a claim. */
export function presentOffer(
  { catalogue, rungs }: Pick<Service, 'catalogue' | 'rungs'>,
  boundary: Boundary,
  isClaimed = false,
): Offer {
  const made = catalogue.offers[boundary];
  const here = rungs();
  const other = isClaimed ? 'claim' : 'authorise';
  const open = made.alternatives.filter(({ id }) => id !== other);
  return { ...made, alternatives: open.map((one) => presentAlternative(one, here)) };
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** As they are where every rung is live; `presentOffer` tells what is here. */
    offers: Offers;
  }
  interface Service {
    rungs(): Rungs;
  }
}

const Heading = v.strictObject({ ...heading, alternatives: v.pipe(v.array(v.string()), v.minLength(1)) });

/** content/offers.json: shared terms, each alternative once, and offers that name theirs by id, best first. */
export const OffersFile = v.pipe(
  v.strictObject({
    terms: v.strictObject({ ...terms, price: v.omit(IndicativePrice, ['amount']) }),
    alternatives: v.array(Alternative),
    offers: v.strictObject(v.entriesFromList(boundaries, Heading)),
  }),
  v.check(
    ({ alternatives, offers }) =>
      Object.values(offers).every((offer) =>
        offer.alternatives.every((id) => alternatives.filter((one) => one.id === id).length === 1),
      ),
    'must name, in each offer, the ids of one alternative each',
  ),
);

/** Makes the offers of the file, at the price of what is metered up to the ceiling. */
export function createOffers(
  { terms, alternatives, offers }: v.InferOutput<typeof OffersFile>,
  { hardCeiling: amount }: MeteredDocument,
): Offers {
  const createOffer = (one: v.InferOutput<typeof Heading>): Offer => ({
    type: 'OFFER',
    ...one,
    ...terms,
    price: { amount, ...terms.price },
    alternatives: one.alternatives.map((id) => alternatives.find((other) => other.id === id)!),
  });
  return Object.fromEntries(Object.entries(offers).map(([name, one]) => [name, createOffer(one)])) as Offers;
}

export const getOffer = defineOperation({
  operationId: 'getOffer',
  method: 'GET',
  path: '/offer',
  run: (_, { service }) => ({ status: 402, body: presentOffer(service, 'ladder') }),
});
