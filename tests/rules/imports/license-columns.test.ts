import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry, readOne, readOrder } from '../../support/imports.ts';

const licenses = suite('columns beside a license');

const nurse = 'Registered Nurse';
const read = async (header: string, row: string) =>
  (await readOne(`Name,Job Title,${header}`, `Ann,${nurse},${row}`)).credentials;

const group = 'License,License State,License Expiration';

for (const other of ['RN', 'LPN', 'RNC-OB'])
  licenses(`make two licenses of two groups of columns, of which the second is ${other}`, async () => {
    assert.equal(await read(`${group},${group}`, `RN,OH,12/31/2027,${other},PA,01/31/2025`), [
      'RN OH until 2027-12-31',
      `${other} PA until 2025-01-31`,
    ]);
  });

/** Headings, cells, and the credentials that they become. */
const rows: [header: string, cells: string, credentials: string[] | undefined][] = [
  [`Certifications,${group}`, 'RNC-OB,RN,OH,12/31/2027', ['RNC-OB', 'RN OH until 2027-12-31']],
  ['Certifications,License Number,License State,License Expiration', 'BLS,RN123,OH,12/31/2027', ['BLS']],
  ['License Number,License State,License Expiration,Certifications', 'RN123,OH,12/31/2027,BLS', ['BLS']],
  ['License State,License Expiration,License', 'OH,12/31/2027,RN', ['RN OH until 2027-12-31']],
  [`${group},${group}`, 'RN,OH,12/31/2027,,PA,01/31/2025', ['RN OH until 2027-12-31']],
  [`${group},${group}`, 'RN,OH,12/31/2027,RN,OH,12/31/2027', ['RN OH until 2027-12-31']],
];
for (const [header, cells, credentials] of rows)
  licenses(`read ${cells} below ${header}`, async () => assert.equal(await read(header, cells), credentials));

licenses('are listed if no license is named beside them', async () => {
  const { notTaken } = await readDry(['Name,Title,Certifications,License State', `Ann,${nurse},BLS,OH`]);
  assert.match(notTaken[0].why, 'belongs to a credential');
});

/** Errors of formulas, and fillers of programs. */
for (const filler of ['#N/A', '#REF!', '#VALUE!', 'NaN', '<NA>'])
  licenses(`say nothing if they hold ${filler}`, async () => {
    const header = 'Name,Job Title,Location,Skills,Certs,License,License State';
    const record = await readOne(header, `Ann,${nurse},${Array(5).fill(filler).join()}`);
    assert.equal([record.metro, record.skills, record.credentials], [undefined, undefined, undefined]);
  });

licenses('name each error of a formula, in a name too', async () => {
  const { notTaken, problems } = await readDry(['Name,Title,City', `#N/A,${nurse},#REF!`]);
  assert.equal(
    notTaken.map(({ member }: { member: string }) => member),
    ['Name', 'City'],
  );
  assert.match(problems[0].why, 'name');
});

for (const name of ['Posting', 'Vacancy', 'Opening', 'Req', 'Requisition'])
  licenses(`${name} Start Date is no start of the work`, async () => {
    const record = await readOrder(
      `Client,Title,${name} Start Date,${name} End Date`,
      `Example,${nurse},2026-12-01,2026-12-31`,
    );
    assert.equal([record.startDate, record.endDate], [undefined, undefined]);
  });

/** Headings for places and names, their cells, and the members that they become. */
const others: [header: string, cells: string, says: string[]][] = [
  ['Full Name,First Name,Last Name', 'Joanna Reyes,Anna,Rey', ['First Name', 'Last Name']],
  ['Full Name,First Name,Last Name', 'Anna Reyes,Anna,Reyes', []],
  ['Name,Location,State', 'Ann,"Concord, NH",CO', ['State']],
  ['Name,Location,State', 'Ann,"Concord, NH",New Hampshire', []],
];
for (const [header, cells, says] of others)
  licenses(`note what differs in ${cells}`, async () => {
    const { notTaken } = await readDry([`Title,${header}`, `${nurse},${cells}`]);
    assert.equal(
      notTaken.map(({ member }: { member: string }) => member),
      says,
    );
  });

licenses('a city is that of the first column that is filled', async () => {
  const { metro } = await readOne('Name,Title,City,Home City', `Ann,${nurse},N/A,Boston`);
  assert.is(metro, 'Boston');
});

licenses.run();
