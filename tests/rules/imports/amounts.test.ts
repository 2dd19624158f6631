import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAmountFormat, readAmount } from '../../../src/imports/amounts.ts';

const amounts = suite('amounts and ranges of pay');

for (const [others, low] of [
  [['1.250.000'], 85_000],
  [['1.250.000', '90'], 85_000],
  [['92.000', '1500'], 85_000],
  [['90'], 'a problem'],
] as const)
  amounts(`85.000 beside ${others.join(' and ')} is ${low}`, () => {
    const texts = ['85.000', ...others];
    const amount = readAmount('85.000', findAmountFormat(texts));
    assert.is('low' in amount ? amount.low : 'a problem', low);
  });

for (const [text, ends] of [
  ['$80-90', [80, 90]],
  ['$80-80', [80, 80]],
  ['$10-200', [10, 200]],
  ['$90-80', 'a problem'],
  ['$10-201', 'a problem'],
  ['$80k-90', 'a problem'],
  ['$80/hr-90/yr', 'a problem'],
] as const)
  amounts(`${text} is ${typeof ends === 'string' ? ends : ends.join(' to ')}`, () => {
    const amount = readAmount(text, findAmountFormat([text]));
    assert.equal('low' in amount ? [amount.low, amount.high] : 'a problem', ends);
  });

amounts.run();
