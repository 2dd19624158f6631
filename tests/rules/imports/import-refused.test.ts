import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswer } from '../../../src/kernel/answer.ts';
import type { Body } from '../../support/http.ts';
import { readDry, sendCsv, sendImport, world } from '../../support/imports.ts';

const bad = suite('files that cannot be imported');

const header = 'Name,Job Title';
const rows = (count: number) => Array.from({ length: count }, (_, at) => `P${at},Registered Nurse`);

const answer = createAnswer(world.service);

/** Imports the bytes of a CSV file of candidates. */
async function sendBytes(body: Uint8Array, type = 'text/csv'): Promise<{ status: number; body: Body }> {
  const headers = { 'content-type': type, host: 'localhost' };
  const call = {
    method: 'POST',
    path: '/imports',
    query: 'kind=candidates',
    headers,
    body,
    client: '127.0.0.1',
  };
  const reply = await answer(call);
  return { status: reply.status, body: JSON.parse(reply.body) };
}

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

const long = '😀'.repeat(10_001);
const many = Array.from({ length: 201 }, (_, at) => `skill ${at}`);
const nurse = { '@type': 'JobPosting', title: 'Registered Nurse', hiringOrganization: 'Example' };
const basics = { name: 'Ann', label: 'Registered Nurse' };
const sendCandidates = (lines: readonly string[]) =>
  sendImport({ format: 'csv', kind: 'candidates', text: lines.join('\n') });

/** Files with a text or a list that is longer than those of a file may be, and the place that is named. */
const tooLong: Record<string, [path: string, send: () => ReturnType<typeof sendImport>]> = {
  'a cell': ['row 3, Name', () => sendCandidates([header, 'Ann,Driver', `${long},Registered Nurse`])],
  'a cell in quotes': ['row 2, Job Title', () => sendCandidates([header, `Ann,"${long}"`])],
  'a cell of quotes': ['row 2, Name', () => sendCandidates([header, `"${'""'.repeat(50_000)}",Driver`])],
  'a cell without a column': ['row 2, column 3', () => sendCandidates([header, `Ann,Driver,${long}`])],
  'the name of a column': ['row 1, column 2', () => sendCandidates([`Name,${long}`, 'Ann,Driver'])],
  'a list in a cell': [
    'row 2, Skills',
    () => sendCandidates([`${header},Skills`, `Ann,Driver,"${many.join(', ')}"`]),
  ],
  'a choice in a cell': [
    'row 2, Shift',
    () => sendCandidates([`${header},Shift`, `Ann,Driver,${'day/'.repeat(201)}`]),
  ],
  'a list of two columns': [
    'row 2, Key Skills',
    () =>
      sendCandidates([
        `${header},Skills,Key Skills`,
        `Ann,Driver,"${many.slice(0, 101).join(';')}","${many.slice(101).join(';')}"`,
      ]),
  ],
  'a name in a résumé': [
    'data.basics.name',
    () => sendImport({ format: 'resume', data: { basics: { ...basics, name: long } } }),
  ],
  'the skills of a résumé': [
    'data[0].skills[0].keywords',
    () => sendImport({ format: 'resume', data: [{ basics, skills: [{ keywords: many }] }] }),
  ],
  'a title in a posting': [
    'data.title',
    () => sendImport({ format: 'posting', data: { ...nurse, title: long } }),
  ],
  'the skills of a posting': [
    'data.skills',
    () => sendImport({ format: 'posting', data: { ...nurse, skills: many.join(',') } }),
  ],
};
for (const [what, [path, send]] of Object.entries(tooLong))
  bad(`refuses a file for ${what} that is too long, and names the place`, async () => {
    const { status, body } = await send();
    assert.is(status, 400, JSON.stringify(body).slice(0, 500));
    assert.is(body.issues[0].path, path);
    assert.match(body.issues[0].message, /at most 10,000 characters|at most 200 items/);
  });

bad('takes a posting with a long description, which is not stored', async () => {
  const { status } = await sendImport({ format: 'posting', data: { ...nurse, description: long } });
  assert.is(status, 200);
});

bad('names an end before the start', async () => {
  const { problems } = await readDry(
    ['Company,Job Title,Start Date,End Date', 'Example,Registered Nurse,12/01/2026,11/30/2026'],
    'jobOrders',
  );
  assert.is(problems[0].member, 'End Date');
});

bad('refuses a zip archive named .csv', async () => {
  const { status, body } = await sendBytes(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]));
  assert.is(status, 415);
  assert.match(body.reason, /save the sheet as CSV/);
});

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return bytes;
};
for (const isLittle of [true, false])
  bad(`reads UTF-16, ${isLittle ? 'little' : 'big'} endian`, async () => {
    const { status, body } = await sendBytes(utf16(`\uFEFF${header}\nZoë,Registered Nurse`, isLittle));
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.records.candidates[0].name, 'Zoë');
  });

bad('refuses UTF-16 without a byte order mark', async () => {
  const { status, body } = await sendBytes(utf16(`${header}\nAnn,Registered Nurse`, true));
  assert.is(status, 400);
  assert.match(body.reason, /byte order mark/);
});

const windows = Uint8Array.from(`${header}\nZo\xEB,Registered Nurse`, (character) => character.charCodeAt(0));

bad('reads Windows-1252, and says so', async () => {
  const { body } = await sendBytes(windows);
  assert.is(body.records.candidates[0].name, 'Zoë');
  assert.is(body.warnings[0].code, 'read_as');
});

bad('reads the charset that Content-Type names', async () => {
  const { body } = await sendBytes(windows, 'text/csv; charset=iso-8859-1');
  assert.is(body.records.candidates[0].name, 'Zoë');
  assert.not('warnings' in body);
});

bad('refuses a charset that it does not know', async () => {
  assert.is((await sendBytes(windows, 'text/csv; charset=klingon')).status, 415);
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
  'with a code for no row': [
    {
      format: 'csv',
      kind: 'candidates',
      text: `${header}\nAnn,RN`,
      codes: [{ at: 'row 9', onetCode: '15-1252.00' }],
    },
    'codes[0].at',
    /is no row of this file/,
  ],
  'with a code that does not exist': [
    {
      format: 'csv',
      kind: 'candidates',
      text: `${header}\nAnn,RN`,
      codes: [{ at: 'row 2', onetCode: '99-9999.99' }],
    },
    'codes[0].onetCode',
    /O\*NET-SOC/,
  ],
  'with a code for another title': [
    {
      format: 'csv',
      kind: 'candidates',
      text: `${header}\nAnn,RN`,
      codes: [{ at: 'row 2', title: 'Driver', onetCode: '29-1141.00' }],
    },
    'codes[0].title',
    /is not the title of this row/,
  ],
};
for (const [title, [args, path, says]] of Object.entries(refusedArgs))
  bad(`refuses an import ${title}`, async () => {
    const { status, body } = await sendImport(args);
    assert.is(status, 400, JSON.stringify(body));
    assert.is(body.issues[0].path, path);
    assert.match(body.issues[0].message, says);
  });

bad('answers any bytes with an envelope, and never with a fault', async () => {
  let seed = 5;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed >> 8) % below;
  };
  const start = new TextEncoder().encode(`${header}\nAnn,Registered Nurse\n`);
  for (let round = 0; round < 300; round += 1) {
    const bytes = new Uint8Array([...start, ...Array.from({ length: 30 }, () => next(256))]);
    for (let change = 0; change < 3; change += 1) bytes[next(bytes.length)] = next(256);
    const { status, body } = await sendBytes(bytes);
    assert.ok([200, 400, 415].includes(status), JSON.stringify({ status, body, bytes: [...bytes] }));
  }
});

bad('that name more columns than a file can have', async () => {
  const columns = Object.fromEntries(rows(201).map((_, at) => [`Column ${at}`, 'title']));
  const text = [header, ...rows(1)].join('\n');
  const { status, body } = await sendImport({ format: 'csv', kind: 'candidates', text, columns });
  assert.is(status, 400);
  assert.equal(body.issues, [{ path: 'columns', message: 'must name at most 200 columns; send fewer' }]);
});

bad.run();
