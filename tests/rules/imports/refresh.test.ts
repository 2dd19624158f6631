import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendCsv, sendImport, world } from '../../support/imports.ts';
import { strangerCells, strangerColumns, toCsv } from '../../support/stranger-files.ts';

const refresh = suite('importing a file again');

type Row = readonly [id: string, name: string, title: string, rate: string, avail?: string];

const toText = (rows: readonly Row[]) =>
  ['ID,Name,Job Title,Rate,Notice Period', ...rows.map((row) => row.join())].join('\n');
const toArgs = (rows: readonly Row[], more: object = {}) => ({
  format: 'csv',
  kind: 'candidates',
  text: toText(rows),
  ...more,
});

const nurse = 'Registered Nurse';
const makeRows = (from: number, count: number): Row[] =>
  Array.from({ length: count }, (_, at) => [`p${from + at}`, `Person ${from + at}`, nurse, '45']);

/** Imports rows into a new workspace. Returns the header that opens it. */
async function importRows(rows: readonly Row[]): Promise<{ 'X-Workspace': string }> {
  const { status, body, text } = await sendImport(toArgs(rows, { dryRun: false }));
  assert.is(status, 201, text);
  return { 'X-Workspace': body.workspace };
}

const old = makeRows(0, 190);
const next: Row[] = [
  ...old.slice(0, 165),
  ...old.slice(165, 185).map(([id, name, title]): Row => [id, name, title, '50']),
  ...old.slice(185, 190).map(([id, name, title]): Row => [id, name, title, '€50']),
  ...makeRows(190, 10),
];
const options = { upsert: true, onProblem: 'skip' };

refresh('changes 20 of 200, adds 10 and leaves out 5 with problems', async () => {
  const mine = await importRows(old);
  const dry = await sendImport(toArgs(next, options), mine);
  const { records, problems } = dry.body;
  assert.is(records.candidates.length, 10);
  assert.is(records.changes.length, 20);
  assert.equal(problems[0].rows, [187, 188, 189, 190, 191]);
  const written = await sendImport(toArgs(next, { ...options, dryRun: false }), mine);
  assert.is(written.status, 201, written.text);
  assert.is(written.body.records.changes.length, 20);
  const { body } = await world.get('/candidates?limit=200', mine);
  const count = (rate: number) => body.candidates.filter((row: Body) => row.payRateUsdHour === rate).length;
  assert.equal([body.total, count(50), count(45)], [200, 20, 180]);
});

refresh('sends changes with only what differs, and the revision', async () => {
  const mine = await importRows(makeRows(0, 1));
  const { body } = await sendImport(toArgs([['p0', 'Person 0', nurse, '50']], { upsert: true }), mine);
  const [{ id, ...change }] = body.records.changes;
  assert.match(id, /^cand_/);
  assert.equal(change, { revision: 1, payRateUsdHour: 50 });
});

refresh('returns records that a batch accepts', async () => {
  const mine = await importRows(makeRows(0, 2));
  const rows: Row[] = [['p0', 'Person 0', nurse, '50'], ...makeRows(2, 1)];
  const { body } = await sendImport(toArgs(rows, { upsert: true }), mine);
  assert.is((await world.post('/batch', body.records, mine)).status, 201);
});

refresh('keeps what an empty cell or a notice period stands for', async () => {
  const mine = await importRows([['p0', 'Person 0', nurse, '45', '2 weeks']]);
  const rows: Row[] = [['p0', '', '', '', '4 weeks']];
  const { body } = await sendImport(toArgs(rows, { upsert: true }), mine);
  assert.equal([body.records.changes, body.problems], [[], []]);
});

refresh('keeps a code that was settled for the same title', async () => {
  const mine = await importRows(makeRows(0, 1));
  const changes = [{ id: '#p0', title: 'Zzyzx Wrangler', onetCode: '45-2093.00' }];
  await world.post('/batch', { changes }, mine);
  const rows: Row[] = [['p0', 'Person 0', 'Zzyzx Wrangler', '50']];
  const { body } = await sendImport(toArgs(rows, { upsert: true }), mine);
  assert.equal(body.problems, []);
  assert.is(body.records.changes.length, 1);
});

refresh('writes named lines of a note beside what the note has', async () => {
  const text = (years: string) => `ID,Name,Title,Years of Experience\np0,Ann,${nurse},${years}`;
  const args = { format: 'csv', kind: 'candidates', upsert: true, dryRun: false };
  const { body } = await sendImport({ ...args, text: text('5') });
  const mine = { 'X-Workspace': body.workspace };
  const changes = [{ id: '#p0', note: 'Calls back.\nYears of experience: 5' }];
  await world.post('/batch', { changes }, mine);
  await sendImport({ ...args, text: text('6') }, mine);
  const read = await world.get('/candidates/%23p0', mine);
  assert.is(read.body.candidate.note, 'Calls back.\nYears of experience: 6');
});

/** Files of ids that cannot be refreshed: the lines, and what is said. */
const refused: Record<string, [lines: string[], says: RegExp]> = {
  'an id that repeats': [['ID,Name,Title', `p0,A,${nurse}`, `p0,B,${nurse}`], /is that of row 2 too/],
  'a move that is not possible': [
    ['ID,Name,Title,Status', `p0,A,${nurse},withdrawn`],
    /no move is legal now/,
  ],
};
for (const [what, [lines, says]] of Object.entries(refused))
  refresh(`names ${what} as a problem`, async () => {
    const mine = await importRows(makeRows(0, 1));
    if (/move/.test(what)) {
      const jobOrders = [{ ref: 'job', client: 'Example', title: nurse, onetCode: '29-1141.00' }];
      const proposed = { candidateId: '#p0', jobOrderId: '#job', onetCode: '29-1141.00' };
      const placements = [{ ...proposed, status: 'active', startDate: '2026-11-01' }];
      const { status, text } = await world.post('/batch', { jobOrders, placements }, mine);
      assert.is(status, 201, text);
    }
    const args = { format: 'csv', kind: 'candidates', text: lines.join('\n'), upsert: true };
    const { body, text } = await sendImport(args, mine);
    assert.match(body.problems[0]?.why ?? '', says, text);
  });

refresh('refuses a known ref without upsert, and says what to send', async () => {
  const mine = await importRows(makeRows(0, 1));
  const { body } = await sendImport(toArgs(makeRows(0, 1)), mine);
  assert.match(body.problems[0].why, /is that of a candidate in this workspace.*send upsert true.*"p0"/);
});

refresh('refuses a file of problems alone, skipped or not', async () => {
  const rows: Row[] = [['p0', 'Person 0', nurse, '€45']];
  const { status, body } = await sendImport(toArgs(rows, { onProblem: 'skip', dryRun: false }));
  assert.is(status, 400);
  assert.is(body.issues[0].path, 'row 2, Rate');
});

const person = { ref: 'ann', name: 'Ann Sample', onetCode: '29-1141.00' };

refresh('changes a record of a batch by its ref', async () => {
  const made = await world.post('/batch', { candidates: [{ ...person, payRateUsdHour: 45 }] });
  const mine = { 'X-Workspace': made.body.workspace };
  const candidates = [
    { ...person, metro: 'Columbus, OH' },
    { ...person, ref: 'bo', name: 'Bo Sample' },
  ];
  const { status, body, text } = await world.post('/batch', { candidates, upsert: true }, mine);
  assert.is(status, 201, text);
  assert.is(body.candidates.length, 1);
  const [{ candidate }] = body.changes;
  assert.equal(
    [candidate.id, candidate.metro, candidate.payRateUsdHour],
    [made.body.candidates[0].id, 'Columbus, OH', 45],
  );
});

/** Columns that make a row a record, whatever the others say, and columns of days. */
const sureColumns = {
  candidates: ['ID', 'Name', 'Job Title', 'O*NET Code', 'Availability', 'Experience'],
  jobOrders: ['ID', 'Client', 'Job Title', 'O*NET Code', 'Start Date', 'Contract Weeks'],
};
const days = fc.constantFrom('', 'ASAP', '2 weeks notice', 'immediately', '12/01/2026');
const counts = fc.constantFrom('', '13', '4');
const start = world.clock.now;
refresh.after(() => {
  world.clock.now = start;
});
const otherIds = /^(?:Participant ID|Req #|Job ID)$/;
const cell = fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(...strangerCells));

for (const [kind, headers] of Object.entries(strangerColumns) as ['candidates' | 'jobOrders', string[]][])
  refresh(`changes nothing if a file of ${kind} comes twice, or its export comes back`, async () => {
    const table = fc.constantFrom(...headers).chain((line) => {
      const header = line.split(',').filter((name) => !otherIds.test(name));
      const row = fc.tuple(days, counts, ...header.map(() => cell));
      return fc.tuple(fc.constant(header), fc.array(row, { minLength: 6, maxLength: 12 }));
    });
    const property = fc.asyncProperty(table, async ([header, rows]) => {
      world.clock.now = start;
      const sure = rows.map((row, at) => [`r${at}`, `One ${at}`, nurse, '29-1141.00', ...row]);
      const text = toCsv([[...sureColumns[kind], ...header], ...sure]);
      const args = { format: 'csv', kind, text, ...options, dryRun: false };
      const first = await sendImport(args);
      if (first.status === 400) return;
      const mine = { 'X-Workspace': first.body.workspace };
      // The same words, such as "immediately", are said on another day.
      world.clock.now = start + 20 * 3_600_000;
      const again = await sendImport(args, mine);
      assert.equal(again.body.records, { [kind]: [], changes: [] }, text);
      const out = await world.get(`/workspace/export.csv?kind=${kind}`, mine);
      const back = await sendCsv(out.text, `kind=${kind}&upsert=true&dryRun=false`, mine);
      assert.equal(back.body.records, { [kind]: [], changes: [] }, `${text}\n${back.text}`);
      assert.equal(back.body.problems, []);
    });
    await fc.assert(property, { seed: Number(process.env.FUZZ_SEED ?? 46), numRuns: 40 });
  });

refresh.run();
