import * as v from 'valibot';
import { warnings } from '../kernel/envelope.ts';
import { defineOperation, type OperationContext } from '../kernel/operation.ts';
import type { KernelService } from '../kernel/service.ts';
import { Href, may, named, say } from '../kernel/text.ts';
import type { MeteredDocument } from './document.ts';
import type { Meter } from './meter.ts';

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

/** A price that is shown but not charged: `amount` in whole units of an ISO 4217 currency. */
const IndicativePrice = v.strictObject({
  amount: say(v.pipe(v.number(), v.gtValue(0)), 'In whole units of the currency.'),
  currency: say(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)), 'ISO 4217.'),
  unit: say(Text, 'The unit of hardCeiling in the Pricing Document.'),
  indicative: say(v.literal(true), 'Always true: shown, not charged.'),
});

/** What every offer says about payment while settlement is inactive. */
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

/** The use of a month, for an offer at the ceiling of the meter. */
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

/** The offer at each boundary. */
export type Offers = Readonly<Record<Boundary, Offer>>;

/** What a caller can do without paying. `true` if it is live here, otherwise the reason why not, in words. */
export type Rungs = Readonly<Record<'free' | 'work' | 'claim', true | string>>;

/** What prices, offers and the meter need of the service. */
export interface PricingService extends KernelService {
  catalogue: KernelService['catalogue'] & { pricing: MeteredDocument; offers: Offers };
  meter: Meter;
  rungs(): Rungs;
}

function presentAlternative(alternative: Alternative, rungs: Rungs): Alternative {
  const { method, url: _, ...rest } = alternative;
  const { kind } = rest;
  // Without a live service free reads are still served as files.
  const isThere = kind === 'pay' || (kind === 'free' && method === 'GET');
  const status = isThere || rungs[kind];
  return status === true ? alternative : { ...rest, live: false, statement: status };
}

/**
 * Returns the offer at a boundary, with what is live here. An offer to a claimed workspace has the alternative
 * `authorise` instead of `claim`.
 */
export function presentOffer(
  { catalogue, rungs }: Pick<PricingService, 'catalogue' | 'rungs'>,
  boundary: Boundary,
  isClaimed = false,
): Offer {
  const fullOffer = catalogue.offers[boundary];
  const rungStatus = rungs();
  const hiddenId = isClaimed ? 'claim' : 'authorise';
  const shown = fullOffer.alternatives.filter(({ id }) => id !== hiddenId);
  return {
    ...fullOffer,
    alternatives: shown.map((alternative) => presentAlternative(alternative, rungStatus)),
  };
}

const Heading = v.strictObject({ ...heading, alternatives: v.pipe(v.array(v.string()), v.minLength(1)) });

/** content/offers.json: shared terms, alternatives, and offers that list the ids of their alternatives, best first. */
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

/** Creates the offers of the file. Their price is the hard ceiling. */
export function createOffers(
  { terms, alternatives, offers }: v.InferOutput<typeof OffersFile>,
  { hardCeiling: amount }: MeteredDocument,
): Offers {
  const createOffer = (heading: v.InferOutput<typeof Heading>): Offer => ({
    type: 'OFFER',
    ...heading,
    ...terms,
    price: { amount, ...terms.price },
    alternatives: heading.alternatives.map(
      (id) => alternatives.find((alternative) => alternative.id === id)!,
    ),
  });
  return Object.fromEntries(
    Object.entries(offers).map(([name, heading]) => [name, createOffer(heading)]),
  ) as Offers;
}

export const getOffer = defineOperation({
  operationId: 'getOffer',
  method: 'GET',
  path: '/offer',
  run: (_, { service }: OperationContext<PricingService>) => ({
    status: 402,
    body: presentOffer(service, 'ladder'),
  }),
});
