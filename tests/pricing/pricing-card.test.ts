import { suite } from 'uvu';
import { addCases, type Case, toRowCase } from '../support/pricing-cases.ts';

const card = suite('pricing card');
const model = { model: 'metered', hardCeiling: 25 };
const toRow = (members: object) => [{ operation: 'a', price: 1, ...members }];
const toWithheld = (members: object) => [{ operation: 'a', disclosure: 'quote-only', ...members }];
const toEstimate = (low: unknown, high: unknown) =>
  toWithheld({ estimate: { low, high, provenance: 'a guess' } });
const toChain = (sources: Record<string, string | undefined>) =>
  Object.entries(sources).map(([operation, derived_from]) => ({ operation, price: 1, derived_from }));

const withheld = ['calculator-only', 'quote-only', 'undisclosed'];
const everyDisclosure = ['published', ...withheld].map((disclosure) => toRow({ disclosure }));
const everyWithheld = withheld.flatMap((disclosure) => [
  toRow({ price: null, disclosure }),
  toWithheld({ disclosure }),
]);

const cases: Case[] = [
  toRowCase(
    'disclosure: one of four',
    everyDisclosure,
    [toRow({ disclosure: 'secret' })],
    'disclosure',
    /"calculator-only"/,
  ),
  toRowCase(
    'price: withheld only under a disclosure that says so',
    everyWithheld,
    [toRow({ price: null, disclosure: 'published' })],
    'price',
    /disclosure that withholds it/,
  ),
  toRowCase(
    'estimate: low up to high',
    [toEstimate(1, 1), toEstimate(0, 9)],
    [toEstimate(2, 1)],
    'estimate.low',
    /not above high/,
  ),
  toRowCase('estimate: amounts', [], [toEstimate(0, '9'), toEstimate(0, null)], 'estimate.high', /0 or more/),
  toRowCase(
    'estimate: a provenance',
    [],
    [toWithheld({ estimate: { low: 1, high: 2 } })],
    'estimate.provenance',
    /must have this member/,
  ),
  toRowCase(
    'estimate: nothing else',
    [],
    [toWithheld({ estimate: { low: 1, high: 2, provenance: 'x', mid: 1 } })],
    'estimate.mid',
    /no such member/,
  ),
  toRowCase(
    'estimate: only of a withheld price',
    [toEstimate(1, 2)],
    [toRow({ estimate: { low: 1, high: 2, provenance: 'a guess' } })],
    'estimate',
    /for a withheld price/,
  ),
  toRowCase(
    'included never beside freeQuota',
    [toRow({ included: 1 }), toRow({ freeQuota: 1 })],
    [toRow({ included: 1, freeQuota: 1 }), toRow({ included: 'unlimited', freeQuota: 1 })],
    'freeQuota',
    /keep included/,
  ),
  toRowCase('derived_from: a name', [], [toRow({ derived_from: 1 })], 'derived_from', /text/),
  toRowCase(
    'derived_from: on the card',
    [toChain({ a: 'b', b: undefined })],
    [toChain({ a: 'c', b: undefined })],
    'derived_from',
    /no rate for "c"/,
  ),
  toRowCase(
    'derived_from: not itself',
    [],
    [toChain({ a: 'a' })],
    'derived_from',
    /a follows a, which leads in a circle/,
  ),
  toRowCase(
    'derived_from: no circle',
    [toChain({ a: 'b', b: 'c', c: undefined })],
    [toChain({ a: 'b', b: 'c', c: 'a' })],
    'derived_from',
    /a follows b follows c follows a/,
  ),
  {
    rule: 'operation: required',
    keeps: [],
    breaks: [[{ price: 1 }], [[]]],
    at: 'rates.0.operation',
    says: /must have this member/,
  },
  {
    rule: 'one row an operation',
    keeps: [],
    breaks: [toChain({ a: undefined }).concat(toChain({ a: undefined }))],
    at: 'rates.1.operation',
    says: /row 0 is for "a" already/,
  },
  {
    rule: 'a circle is told in its own rows',
    keeps: [],
    breaks: [toChain({ a: 'b', b: 'c', c: 'b' })],
    at: 'rates.1.derived_from',
    says: /circle/,
  },
];

addCases(card, cases, (rates) => ({ ...model, rates }));

card.run();
