import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { makeFolder, type RunningServer, startServer } from '../../support/server.ts';

const restart = suite('stop and start');
const onetCode = '15-1252.00';

/** Fills a workspace with one record of each kind; answers its id and their addresses. */
async function fill({ origin }: RunningServer) {
  const client = await connect(origin);
  const first = (await client.post('/candidates', { name: 'Ada Example', onetCode })).body;
  const mine = { 'X-Workspace': first.workspace };
  const order = { client: 'Example Works', title: 'Developer', onetCode };
  const second = (await client.post('/job-orders', order, mine)).body;
  const candidateId = first.candidate.id;
  const placement = { candidateId, jobOrderId: second.jobOrder.id, onetCode, startDate: '2026-01-31' };
  const third = (await client.post('/placements', placement, mine)).body;
  assert.is(third.workspace, first.workspace);
  const records = [first.candidate, second.jobOrder, third.placement];
  return { mine, paths: records.map(({ links }) => links.self) };
}

async function readAll({ origin }: RunningServer, { mine, paths }: Awaited<ReturnType<typeof fill>>) {
  const client = await connect(origin);
  const answers = await Promise.all([...paths, '/placements'].map((path) => client.get(path, mine)));
  for (const { status, text } of answers) assert.is(status, 200, text);
  return answers.map(({ body }) => body);
}

/** Starts a host that must not come up; answers its exit code and what it printed. */
async function startInVain(env: Record<string, string>): Promise<{ code: number; printed: string }> {
  let server: RunningServer | undefined;
  try {
    server = await startServer(env);
  } catch (error) {
    const [, code, printed] = /ended with (\S+) before it listened:\n([\s\S]*)/.exec(
      (error as Error).message,
    )!;
    return { code: Number(code), printed: printed! };
  }
  await server.stop();
  throw new Error(`the host started with ${JSON.stringify(env)}`);
}

/** A person reads this: words, and no trace of where in the program they come from. */
function holdToPlainWords(printed: string): void {
  assert.match(printed, /\w+ \w+/);
  assert.not.match(printed, /^\s+at |node:internal|\.mjs:\d+|Node\.js v/m);
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
  restart(`after ${signal} its records are there, and the workspace takes more`, async () => {
    const first = await startServer();
    const filled = await fill(first);
    const before = await readAll(first, filled);
    const ended = new Promise((resolve) => first.process.once('exit', (...told) => resolve(told)));
    first.process.kill(signal);
    assert.equal(await ended, signal === 'SIGKILL' ? [null, signal] : [0, null]);
    const second = await startServer({ DATA_DIR: first.dataDir });
    assert.equal(await readAll(second, filled), before);
    const client = await connect(second.origin);
    const more = await client.post('/candidates', { name: 'Bob Example', onetCode }, filled.mine);
    assert.equal([more.status, more.body.workspace], [201, filled.mine['X-Workspace']]);
    assert.is(await second.stop(), 0);
  });
}

restart('a workspace is known only where its data is', async () => {
  const first = await startServer();
  const { mine } = await fill(first);
  assert.is(await first.stop(), 0);
  const second = await startServer();
  const client = await connect(second.origin);
  assert.is((await client.get('/candidates', mine)).status, 401);
  assert.is(await second.stop(), 0);
});

function makeForeign(path: string, journal: string): void {
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE mine (text); INSERT INTO mine VALUES ('x')`);
  database.close();
}

const foreigners: [what: string, make: (path: string) => void][] = [
  ['text', (path) => writeFileSync(path, 'Not a database at all.\n'.repeat(100))],
  ['a short text', (path) => writeFileSync(path, 'notes')],
  ["another program's database", (path) => makeForeign(path, 'delete')],
  ["another program's database in WAL mode", (path) => makeForeign(path, 'wal')],
  [
    'a database of ours from a later version',
    (path) => {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA application_id = 0x43505331; PRAGMA user_version = 9999; CREATE TABLE t (a)');
      database.close();
    },
  ],
];

for (const [what, make] of foreigners) {
  restart(`${what} in the place of the store is refused and left as it is`, async () => {
    const dataDir = makeFolder();
    const path = join(dataDir, 'workspaces.sqlite');
    make(path);
    const before = readFileSync(path);
    const { code, printed } = await startInVain({ DATA_DIR: dataDir });
    assert.is(code, 1);
    assert.ok(printed.includes('workspaces.sqlite'), `the message names the file: ${printed}`);
    holdToPlainWords(printed);
    assert.ok(readFileSync(path).equals(before), 'its bytes are as they were');
    assert.equal(readdirSync(dataDir), ['workspaces.sqlite'], 'nothing was put beside it');
  });
}

restart('a busy port is said to be busy', async () => {
  const server = await startServer();
  const { code, printed } = await startInVain({ PORT: String(server.port) });
  assert.is(code, 1);
  assert.ok(printed.includes(`Port ${server.port} is in use`), printed);
  holdToPlainWords(printed);
  assert.is((await fetch(`${server.origin}/pricing`)).status, 200, 'what listens there goes on');
  assert.is(await server.stop(), 0);
});

restart.run();
