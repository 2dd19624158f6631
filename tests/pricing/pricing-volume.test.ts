import { suite } from 'uvu';
import { addCases, type Case, toRowCase } from '../support/pricing-cases.ts';

const volume = suite('pricing volume');
const model = { model: 'metered', hardCeiling: 25 };
const toRow = (members: object) => [{ operation: 'a', price: 1, ...members }];
const toBreaks = (...breaks: object[]) => toRow({ volume_breaks: { mode: 'graduated', breaks } });
const toVolume = (members: object) =>
  toRow({ volume_breaks: { mode: 'graduated', breaks: [{ from: 0, price: 1 }], ...members } });
const everyMode = ['graduated', 'retroactive', 'reprice-offer'].map((mode) => toVolume({ mode }));
const everyBasis = ['units', 'spend', 'instantaneous-rate'].map((basis) => toVolume({ basis }));
const neither = toRow({ volume_breaks: { mode: 'graduated' } });
const formula = toRow({ volume_breaks: { mode: 'graduated', formula_url: '/formula' } });

const cases: Case[] = [
  toRowCase('a mode', everyMode, [toVolume({ mode: 'tiered' })], 'volume_breaks.mode', /"retroactive"/),
  toRowCase(
    'not without a mode',
    [],
    [toVolume({ mode: undefined }), toRow({ volume_breaks: {} })],
    'volume_breaks.mode',
    /Write one of|must have/,
  ),
  toRowCase('a basis', everyBasis, [toVolume({ basis: 'hours' })], 'volume_breaks.basis', /"spend"/),
  toRowCase(
    'an address for the formula',
    [toVolume({ formula_url: '/x' })],
    [toVolume({ formula_url: 'x' })],
    'volume_breaks.formula_url',
    /address/,
  ),
  toRowCase(
    'approximate or not',
    [toVolume({ approximate: true })],
    [toVolume({ approximate: 1 })],
    'volume_breaks.approximate',
    /true or false/,
  ),
  toRowCase('breaks or a formula', [formula], [neither], 'volume_breaks.breaks', /or a formula_url/),
  toRowCase(
    'at least one break',
    [],
    [toBreaks(), toVolume({ breaks: 'none' })],
    'volume_breaks.breaks',
    /at least one/,
  ),
  toRowCase(
    'nothing else',
    [],
    [toVolume({ tiers: [] })],
    'volume_breaks.tiers',
    /Volume pricing has no such/,
  ),
  toRowCase(
    'break: from 0 or more',
    [toBreaks({ from: 0, price: 0 })],
    [toBreaks({ from: -1, price: 1 })],
    'volume_breaks.breaks.0.from',
    /0 or more/,
  ),
  toRowCase(
    'break: not without from',
    [],
    [toBreaks({ price: 1 })],
    'volume_breaks.breaks.0.from',
    /must have this member/,
  ),
  toRowCase(
    'break: a price of 0 or more',
    [],
    [toBreaks({ from: 0, price: -1 })],
    'volume_breaks.breaks.0.price',
    /0 or more/,
  ),
  toRowCase(
    'break: a discount from 0 to 100',
    [toBreaks({ from: 0, discount_percent: 100 })],
    [toBreaks({ from: 0, discount_percent: 101 }), toBreaks({ from: 0, discount_percent: -1 })],
    'volume_breaks.breaks.0.discount_percent',
    /from 0 to 100/,
  ),
  toRowCase(
    'break: exactly one of price and discount',
    [toBreaks({ from: 0, price: 1 }, { from: 9, discount_percent: 5 })],
    [toBreaks({ from: 0 }), toBreaks({ from: 0, price: 1, discount_percent: 5 })],
    'volume_breaks.breaks.0',
    /exactly one of price and discount_percent/,
  ),
  toRowCase(
    'break: nothing else',
    [],
    [toBreaks({ from: 0, price: 1, to: 9 })],
    'volume_breaks.breaks.0.to',
    /no such member/,
  ),
  toRowCase(
    'breaks rise',
    [toBreaks({ from: 0, price: 2 }, { from: 1, price: 1 })],
    [
      toBreaks({ from: 1, price: 2 }, { from: 1, price: 1 }),
      toBreaks({ from: 1, price: 2 }, { from: 0, price: 1 }),
    ],
    'volume_breaks.breaks.1.from',
    /above 1/,
  ),
];

addCases(volume, cases, (rates) => ({ ...model, rates }));

volume.run();
