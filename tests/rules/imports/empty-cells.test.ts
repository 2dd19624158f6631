import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendImport, world } from '../../support/imports.ts';
import { toCsv } from '../../support/stranger-files.ts';

const empty = suite('empty cells of a file that comes again');

const nurse = 'Registered Nurse';
const args = { format: 'csv', upsert: true, dryRun: false };

/** Files by kind: the names of their columns, of which the first is the ref, and a row that fills all of them. */
const files: [kind: 'candidates' | 'jobOrders', header: string[], row: string[]][] = [
  [
    'candidates',
    [
      'ID',
      'First Name',
      'Last Name',
      'Job Title',
      'City',
      'State',
      'Country',
      'Primary Skills',
      'Secondary Skills',
    ],
    ['p0', 'Ann', 'Lee', nurse, 'Columbus', 'OH', 'USA', 'ICU', 'Triage; Epic'],
  ],
  [
    'candidates',
    [
      'ID',
      'Name',
      'Job Title',
      'City',
      'Country',
      'License',
      'License State',
      'License Expiration',
      'Certifications',
    ],
    ['p0', 'Ann', nurse, 'Berlin', 'Germany', 'RN', 'OH', '12/31/2026', 'BLS'],
  ],
  [
    'candidates',
    ['ID', 'Name', 'Job Title', 'License', 'License State', 'License Expiration', 'License', 'License State'],
    ['p0', 'Ann', nurse, 'RN', 'OH', '12/31/2027', 'RN', 'PA'],
  ],
  [
    'candidates',
    [
      'ID',
      'Name',
      'Job Title',
      'Location',
      'Country',
      'Notes',
      'Years of Experience',
      'Work Authorization',
      'Rate',
    ],
    ['p0', 'Ann', nurse, 'Berlin', 'Germany', 'Calls back.', '5', 'US citizen', '$45'],
  ],
  [
    'jobOrders',
    [
      'ID',
      'Client',
      'Job Title',
      'City',
      'State',
      'Pay Rate',
      'Max Pay Rate',
      'Notes',
      'Experience',
      'Certifications',
      'Licenses',
    ],
    ['j0', 'Example', nurse, 'Columbus', 'OH', '45', '55', 'Calls back.', '5', 'BLS', 'RN license OH'],
  ],
];

const fillers = ['', 'N/A', '#N/A', 'NaN'];
const takesFillers = /Name|Title|Client/;

for (const [kind, header, row] of files)
  empty(`leave every record as it is: ${header.slice(2).join()}`, async () => {
    const code = [...header, 'SOC Code'];
    const send = (cells: string[], headers: object = {}) =>
      sendImport({ ...args, kind, text: toCsv([code, [...cells, '29-1141.00']]) }, headers);
    const first = await send(row);
    assert.is(first.status, 201, first.text);
    const mine = { 'X-Workspace': first.body.workspace };
    const emptied = fc.tuple(fc.constantFrom(...fillers), ...header.map(() => fc.boolean()));
    const property = fc.asyncProperty(emptied, async ([filler, ...isEmpty]) => {
      const fillOf = (at: number) => (takesFillers.test(header[at]!) ? '' : filler);
      const cells = row.map((cell, at) => (at > 0 && isEmpty[at] ? fillOf(at) : cell));
      const { body, text } = await send(cells, mine);
      assert.equal(body.records, { [kind]: [], changes: [] }, `${cells.join()}\n${text}`);
    });
    await fc.assert(property, {
      seed: Number(process.env.FUZZ_SEED ?? 46),
      numRuns: 120,
      endOnFailure: true,
    });
  });

type Cells = Record<string, string>;

/** What a file says first, what it says then, and what the record has. */
const changed: [before: Cells, after: Cells, members: object][] = [
  [
    { License: 'RN', 'License Expiration': '12/31/2026', Certs: 'BLS' },
    { License: 'RN', 'License Expiration': '12/31/2028', Certs: '' },
    { credentials: ['RN until 2028-12-31', 'BLS'] },
  ],
  [
    { License: 'RN', 'License State': 'OH', 'License Expiration': '12/31/2026' },
    { License: 'RN', 'License State': '', 'License Expiration': '12/31/2028' },
    { credentials: ['RN OH until 2028-12-31'] },
  ],
  [
    { City: 'Dayton', State: 'OH', Country: '' },
    { City: 'Toledo', State: 'OH', Country: '' },
    { metro: 'Toledo, OH' },
  ],
  [{ City: 'Berlin', Country: 'Germany' }, { City: 'Hamburg', Country: '' }, { metro: 'Berlin, Germany' }],
  [
    { 'Key Skills': 'ICU', Skills: 'Triage' },
    { 'Key Skills': 'Epic', Skills: '' },
    { skills: ['ICU', 'Triage', 'Epic'] },
  ],
  [
    { Notes: 'One.', Experience: '5' },
    { Notes: 'Two.', Experience: '' },
    { note: 'Two.\nYears of experience: 5' },
  ],
];
for (const [before, after, members] of changed)
  empty(`keep what they said beside a cell that changes: ${JSON.stringify(after)}`, async () => {
    const send = (cells: Cells, headers: object = {}) => {
      const header = ['ID', 'Name', 'Title', ...Object.keys(cells)];
      const text = toCsv([header, ['p0', 'Ann', nurse, ...Object.values(cells)]]);
      return sendImport({ ...args, kind: 'candidates', text }, headers);
    };
    const mine = { 'X-Workspace': (await send(before)).body.workspace };
    await send(after, mine);
    const { body } = await world.get('/candidates/%23p0', mine);
    for (const [member, value] of Object.entries(members)) assert.equal(body.candidate[member], value);
  });

empty('say which cell keeps a place from changing', async () => {
  const send = (row: string, headers: object = {}) =>
    sendImport(
      { ...args, kind: 'candidates', text: `ID,Name,Title,City,State\np0,Ann,${nurse},${row}` },
      headers,
    );
  const mine = { 'X-Workspace': (await send('Columbus,OH')).body.workspace };
  const { body } = await send('Boston,', mine);
  assert.match(body.notTaken[0].why, 'because State is empty');
});

empty.run();
