import { suite } from 'uvu';
import { addCases, type Case, vary } from '../support/pricing-cases.ts';

const suiteOfRates = suite('pricing rates');
const toCard = (rates: unknown) => ({ model: 'metered', hardCeiling: 25, rates });
const add = (more: object) => [{ op: 'add', value: 1, ...more }];
const sum = (more: object) => ({ aggregation: 'sum', ...more });
const volume = (more: object) => ({ mode: 'graduated', breaks: [{ from: 0, price: 1 }], ...more });
const [adds, sums, volumes] = [vary(add), vary(sum), vary(volume)];
const allowances = vary((more) => ({ qty: 1, ...more }));
const breaks = (...all: object[]) => volume({ breaks: all });

/** The value of one member of a row, for each member. */
const members: Record<string, Case[]> = {
  operation: [['', /text/, ['', 1, null], ['getPricing']]],
  unknown: [['', /A rate has no such member; its members are operation/, [1]]],
  unit: [['', /text/, ['', 1], ['usd-per-call']]],
  note: [['', /text/, ['', 1], ['Once a day.']]],
  price: [
    ['', /number that is 0 or more/, [-0.1, '1', true], [0, 0.002, 1]],
    ['', /Write the price, or a disclosure/, [null, undefined], [1]],
    ['percent', /0 or/, [{ percent: -1 }], [{ fixed: 1, percent: 20, cap: 9, floor: 2, min_fee: 1 }]],
    ['fixed', /number/, [{ fixed: '1' }, { fixed: null }], [{ fixed: 0 }]],
    ['basis', /text/, [{ percent: 1, basis: 2 }], [{ percent: 20, basis: 'first-year-salary' }]],
    ['', /fixed, percent or both/, [{ cap: 9 }, {}, []], [{ fixed: 1 }, { percent: 1 }]],
    ['floor', /not above cap/, [{ fixed: 1, floor: 3, cap: 2 }], [{ fixed: 1, floor: 2, cap: 2 }]],
    ['markup', /0 or/, [{ provider: 'x', markup: -5 }], [{ provider: 'x', reference: '/x', markup: 5 }]],
    ['provider', /must have this member/, [{ markup: 5 }], [{ provider: 'x' }]],
    [
      'discovery',
      /"market"/,
      [{ discovery: 'guess' }],
      [{ discovery: 'market', reference: '/', buyer_cap: 5 }],
    ],
    ['buyer_cap', /0 or/, [{ discovery: 'market', buyer_cap: 'x' }], [{ discovery: 'market' }]],
    ['provider', /compound price has no such/, [{ fixed: 1, percent: 2, provider: 'x' }]],
  ],
  included: [
    ['', /"unlimited"/, ['lots', null, true], [0, 100, 'unlimited', { qty: 5 }]],
    ['', /0 or more/, [-1]],
    ['qty', /0 or more/, [{ qty: -1 }, { qty: 'unlimited' }], [{ qty: 0 }]],
    ['qty', /must have this member/, [{ period: 'day' }, {}]],
    ['period', /"day"/, allowances('period', 'year'), allowances('period', 'day', 'month', 'once')],
    ['rollover', /true or false/, allowances('rollover', 'yes'), allowances('rollover', true)],
    ['at_limit', /text/, allowances('at_limit', ''), allowances('at_limit', 'refuse')],
    ['quantity', /allowance has no such member/, allowances('quantity', 1)],
  ],
  freeQuota: [['', /above 0/, [0, -1, '1'], [1, 0.5]]],
  modifiers: [
    ['', /list of modifiers/, [{}, 'none'], [[]]],
    ['0.op', /"multiply"/, adds('op', 'divide'), [add({ op: 'multiply' }).concat(add({ value: -1 }))]],
    ['0.op', /must have this member/, [[{ value: 2 }]]],
    ['0.value', /number/, adds('value', '2')],
    ['0.value', /must have this member/, [[{ op: 'add' }]]],
    ['0.scope', /"card"/, adds('scope', 'all'), adds('scope', 'rate', 'offer', 'card')],
    ['0.condition', /text/, adds('condition', 1), adds('condition', 'weekend')],
    ['0.stacking_order', /whole number/, adds('stacking_order', 0.5, -1), adds('stacking_order', 0)],
    ['0.order', /modifier has no such member/, adds('order', 1)],
  ],
  meter: [
    [
      'aggregation',
      /"high-watermark"/,
      sums('aggregation', 'mean'),
      ['sum', 'distinct', 'high-watermark', 'gauge', 'peak'].map((aggregation) => ({ aggregation })),
    ],
    ['aggregation', /must have this member/, [{}, []]],
    ['basis', /"standing"/, sums('basis', 'used'), sums('basis', 'consumed', 'provisioned', 'standing')],
    ['reset_period', /text/, sums('reset_period', 1), sums('reset_period', 'month')],
    ['definition_url', /address/, sums('definition_url', 'x'), sums('definition_url', '/x')],
    ['kind', /meter has no such member/, sums('kind', 'x')],
  ],
  volume_breaks: [
    [
      'mode',
      /"retroactive"/,
      volumes('mode', 'tiered'),
      volumes('mode', 'graduated', 'retroactive', 'reprice-offer'),
    ],
    ['mode', /Write one of|must have/, [volume({ mode: undefined }), {}]],
    ['basis', /"spend"/, volumes('basis', 'hours'), volumes('basis', 'units', 'spend', 'instantaneous-rate')],
    ['formula_url', /address/, volumes('formula_url', 'x'), volumes('formula_url', '/x')],
    ['approximate', /true or false/, volumes('approximate', 1), volumes('approximate', true)],
    [
      'breaks',
      /or a formula_url/,
      volumes('breaks', undefined),
      [{ mode: 'graduated', formula_url: '/formula' }],
    ],
    ['breaks', /at least one/, [breaks(), volume({ breaks: 'none' })]],
    ['tiers', /Volume pricing has no such/, volumes('tiers', [])],
    ['breaks.0.from', /0 or more/, [breaks({ from: -1, price: 1 })], [breaks({ from: 0, price: 0 })]],
    ['breaks.0.from', /must have this member/, [breaks({ price: 1 })]],
    ['breaks.0.price', /0 or more/, [breaks({ from: 0, price: -1 })]],
    [
      'breaks.0.discount_percent',
      /from 0 to 100/,
      [101, -1].map((percent) => breaks({ from: 0, discount_percent: percent })),
      [breaks({ from: 0, discount_percent: 100 })],
    ],
    [
      'breaks.0',
      /exactly one of price and discount_percent/,
      [breaks({ from: 0 }), breaks({ from: 0, price: 1, discount_percent: 5 })],
      [breaks({ from: 0, price: 1 }, { from: 9, discount_percent: 5 })],
    ],
    ['breaks.0.to', /no such member/, [breaks({ from: 0, price: 1, to: 9 })]],
    [
      'breaks.1.from',
      /above 1/,
      [1, 0].map((from) => breaks({ from: 1, price: 2 }, { from, price: 1 })),
      [breaks({ from: 0, price: 2 }, { from: 1, price: 1 })],
    ],
  ],
};

for (const [member, cases] of Object.entries(members))
  addCases(
    suiteOfRates,
    cases,
    (value) => toCard([{ operation: 'a', price: 1, [member]: value }]),
    `rates.0.${member}`,
  );

const toRow = (more: object) => [{ operation: 'a', price: 1, ...more }];
const eachRow = vary(toRow);
const toWithheld = (more: object) => [{ operation: 'a', disclosure: 'quote-only', ...more }];
const estimate = (low: unknown, high: unknown) => ({ estimate: { low, high, provenance: 'a guess' } });
/** Rows that follow one another: each operation, and the one that it is derived from. */
const toChain = (...pairs: [operation: string, source?: string][]) =>
  pairs.map(([operation, derived_from]) => ({ operation, price: 1, derived_from }));
const withheld = ['calculator-only', 'quote-only', 'undisclosed'];
const everyWithheld = withheld.flatMap((disclosure) => [
  toRow({ price: null, disclosure }),
  toWithheld({ disclosure }),
]);

/** All rows of a card. */
const cards: Case[] = [
  [
    '0.disclosure',
    /"calculator-only"/,
    eachRow('disclosure', 'secret'),
    eachRow('disclosure', 'published', ...withheld),
  ],
  [
    '0.price',
    /disclosure that withholds it/,
    [toRow({ price: null, disclosure: 'published' })],
    everyWithheld,
  ],
  [
    '0.estimate.low',
    /not above high/,
    [toWithheld(estimate(2, 1))],
    [toWithheld(estimate(1, 1)), toWithheld(estimate(0, 9))],
  ],
  ['0.estimate.high', /0 or more/, [toWithheld(estimate(0, '9')), toWithheld(estimate(0, null))]],
  ['0.estimate.provenance', /must have this member/, [toWithheld({ estimate: { low: 1, high: 2 } })]],
  [
    '0.estimate.mid',
    /no such member/,
    [toWithheld({ estimate: { low: 1, high: 2, provenance: 'x', mid: 1 } })],
  ],
  ['0.estimate', /for a withheld price/, [toRow(estimate(1, 2))], [toWithheld(estimate(1, 2))]],
  [
    '0.freeQuota',
    /keep included/,
    [1, 'unlimited'].map((included) => toRow({ included, freeQuota: 1 })),
    [toRow({ included: 1 }), toRow({ freeQuota: 1 })],
  ],
  ['0.derived_from', /text/, eachRow('derived_from', 1)],
  ['0.derived_from', /no other rate for "c"/, [toChain(['a', 'c'], ['b'])], [toChain(['a', 'b'], ['b'])]],
  ['0.derived_from', /no other rate for "a"/, [toChain(['a', 'a'])]],
  ['0.operation', /must have this member/, [[{ price: 1 }], [[]]]],
  ['1.operation', /row 0 is for "a" already/, [toChain(['a'], ['a'])]],
];

addCases(suiteOfRates, cards, toCard, 'rates');

suiteOfRates.run();
