import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCsvFile, world } from '../../support/exports.ts';

const csv = suite('export as CSV');

const nurse = { name: 'Ann Sample', onetCode: '29-1141.00' };

/** Returns the lines of a file of candidates, without the byte order mark. */
async function exportLines(...candidates: object[]): Promise<string[]> {
  const { text } = await readCsvFile(await world.open({ candidates }), 'candidates');
  return text.slice(1).split('\r\n');
}

/** Returns the cell of a member as the file has it. The candidate has no other member that needs quotes. */
async function exportCell(member: string, value: unknown): Promise<string> {
  const [names = '', row = ''] = await exportLines({ ...nurse, [member]: value });
  const at = names.split(',').indexOf(member);
  const after = names.split(',').length - at - 1;
  const cells = row.split(',');
  return cells.slice(at, cells.length - after).join(',');
}

csv('has the media type and a name for the file', async () => {
  const { headers } = await readCsvFile(await world.open({ candidates: [nurse] }), 'candidates');
  assert.is(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.is(headers.get('content-disposition'), 'attachment; filename="candidates.csv"');
});

csv('begins with a byte order mark, so that Excel reads UTF-8', async () => {
  const { text } = await readCsvFile(await world.open({ candidates: [nurse] }), 'candidates');
  assert.is(text[0], '\uFEFF');
});

csv('ends each row with CRLF', async () => {
  const lines = await exportLines(nurse);
  assert.is(lines.length, 3);
  assert.is(lines[2], '');
});

csv('names the columns as the API names the members', async () => {
  const [names] = await exportLines(nurse);
  assert.match(names!, /^ref,name,title,onetCode,skills,.*,status,freeFrom,id,createdAt,updatedAt,revision$/);
});

const cells: [what: string, member: string, value: unknown, cell: string][] = [
  ['quotes a comma', 'title', 'Nurse, ICU', '"Nurse, ICU"'],
  ['doubles a quote', 'title', '6" pipe', '"6"" pipe"'],
  ['keeps a line break in quotes', 'note', 'one\ntwo', '"one\ntwo"'],
  ['keeps letters with accents', 'title', 'Infirmière 看護師', 'Infirmière 看護師'],
  ['marks a formula with =', 'title', '=1+1', "'=1+1"],
  ['marks a formula with +', 'title', '+1', "'+1"],
  ['marks a formula with -', 'title', '-1', "'-1"],
  ['marks a formula with @', 'title', '@SUM(A1)', "'@SUM(A1)"],
  ['marks a formula with a full-width sign', 'title', '＝1+1', "'＝1+1"],
  ['marks a formula in a list', 'skills', ['=1+1', 'ICU'], `"'=1+1; ICU"`],
  ['marks a formula behind a semicolon', 'title', 'a; =1+1', `"a; '=1+1"`],
  ['marks a formula behind a tab', 'note', 'a\t=1+1', `"a\t'=1+1"`],
  ['marks a text that looks marked', 'title', "'=1+1", "''=1+1"],
  ['separates a list with semicolons', 'skills', ['ICU', 'Triage'], '"ICU; Triage"'],
  ['quotes an item that holds a separator', 'skills', ['Oracle, SQL', 'ICU'], '"""Oracle, SQL""; ICU"'],
  ['writes a number without groups', 'salaryUsdYear', 85_000.5, '85000.5'],
  ['writes a small number without an exponent', 'payRateUsdHour', 1e-7, '0.0000001'],
];

for (const [what, member, value, cell] of cells)
  csv(what, async () => {
    assert.is(await exportCell(member, value), cell);
  });

csv('has names, not only ids, in a file of placements', async () => {
  const desk = await world.open({
    candidates: [{ ...nurse, ref: 'ann' }],
    jobOrders: [{ ref: 'job', client: 'Example Works', title: 'Nurse', onetCode: nurse.onetCode }],
    placements: [{ candidateId: '#ann', jobOrderId: '#job', onetCode: nurse.onetCode, status: 'proposed' }],
  });
  const { text } = await readCsvFile(desk, 'placements');
  assert.match(text, /proposed,.*Ann Sample,Example Works,Nurse,/);
});

csv('has the note of a placement itself, and not that of its outcome', async () => {
  const desk = await world.open({
    candidates: [{ ...nurse, ref: 'ann' }],
    jobOrders: [{ ref: 'job', client: 'Example Works', title: 'Nurse', onetCode: nurse.onetCode }],
    placements: [
      {
        ref: 'p',
        candidateId: '#ann',
        jobOrderId: '#job',
        onetCode: nurse.onetCode,
        status: 'active',
        startDate: '2026-11-01',
      },
    ],
  });
  const outcome = { result: 'retained', asOf: '2026-11-20', note: 'From the outcome' };
  const stated = await desk.post('/placements/%23p/outcome', outcome);
  assert.is(stated.status, 200, stated.text);
  assert.not.match((await readCsvFile(desk, 'placements')).text, 'From the outcome');
});

csv('has only the names of the columns if there is no record', async () => {
  const { text } = await readCsvFile(await world.open({ candidates: [nurse] }), 'placements');
  assert.is(text.split('\r\n').length, 2);
});

csv('refuses another kind, and names the three', async () => {
  const desk = await world.open({ candidates: [nurse] });
  const { status, body } = await readCsvFile(desk, 'people');
  assert.is(status, 400);
  assert.match(body.issues[0].message, /candidates, jobOrders, placements/);
});

csv('asks for the kind if it is missing', async () => {
  const desk = await world.open({ candidates: [nurse] });
  const { status, body } = await desk.get('/workspace/export.csv');
  assert.is(status, 400);
  assert.is(body.issues[0].path, 'kind');
});

csv('needs a workspace', async () => {
  assert.is((await world.get('/workspace/export.csv?kind=candidates')).body.code, 'unknown_workspace');
});

csv.run();
