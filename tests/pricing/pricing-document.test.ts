import { suite } from 'uvu';
import { addCases, assertProblem, type Case } from '../support/pricing-cases.ts';

const pricing = suite('pricing document');
const metered = { model: 'metered', hardCeiling: 25 };
const bound = { ...metered, binding: true, termsUrl: '/terms.html' };
const toMetered = (members: object) => ({ ...metered, ...members });
const toFree = (members: object) => ({ model: 'free', ...members });
const toRated = (...prices: unknown[]) =>
  toFree({ rates: prices.map((price, index) => ({ operation: `op${index}`, price })) });

const cases: Case[] = [
  {
    rule: 'is an object',
    keeps: [metered],
    breaks: [null, 'metered', 25, undefined],
    at: '',
    says: /is an object with the members model, hardCeiling/,
  },
  {
    rule: 'names a model',
    keeps: [toFree({}), metered],
    breaks: [toMetered({ model: 'paid' }), toMetered({ model: true })],
    at: 'model',
    says: /"free", "metered"/,
  },
  {
    rule: 'does not go without a model',
    keeps: [metered],
    breaks: [{}, { hardCeiling: 25 }, []],
    at: 'model',
    says: /must have this member/,
  },
  {
    rule: 'refuses members that the vocabulary does not name',
    keeps: [metered],
    breaks: [toMetered({ hardceiling: 25 })],
    at: 'hardceiling',
    says: /has no such member; its members are model, hardCeiling/,
  },
  {
    rule: 'has a hard ceiling above 0',
    keeps: [toMetered({ hardCeiling: 0.01 }), toFree({ hardCeiling: 1 })],
    breaks: [toMetered({ hardCeiling: 0 }), toMetered({ hardCeiling: '25' }), toFree({ hardCeiling: -1 })],
    at: 'hardCeiling',
    says: /number above 0/,
  },
  {
    rule: 'has a hard ceiling where the model is metered',
    keeps: [metered, toFree({})],
    breaks: [{ model: 'metered' }],
    at: 'hardCeiling',
    says: /metered model must have a hardCeiling/,
  },
  {
    rule: 'has a worded unit',
    keeps: [toMetered({ unit: 'usd-per-month' })],
    breaks: [toMetered({ unit: ' ' }), toMetered({ unit: 1 })],
    at: 'unit',
    says: /text/,
  },
  {
    rule: 'has a price of 0 or more',
    keeps: [toMetered({ price: 0 }), toMetered({ price: 9.5 })],
    breaks: [toMetered({ price: -1 }), toMetered({ price: '1' }), toMetered({ price: null })],
    at: 'price',
    says: /0 or more/,
  },
  {
    rule: 'has a price of 0 where the model is free',
    keeps: [toFree({ price: 0 }), toFree({}), toMetered({ price: 1 })],
    breaks: [toFree({ price: 1 })],
    at: 'price',
    says: /free model charges nothing/,
  },
  {
    rule: 'has rates of 0 where the model is free',
    keeps: [toRated(), toRated(0, 0)],
    breaks: [toRated(0, 0.01), toRated(0, { fixed: 1 }), toRated(0, { discovery: 'market' })],
    at: 'rates.1.price',
    says: /free model charges nothing/,
  },
  {
    rule: 'withholds no rate where the model is free',
    keeps: [toMetered({ rates: [{ operation: 'a', disclosure: 'quote-only' }] })],
    breaks: [toFree({ rates: [{ operation: 'a', disclosure: 'quote-only' }] })],
    at: 'rates.0.price',
    says: /write the price 0/,
  },
  {
    rule: 'has a list of rates',
    keeps: [toMetered({ rates: [] })],
    breaks: [toMetered({ rates: {} }), toMetered({ rates: 'none' })],
    at: 'rates',
    says: /list of rates/,
  },
  {
    rule: 'is bound, not bound, or silent on it',
    keeps: [metered, bound, toMetered({ binding: false, statement: 'An intent.' })],
    breaks: [toMetered({ binding: 'no' }), toMetered({ binding: null })],
    at: 'binding',
    says: /true or false/,
  },
  {
    rule: 'states the intent where it is not bound',
    keeps: [toMetered({ binding: false, statement: 'An intent.' }), metered],
    breaks: [toMetered({ binding: false })],
    at: 'statement',
    says: /must have a statement/,
  },
  {
    rule: 'has a worded statement',
    keeps: [toMetered({ statement: 'An intent.' })],
    breaks: [toMetered({ binding: false, statement: '' }), toMetered({ statement: 1 })],
    at: 'statement',
    says: /text/,
  },
  {
    rule: 'names the terms where it is bound',
    keeps: [bound, metered],
    breaks: [toMetered({ binding: true }), toMetered({ binding: true, statement: 'An intent.' })],
    at: 'termsUrl',
    says: /must have a termsUrl/,
  },
  {
    rule: 'has terms at an address',
    keeps: [bound, { ...bound, termsUrl: 'https://example.com/terms' }, { ...bound, termsUrl: '/' }],
    breaks: [
      { ...bound, termsUrl: 'terms' },
      { ...bound, termsUrl: '//example.com' },
    ],
    at: 'termsUrl',
    says: /address/,
  },
  {
    rule: 'has a ledger at an address',
    keeps: [toMetered({ ledgerUrl: '/pricing.html#binding' })],
    breaks: [toMetered({ ledgerUrl: 'javascript:0' }), toMetered({ ledgerUrl: 1 })],
    at: 'ledgerUrl',
    says: /address/,
  },
];

addCases(pricing, cases, (value) => value);

pricing('refuses a rate for an operation the service does not have, where it is told which it has', () => {
  const document = toMetered({ rates: [{ operation: 'listShips', price: 0 }] });
  assertProblem(document, 'rates.0.operation', /no operation "listShips": write one of listPlacements/, [
    'listPlacements',
  ]);
});

pricing('tells every problem at once', () => {
  const document = toMetered({ unit: '', price: -1, extra: 1 });
  for (const at of ['unit', 'price', 'extra']) assertProblem(document, at, /./);
});

pricing.run();
