import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry, sendImport, world } from '../../support/imports.ts';

const pay = suite('what columns say of pay');

const nurse = 'Registered Nurse';

/** Signs and codes of currencies in a heading of pay. */
const signs = ['€', '£', '₹', '₩', '¥', '₺'];
for (const sign of signs)
  for (const [name, kind] of [
    ['Salary', 'candidates'],
    ['Pay Rate', 'jobOrders'],
  ] as const)
    pay(`amounts below ${name} (${sign}) are a problem`, async () => {
      const { records, problems } = await readDry(
        [`Name,Client,Job Title,${name} (${sign})`, `A,B,${nurse},50`],
        kind,
      );
      const [record] = records[kind];
      assert.equal([record.salaryUsdYear, record.payRateUsdHour], [undefined, undefined]);
      assert.match(problems[0].why, 'not in US dollars');
    });

pay('amounts below a heading with a code are a problem, if the caller names the column', async () => {
  const columns = { 'Salary EUR': 'salaryUsdYear' };
  const text = `Name,Title,Salary EUR\nAnn,${nurse},50000`;
  const { body } = await sendImport({ format: 'csv', kind: 'candidates', text, columns });
  assert.match(body.problems[0].why, 'not in US dollars');
});

/** Columns beside pay: a header, a row, and what becomes of it. */
const companions: [header: string, row: string, members: object, says?: RegExp][] = [
  ['Salary,Currency', '50000,EUR', { salaryUsdYear: undefined }, /not in US dollars/],
  ['Salary,Currency', '50000,USD', { salaryUsdYear: 50_000 }],
  ['Salary,Currency', '50000,N/A', { salaryUsdYear: 50_000 }],
  ['Pay Rate,Pay Type', '400,Daily', { payRateUsdHour: undefined }, /neither by the hour/],
  [
    'min_salary,max_salary,pay_period',
    '5000,6000,MONTHLY',
    { salaryUsdYear: undefined },
    /neither by the hour/,
  ],
  ['min_salary,max_salary,pay_period', '45,55,HOURLY', { payRateUsdHour: 45, payRateMaxUsdHour: 55 }],
  ['min_salary,pay_period', '90000,YEARLY', { salaryUsdYear: 90_000 }],
  ['Pay Rate,Salary,Pay Type', '45,90000,Hourly', { payRateUsdHour: 45, salaryUsdYear: 90_000 }],
  ['Bill Rate,Pay Rate,Pay Type', '95,90000,Salary', { billRateUsdHour: 95, salaryUsdYear: 90_000 }],
];
for (const [header, row, members, says] of companions)
  pay(`reads ${row} below ${header}`, async () => {
    const body = await readDry([`Client,Title,${header}`, `Example,${nurse},${row}`], 'jobOrders');
    for (const [member, value] of Object.entries(members))
      assert.is(body.records.jobOrders[0][member], value, JSON.stringify(body.problems));
    if (says) assert.match(body.problems[0].why, says);
    else assert.equal(body.problems, []);
  });

/** The pay of an order, what a file says of it then, and what it is. */
const changes: [before: string, after: string, members: object][] = [
  ['45-55', '$50/hr', { payRateUsdHour: 50, payRateMaxUsdHour: undefined }],
  ['45-55', '$60/hr', { payRateUsdHour: 60, payRateMaxUsdHour: undefined }],
  ['45-55', '$95k', { payRateUsdHour: undefined, payRateMaxUsdHour: undefined, salaryUsdYear: 95_000 }],
  ['$95k', '45-55', { payRateUsdHour: 45, payRateMaxUsdHour: 55 }],
  ['45-55', '', { payRateUsdHour: 45, payRateMaxUsdHour: 55 }],
];
for (const [before, after, members] of changes)
  pay(`of ${before} is replaced by "${after}"`, async () => {
    const send = (cell: string, headers: object = {}) => {
      const text = `ID,Client,Title,Pay Rate\nj0,Example,${nurse},${cell}`;
      return sendImport({ format: 'csv', kind: 'jobOrders', text, upsert: true, dryRun: false }, headers);
    };
    const mine = { 'X-Workspace': (await send(before)).body.workspace };
    const again = await send(after, mine);
    assert.ok(again.status < 300, again.text);
    const { body } = await world.get('/job-orders/%23j0', mine);
    for (const [member, value] of Object.entries(members)) assert.is(body.jobOrder[member], value, member);
  });

pay('a most of its own column stays if its cell is empty', async () => {
  const send = (cells: string, headers: object = {}) => {
    const text = `ID,Client,Title,Pay Rate,Max Pay\nj0,Example,${nurse},${cells}`;
    return sendImport({ format: 'csv', kind: 'jobOrders', text, upsert: true, dryRun: false }, headers);
  };
  const mine = { 'X-Workspace': (await send('45,55')).body.workspace };
  await send('50,', mine);
  const { body } = await world.get('/job-orders/%23j0', mine);
  assert.equal([body.jobOrder.payRateUsdHour, body.jobOrder.payRateMaxUsdHour], [50, 55]);
});

pay.run();
