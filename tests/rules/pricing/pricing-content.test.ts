import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import offers from '../../../content/offers.json' with { type: 'json' };
import content from '../../../content/pricing.json' with { type: 'json' };
import type { MeteredDocument } from '../../../src/pricing/document.ts';
import { createOffers, OffersFile } from '../../../src/pricing/offer.ts';
import { operations } from '../../../src/table.ts';

const pricing = suite('pricing content');
const ladder = createOffers(v.parse(OffersFile, offers), content as MeteredDocument);

pricing('charges for single reads and creates, and for nothing else', () => {
  for (const { operation, price, included } of content.rates) {
    const [kind, qty] = /^create(?!Batch|Shortlist)/.test(operation)
      ? [0.02, 25]
      : /^get(Placement|Candidate|JobOrder)$/.test(operation)
        ? [0.002, 100]
        : [0, undefined];
    assert.is(price, kind, operation);
    assert.is(included?.qty, qty, operation);
    assert.is(included?.period, qty && 'month', operation);
  }
});

pricing('has a rate for each operation of the contract', () => {
  const rated = content.rates.map(({ operation }) => operation);
  const listed = operations.filter((row) => row.listed).map(({ operationId }) => operationId);
  assert.equal(rated.sort(), listed.sort());
});

pricing('makes a true offer at every limit', () => {
  for (const offer of Object.values(ladder)) {
    const { type, settlement, payable, stub, retry, price } = offer;
    assert.is(type, 'OFFER');
    assert.is(settlement, 'inactive');
    assert.is(payable, false);
    assert.is(stub, true);
    assert.is(retry, 'will not succeed by paying');
    const { hardCeiling: amount, unit } = content;
    assert.equal(price, { amount, currency: 'USD', unit, indicative: true });
    assert.ok(offer.alternatives[0]?.live, 'the alternative that works comes first');
    assert.ok(offer.alternatives.every(({ kind, live }) => live === (kind !== 'pay')));
  }
});

pricing('refuses offers that claim to take money, or are live without a method', () => {
  const [first, ...others] = offers.alternatives;
  const broken = [
    { ...offers, terms: { ...offers.terms, payable: true } },
    { ...offers, terms: { ...offers.terms, settlement: 'active' } },
    { ...offers, terms: { ...offers.terms, checkoutUrl: 'https://pay.example/' } },
    { ...offers, alternatives: others },
    { ...offers, alternatives: [first, ...offers.alternatives] },
    { ...offers, alternatives: [{ ...first, method: undefined }, ...others] },
  ];
  for (const value of broken) assert.not.ok(v.is(OffersFile, value), JSON.stringify(value));
});

pricing.run();
