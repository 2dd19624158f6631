import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { readDry, readOrder } from '../../support/imports.ts';

const order = suite('the order of day and month in a file');

const nurse = 'Registered Nurse';

/** Days as they are written, and as they are with the month first and with the day first. */
const written: Record<string, { monthFirst?: string; dayFirst?: string }> = {
  '12/01/2027': { monthFirst: '2027-12-01', dayFirst: '2027-01-12' },
  '03-04-27': { monthFirst: '2027-03-04', dayFirst: '2027-04-03' },
  '13/02/2027': { dayFirst: '2027-02-13' },
  '02/14/2027': { monthFirst: '2027-02-14' },
  '05/05/2027': { monthFirst: '2027-05-05', dayFirst: '2027-05-05' },
  '2027-06-07': { monthFirst: '2027-06-07', dayFirst: '2027-06-07' },
};
const isAmbiguous = (day: string) => {
  const { monthFirst, dayFirst } = written[day]!;
  return monthFirst !== undefined && dayFirst !== undefined && monthFirst !== dayFirst;
};

const day = fc.constantFrom(...Object.keys(written));
const rows = fc.array(fc.tuple(fc.option(day), fc.array(day, { maxLength: 3 })), {
  minLength: 1,
  maxLength: 5,
});

order(
  'is one for all its days, also within credentials, or each day that could be two is a problem',
  async () => {
    const property = fc.asyncProperty(rows, async (people) => {
      const lines = people.map(([from, ends], at) => {
        const credentials = ends.map((end, number) => `C${number} until ${end}`).join('; ');
        return `P${at},Registered Nurse,${from ?? ''},${credentials}`;
      });
      const { records, problems, mapping } = await readDry(['Name,Title,Avail,Certs', ...lines]);
      const all = people.flatMap(([from, ends]) => [...(from ? [from] : []), ...ends]);
      const hasDayFirst = all.some((one) => written[one]!.monthFirst === undefined);
      const isUnclear = hasDayFirst && all.some((one) => written[one]!.dayFirst === undefined);
      const read = (one: string) => {
        const { monthFirst, dayFirst } = written[one]!;
        return (hasDayFirst && !isUnclear ? dayFirst : monthFirst) ?? dayFirst;
      };
      const said = JSON.stringify({ lines, records, problems, mapping });
      for (const [at, [from, ends]] of people.entries()) {
        const { availableFrom, credentials } = records.candidates[at];
        const isRefused = (member: string) =>
          problems.some((one: Body) => one.member === member && one.rows.includes(at + 2));
        const cells = [
          {
            member: 'Avail',
            days: from ? [from] : [],
            value: availableFrom,
            expected: from ? read(from) : undefined,
          },
          {
            member: 'Certs',
            days: ends,
            value: credentials?.join(),
            expected:
              ends.length > 0 ? ends.map((end, number) => `C${number} until ${read(end)}`).join() : undefined,
          },
        ];
        for (const { member, days, value, expected } of cells) {
          const isWrong = isUnclear && days.some(isAmbiguous);
          assert.is(isRefused(member), isWrong, said);
          assert.is(value, isWrong ? undefined : expected, said);
        }
      }
    });
    await fc.assert(property, { seed: Number(process.env.FUZZ_SEED ?? 13), numRuns: 40 });
  },
);

const ofOrder = (header: string, row: string) =>
  readOrder(`Client,Title,${header}`, `Example,${nurse},${row}`);

order('a day of a column that is not read shows the order of the others', async () => {
  for (const unread of ['Date Posted', 'Date of Birth'])
    assert.is((await ofOrder(`${unread},Start Date`, '27/11/2026,05/12/2026')).startDate, '2026-12-05');
  assert.is((await ofOrder('Part,Start Date', 'No. 27/11/26,05/12/2026')).startDate, '2026-05-12');
});

const listStarts = async (days: string[]): Promise<Body> => {
  const rows = days.map((day) => `Example,${nurse},${day}`);
  return readDry(['Client,Title,Start Date', ...rows], 'jobOrders');
};

order('days with points have one order', async () => {
  const { records } = await listStarts(['01.31.2027', '12.01.2026']);
  assert.equal(
    records.jobOrders.map(({ startDate }: Body) => startDate),
    ['2027-01-31', '2026-12-01'],
  );
  const { problems } = await listStarts(['01.31.2027', '12.01.2026', '31.01.2027']);
  assert.equal(problems[0].rows, [3]);
});

order.run();
