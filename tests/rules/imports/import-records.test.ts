import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { readDry, sendCsv, sendImport, world } from '../../support/imports.ts';

const imports = suite('importing records');

const export1 = [
  '\uFEFFCandidate ID,First Name,Last Name,Job Title,City,State,Desired Rate,License,Availability,Mobile Phone,E-mail,,',
  '00017,Ann,Sample,Registered Nurse,Columbus,OH,$45.50,RN license OH,12/01/2026,614-555-0100,ann@example.com,,',
  '00018,Bo,Example,Truck Driver,Dayton,OH,31,CDL A,Immediately,614-555-0101,bo@example.com,,',
];

const unclear = ['Name,Job Title', 'Ann Sample,Registered Nurse', 'Cy Example,Associate'];

imports('reads an export of an applicant tracking system', async () => {
  const { records } = await readDry(export1);
  assert.equal(records.candidates[0], {
    ref: '00017',
    name: 'Ann Sample',
    title: 'Registered Nurse',
    metro: 'Columbus, OH',
    payRateUsdHour: 45.5,
    credentials: ['RN license OH'],
    availableFrom: '2026-12-01',
    onetCode: '29-1141.00',
  });
});

imports('says which column became which member', async () => {
  const { mapping } = await readDry(export1);
  assert.equal(mapping.slice(0, 4), [
    { from: 'Candidate ID', to: 'ref' },
    { from: 'First Name', to: 'name' },
    { from: 'Last Name', to: 'name' },
    { from: 'Job Title', to: 'title' },
  ]);
});

imports('lists columns of personal data as not taken, with their rows', async () => {
  const { notTaken } = await readDry(export1);
  assert.equal(
    notTaken.map(({ member, rows }: Body) => [member, rows]),
    [
      ['Mobile Phone', [2, 3]],
      ['E-mail', [2, 3]],
    ],
  );
});

imports('keeps no value of a personal column', async () => {
  assert.not.match(JSON.stringify((await readDry(export1)).records), /example\.com|555/);
});

imports('takes the first of two columns for one member that is filled', async () => {
  const { records, notTaken } = await readDry([
    'Name,Job Title,Position',
    'Ann,Registered Nurse,RN',
    'Bo,,Registered Nurse',
  ]);
  assert.is(records.candidates[1].title, 'Registered Nurse');
  assert.equal(notTaken, [{ member: 'Position', why: 'title is taken from Job Title: "RN"', rows: [2] }]);
});

imports('joins the lists of two columns', async () => {
  const { records } = await readDry([
    'Name,Job Title,Primary Skills,Secondary Skills',
    'Ann,Registered Nurse,ICU,Triage; ICU',
  ]);
  assert.equal(records.candidates[0].skills, ['ICU', 'Triage']);
});

imports('codes titles, and says how sure each code is', async () => {
  const { codes } = await readDry(export1);
  assert.equal(codes[0], {
    at: 'row 2',
    title: 'Registered Nurse',
    onetCode: '29-1141.00',
    certainty: 'sure',
  });
});

imports('says what a row with an unclear title needs', async () => {
  const { problems } = await readDry(unclear);
  assert.equal(problems[0].rows, [3]);
  assert.match(problems[0].why, /no sure code.*in codes: \{"at":"row 3"/);
});

imports('guesses no code for an unclear title', async () => {
  const { codes } = await readDry(unclear);
  assert.equal(codes[1], {
    ...{ at: 'row 3', title: 'Associate', onetCode: null, certainty: 'unsure' },
    hasProblem: true,
  });
});

const csvArgs = (lines: string[], more: object = {}) => ({
  format: 'csv',
  kind: 'candidates',
  text: lines.join('\n'),
  ...more,
});

imports('takes the codes of a dry run back, corrected', async () => {
  const { codes } = await readDry(unclear);
  codes[1].onetCode = '41-2031.00';
  const { body } = await sendImport(csvArgs(unclear, { codes }));
  assert.equal(body.problems, []);
  assert.is(body.records.candidates[1].onetCode, '41-2031.00');
});

imports('creates no workspace in a dry run', async () => {
  assert.not('workspace' in (await readDry(export1)));
});

imports('creates the records if dryRun is false', async () => {
  const { status, body, text } = await sendCsv(export1.join('\r\n'), 'kind=candidates&dryRun=false');
  assert.is(status, 201, text);
  const { body: list } = await world.get('/candidates', { 'X-Workspace': body.workspace });
  assert.equal(list.candidates.map(({ name }: Body) => name).toSorted(), ['Ann Sample', 'Bo Example']);
});

imports('returns the created records with their ids', async () => {
  const { body } = await sendCsv(export1.join('\r\n'), 'kind=candidates&dryRun=false');
  assert.match(body.records.candidates[0].id, /^cand_/);
});

imports('creates nothing if one row has a problem', async () => {
  const { body: first } = await world.post('/candidates', { name: 'Di', onetCode: '15-1252.00' });
  const mine = { 'X-Workspace': first.workspace };
  const { status, body } = await sendCsv(unclear.join('\n'), 'kind=candidates&dryRun=false', mine);
  assert.is(status, 400);
  assert.is(body.issues[0].path, 'row 3, Job Title');
  assert.is((await world.get('/candidates', mine)).body.total, 1);
});

imports('warns in a dry run of a person whom the workspace has already', async () => {
  const lines = ['Name,Job Title', 'Ann Sample,Registered Nurse'];
  const mine = {
    'X-Workspace': (await sendCsv(lines.join('\n'), 'kind=candidates&dryRun=false')).body.workspace,
  };
  const { body } = await sendCsv(lines.join('\n'), 'kind=candidates', mine);
  assert.is(body.warnings[0].code, 'possible_duplicate');
});

imports('warns in a dry run of two rows that may be the same person', async () => {
  const { warnings } = await readDry([
    'Name,Job Title',
    'Ann Sample,Registered Nurse',
    'ann sample,Registered Nurse',
  ]);
  assert.match(warnings[0].message, /is the name of row 2 too/);
  assert.equal(warnings[0].rows, [3]);
});

imports('replays an import under the same Idempotency-Key', async () => {
  const headers = { 'Idempotency-Key': 'import-0123456789abcdef' };
  const query = 'kind=candidates&dryRun=false';
  const first = await sendCsv(export1.join('\n'), query, headers);
  const second = await sendCsv(export1.join('\n'), query, headers);
  assert.is(second.headers.get('idempotency-replayed'), 'true');
  assert.equal(second.body.records, first.body.records);
});

imports('names the import in the activity', async () => {
  const { body } = await sendCsv(export1.join('\n'), 'kind=candidates&dryRun=false');
  const { body: log } = await world.get('/workspace/activity', {
    'X-Workspace': body.workspace,
  });
  assert.is(log.activity[0].operation, 'importRecords');
});

imports('returns a body that a batch accepts', async () => {
  const { records } = await readDry(export1);
  assert.is((await world.post('/batch', records)).status, 201);
});

imports('says that a public sandbox is no place for personal data', async () => {
  assert.match((await readDry(export1)).statement, /no place for personal data/);
});

imports.run();
