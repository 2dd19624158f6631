import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAmountFormat, readAmount } from '../../../src/imports/amounts.ts';
import { findCountryBehind } from '../../../src/imports/countries.ts';
import { decodeText } from '../../../src/imports/decode-text.ts';
import { findFormat } from '../../../src/imports/find-format.ts';
import { readDry, sendImport } from '../../support/imports.ts';

const parts = suite('countries, codings, titles and pay of a file');

for (const [city, part, code] of [
  ['Toronto', 'Canada', 'CA'],
  ['Toronto', 'CA', 'CA'],
  ['Los Angeles', 'CA', undefined],
  ['Berlin', 'DE', 'DE'],
  ['Dover', 'DE', undefined],
  ['London', 'UK', 'GB'],
  ['A village', 'uk', 'GB'],
  ['A village', 'Japan', 'JP'],
  ['A village', 'FR', undefined],
  ['A village', 'Georgia', undefined],
  ['A village', 'US', 'US'],
] as const)
  parts(`${city}, ${part} is ${code === undefined ? 'no place of a country' : `a place in ${code}`}`, () => {
    assert.is(findCountryBehind(city, part)?.code, code);
  });

for (const [bytes, text] of [
  [[0xff, 0xfe, 0x41, 0x00], 'A'],
  [[0xfe, 0xff, 0x00, 0x41], 'A'],
  [[0xff, 0x41], 'ÿA'],
  [[0xfe, 0x41], 'þA'],
  [[0x41, 0xfe], 'Aþ'],
] as const)
  parts(`the bytes ${bytes.map((byte) => byte.toString(16)).join(' ')} are ${text}`, () => {
    const decoded = decodeText(Uint8Array.from(bytes));
    assert.is('text' in decoded && decoded.text.replace('\ufeff', ''), text);
  });

for (const [others, low] of [
  [['1.250.000'], 85_000],
  [['1.250.000', '90'], 85_000],
  [['92.000', '1500'], 85_000],
  [['90'], 'a problem'],
] as const)
  parts(`85.000 beside ${others.join(' and ')} is ${low}`, () => {
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
  parts(`${text} is ${typeof ends === 'string' ? ends : ends.join(' to ')}`, () => {
    const amount = readAmount(text, findAmountFormat([text]));
    assert.equal('low' in amount ? [amount.low, amount.high] : 'a problem', ends);
  });

for (const [data, format] of [
  [{ '@type': 'JobPosting' }, 'posting'],
  [{ '@graph': [] }, 'posting'],
  [[{ '@type': 'JobPosting' }], 'posting'],
  [{ basics: {} }, 'resume'],
  [null, 'resume'],
  ['@type', 'resume'],
] as const)
  parts(`${JSON.stringify(data)} is a ${format}`, () => {
    assert.is(findFormat(data), format);
  });

parts('a column without cells is named once', async () => {
  const { notTaken } = await readDry(['Name,Occupation code,Mystery', 'Ann Sample,29-1141.00,']);
  const named = notTaken.filter(({ member }: { member: string }) => member === 'Mystery');
  assert.is(named.length, 1);
});

const readTitle = async (work: object[]) => {
  const { body } = await sendImport({
    format: 'resume',
    data: { basics: { name: 'Ann Sample' }, work },
    codeTitles: true,
  });
  return body.records.candidates[0]?.title;
};

parts('a résumé without a label has the title of the first job that has not ended', async () => {
  const old = { position: 'Cook', endDate: '2020-01-01' };
  assert.is(await readTitle([old, { name: 'No position' }, { position: 'Nurse' }]), 'Nurse');
  assert.is(await readTitle([{ name: 'No position' }, { position: 'Nurse' }, { position: 'Cook' }]), 'Nurse');
  assert.is(await readTitle([old]), undefined);
});

parts('a posting whose pay is a text has its currency in the pay', async () => {
  const data = {
    '@type': 'JobPosting',
    title: 'Registered Nurse',
    baseSalary: '$52.50 per hour',
    salaryCurrency: 'USD',
  };
  const { body } = await sendImport({ format: 'posting', data });
  const left = (body.notTaken ?? []).map(({ member }: { member: string }) => member);
  assert.not(left.includes('salaryCurrency'), left.join());
});

parts.run();
