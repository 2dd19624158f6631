import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../support/http.ts';
import { makeFolder, type RunningServer, startServer } from '../support/server.ts';

const dataDir = suite('one process for a data folder');
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const host = [process.execPath, 'dist/host/main.mjs'];
const refusal = /DATA_DIR is (\S+), where .* in use by process (\d+) on host "([^"]+)" since "([^"]+)"\. \w+/;

/** Starts a host, or answers why it did not come up. */
const tryStart = (folder: string, command = host): Promise<RunningServer | Error> =>
  startServer({ DATA_DIR: folder, LOG: 'off' }, command).catch((error) => error);

async function start(folder: string, command = host): Promise<RunningServer> {
  const server = await tryStart(folder, command);
  if (server instanceof Error) throw server;
  return server;
}

async function kill(server: RunningServer): Promise<void> {
  const gone = new Promise((resolve) => server.process.once('exit', resolve));
  server.process.kill('SIGKILL');
  await gone;
}

async function create({ origin }: RunningServer): Promise<number> {
  return (await (await connect(origin)).post('/candidates', candidate)).status;
}

dataDir('a second one stops, says who holds it, and leaves the first at work', async () => {
  const first = await start(makeFolder());
  const second = await tryStart(first.dataDir);
  assert.instance(second, Error);
  const { message } = second as Error;
  assert.match(message, /ended with 1 /);
  assert.match(message, refusal);
  const [, folder, pid, name, since] = refusal.exec(message)!;
  assert.equal([folder, Number(pid), name], [first.dataDir, first.process.pid, hostname()]);
  assert.ok(Math.abs(Date.parse(since!) - Date.now()) < 60_000);
  assert.not.match(message, /\n\s+at /);
  assert.is(await create(first), 201);
  assert.is(await first.stop(), 0);
  assert.not(existsSync(join(first.dataDir, 'holder.json')));
  const third = await start(first.dataDir);
  assert.is(await third.stop(), 0);
});

dataDir('SIGKILL and what it leaves behind hold up no start', async () => {
  const folder = makeFolder();
  await kill(await start(folder));
  assert.ok(existsSync(join(folder, 'holder.json')));
  const facts = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  for (const left of [JSON.stringify(facts), '{"pid":', '']) {
    writeFileSync(join(folder, 'holder.json'), left);
    const server = await start(folder);
    assert.is(JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')).pid, server.process.pid);
    await kill(server);
  }
});

dataDir('of several that start at once, one comes up', async () => {
  const folder = makeFolder();
  const all = await Promise.all([0, 1, 2].map(() => tryStart(folder)));
  const up = all.filter((one): one is RunningServer => !(one instanceof Error));
  assert.is(up.length, 1, all.map(String).join('\n'));
  assert.is(await create(up[0]!), 201);
  assert.is(await up[0]!.stop(), 0);
});

dataDir('containers that share a volume, each with a process 1, keep each other out', async () => {
  const contained = ['unshare', '--pid', '--fork', '--kill-child', '--uts'];
  if (spawnSync(contained[0]!, [...contained.slice(1), 'true']).status !== 0)
    return console.log('\nskipped: a process 1 of its own needs unshare and the right to use it');
  const first = await start(makeFolder(), [...contained, ...host]);
  const second = await tryStart(first.dataDir, [...contained, ...host]);
  assert.match((second as Error).message, refusal);
  assert.is(refusal.exec((second as Error).message)?.[2], '1');
  await kill(first);
  const third = await start(first.dataDir, [...contained, ...host]);
  await kill(third);
});

dataDir('a backup is taken while it runs', async () => {
  const server = await start(makeFolder());
  assert.is(await create(server), 201);
  const backup = join(makeFolder(), 'workspaces.sqlite');
  const reader = new DatabaseSync(join(server.dataDir, 'workspaces.sqlite'));
  reader.exec(`VACUUM INTO '${backup}'`);
  reader.close();
  const copy = new DatabaseSync(backup, { readOnly: true });
  assert.is(copy.prepare('SELECT count(*) AS rows FROM records').get()?.rows, 1);
  copy.close();
  assert.is(await create(server), 201);
  assert.is(await server.stop(), 0);
});

dataDir.run();
