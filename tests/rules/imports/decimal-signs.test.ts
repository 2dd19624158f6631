import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendImport } from '../../support/imports.ts';

const signs = suite('the decimal sign of a column of pay');

/** FUZZ_SEED repeats a run. */
const runs = { seed: Number(process.env.FUZZ_SEED ?? 52), numRuns: 60 };

type Sign = ',' | '.';

/** An amount in cents. Those without cents look the same with either sign. */
const cents = fc.oneof(
  fc.integer({ min: 1001, max: 99_999 }),
  fc.integer({ min: 10, max: 999 }).map((dollars) => dollars * 100),
);
const ways = fc.constantFrom(
  (text: string) => text,
  (text: string) => `$${text}`,
  (text: string) => `${text}/hr`,
  (text: string) => `USD ${text} per hour`,
);

function write(amount: number, sign: Sign): string {
  const [whole, part] = [Math.floor(amount / 100), amount % 100];
  return part === 0 ? String(whole) : `${whole}${sign}${String(part).padStart(2, '0')}`;
}

const quoteCell = (cell: string) => `"${cell}"`;

/** Reads a column of pay, between columns that stay as they are. */
async function readColumn(cells: readonly string[], separator: string, header: string): Promise<Body> {
  const rows = cells.map((cell, at) => [`P${at}`, 'Registered Nurse', quoteCell(cell), '"1,5"']);
  const text = [['Name', 'Job Title', header, 'Notes'], ...rows].map((row) => row.join(separator)).join('\n');
  const { status, body, text: sent } = await sendImport({ format: 'csv', kind: 'candidates', text });
  assert.is(status, 200, sent);
  return body;
}

const readRates = ({ records }: Body) =>
  records.candidates.map(({ payRateUsdHour }: Body) => payRateUsdHour && Math.round(payRateUsdHour * 100));

const column = fc.array(fc.tuple(cents, ways), { minLength: 1, maxLength: 6 });
const separators = fc.constantFrom(',', ';', '\t');

signs('is read as it is written, whatever separates the cells', async () => {
  const property = fc.asyncProperty(
    column,
    fc.constantFrom<Sign>(',', '.'),
    separators,
    async (amounts, sign, separator) => {
      const cells = amounts.map(([amount, way]) => way(write(amount, sign)));
      const body = await readColumn(cells, separator, 'Desired Rate');
      assert.equal(body.problems, [], cells.join(' | '));
      assert.equal(
        readRates(body),
        amounts.map(([amount]) => amount),
        cells.join(' | '),
      );
      const isShown = body.mapping.some(({ to }: Body) => to === 'with a decimal comma');
      const hasCents = amounts.some(([amount]) => amount % 100 > 0);
      assert.is(isShown, sign === ',' && separator !== ';' && hasCents, cells.join(' | '));
    },
  );
  await fc.assert(property, runs);
});

signs('makes each amount with a comma a problem if others have a point', async () => {
  const other = fc.constantFrom('45.50', '1,250.00', '$85,000 a year', '62.5/hr');
  const property = fc.asyncProperty(column, other, async (amounts, point) => {
    const cells = [point, ...amounts.map(([amount, way]) => way(write(amount, ',')))];
    const body = await readColumn(cells, ',', 'Desired Rate');
    const commas = cells.flatMap((cell, at) => (/,\d\d(?!\d)/.test(cell) ? [at + 2] : []));
    assert.equal(
      body.problems.flatMap(({ rows }: Body) => rows).sort((a: number, b: number) => a - b),
      commas,
      cells.join(' | '),
    );
    for (const { why, member } of body.problems)
      assert.match(`${member} ${why}`, /Desired Rate has a decimal comma, where other amounts have a point/);
  });
  await fc.assert(property, runs);
});

signs('of pay by the week is that of its own column', async () => {
  const header = 'Name,Title,Weekly Gross,Hours per week,Desired Salary';
  const rows = ['A,Nurse,"1800,50",36,"85,000"', 'B,Nurse,"900,00",36,"90,000"'];
  const { body } = await sendImport({
    format: 'csv',
    kind: 'candidates',
    text: [header, ...rows].join('\n'),
  });
  assert.equal(readRates(body), [5001, 2500]);
});

signs('of a posting is that of its amounts', async () => {
  const rows: [baseSalary: unknown, members: object][] = [
    ['$52,50 per hour', { payRateUsdHour: 52.5 }],
    [
      { currency: 'USD', value: { minValue: '52,50', maxValue: '61', unitText: 'HOUR' } },
      { payRateUsdHour: 52.5, payRateMaxUsdHour: 61 },
    ],
    [{ currency: 'USD', value: { minValue: '52,50', maxValue: '61.50', unitText: 'HOUR' } }, {}],
  ];
  for (const [baseSalary, members] of rows) {
    const data = { '@type': 'JobPosting', title: 'Nurse', hiringOrganization: 'Clinic', baseSalary };
    const { body } = await sendImport({ format: 'posting', data });
    const [order] = body.records.jobOrders;
    for (const [member, value] of Object.entries(members)) assert.is(order[member], value, member);
    const isRefused = body.problems.some(({ why }: Body) => why.includes('has a decimal comma'));
    assert.is(isRefused, Object.keys(members).length === 0);
  }
});

signs.run();
