import { suite } from 'uvu';
import { addCases, assertProblem, type Case, vary } from '../support/pricing-cases.ts';

const pricing = suite('pricing document');
const toMetered = (members: object) => ({ model: 'metered', hardCeiling: 25, ...members });
const toBound = (members: object) => toMetered({ binding: true, termsUrl: '/terms.html', ...members });
const toFree = (members: object) => ({ model: 'free', ...members });
const toRated = (...prices: unknown[]) =>
  toFree({ rates: prices.map((price, index) => ({ operation: `op${index}`, price })) });
const [eachMetered, eachBound, eachFree] = [vary(toMetered), vary(toBound), vary(toFree)];
const metered = toMetered({});
const withheld = { rates: [{ operation: 'a', disclosure: 'quote-only' }] };
const intent = { binding: false, statement: 'An intent.' };

const cases: Case[] = [
  ['', /is an object with the members model, hardCeiling/, [null, 'metered', 25, undefined], [metered]],
  ['model', /"free", "metered"/, eachMetered('model', 'paid', true), [toFree({})]],
  ['model', /must have this member/, [{}, { hardCeiling: 25 }, []]],
  ['hardceiling', /has no such member; its members are model, hardCeiling/, eachMetered('hardceiling', 25)],
  [
    'hardCeiling',
    /number above 0/,
    eachMetered('hardCeiling', 0, '25', -1),
    eachMetered('hardCeiling', 0.01),
  ],
  ['hardCeiling', /number above 0/, eachFree('hardCeiling', -1), eachFree('hardCeiling', 1)],
  ['hardCeiling', /metered model must have a hardCeiling/, [{ model: 'metered' }], [toFree({})]],
  ['unit', /text/, eachMetered('unit', ' ', 1), eachMetered('unit', 'usd-per-month')],
  ['price', /0 or more/, eachMetered('price', -1, '1', null), eachMetered('price', 0, 9.5)],
  [
    'price',
    /free model charges nothing/,
    eachFree('price', 1),
    [toFree({ price: 0 }), toMetered({ price: 1 })],
  ],
  [
    'rates.1.price',
    /free model charges nothing/,
    [0.01, { fixed: 1 }, { discovery: 'market' }].map((price) => toRated(0, price)),
    [toRated(), toRated(0, 0)],
  ],
  ['rates.0.price', /write the price 0/, [toFree(withheld)], [toMetered(withheld)]],
  ['rates', /list of rates/, eachMetered('rates', {}, 'none'), eachMetered('rates', [])],
  ['binding', /true or false/, eachMetered('binding', 'no', null), [toBound({}), toMetered(intent)]],
  ['statement', /must have a statement/, eachMetered('binding', false), [metered]],
  [
    'statement',
    /text/,
    [toMetered({ ...intent, statement: '' }), toMetered({ statement: 1 })],
    eachMetered('statement', 'An intent.'),
  ],
  [
    'termsUrl',
    /must have a termsUrl/,
    [toMetered({ binding: true }), toMetered({ ...intent, binding: true })],
  ],
  [
    'termsUrl',
    /address/,
    eachBound('termsUrl', 'terms', '//example.com'),
    eachBound('termsUrl', 'https://example.com/terms', '/'),
  ],
  [
    'ledgerUrl',
    /address/,
    eachMetered('ledgerUrl', 'javascript:0', 1),
    eachMetered('ledgerUrl', '/pricing.html#binding'),
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
