import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry, readOrder, sendImport } from '../../support/imports.ts';

const rules = suite('codes of rows');

const csv = 'Name,Job Title\nAnn Sample,Registered Nurse';

const noRow = /is no row of this file/;
const noCode = /O\*NET-SOC/;

for (const [what, codes, paths, says] of [
  ['a row that is missing, and its code', [{ at: 'row 9', onetCode: '99-9999.99' }], ['codes[0].at'], noRow],
  [
    'another title, and its code',
    [{ at: 'row 2', title: 'Driver', onetCode: '99-9999.99' }],
    ['codes[0].title'],
    /is not the title of this row/,
  ],
  ['a code that does not exist', [{ at: 'row 2', onetCode: '99-9999.99' }], ['codes[0].onetCode'], noCode],
  [
    'each of two rows that are missing',
    [
      { at: 'row 8', onetCode: '29-1141.00' },
      { at: 'row 9', onetCode: '29-1141.00' },
    ],
    ['codes[0].at', 'codes[1].at'],
    noRow,
  ],
] as const)
  rules(`refuses ${what} by ${paths.join(' and ')}`, async () => {
    const { status, body } = await sendImport({ format: 'csv', kind: 'candidates', text: csv, codes });
    assert.is(status, 400);
    assert.equal(
      body.issues.map(({ path }: { path: string }) => path),
      paths,
    );
    assert.match(body.issues[0].message, says);
  });

rules('the problem of an unsure title names at most three occupations', async () => {
  for (const title of ['Specialist', 'Manager', 'Assistant', 'Xyzzy']) {
    const { problems } = await readDry(['Name,Job Title', `Ann Sample,${title}`]);
    const named = problems[0].why.match(/\d\d-\d{4}\.\d\d \(/g) ?? [];
    assert.is(named.length, title === 'Xyzzy' ? 0 : 3, title);
  }
});

rules('a SOC code is the occupation of O*NET-SOC that has its number', async () => {
  for (const code of ['29-1141', '291141', '29-1141.00'])
    assert.is(
      (await readOrder('Client,Title,SOC Code', `Example,Registered Nurse,${code}`)).onetCode,
      '29-1141.00',
      code,
    );
  const { problems } = await readDry(
    ['Client,Title,SOC Code', `Example,Registered Nurse,29-9999`],
    'jobOrders',
  );
  assert.is(problems[0].member, 'SOC Code');
});

rules.run();
