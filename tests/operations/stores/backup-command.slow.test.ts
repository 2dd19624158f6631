import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectTo, makeOne, runBadly, runWell, startCommand } from '../../support/data-commands.ts';
import { until } from '../../support/redis.ts';
import { makeFolder, startServer, withServer } from '../../support/server.ts';
import { makeMany, name, open, useDatabase } from '../../support/stored-files.ts';

const backup = suite('npm run backup');
const root = join(import.meta.dirname, '..', '..', '..');
const quiet = { LOG: 'off', RATE_LIMIT: 'off', STORE_FREE: '0' };

/** Makes a data folder with this many workspaces, and a place for a backup. */
async function makeData(count: number) {
  const DATA_DIR = makeFolder();
  const store = await open(DATA_DIR);
  await makeMany(store, count);
  await store.close();
  return { env: { DATA_DIR, STORE_FREE: '0' }, file: join(makeFolder(), 'nightly.backup') };
}

function countIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  const { n } = database.prepare("SELECT count(*) AS n FROM records WHERE kind = 'candidate'").get()!;
  database.close();
  return Number(n);
}

/** Makes the database larger, so that a backup takes a while. */
const fill = (folder: string, rows: number) =>
  useDatabase(folder, (database) =>
    database.exec(`WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO activity (workspace, revision, text) SELECT 0, i, hex(randomblob(2000)) FROM n`),
  );

backup('has everything that was answered before it, while the host runs', async () => {
  const file = join(makeFolder(), 'nightly.backup');
  await withServer(quiet, async (server) => {
    const client = await connectTo(server);
    for (let count = 0; count < 20; count += 1) await makeOne(client);
    const said = runWell('backup', [file], { DATA_DIR: server.dataDir, STORE_FREE: '0' });
    assert.match(said, 'It has 20 workspaces, and the signing key.');
  });
  assert.is(countIn(file), 20);
});

backup('is whole while the host is writing, and holds up no write', async () => {
  const server = await startServer(quiet);
  fill(server.dataDir, 2000);
  const client = await connectTo(server);
  const file = join(makeFolder(), 'nightly.backup');
  const child = startCommand('backup', [file], { DATA_DIR: server.dataDir, STORE_FREE: '0' });
  const ended = once(child, 'exit');
  let made = 0;
  while (child.exitCode === null) {
    await makeOne(client);
    made += 1;
  }
  assert.equal(await ended, [0, null]);
  assert.ok(made > 0, 'the host wrote meanwhile');
  assert.ok(countIn(file) <= made);
  await server.stop();
});

backup('can be read by its owner alone', async () => {
  const { env, file } = await makeData(1);
  runWell('backup', [file], env);
  assert.is(statSync(file).mode & 0o777, 0o600);
});

backup('leaves no other file beside the backup', async () => {
  const { env, file } = await makeData(1);
  runWell('backup', [file], env);
  assert.equal(readdirSync(join(file, '..')), ['nightly.backup']);
});

backup('of a host that was killed has what is in its log', async () => {
  const server = await startServer(quiet);
  await makeOne(await connectTo(server));
  await server.kill();
  const file = join(makeFolder(), 'nightly.backup');
  runWell('backup', [file], { DATA_DIR: server.dataDir, STORE_FREE: '0' });
  assert.is(countIn(file), 1);
  const again = await startServer({ ...quiet, DATA_DIR: server.dataDir });
  await again.stop();
});

backup('keeps the one of the night before, as often as --keep says', async () => {
  const { env, file } = await makeData(1);
  const sizes: number[] = [];
  for (let night = 0; night < 4; night += 1) {
    runWell('backup', [file, '--keep', '2'], env);
    sizes.push(statSync(file).ino);
  }
  const kept = [file, `${file}.1`, `${file}.2`].map((one) => statSync(one).ino);
  assert.equal(kept, sizes.slice(1).reverse());
  assert.not(existsSync(`${file}.3`));
});

backup('that is killed leaves the last backup, and the next night works', async () => {
  const { env, file } = await makeData(3);
  runWell('backup', [file], env);
  const before = readFileSync(file);
  fill(env.DATA_DIR, 5000);
  const child = startCommand('backup', [file], env);
  const ended = once(child, 'exit');
  await until(() => existsSync(`${file}.part`) || child.exitCode !== null, 'the copy began');
  child.kill('SIGKILL');
  assert.equal(await ended, [null, 'SIGKILL']);
  assert.ok(readFileSync(file).equals(before), 'the last backup is as it was');

  runWell('backup', [file], env);
  assert.is(countIn(file), 3);
  assert.ok(readFileSync(`${file}.1`).equals(before), 'it is the one before now');
  assert.not(existsSync(`${file}.part`));
});

backup('says before it writes that the disk has too little room', async () => {
  const { env, file } = await makeData(1);
  const said = runBadly('backup', [file], { ...env, STORE_FREE: '1125899906842624' });
  assert.match(said, /nightly\.backup needs [\d.]+ kB, and its disk has .* left, of which 1\.1 PB stay free/);
  assert.equal(readdirSync(join(file, '..')), []);
});

backup('that cannot write to its end leaves the last backup, and says why in a sentence', async () => {
  const { env, file } = await makeData(1);
  runWell('backup', [file], env);
  const before = readFileSync(file);
  fill(env.DATA_DIR, 500);
  const command = `trap '' XFSZ; ulimit -f 400; exec "${process.execPath}" scripts/backup.ts "${file}"`;
  const { status, stderr } = spawnSync('bash', ['-c', command], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  assert.is(status, 1, stderr);
  assert.match(stderr, /nightly\.backup could not be written \(disk I\/O error\)/);
  assert.not.match(stderr, /\n\s+at /);
  assert.ok(readFileSync(file).equals(before));
  assert.equal(readdirSync(join(file, '..')), ['nightly.backup']);
});

backup('refuses a name under which there is another file, and leaves that', async () => {
  const { env, file } = await makeData(1);
  writeFileSync(file, 'my notes');
  assert.match(runBadly('backup', [file], env), 'is there, is no backup, and was left as it is');
  assert.is(readFileSync(file, 'utf8'), 'my notes');
});

backup('refuses to replace a database that is in use', async () => {
  const { env } = await makeData(1);
  const said = runBadly('backup', [join(env.DATA_DIR, name)], env);
  assert.match(said, 'has the name of a database in use');
});

backup('refuses a folder that is not there, and says what to do', async () => {
  const { env, file } = await makeData(1);
  const said = runBadly('backup', [join(file, 'there', 'nightly.backup')], env);
  assert.match(said, 'is no folder. Make it, or name a file in another one.');
});

backup('refuses a link to the database in use, and leaves both', async () => {
  const { env, file } = await makeData(1);
  symlinkSync(join(env.DATA_DIR, name), file);
  assert.match(runBadly('backup', [file], env), 'has the name of a database in use');
  assert.ok(lstatSync(file).isSymbolicLink());
});

backup('refuses another name of the database in use', async () => {
  const { env } = await makeData(1);
  const file = join(env.DATA_DIR, 'nightly.backup');
  linkSync(join(env.DATA_DIR, name), file);
  assert.match(runBadly('backup', [file], env), 'is a database in use, and was left as it is');
});

backup('to a link replaces the file that the link names', async () => {
  const { env, file } = await makeData(1);
  runWell('backup', [file], env);
  const link = join(makeFolder(), 'latest');
  symlinkSync(file, link);
  runWell('backup', [link], env);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.ok(existsSync(`${file}.1`));
});

backup('to a folder says to name a file in it', async () => {
  const { env } = await makeData(1);
  const folder = makeFolder();
  assert.match(
    runBadly('backup', [folder], env),
    `Name a file in it, such as ${join(folder, 'careers.backup')}`,
  );
});

backup('prints a restore command that can be pasted', async () => {
  const { env, file } = await makeData(1);
  const spaced = join(file, '..', 'my nightly.backup');
  assert.match(runWell('backup', [spaced], env), `npm run restore -- '${spaced}'`);
});

backup('of a damaged database is refused, and names the database', async () => {
  const { env, file } = await makeData(3);
  const path = join(env.DATA_DIR, name);
  // The last page is one of a table or an index.
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xee, bytes.length - 4096));
  assert.match(runBadly('backup', [file], env), `${path} is damaged (`);
  assert.equal(readdirSync(join(file, '..')), []);
});

if (process.getuid?.() === 0) {
  /** Runs the command as a user who owns nothing here. */
  const runAsOther = (file: string, DATA_DIR: string) =>
    spawnSync(process.execPath, [join('scripts', 'backup.ts'), file], {
      cwd: root,
      env: { DATA_DIR, STORE_FREE: '0' },
      encoding: 'utf8',
      uid: 65534,
      gid: 65534,
    }).stderr;

  backup('by a user who may not read the data names their folder', async () => {
    const { env, file } = await makeData(1);
    chmodSync(env.DATA_DIR, 0o755);
    chmodSync(join(env.DATA_DIR, name), 0o600);
    chmodSync(join(file, '..'), 0o777);
    const said = runAsOther(file, env.DATA_DIR);
    assert.match(said, `${env.DATA_DIR} cannot be read (EACCES`);
    assert.match(said, 'Run this as the user of the service, or as root.');
  });

  backup('by a user who may not write there names the folder of the backup', async () => {
    const { env, file } = await makeData(1);
    chmodSync(join(file, '..'), 0o755);
    assert.match(runAsOther(file, env.DATA_DIR), `This user may not write to ${join(file, '..')}.`);
  });
}

backup('without the data of the service says that DATA_DIR is wrong', () => {
  const said = runBadly('backup', [join(makeFolder(), 'file')], { DATA_DIR: makeFolder() });
  assert.match(said, 'is not there. Set DATA_DIR to the folder of the service');
});

backup('with STORE_URL names the command that copies a server', () => {
  const said = runBadly('backup', ['file'], { STORE_URL: 'redis://localhost:1' });
  assert.match(said, 'npm run transfer -- --from STORE_URL');
});

backup('and its restore run from dist/host, without npm', async () => {
  const { env, file } = await makeData(2);
  const run = (tool: string, DATA_DIR: string) =>
    spawnSync(process.execPath, [join(root, 'dist', 'host', tool), file], {
      cwd: makeFolder(),
      env: { ...env, DATA_DIR },
      encoding: 'utf8',
    });
  assert.is(run('backup.mjs', env.DATA_DIR).stderr, '');
  const DATA_DIR = makeFolder();
  assert.match(run('restore.mjs', DATA_DIR).stdout, 'Restored 2 workspaces');
  assert.is(countIn(join(DATA_DIR, name)), 2);
});

backup('explains itself with --help', () => {
  assert.match(runWell('backup', ['--help']), 'npm run backup -- FILE [--keep N]');
});

backup.run();
