import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../src/stores/open-store.ts';
import { connect } from '../../support/http.ts';
import { launchServer, makeFolder, type RunningServer } from '../../support/server.ts';

const dataDir = suite('one process for a data folder');
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const host = [process.execPath, 'dist/host/main.mjs'];
const refusal = /DATA_DIR is (\S+), where .* in use by process (\d+) on host "([^"]+)" since "([^"]+)"\. \w+/;

/** Starts a host, or returns why it did not start. */
const tryStart = (folder: string, command = host): Promise<RunningServer | Error> =>
  launchServer({ DATA_DIR: folder, LOG: 'off' }, command).catch((error) => error);

async function start(folder: string, command = host): Promise<RunningServer> {
  const server = await tryStart(folder, command);
  if (server instanceof Error) throw server;
  return server;
}

async function create({ origin }: RunningServer): Promise<number> {
  return (await (await connect(origin)).post('/candidates', candidate)).status;
}

const first = await start(makeFolder());
const holder = join(first.dataDir, 'holder.json');

dataDir('a second process stops, and names the first', async () => {
  const second = await tryStart(first.dataDir);
  assert.instance(second, Error);
  const { message } = second as Error;
  assert.match(message, /ended with 1 /);
  assert.match(message, refusal);
  const [, folder, pid, name, since] = refusal.exec(message)!;
  assert.equal(folder, first.dataDir);
  assert.equal(Number(pid), first.process.pid);
  assert.equal(name, hostname());
  assert.ok(Math.abs(Date.parse(since!) - Date.now()) < 60_000);
  assert.not.match(message, /\n\s+at /);
});

dataDir('the first process keeps working after a second one was refused', async () => {
  assert.is(await create(first), 201);
});

dataDir('another program can copy the database while the service runs', async () => {
  const backup = join(makeFolder(), 'workspaces.sqlite');
  const reader = new DatabaseSync(join(first.dataDir, 'workspaces.sqlite'));
  reader.exec(`VACUUM INTO '${backup}'`);
  reader.close();
  const copy = new DatabaseSync(backup, { readOnly: true });
  assert.is(copy.prepare("SELECT count(*) AS rows FROM records WHERE kind = 'candidate'").get()?.rows, 1);
  copy.close();
  assert.is(await create(first), 201);
});

dataDir('the lock of a folder takes no room on the disk', () => {
  assert.is(statSync(join(first.dataDir, 'lock.sqlite')).size, 0);
  assert.not(existsSync(join(first.dataDir, 'lock.sqlite-journal')));
});

dataDir('the file that names a killed process does not keep the next from starting', async () => {
  await first.kill();
  assert.ok(existsSync(holder));
  const facts = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  for (const left of [JSON.stringify(facts), '{"pid":', '']) {
    writeFileSync(holder, left);
    const store = await openStore({ url: '', dataDir: first.dataDir });
    assert.is(JSON.parse(readFileSync(holder, 'utf8')).pid, process.pid);
    await store.close();
  }
});

dataDir('one of two processes that start at once starts, and removes the file that names it', async () => {
  const both = await Promise.all([tryStart(first.dataDir), tryStart(first.dataDir)]);
  const up = both.filter((one): one is RunningServer => !(one instanceof Error));
  assert.is(up.length, 1, both.map(String).join('\n'));
  assert.ok(existsSync(holder));
  assert.is(await up[0]!.stop(), 0);
  assert.not(existsSync(holder));
});

dataDir('containers that share a volume, each with a process 1, exclude each other', async () => {
  const contained = ['unshare', '--pid', '--fork', '--kill-child', '--uts'];
  if (spawnSync(contained[0]!, [...contained.slice(1), 'true']).status !== 0)
    return console.log('\nskipped: a process 1 of its own needs unshare and the right to use it');
  const one = await start(makeFolder(), [...contained, ...host]);
  const other = await tryStart(one.dataDir, [...contained, ...host]);
  assert.is(refusal.exec((other as Error).message)?.[2], '1');
  await one.kill();
  await (await start(one.dataDir, [...contained, ...host])).kill();
});

dataDir.run();
