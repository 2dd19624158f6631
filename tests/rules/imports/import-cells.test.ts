import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry, readOne, readOrder } from '../../support/imports.ts';

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

cells('reads a decimal comma in a file with semicolons', async () => {
  const body = await readDry(['Name;Title;Desired Rate', `Ann;${nurse};45,50`]);
  assert.is(body.records.candidates[0].payRateUsdHour, 45.5);
});

cells('reads points between thousands in a file with semicolons', async () => {
  const body = await readDry(['Name;Title;Desired Salary', `Ann;${nurse};85.000,00`]);
  assert.is(body.records.candidates[0].salaryUsdYear, 85_000);
});

/** A column of candidates, a cell that cannot be read, and what is said of it. */
const problems: [header: string, cell: string, says: RegExp][] = [
  ['Desired Rate', '€45', /not in US dollars/],
  ['Desired Rate', '45 - 55', /is a range/],
  ['Desired Rate', '$900 per week', /neither an hour nor a year/],
  ['Desired Rate', '=A1*2', /is no amount/],
  ['Desired Rate', '"45,5"', /is no amount/],
  ['Available From', '13/01/2026', /month comes first/],
  ['Available From', '02/30/2026', /is no day/],
  ['Shift', 'whenever', /must be some of day/],
  ['Hours per week', '99', /at most 80/],
];
for (const [header, cell, says] of problems)
  cells(`names row and column of ${cell} as ${header}`, async () => {
    const body = await readDry([`Name,Job Title,${header}`, `Bo,${nurse},`, `Ann,${nurse},${cell}`]);
    assert.is(body.problems.length, 1, JSON.stringify(body.problems));
    assert.is(body.problems[0].at, `row 3, ${header}`);
    assert.match(body.problems[0].message, says);
  });

cells('lists an availability that is no day as not taken', async () => {
  const body = await readDry(['Name,Job Title,Availability', `Ann,${nurse},Full-time`]);
  assert.equal(body.notTaken, [{ at: 'row 2', member: 'Availability' }]);
});

cells('lists a candidate ID that can be no ref as not taken', async () => {
  const body = await readDry(['Name,Job Title,Candidate ID', `Ann,${nurse},A / 12`]);
  assert.equal(body.notTaken, [{ at: 'row 2, Candidate ID', member: 'ref' }]);
});

cells.run();
