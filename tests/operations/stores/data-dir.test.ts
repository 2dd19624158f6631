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

dataDir('a second process stops, and names the first', async () => {
  const first = await start(makeFolder());
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
  await first.stop();
});

dataDir('the first process keeps working after a second one was refused', async () => {
  const first = await start(makeFolder());
  await tryStart(first.dataDir);
  assert.is(await create(first), 201);
  assert.is(await first.stop(), 0);
});

dataDir('another program can copy the database while the service runs', async () => {
  const server = await start(makeFolder());
  assert.is(await create(server), 201);
  const backup = join(makeFolder(), 'workspaces.sqlite');
  const reader = new DatabaseSync(join(server.dataDir, 'workspaces.sqlite'));
  reader.exec(`VACUUM INTO '${backup}'`);
  reader.close();
  const copy = new DatabaseSync(backup, { readOnly: true });
  assert.is(copy.prepare("SELECT count(*) AS rows FROM records WHERE kind = 'candidate'").get()?.rows, 1);
  copy.close();
  assert.is(await create(server), 201);
  await server.stop();
});

dataDir('a process that stops removes the file that names it', async () => {
  const server = await start(makeFolder());
  const holder = join(server.dataDir, 'holder.json');
  assert.ok(existsSync(holder));
  await server.stop();
  assert.not(existsSync(holder));
});

dataDir('the lock of a folder takes no room on the disk', async () => {
  const server = await start(makeFolder());
  assert.is(statSync(join(server.dataDir, 'lock.sqlite')).size, 0);
  assert.not(existsSync(join(server.dataDir, 'lock.sqlite-journal')));
  await server.stop();
});

dataDir('after SIGKILL the next start succeeds, and one of two at once', async () => {
  const folder = makeFolder();
  const holder = join(folder, 'holder.json');
  await (await start(folder)).kill();
  assert.ok(existsSync(holder));
  const facts = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  for (const left of [JSON.stringify(facts), '{"pid":', '']) {
    writeFileSync(holder, left);
    const store = await openStore({ url: '', dataDir: folder });
    assert.is(JSON.parse(readFileSync(holder, 'utf8')).pid, process.pid);
    await store.close();
  }
  const both = await Promise.all([tryStart(folder), tryStart(folder)]);
  const up = both.filter((one): one is RunningServer => !(one instanceof Error));
  assert.is(up.length, 1, both.map(String).join('\n'));
  await up[0]!.kill();
});

dataDir('containers that share a volume, each with a process 1, exclude each other', async () => {
  const contained = ['unshare', '--pid', '--fork', '--kill-child', '--uts'];
  if (spawnSync(contained[0]!, [...contained.slice(1), 'true']).status !== 0)
    return console.log('\nskipped: a process 1 of its own needs unshare and the right to use it');
  const first = await start(makeFolder(), [...contained, ...host]);
  const second = await tryStart(first.dataDir, [...contained, ...host]);
  assert.is(refusal.exec((second as Error).message)?.[2], '1');
  await first.kill();
  await (await start(first.dataDir, [...contained, ...host])).kill();
});

dataDir.run();
