import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { createPricingSchema } from '../../../src/pricing/document.ts';

const pricing = suite('the vocabulary of prices');

function holdKept(document: unknown): void {
  const check = v.safeParse(createPricingSchema(), document);
  assert.ok(check.success, `${JSON.stringify(document)} must pass: ${JSON.stringify(check.issues)}`);
}

/** Asserts that a document has a problem at this place, with this text. */
function holdBroken(document: unknown, at: string, says: RegExp, legal?: readonly string[]): void {
  const { issues } = v.safeParse(createPricingSchema(legal), document);
  if (!issues) throw new Error(`must be refused: ${JSON.stringify(document)}`);
  const problem = issues.find((issue) => (v.getDotPath(issue) ?? '') === at);
  assert.ok(problem, `no problem at ${at} of ${JSON.stringify(document)}: ${JSON.stringify(issues)}`);
  assert.match(problem.message, says);
  for (const { message } of issues) assert.match(message, /^[A-Z].{10,}\.$/, 'must be a sentence');
}

/** What a member may hold: the text of a refusal, and values that are wrong and right. */
type Kind = [says: RegExp, breaks: unknown[], keeps: unknown[]];
const text: Kind = [/text/, ['', 1], ['A text.']];
const address: Kind = [
  /address/,
  ['x', '//example.com', 'javascript:0', 1],
  ['/', '/x', 'https://example.com/x'],
];
const flag: Kind = [/true or false/, ['yes', 1, null], [true]];
const amount: Kind = [/0 or/, [-1, '1', null], [0, 1.5]];
const positive: Kind = [/above 0/, [0, -1, '1'], [0.5, 25]];
const choice = (...values: string[]): Kind => [new RegExp(`"${values.at(-1)}"`), ['nonesuch', 7], values];

const metered = { model: 'metered', hardCeiling: 25 };
const toCard = (...rates: object[]) => ({ ...metered, rates });
const toRow = (more: object) => toCard({ operation: 'a', price: 1, ...more });
const withheld = { operation: 'a', disclosure: 'quote-only' };
const disclosures = ['published', 'calculator-only', 'quote-only', 'undisclosed'];
const aggregations = ['sum', 'distinct', 'high-watermark', 'gauge', 'peak'];
const compound = { fixed: amount, percent: amount, basis: text, cap: amount, floor: amount, min_fee: amount };
const volume = { mode: 'graduated', breaks: [{ from: 0, price: 1 }] };

/**
 * Every object of a document: its smallest form, the required members, all members, and the document around
 * it.
 */
interface Thing {
  whole: object;
  needs?: string[];
  members: Record<string, Kind>;
  put(value: unknown): unknown;
}

const things: Record<string, Thing> = {
  '': {
    whole: metered,
    needs: ['model'],
    members: {
      model: choice('free', 'metered'),
      hardCeiling: positive,
      unit: text,
      price: amount,
      rates: [/list of rates/, [{}, 'none'], [[]]],
      binding: [flag[0], flag[1], []],
      statement: text,
      termsUrl: address,
      ledgerUrl: address,
    },
    put: (value) => value,
  },
  'rates.0': {
    whole: { operation: 'a', price: 1 },
    needs: ['operation'],
    members: {
      operation: text,
      price: [/number that is 0 or more/, [-0.1, '1', true], [0, 0.002]],
      unit: text,
      note: text,
      freeQuota: positive,
      disclosure: choice(...disclosures),
      included: [/"unlimited"|0 or more/, ['lots', null, true, -1], [0, 100, 'unlimited', { qty: 5 }]],
      modifiers: [/list of modifiers/, [{}, 'none'], [[]]],
      derived_from: [/text/, [1], []],
    },
    put: (value) => toCard(value as object),
  },
  'rates.0.price': { whole: { fixed: 1 }, members: compound, put: (price) => toRow({ price }) },
  'rates.0.price ': {
    whole: { provider: 'x' },
    needs: [],
    members: { markup: amount },
    put: (price) => toRow({ price }),
  },
  'rates.0.price  ': {
    whole: { discovery: 'market' },
    members: { discovery: choice('market'), buyer_cap: amount },
    put: (price) => toRow({ price }),
  },
  'rates.0.included': {
    whole: { qty: 1 },
    needs: ['qty'],
    members: { qty: amount, period: choice('day', 'month', 'once'), rollover: flag, at_limit: text },
    put: (included) => toRow({ included }),
  },
  'rates.0.modifiers.0': {
    whole: { op: 'add', value: -1 },
    needs: ['op', 'value'],
    members: {
      op: choice('multiply', 'add'),
      value: [/number/, ['2'], [0.5]],
      scope: choice('rate', 'offer', 'card'),
      condition: text,
      stacking_order: [/whole number/, [0.5, -1], [0]],
    },
    put: (modifier) => toRow({ modifiers: [modifier] }),
  },
  'rates.0.meter': {
    whole: { aggregation: 'sum' },
    needs: ['aggregation'],
    members: {
      aggregation: choice(...aggregations),
      basis: choice('consumed', 'provisioned', 'standing'),
      reset_period: text,
      definition_url: address,
    },
    put: (meter) => toRow({ meter }),
  },
  'rates.0.volume_breaks': {
    whole: volume,
    needs: ['mode'],
    members: {
      mode: choice('graduated', 'retroactive', 'reprice-offer'),
      basis: choice('units', 'spend', 'instantaneous-rate'),
      formula_url: address,
      approximate: flag,
      breaks: [/at least one/, [[], 'none'], []],
    },
    put: (volume_breaks) => toRow({ volume_breaks }),
  },
  'rates.0.volume_breaks.breaks.0': {
    whole: { from: 0, price: 1 },
    needs: ['from'],
    members: { from: amount, price: amount },
    put: (one) => toRow({ volume_breaks: { ...volume, breaks: [one] } }),
  },
  'rates.0.estimate': {
    whole: { low: 0, high: 2, provenance: 'a guess' },
    needs: ['low', 'high', 'provenance'],
    members: { low: amount, high: amount, provenance: text },
    put: (estimate) => toCard({ ...withheld, estimate }),
  },
};

for (const [name, { whole, needs = [], members, put }] of Object.entries(things)) {
  const toPath = (member: string) => [name.trim(), member].filter(Boolean).join('.');
  pricing(`${name.trim() || 'a document'} with ${Object.keys(members)}`, () => {
    holdKept(put(whole));
    for (const [member, [says, breaks, keeps]] of Object.entries(members)) {
      for (const value of keeps) holdKept(put({ ...whole, [member]: value }));
      for (const value of breaks) holdBroken(put({ ...whole, [member]: value }), toPath(member), says);
    }
    for (const member of needs) {
      const { [member]: _, ...rest } = whole as Record<string, unknown>;
      holdBroken(put(rest), toPath(member), /must have|Write one of/);
    }
    holdBroken(put({ ...whole, nonesuch: 1 }), toPath('nonesuch'), /no such member; its members are|no such/);
  });
}

const free = { model: 'free' };
const intent = { ...metered, binding: false };
const toBreaks = (...breaks: object[]) => toRow({ volume_breaks: { ...volume, breaks } });
/** Rows that follow one another: each operation, and the one that it is derived from. */
const toChain = (...pairs: [operation: string, source?: string][]) =>
  toCard(...pairs.map(([operation, derived_from]) => ({ operation, price: 1, derived_from })));

const estimate = { low: 1, high: 1, provenance: 'x' };
const compoundPrice = { fixed: 1, percent: 20, floor: 2, cap: 2, min_fee: 1, basis: 'salary' };

/** Documents that break a rule across members: the place that is named, the text, and the wrong documents. */
const broken: [at: string, says: RegExp, ...documents: unknown[]][] = [
  ['', /is an object with the members model, hardCeiling/, null, 'metered', 25, undefined],
  ['hardCeiling', /metered model must have a hardCeiling/, { model: 'metered' }],
  ['price', /free model charges nothing/, { ...free, price: 1 }],
  ...[0.01, { fixed: 1 }, undefined].map((price): (typeof broken)[number] => [
    'rates.0.price',
    /free model charges nothing/,
    { ...free, rates: [{ ...withheld, price }] },
  ]),
  ['statement', /must have a statement/, intent],
  ['termsUrl', /must have a termsUrl/, { ...metered, binding: true }],
  ['rates.0.price', /Write the price, or a disclosure/, toRow({ price: null })],
  ['rates.0.price', /disclosure that withholds it/, toRow({ price: null, disclosure: 'published' })],
  ['rates.0.price', /fixed, percent or both/, toRow({ price: { cap: 9 } }), toRow({ price: {} })],
  ['rates.0.price.floor', /not above cap/, toRow({ price: { ...compoundPrice, floor: 3 } })],
  ['rates.0.freeQuota', /keep included/, toRow({ included: 1, freeQuota: 1 })],
  ['rates.0.freeQuota', /keep included/, toRow({ included: 'unlimited', freeQuota: 1 })],
  ['rates.0.volume_breaks.breaks', /or a formula_url/, toRow({ volume_breaks: { mode: 'graduated' } })],
  ['rates.0.volume_breaks.breaks.0', /exactly one of price and discount_percent/, toBreaks({ from: 0 })],
  ['rates.0.volume_breaks.breaks.0', /exactly one/, toBreaks({ from: 0, price: 1, discount_percent: 5 })],
  ...[101, -1].map((discount_percent): (typeof broken)[number] => [
    'rates.0.volume_breaks.breaks.0.discount_percent',
    /from 0 to 100/,
    toBreaks({ from: 0, discount_percent }),
  ]),
  ...[1, 0].map((from): (typeof broken)[number] => [
    'rates.0.volume_breaks.breaks.1.from',
    /above 1/,
    toBreaks({ from: 1, price: 2 }, { from, price: 1 }),
  ]),
  ['rates.0.estimate.low', /not above high/, toCard({ ...withheld, estimate: { ...estimate, low: 2 } })],
  ['rates.0.estimate', /for a withheld price/, toRow({ estimate })],
  ['rates.0.derived_from', /no other rate for "c"/, toChain(['a', 'c'], ['b'])],
  ['rates.0.derived_from', /no other rate for "a"/, toChain(['a', 'a'])],
  ['rates.1.operation', /row 0 is for "a" already/, toChain(['a'], ['a'])],
];

/** Documents that just obey each of these rules. */
const kept: unknown[] = [
  ...[metered, free, { ...free, price: 0 }, { ...free, rates: [{ operation: 'a', price: 0 }] }],
  ...[
    { ...intent, statement: 'An intent.' },
    { ...metered, binding: true, termsUrl: '/terms.html' },
  ],
  ...disclosures.slice(1).map((disclosure) => toRow({ price: null, disclosure })),
  ...[toCard(withheld), toRow({ price: compoundPrice }), toRow({ included: 1 })],
  toRow({ volume_breaks: { mode: 'graduated', formula_url: '/formula' } }),
  toBreaks({ from: 0, price: 1 }, { from: 9, discount_percent: 100 }),
  toBreaks({ from: 0, price: 2 }, { from: 1, price: 1 }),
  ...[toCard({ ...withheld, estimate }), toChain(['a', 'b'], ['b'])],
];

pricing('rules across several members', () => {
  for (const document of kept) holdKept(document);
  for (const [at, says, ...documents] of broken)
    for (const document of documents) holdBroken(document, at, says);
});

pricing('refuses a rate for an unknown operation, and reports all errors at once', () => {
  const says = /no operation "listShips": write one of listPlacements/;
  holdBroken(toCard({ operation: 'listShips', price: 0 }), 'rates.0.operation', says, ['listPlacements']);
  for (const at of ['unit', 'price', 'extra'])
    holdBroken({ ...metered, unit: '', price: -1, extra: 1 }, at, /./);
});

pricing.run();
