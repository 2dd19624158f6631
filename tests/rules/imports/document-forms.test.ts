import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFormat } from '../../../src/imports/find-format.ts';
import { sendImport } from '../../support/imports.ts';

const forms = suite('forms of documents');

for (const [data, format] of [
  [{ '@type': 'JobPosting' }, 'posting'],
  [{ '@graph': [] }, 'posting'],
  [[{ '@type': 'JobPosting' }], 'posting'],
  [{ basics: {} }, 'resume'],
  [null, 'resume'],
  ['@type', 'resume'],
] as const)
  forms(`${JSON.stringify(data)} is a ${format}`, () => {
    assert.is(findFormat(data), format);
  });

const readTitle = async (work: object[]) => {
  const { body } = await sendImport({
    format: 'resume',
    data: { basics: { name: 'Ann Sample' }, work },
    codeTitles: true,
  });
  return body.records.candidates[0]?.title;
};

forms('a résumé without a label has the title of the first job that has not ended', async () => {
  const old = { position: 'Cook', endDate: '2020-01-01' };
  assert.is(await readTitle([old, { name: 'No position' }, { position: 'Nurse' }]), 'Nurse');
  assert.is(await readTitle([{ name: 'No position' }, { position: 'Nurse' }, { position: 'Cook' }]), 'Nurse');
  assert.is(await readTitle([old]), undefined);
});

forms('a posting whose pay is a text has its currency in the pay', async () => {
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

/** Members of a posting that contradict each other. */
const contradictions: object[] = [
  { baseSalary: { currency: 'USD', value: { value: 45, unitText: 'HOUR' } }, salaryCurrency: 'EUR' },
  { baseSalary: { currency: 'USD', unitText: 'YEAR', value: { value: 45, unitText: 'HOUR' } } },
];
for (const salary of contradictions)
  forms(`of a posting is not taken if it contradicts itself: ${JSON.stringify(salary)}`, async () => {
    const data = {
      '@type': 'JobPosting',
      title: 'Registered Nurse',
      hiringOrganization: 'Example',
      ...salary,
    };
    const { body } = await sendImport({ format: 'posting', data });
    const [record] = body.records.jobOrders;
    assert.equal([record.payRateUsdHour, record.salaryUsdYear], [undefined, undefined]);
    assert.ok(body.notTaken.length > 0);
  });

forms.run();
