import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry, sendCsv, sendImport } from '../../support/imports.ts';

const bad = suite('files that cannot be imported');

const header = 'Name,Job Title';
/** Files that are refused as a whole: the text, and what is said. */
const refusedTexts: Record<string, [text: string, says: RegExp]> = {
  'with a quote that never closes': [
    `${header}\nAnn,"Registered Nurse\nBo,Driver`,
    /quote in row 2 that never closes/,
  ],
  'that are empty': ['', /holds no rows/],
  'with only a header': [header, /holds only one row/],
  'without a known column': ['Colour,Size\nred,2', /no column that is known: "Colour", "Size"/],
  'of a single unknown column': ['Colour\nred', /no column that is known/],
};
for (const [title, [text, says]] of Object.entries(refusedTexts))
  bad(`refuses files ${title}`, async () => {
    const { status, body } = await sendCsv(text, 'kind=candidates');
    assert.is(status, 400);
    assert.is(body.code, 'invalid_request');
    assert.match(body.issues[0].message, says);
  });

for (const [count, more] of [
  [1, ''],
  [2, ' (and in 1 more row)'],
  [3, ' (and in 2 more rows)'],
] as const)
  bad(`says of ${count} rows with one problem where the first is`, async () => {
    const lines = [`${header},Rate`, ...Array(count).fill('Ann,Registered Nurse,€45')];
    const { body } = await sendCsv(lines.join('\n'), 'kind=candidates&dryRun=false');
    const message = 'is not in US dollars; convert it: "€45"';
    assert.equal(body.issues, [{ path: 'row 2, Rate', message: `${message}${more}` }]);
  });

bad('takes a file of one known column, and says what is missing', async () => {
  const { problems } = await readDry(['Name', 'Ann']);
  assert.match(problems[0].why, /neither a title nor an O\*NET-SOC code/);
});

bad('names the columns that a missing member can have', async () => {
  const { problems } = await readDry(['Job Title', 'Registered Nurse'], 'jobOrders');
  assert.match(problems[0].why, /no value for client; name a column client, client name/);
});

bad('names a row that lacks a required member', async () => {
  const { problems } = await readDry([header, 'Ann,Registered Nurse', ',Registered Nurse']);
  assert.equal(problems, [{ member: 'name', why: 'has no name; every candidate needs one', rows: [3] }]);
});

bad('names a row with more cells than columns', async () => {
  const { problems } = await readDry([header, 'Sample, Ann,Registered Nurse']);
  assert.match(problems[0].why, /has 1 more cells than there are columns/);
});

bad('names two rows with one ref', async () => {
  const { problems } = await readDry(['ID,Name,Title', '1,Ann,Registered Nurse', '1,Bo,Registered Nurse']);
  assert.equal(problems, [{ member: 'ID', why: 'is that of row 2 too: "1"', rows: [3] }]);
});

bad('names a cell of 10,000 characters that its member does not take', async () => {
  const { problems } = await readDry([header, `${'x'.repeat(10_000)},Registered Nurse`]);
  assert.is(problems[0].member, 'Name');
  assert.match(problems[0].why, /at most 200 characters/);
});

bad('names an end before the start', async () => {
  const { problems } = await readDry(
    ['Company,Job Title,Start Date,End Date', 'Example,Registered Nurse,12/01/2026,11/30/2026'],
    'jobOrders',
  );
  assert.is(problems[0].member, 'End Date');
});

/** JSON arguments that are refused: the place, and what is said. */
const refusedArgs: Record<string, [args: object, path: string, says: RegExp]> = {
  'without a format': [{ text: header }, 'format', /is missing/],
  'without a kind': [{ format: 'csv', text: header }, 'kind', /send candidates or jobOrders/],
  'without a text': [{ format: 'csv', kind: 'candidates' }, 'text', /is missing/],
  'with a binary text': [
    { format: 'csv', kind: 'candidates', text: 'PK\u0003\u0004' },
    'text',
    /zip archive/,
  ],
  'with text and data': [{ format: 'resume', text: '{}', data: {} }, 'data', /send one of the two/],
  'with a résumé that is no JSON': [{ format: 'resume', text: 'Ann' }, 'text', /is not JSON/],
  'with a résumé for job orders': [
    { format: 'resume', kind: 'jobOrders', data: {} },
    'kind',
    /must be candidates/,
  ],
  'with data that is a text': [{ format: 'resume', data: 'Ann' }, 'data', /object or an array/],
  'with no document': [{ format: 'posting', data: [] }, 'data', /no document/],
};
for (const [title, [args, path, says]] of Object.entries(refusedArgs))
  bad(`refuses an import ${title}`, async () => {
    const { status, body } = await sendImport(args);
    assert.is(status, 400, JSON.stringify(body));
    assert.is(body.issues[0].path, path);
    assert.match(body.issues[0].message, says);
  });

bad.run();
