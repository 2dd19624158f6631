import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { createPricingSchema, type MeteredDocument } from '../../../src/pricing/document.ts';
import { operations } from '../../../src/table.ts';
import { withRateCard } from '../../support/metered.ts';
import { World } from '../../support/world.ts';

const pricing = suite('a pricing document with every word of the vocabulary');

const market = { discovery: 'market', reference: 'https://example.com/index', buyer_cap: 9 };
const range = { low: 1, high: 2, provenance: 'last year' };
const breaks = [
  { from: 0, price: 2 },
  { from: 9, discount_percent: 10 },
];

/** One row a column: each names what it has that the meter does not know, as the error does. */
const rows: [row: Record<string, unknown>, unmetered: string[]][] = [
  [
    { price: { fixed: 1, percent: 5, basis: 'salary', cap: 9, floor: 2, min_fee: 1 } },
    ['fixed', 'percent', 'basis', 'cap', 'floor', 'min_fee'],
  ],
  [{ price: { provider: 'A bureau', reference: '/fees', markup: 3 } }, ['provider', 'reference', 'markup']],
  [{ price: market }, ['discovery', 'reference', 'buyer_cap']],
  ...['calculator-only', 'quote-only', 'undisclosed'].map((disclosure): (typeof rows)[number] => [
    { price: null, disclosure, estimate: range },
    [`disclosure "${disclosure}"`, 'estimate'],
  ]),
  [{ price: 1, disclosure: 'published', freeQuota: 5, note: 'Metered.' }, []],
  [{ price: 1, unit: 'usd-per-hour' }, ['unit']],
  [{ price: 1, included: 'unlimited' }, []],
  [{ price: 1, included: 3 }, []],
  [
    { price: 1, included: { qty: 5, period: 'day', rollover: true, at_limit: 'blocked' } },
    ['included.period "day"', 'included.rollover true', 'included.at_limit "blocked"'],
  ],
  [{ price: 1, included: { qty: 5, period: 'once' } }, ['included.period "once"']],
  [{ price: 1, included: { qty: 5, period: 'month', rollover: false, at_limit: 'rate-applies' } }, []],
  [
    {
      price: 1,
      modifiers: ['rate', 'offer', 'card'].map((scope, stacking_order) => ({
        ...{ op: scope === 'rate' ? 'multiply' : 'add', value: 0.5, scope },
        ...{ condition: 'in winter', stacking_order },
      })),
    },
    ['modifiers'],
  ],
  [{ price: 1, derived_from: 'getPlacement' }, ['derived_from']],
  ...['distinct', 'high-watermark', 'gauge', 'peak'].map((aggregation): (typeof rows)[number] => [
    { price: 1, meter: { aggregation } },
    [`meter.aggregation "${aggregation}"`],
  ]),
  ...['provisioned', 'standing'].map((basis): (typeof rows)[number] => [
    { price: 1, meter: { aggregation: 'sum', basis, reset_period: 'day', definition_url: '/meter' } },
    [`meter.basis "${basis}"`, 'meter.reset_period "day"'],
  ]),
  [{ price: 1, meter: { aggregation: 'sum', basis: 'consumed', reset_period: 'month' } }, []],
  ...['units', 'spend', 'instantaneous-rate'].map((basis): (typeof rows)[number] => [
    { price: 1, volume_breaks: { mode: 'graduated', basis, breaks } },
    ['volume_breaks'],
  ]),
  [{ price: 1, volume_breaks: { mode: 'retroactive', breaks } }, ['volume_breaks']],
  [
    { price: 1, volume_breaks: { mode: 'reprice-offer', formula_url: '/formula', approximate: true } },
    ['volume_breaks'],
  ],
];

const metered = operations.filter(({ access: { workspace }, listed, operationId }) => {
  return workspace && listed && !['createBatch', 'callMcp', 'deleteWorkspace'].includes(operationId);
});
/** A row for each of the first operations; what follows another rate must have it on the card. */
const names = ['getPlacement', ...metered.map(({ operationId }) => operationId)];
const operationOf = (at: number) => [...new Set(names)][at]!;

const document = {
  ...{ model: 'metered', hardCeiling: 25, unit: 'usd-per-month', price: 0 },
  ...{ binding: true, statement: 'It binds.', termsUrl: '/terms.html', ledgerUrl: '/pricing.html#binding' },
  rates: rows.map(([row], at) => ({ operation: operationOf(at), ...row })),
};

pricing('is read as content', () => {
  const legal = operations.map(({ operationId }) => operationId);
  const { issues = [] } = v.safeParse(createPricingSchema(legal), document);
  assert.equal(
    issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
    [],
  );
});

pricing('stops the start of the service, and the error names each word that is not metered', () => {
  let message = '';
  try {
    new World(withRateCard(document as unknown as MeteredDocument));
  } catch (error) {
    message = (error as Error).message;
  }
  assert.match(message, /^The rate card cannot be metered:\n/);
  for (const [at, [, unmetered]] of rows.entries()) {
    const place = `rates.${at} (${operationOf(at)})`;
    const lines = message.split('\n').filter((line) => line.trimStart().startsWith(place));
    if (unmetered.length === 0) assert.equal(lines, [], `${place} can be metered`);
    for (const word of unmetered) assert.ok(lines.join('\n').includes(word), `${place} names ${word}`);
    for (const line of lines) assert.match(line, /\. Write [^.]+\.$|rate-applies"\.$/);
  }
});

pricing('is served by a service that meters what is left of it', () => {
  const rates = document.rates.filter((_, at) => rows[at]![1].length === 0);
  const { service } = new World(withRateCard({ ...document, rates } as unknown as MeteredDocument));
  assert.equal(
    [...service.meter.rates.keys()],
    rates.map(({ operation }) => operation),
  );
});

pricing.run();
