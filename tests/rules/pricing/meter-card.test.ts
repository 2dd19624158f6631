import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import content from '../../../content/pricing.json' with { type: 'json' };
import { calculateCost, fromMillionths, sumCosts } from '../../../src/kernel/cost.ts';
import { createPricingSchema, type MeteredDocument } from '../../../src/pricing/document.ts';
import { countCallsAtCeiling, createMeter } from '../../../src/pricing/meter.ts';
import type { RateRow } from '../../../src/pricing/rate-row.ts';
import { operations } from '../../../src/table.ts';
import { pluck, words } from '../../support/rows.ts';

const card = suite('rate cards that can be metered');

const terms = { model: 'metered', hardCeiling: 25, unit: 'usd-per-month' };
const toCard = (rates: object[], more: object = {}) =>
  ({ ...terms, rates, ...more }) as unknown as MeteredDocument;

/** Makes the meter of one row for getCandidate, which the vocabulary must accept. */
function meterOf(row: object) {
  const whole = toCard([{ operation: 'getCandidate', ...row }]);
  return createMeter(v.parse(createPricingSchema(), whole) as MeteredDocument, operations);
}

/** Rows that can be metered: what 10 and 1,000 calls of each cost in dollars. */
const metered: [row: object, ten: number, thousand: number][] = [
  [{ price: 0.02 }, 0.2, 20],
  [{ price: 0.000001 }, 0.00001, 0.001],
  [{ price: 3 }, 30, 3000],
  [{ price: 0.02, unit: 'usd-per-call', note: 'A call.' }, 0.2, 20],
  [{ price: 0.02, included: 4 }, 0.12, 19.92],
  [{ price: 0.02, included: 0 }, 0.2, 20],
  [{ price: 0.02, included: 'unlimited' }, 0, 0],
  [{ price: 0.02, included: { qty: 4 } }, 0.12, 19.92],
  [
    { price: 0.02, included: { qty: 4, period: 'month', rollover: false, at_limit: 'rate-applies' } },
    0.12,
    19.92,
  ],
  [{ price: 0.02, freeQuota: 4 }, 0.12, 19.92],
  [{ price: 0.02, meter: { aggregation: 'sum' } }, 0.2, 20],
  [{ price: 0.02, meter: { aggregation: 'sum', basis: 'consumed', reset_period: 'month' } }, 0.2, 20],
  [{ price: 0.02, disclosure: 'published' }, 0.2, 20],
  [{ price: 0, unit: 'usd-per-hour', included: { qty: 1, period: 'day' } }, 0, 0],
];

card('a supported row has its amount, to the millionth', () => {
  for (const [row, ...amounts] of metered) {
    const rate = meterOf(row).rates.get('getCandidate');
    const told = [10, 1000].map((calls) => (rate ? fromMillionths(calculateCost(rate, calls)) : 0));
    assert.equal(told, amounts, JSON.stringify(row));
  }
});

/** Rows that cannot be metered beside those of `pricing-every-word`, and the message about each. */
const refused: [row: object, said: RegExp][] = [
  [{ price: { percent: 5, basis: 'salary' } }, /a number/],
  [{ price: 1, disclosure: 'calculator-only' }, /withholds/],
  [{ price: 1, included: 2.5 }, /whole number/],
  [{ price: 1, freeQuota: 0.5 }, /whole number/],
  [{ price: 0, modifiers: [{ op: 'add', value: 1 }] }, /modifiers/],
  [{ price: 0, volume_breaks: { mode: 'graduated', formula_url: '/formula' } }, /volume/],
  [{ price: 1, meter: { aggregation: 'sum', reset_period: 'day' } }, /measured/],
  [{ price: 1, unit: 'eur-per-call' }, /eur-per-call/],
  [{ price: 0.0000001 }, /six decimals/],
  [{ price: 0.0000015 }, /six decimals/],
  [{ price: 1e300 }, /millionths/],
];

card('an unsupported row is named, with what to write instead', () => {
  for (const [row, said] of refused) {
    const whole = toCard([{ operation: 'getCandidate', ...row }]);
    const shown = JSON.stringify(row);
    assert.throws(
      () => createMeter(whole, operations),
      ({ message }: Error) =>
        /rates\.0 \(getCandidate\)/.test(message) && /Write /.test(message) && said.test(message),
      shown,
    );
  }
});

card('all unsupported rows are named at once, those for unmetered operations included', () => {
  const wrong = words('createBatch callMcp deleteWorkspace getOccupation answerConfirmation');
  const rates: { operation: string; price: unknown }[] = wrong.map((operation) => ({ operation, price: 1 }));
  rates.push({ operation: 'listCandidates', price: { percent: 1 } });
  rates.push({ operation: 'createCandidate', price: 0.02 }, { operation: 'getPricing', price: 0 });
  assert.throws(
    () => createMeter(toCard(rates), operations),
    ({ message }: Error) => {
      const named = pluck(rates, 'operation').filter((name) => message.includes(`(${name})`));
      return named.join() === [...wrong, 'listCandidates'].join();
    },
  );
  const units = [{ unit: 'usd-per-year' }, { unit: undefined }, { price: 1 }, { hardCeiling: 1e-7 }];
  for (const more of units)
    assert.throws(() => createMeter(toCard([], more), operations), /Write /, JSON.stringify(more));
});

card('the published card is metered: each row with a price', () => {
  const { rates, hardCeiling, unit } = createMeter(content as MeteredDocument, operations);
  const priced = (content.rates as RateRow[]).filter(({ price }) => price !== 0);
  assert.equal([...rates.keys()], pluck(priced, 'operation'));
  assert.is(hardCeiling, 25_000_000);
  assert.is(unit, 'usd-per-month');
  assert.equal(rates.get('createCandidate'), { price: 20_000, included: 25, isCreate: true });
  assert.equal(rates.get('getCandidate'), { price: 2000, included: 100, isCreate: false });
  const get = rates.get('getCandidate')!;
  assert.is(countCallsAtCeiling(get, hardCeiling), 12_600);
  assert.is(calculateCost(get, 12_600), hardCeiling);
  assert.is(sumCosts(rates, { getCandidate: 103, createJobOrder: 26, listCandidates: 1e9 }), 26_000);
});

card.run();
