import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../../support/front.ts';
import { makeFolder } from '../../support/server.ts';

const script = suite('npm run import');

const folder = makeFolder();

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

const runScript = (...args: string[]): Promise<Run> =>
  new Promise((resolve) => {
    execFile(process.execPath, ['scripts/import.ts', ...args], (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

function writeFile(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const people = writeFile(
  'people.csv',
  'Name,Job Title,Phone\nAnn Sample,Registered Nurse,555-0100\nBo Sample,Registered Nurse,555-0101\n',
);
const clear = [people, '--kind', 'candidates', '--to', server.origin];
const latin = writeFile('latin.csv', Buffer.from('Name,Stelle\nZo\xeb,Nurse\n', 'latin1'));
const unclear = writeFile('unclear.csv', 'Name,Job Title,Pay Rate\nAnn Sample,Registered Nurse,€45\n');

script('shows what would be created', async () => {
  const { code, stdout } = await runScript(...clear);
  assert.is(code, 0);
  assert.match(stdout, 'row 2: Ann Sample · Registered Nurse · 29-1141.00 (sure)');
});

script('says what is not taken', async () => {
  assert.match((await runScript(...clear)).stdout, /Phone .*never stored \(rows 2, 3\)/);
});

script('says where the data goes', async () => {
  assert.match((await runScript(...clear)).stdout, 'Nothing is stored: this was a dry run.');
});

script('names each problem by its row and column', async () => {
  const { code, stdout } = await runScript(unclear, '--kind', 'candidates', '--to', server.origin);
  assert.is(code, 1);
  assert.match(stdout, 'Pay Rate is not in US dollars; convert it: "€45" (row 2)');
});

script('creates the records with --write, and prints their workspace', async () => {
  const { stdout } = await runScript(...clear, '--write');
  const [workspace = ''] = /ws_\w+/.exec(stdout) ?? [];
  const { body } = await client.get('/candidates', { 'X-Workspace': workspace });
  assert.is(body.total, 2);
});

script('creates the records in the workspace that is named', async () => {
  const { workspace } = (await client.post('/candidates', { name: 'Cy', onetCode: '29-1141.00' })).body;
  await runScript(...clear, '--write', '--workspace', workspace);
  const { body } = await client.get('/candidates', { 'X-Workspace': workspace });
  assert.is(body.total, 3);
});

script('creates nothing of a file with a problem', async () => {
  const args = [unclear, '--kind', 'candidates', '--to', server.origin, '--write'];
  const { code, stderr } = await runScript(...args);
  assert.is(code, 1);
  assert.match(stderr, 'row 2, Pay Rate: is not in US dollars');
});

const table = writeFile(
  'table.csv',
  [
    'ID,Name,Position Desired,Rate',
    'p1,Ann Sample,Registered Nurse,45',
    'p2,Bo Sample,Registered Nurse,€45',
    'p3,Cy Sample,Zzyzx Wrangler,50',
  ].join('\n'),
);
const named = [table, '--kind', 'candidates', '--to', server.origin, '--column', 'Position Desired=title'];

script('takes a column for what it is named, and a row for its code', async () => {
  const { stdout } = await runScript(...named, '--code', 'row 4=45-2093.00');
  assert.match(stdout, 'row 4: Cy Sample · Zzyzx Wrangler · 45-2093.00 (stated)');
});

script('leaves out rows with problems with --skip, and lists them', async () => {
  const { code, stdout } = await runScript(...named, '--skip', '--write');
  assert.is(code, 0);
  assert.match(stdout, /Created\n {2}cand_\w+ · Ann Sample/);
  assert.match(stdout, /convert it: "€45" \(row 3\)/);
});

script('changes the records of a file that comes again with --upsert', async () => {
  const codes = ['--code', 'row 4=45-2093.00', '--skip'];
  const [workspace = ''] = /ws_\w+/.exec((await runScript(...named, ...codes, '--write')).stdout) ?? [];
  const mine = ['--workspace', workspace, '--upsert', '--write'];
  const again = await runScript(...named, ...codes, ...mine);
  assert.match(again.stdout, 'The file changes nothing');
  const raised = writeFile('raised.csv', 'ID,Rate\np1,50\n');
  const sent = [raised, '--kind', 'candidates', '--to', server.origin, ...mine];
  const dry = await runScript(...sent.slice(0, -1));
  assert.match(dry.stdout, /Would be changed\n {2}cand_\w+ · payRateUsdHour 50\n/);
  const { stdout } = await runScript(...sent);
  assert.match(stdout, /Changed\n {2}cand_\w+ · Ann Sample/);
  const { body } = await client.get('/candidates/%23p1', { 'X-Workspace': workspace });
  assert.is(body.candidate.payRateUsdHour, 50);
});

script('reads a JSON Resume', async () => {
  const resume = { basics: { name: 'Ann Sample', label: 'Registered Nurse' } };
  const { stdout } = await runScript(writeFile('ann.json', JSON.stringify(resume)), '--to', server.origin);
  assert.match(stdout, 'data: Ann Sample · Registered Nurse');
});

script('reads a JobPosting', async () => {
  const posting = {
    '@type': 'JobPosting',
    title: 'Registered Nurse',
    hiringOrganization: { name: 'Example Works' },
  };
  const { stdout } = await runScript(writeFile('job.jsonld', JSON.stringify(posting)), '--to', server.origin);
  assert.match(stdout, 'data: Example Works · Registered Nurse');
});

script('prints how it is called', async () => {
  const { code, stdout } = await runScript('--help');
  assert.is(code, 0);
  assert.match(stdout, 'npm run import -- FILE --to ORIGIN');
});

const mistakes: [what: string, args: string[], code: number, message: string][] = [
  ['no file', ['--to', server.origin], 2, 'Name one file.'],
  [
    'a missing file',
    ['none.csv', '--to', server.origin, '--kind', 'candidates'],
    1,
    'There is no file none.csv.',
  ],
  ['a folder', [folder, '--to', server.origin, '--kind', 'candidates'], 1, 'is a folder'],
  ['no service', [people, '--kind', 'candidates'], 2, 'Say which service'],
  ['an address that is none', [people, '--kind', 'candidates', '--to', 'here'], 2, 'here is no address'],
  [
    'a service that does not answer',
    [people, '--kind', 'candidates', '--to', 'http://localhost:9'],
    1,
    'http://localhost:9 does not answer',
  ],
  ['no kind of a CSV file', [people, '--to', server.origin], 1, 'Say what the rows are'],
  [
    'another kind',
    [people, '--to', server.origin, '--kind', 'people'],
    2,
    '--kind must be candidates or jobOrders',
  ],
  ['an unknown option', [people, '--dry'], 2, "Unknown option '--dry'"],
  ['a column without its member', [...clear, '--column', 'Position Desired'], 2, 'Write --column "Position'],
  [
    'a column of bytes that are not UTF-8',
    [latin, ...clear.slice(1), '--column', 'Stelle=title'],
    1,
    'is not in UTF-8',
  ],
  ['an unknown workspace', [...clear, '--workspace', 'ws_none'], 1, 'workspace'],
  ['JSON that is none', [writeFile('bad.json', '{'), '--to', server.origin], 1, 'is not JSON in UTF-8'],
];

for (const [what, args, code, message] of mistakes)
  script(`explains ${what} without a stack trace`, async () => {
    const told = await runScript(...args);
    assert.is(told.code, code, told.stderr);
    assert.match(told.stderr, message);
    assert.not.match(told.stderr, /^ {4}at /m);
  });

script.run();
