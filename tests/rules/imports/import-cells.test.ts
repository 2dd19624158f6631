import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry, readOne, readOrder, sendImport } from '../../support/imports.ts';

const cells = suite('the cells of a CSV file');

const nurse = 'Registered Nurse';
const person = (header: string, cell: string) => readOne(`Name,Job Title,${header}`, `Ann,${nurse},${cell}`);
const order = (header: string, cell: string) =>
  readOrder(`Company,Job Title,${header}`, `Example Clinic,${nurse},${cell}`);

/** A column of candidates, a cell, and the members that it becomes. */
const people: [header: string, cell: string, members: object][] = [
  ['Desired Rate', '$45.50', { payRateUsdHour: 45.5 }],
  ['Desired Rate', '"1,250.00"', { payRateUsdHour: 1250 }],
  ['Desired Rate', '45/hr', { payRateUsdHour: 45 }],
  ['Desired Rate', '"$85,000 per year"', { salaryUsdYear: 85_000 }],
  ['Desired Salary', '85k', { salaryUsdYear: 85_000 }],
  ['Desired Salary', 'USD 41.25 an hour', { payRateUsdHour: 41.25 }],
  ['Available From', '2026-12-01', { availableFrom: '2026-12-01' }],
  ['Available From', '12/01/2026', { availableFrom: '2026-12-01' }],
  ['Available From', '1/5/27', { availableFrom: '2027-01-05' }],
  ['Available From', '01.12.2026', { availableFrom: '2026-12-01' }],
  ['Available From', '"Dec 1, 2026"', { availableFrom: '2026-12-01' }],
  ['Available From', '1-Dec-26', { availableFrom: '2026-12-01' }],
  ['Available From', '46357', { availableFrom: '2026-12-01' }],
  ['Available From', '2026-12-01T00:00:00Z', { availableFrom: '2026-12-01' }],
  ['Availability', 'Immediately', { availableFrom: '2026-11-27' }],
  ['Skills', '"ICU; Triage, Epic"', { skills: ['ICU', 'Triage', 'Epic'] }],
  ['Skills', 'R&amp;D', { skills: ['R&D'] }],
  ['License', 'RN license OH', { credentials: ['RN license OH'] }],
  ['Location', '"Columbus, OH 43215, USA"', { metro: 'Columbus, OH' }],
  ['Location', '"Toronto, Ontario, Canada"', { metro: 'Toronto, Ontario, Canada' }],
  ['Location', 'Remote', { metro: undefined }],
  ['Desired Rate', '85k', { salaryUsdYear: 85_000, payRateUsdHour: undefined }],
  ['Location', '"12 Main St, Columbus, OH 43215"', { metro: 'Columbus, OH' }],
  ['Shift', 'Nights/Weekends', { shifts: ['night', 'weekend'] }],
  ['Remote', 'Yes', { workplaces: ['remote'] }],
  ['Hours per week', '36 hrs', { hoursPerWeek: 36 }],
  ['Candidate ID', '00123', { ref: '00123' }],
  ['Notes', "'=HYPERLINK(1)", { note: '=HYPERLINK(1)' }],
  ['Notes', '=cmd|calc!A0', { note: '=cmd|calc!A0' }],
  ['Notes', "'tis the season", { note: "'tis the season" }],
  ['SOC Code', '15-1252.00', { onetCode: '15-1252.00' }],
];
/** Cells of candidates as strangers write them. */
people.push(
  ['Rate', '45-55/hr', { payRateUsdHour: 45 }],
  ['Rate', '$85-95k', { salaryUsdYear: 85_000 }],
  ['Rate', 'USD 52.50 per hour', { payRateUsdHour: 52.5 }],
  ['Rate', 'DOE', { payRateUsdHour: undefined }],
  ['Avail', '13/02/2027', { availableFrom: '2027-02-13' }],
  ['Avail', '1 Dec 2026', { availableFrom: '2026-12-01' }],
  ['Avail', '2 weeks notice', { availableFrom: '2026-12-11' }],
  ['Notice Period', '30 days', { availableFrom: '2026-12-27' }],
  ['Notice Period (weeks)', '2', { availableFrom: '2026-12-11' }],
  [
    'Certs',
    'RN license OH; ACLS until 12/01/2026',
    { credentials: ['RN license OH', 'ACLS until 2026-12-01'] },
  ],
  ['Certs', '"BLS (expires Jan 31, 2027)"', { credentials: ['BLS (expires 2027-01-31)'] }],
  ['Certs', 'N/A', { credentials: undefined }],
  ['Skills', '"ICU, TBD, n/a"', { skills: ['ICU'] }],
  ['Location', '"12 Main St, New York, NY 10001"', { metro: 'New York, NY' }],
  ['Location', '"Washington, DC"', { metro: 'Washington, DC' }],
  ['Location', '"Berlin, DE"', { metro: 'Berlin, Germany' }],
  ['Location', '"Dover, DE"', { metro: 'Dover, DE' }],
  ['Location', '"Tbilisi, Georgia"', { metro: 'Tbilisi, Georgia' }],
  ['Location', '"UNAVAILABLE, MD"', { metro: 'MD' }],
  ['Shift', 'any', { shifts: ['day', 'evening', 'night', 'weekend'] }],
  ['Shift', 'D/N', { shifts: ['day', 'night'] }],
  ['Work Authorization', 'US citizen', { note: 'Work authorization: US citizen' }],
  ['Years of Experience', '3-5', { note: 'Years of experience: 3-5' }],
);
for (const [header, cell, members] of people)
  cells(`reads ${cell} as ${header}`, async () => {
    const record = await person(header, cell);
    for (const [member, value] of Object.entries(members))
      assert.equal(record[member], value, JSON.stringify(record));
  });

const orders: [header: string, cell: string, members: object][] = [
  ['Pay Rate', '45-55', { payRateUsdHour: 45, payRateMaxUsdHour: 55 }],
  ['Salary', '"$90,000 - $110,000"', { salaryUsdYear: 90_000, salaryMaxUsdYear: 110_000 }],
  ['Bill Rate', '$95', { billRateUsdHour: 95 }],
  ['# of Openings', '3', { openings: 3 }],
  ['Remote', 'No', { workplace: 'onsite' }],
  ['Shift', '3rd Shift', { shift: 'night' }],
  ['Start Date', '12/01/2026', { startDate: '2026-12-01' }],
  ['Required Certifications', 'BLS; ACLS', { requires: ['BLS', 'ACLS'] }],
  ['Hiring Manager', 'Pat Example', { contact: 'Pat Example' }],
  ['Pay', '$45/hr - $55/hr', { payRateUsdHour: 45, payRateMaxUsdHour: 55 }],
  ['Salary', '$120-150k', { salaryUsdYear: 120_000, salaryMaxUsdYear: 150_000 }],
  ['Start,Contract Weeks', '01/04/2027,13', { endDate: '2027-04-04' }],
  ['Weekly Gross,Hours per week', '$1800,36', { payRateUsdHour: 50 }],
];
for (const [header, cell, members] of orders)
  cells(`reads ${cell} as ${header} of an order`, async () => {
    const record = await order(header, cell);
    for (const [member, value] of Object.entries(members))
      assert.equal(record[member], value, JSON.stringify(record));
  });

cells('joins first and last name, whatever their order', async () => {
  const { name } = await readOne('Last Name,First Name,Title', `Sample,Ann,${nurse}`);
  assert.is(name, 'Ann Sample');
});

cells('joins city and state', async () => {
  const { metro } = await readOne('Name,Title,State,City', `Ann,${nurse},OH,Columbus`);
  assert.is(metro, 'Columbus, OH');
});

cells('reads points between thousands in a file with semicolons', async () => {
  const body = await readDry(['Name;Title;Desired Salary', `Ann;${nurse};85.000,00`]);
  assert.is(body.records.candidates[0].salaryUsdYear, 85_000);
});

/** A column of candidates, a cell that cannot be read, and what is said of it. */
const problems: [header: string, cell: string, says: RegExp][] = [
  ['Desired Rate', '€45', /not in US dollars/],
  ['Desired Rate', '$80k-$90', /in two scales/],
  ['Desired Rate', '85.000', /a fraction or a thousand/],
  ['Desired Rate', '$900 per week', /pay by the week/],
  ['Desired Rate', '=A1*2', /is no amount/],
  ['Available From', '2026-12-01 to 2027-01-01', /is no day/],
  ['Available From', '02/30/2026', /is no day/],
  ['Shift', 'whenever', /must be some of day/],
  ['Hours per week', '99', /at most 80/],
];
for (const [header, cell, says] of problems)
  cells(`names row and column of ${cell} as ${header}`, async () => {
    const body = await readDry([`Name,Job Title,${header}`, `Bo,${nurse},`, `Ann,${nurse},${cell}`]);
    assert.is(body.problems.length, 1, JSON.stringify(body.problems));
    assert.is(body.problems[0].member, header);
    assert.equal(body.problems[0].rows, [3]);
    assert.match(body.problems[0].why, says);
  });

cells('gives a credential the state and the last day that stand beside it', async () => {
  const header = 'Name,Job Title,License,License State,License Expiration,Certs';
  const { credentials } = await readOne(header, `Ann,${nurse},RN,OH,12/01/2026,BLS`);
  assert.equal(credentials, ['RN OH until 2026-12-01', 'BLS']);
});

cells('takes the state of a license that is not named for nothing else', async () => {
  const body = await readDry(['Name,Job Title,License State', `Ann,${nurse},OH`]);
  assert.match(body.notTaken[0].why, 'belongs to a credential');
});

cells('takes 85.000 for a thousand beside amounts of thousands', async () => {
  const body = await readDry(['Name,Title,Salary', `Ann,${nurse},85.000`, `Bo,${nurse},"95,000"`]);
  assert.equal(
    body.records.candidates.map(({ salaryUsdYear }: { salaryUsdYear: number }) => salaryUsdYear),
    [85_000, 95_000],
  );
});

cells('reads all days of a file in one order, and says which', async () => {
  const body = await readDry([
    'Name,Title,Avail,Certs',
    `A,${nurse},12/01/2027,`,
    `B,${nurse},,BLS until 13/02/2027`,
  ]);
  assert.is(body.records.candidates[0].availableFrom, '2027-01-12');
  assert.match(body.mapping.at(-1).to, 'DD/MM/YYYY');
});

cells('says which day immediately became', async () => {
  const { mapping } = await readDry(['Name,Title,Avail', `Ann,${nurse},ASAP`]);
  assert.equal(mapping.at(-1), { from: 'ASAP', to: '2026-11-27' });
});

cells('keeps the good credentials beside one that cannot be read', async () => {
  const { records, problems } = await readDry(['Name,Title,Certs', `Ann,${nurse},BLS; ${'x'.repeat(81)}`]);
  assert.equal(records.candidates[0].credentials, ['BLS']);
  assert.is(problems.length, 1);
});

cells('finds the names of columns below a title', async () => {
  const { records } = await readDry(['Candidates as of November', '', 'Name,Title', `Ann,${nurse}`]);
  assert.is(records.candidates.length, 1);
});

const columns = { 'Position Desired': 'title' };
const unknown = `Name,Position Desired\nAnn,${nurse}`;

cells('takes an unknown column for what the caller says', async () => {
  const { body } = await sendImport({ format: 'csv', kind: 'candidates', text: unknown, columns });
  assert.is(body.records.candidates[0].title, nurse);
});

for (const [path, named] of [
  ['columns.Desired', { Desired: 'title' }],
  ['columns.Name', { Name: 'nickname' }],
] as const)
  cells(`refuses ${JSON.stringify(named)}`, async () => {
    const { body } = await sendImport({ format: 'csv', kind: 'candidates', text: unknown, columns: named });
    assert.is(body.issues[0].path, path);
  });

cells.run();
