import { suite } from 'uvu';
import { addCases, assertProblem, type Case } from '../support/pricing-cases.ts';

const pricing = suite('pricing document');
const toMetered = (members: object) => ({ model: 'metered', hardCeiling: 25, ...members });
const toBound = (members: object) => toMetered({ binding: true, termsUrl: '/terms.html', ...members });
const toFree = (members: object) => ({ model: 'free', ...members });
const toRated = (...prices: unknown[]) =>
  toFree({ rates: prices.map((price, index) => ({ operation: `op${index}`, price })) });
const metered = toMetered({});
const withheld = { rates: [{ operation: 'a', disclosure: 'quote-only' }] };
const intent = { binding: false, statement: 'An intent.' };

const cases: Case[] = [
  ['', /is an object with the members model, hardCeiling/, [null, 'metered', 25, undefined], [metered]],
  ['model', /"free", "metered"/, [toMetered({ model: 'paid' }), toMetered({ model: true })], [toFree({})]],
  ['model', /must have this member/, [{}, { hardCeiling: 25 }, []]],
  ['hardceiling', /has no such member; its members are model, hardCeiling/, [toMetered({ hardceiling: 25 })]],
  [
    'hardCeiling',
    /number above 0/,
    [0, '25', -1].map((hardCeiling) => toMetered({ hardCeiling })),
    [toMetered({ hardCeiling: 0.01 })],
  ],
  ['hardCeiling', /number above 0/, [toFree({ hardCeiling: -1 })], [toFree({ hardCeiling: 1 })]],
  ['hardCeiling', /metered model must have a hardCeiling/, [{ model: 'metered' }], [toFree({})]],
  [
    'unit',
    /text/,
    [toMetered({ unit: ' ' }), toMetered({ unit: 1 })],
    [toMetered({ unit: 'usd-per-month' })],
  ],
  [
    'price',
    /0 or more/,
    [-1, '1', null].map((price) => toMetered({ price })),
    [0, 9.5].map((price) => toMetered({ price })),
  ],
  [
    'price',
    /free model charges nothing/,
    [toFree({ price: 1 })],
    [toFree({ price: 0 }), toMetered({ price: 1 })],
  ],
  [
    'rates.1.price',
    /free model charges nothing/,
    [0.01, { fixed: 1 }, { discovery: 'market' }].map((price) => toRated(0, price)),
    [toRated(), toRated(0, 0)],
  ],
  ['rates.0.price', /write the price 0/, [toFree(withheld)], [toMetered(withheld)]],
  [
    'rates',
    /list of rates/,
    [toMetered({ rates: {} }), toMetered({ rates: 'none' })],
    [toMetered({ rates: [] })],
  ],
  [
    'binding',
    /true or false/,
    ['no', null].map((binding) => toMetered({ binding })),
    [toBound({}), toMetered(intent)],
  ],
  ['statement', /must have a statement/, [toMetered({ binding: false })], [metered]],
  [
    'statement',
    /text/,
    [toMetered({ ...intent, statement: '' }), toMetered({ statement: 1 })],
    [toMetered({ statement: 'An intent.' })],
  ],
  [
    'termsUrl',
    /must have a termsUrl/,
    [toMetered({ binding: true }), toMetered({ ...intent, binding: true })],
  ],
  [
    'termsUrl',
    /address/,
    ['terms', '//example.com'].map((termsUrl) => toBound({ termsUrl })),
    ['https://example.com/terms', '/'].map((termsUrl) => toBound({ termsUrl })),
  ],
  [
    'ledgerUrl',
    /address/,
    ['javascript:0', 1].map((ledgerUrl) => toMetered({ ledgerUrl })),
    [toMetered({ ledgerUrl: '/pricing.html#binding' })],
  ],
];

addCases(pricing, cases);

pricing('refuses a rate for an operation the service does not have, where it is told which it has', () => {
  const document = toMetered({ rates: [{ operation: 'listShips', price: 0 }] });
  const says = /no operation "listShips": write one of listPlacements/;
  assertProblem(document, 'rates.0.operation', says, ['listPlacements']);
});

pricing('tells every problem at once', () => {
  const document = toMetered({ unit: '', price: -1, extra: 1 });
  for (const at of ['unit', 'price', 'extra']) assertProblem(document, at, /./);
});

pricing.run();
