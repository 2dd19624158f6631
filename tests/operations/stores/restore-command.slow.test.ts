import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkStart } from '../../../src/hosts/node/check.ts';
import { change, keyName, quiet, readStatuses, useNight } from '../../support/backed-up-night.ts';
import { connectTo, makeOne, runBadly, runCommand, runWell } from '../../support/data-commands.ts';
import { hourMs } from '../../support/days.ts';
import { makeFolder, startServer, withServer } from '../../support/server.ts';
import { copyAsKilled, name } from '../../support/stored-files.ts';

const restore = suite('npm run restore');

restore('brings back what the backup has, and the service starts beside no old log', async () => {
  const { env, file, kept, later } = await useNight();
  runWell('restore', [file], env);
  assert.not(existsSync(join(env.DATA_DIR, `${name}-wal`)));
  assert.equal(await readStatuses(env.DATA_DIR, kept, later), [200, 401]);
});

restore('into an empty folder brings the signing key along', async () => {
  const { env, file, kept } = await useNight();
  const key = readFileSync(join(env.DATA_DIR, keyName), 'utf8');
  const DATA_DIR = join(makeFolder(), 'new');
  runWell('restore', [file], { DATA_DIR });
  assert.is(readFileSync(join(DATA_DIR, keyName), 'utf8'), key);
  assert.is(statSync(join(DATA_DIR, keyName)).mode & 0o777, 0o600);
  assert.equal(await readStatuses(DATA_DIR, kept), [200]);
});

restore('leaves no signing key in the database', async () => {
  const { file } = await useNight();
  const DATA_DIR = makeFolder();
  runWell('restore', [file], { DATA_DIR });
  const [, line = ''] = readFileSync(join(DATA_DIR, keyName), 'utf8').split('\n');
  assert.ok(readFileSync(file).includes(line), 'the backup has it');
  assert.not.ok(readFileSync(join(DATA_DIR, name)).includes(line));
});

restore('keeps another signing key under a new name, and says so', async () => {
  const { env, file } = await useNight();
  const path = join(env.DATA_DIR, keyName);
  const key = readFileSync(path, 'utf8');
  rmSync(path);
  const other = await startServer({ ...quiet, DATA_DIR: env.DATA_DIR });
  await other.stop();
  const newer = readFileSync(path, 'utf8');
  const said = runWell('restore', [file], env);
  assert.is(readFileSync(path, 'utf8'), key);
  assert.is(readFileSync(`${path}.before`, 'utf8'), newer);
  assert.match(said, 'add the text of');
});

restore('can be done by its messages alone', async () => {
  const server = await startServer(quiet);
  const kept = await makeOne(await connectTo(server));
  const env = { DATA_DIR: server.dataDir, STORE_FREE: '0' };
  const saved = runWell('backup', [join(makeFolder(), 'nightly.backup')], env);
  const [, file = ''] = /^To restore it: npm run restore -- (\S+)$/m.exec(saved)!;

  assert.match(runBadly('restore', [], env), 'npm run restore -- FILE');
  const busy = runBadly('restore', [file], env);
  const [, holder] = /in use by process (\d+) on host .* Stop it, and run this again\./.exec(busy)!;
  process.kill(Number(holder), 'SIGINT');
  await server.stop();
  assert.match(runWell('restore', [file], env), 'Start the service.');
  assert.equal(await readStatuses(env.DATA_DIR, kept), [200]);
});

restore('keeps what it replaces, with its log, which can be restored again', async () => {
  const { env, file, kept, later } = await useNight();
  const said = runWell('restore', [file], env);
  const [before = ''] = /\S+\.before$/m.exec(said)!;
  runWell('restore', [before], env);
  assert.equal(await readStatuses(env.DATA_DIR, kept, later), [200, 200]);
  assert.ok(existsSync(`${before}-2`), 'what this replaced is kept as well');
});

restore('ends what a killed restore began', async () => {
  const { env, file, kept } = await useNight();
  const killed = copyAsKilled(env.DATA_DIR);
  copyFileSync(file, join(killed, name));
  writeFileSync(join(killed, `${name}.restoring`), 'half');
  runWell('restore', [file], { DATA_DIR: killed });
  assert.not(existsSync(join(killed, `${name}.restoring`)));
  assert.equal(await readStatuses(killed, kept), [200]);
});

restore('lets what was restored live for one more day', async () => {
  const { env, file, kept } = await useNight();
  const soon = Date.now() + 60_000;
  change(file, `UPDATE workspaces SET expires_at = ${soon}, head = json_set(head, '$.expiresAt', ${soon})`);
  runWell('restore', [file], env);
  await withServer({ ...quiet, ...env }, async (server) => {
    const client = await connectTo(server);
    const { body } = await client.get('/workspace', { 'X-Workspace': kept.workspace });
    assert.ok(Date.parse(body.workspace.expiresAt) > Date.now() + 23 * hourMs, body.workspace.expiresAt);
  });
});

restore('brings back a workspace that expired after the backup', async () => {
  const { env, file, kept } = await useNight();
  const at = Date.now() - 10 * hourMs;
  change(
    file,
    `UPDATE workspaces SET expires_at = ${at}, head = json_set(head, '$.expiresAt', ${at});
     UPDATE backup SET facts = json_set(facts, '$.madeAt', ${at - hourMs})`,
  );
  runWell('restore', [file], env);
  assert.equal(await readStatuses(env.DATA_DIR, kept), [200]);
});

restore('leaves a workspace dead that had expired before the backup', async () => {
  const { env, file, kept } = await useNight();
  const at = Date.now() - 10 * hourMs;
  change(file, `UPDATE workspaces SET expires_at = ${at}, head = json_set(head, '$.expiresAt', ${at})`);
  assert.match(runWell('restore', [file], env), 'Restored 0 workspaces');
  assert.equal(await readStatuses(env.DATA_DIR, kept), [401]);
});

restore('keeps the mode of the file that it replaces', async () => {
  const { env, file } = await useNight();
  chmodSync(join(env.DATA_DIR, name), 0o640);
  runWell('restore', [file], env);
  assert.is(statSync(join(env.DATA_DIR, name)).mode & 0o777, 0o640);
});

restore('of a plain copy gives its workspaces one more day as well', async () => {
  const { env, kept } = await useNight();
  const copy = copyAsKilled(env.DATA_DIR);
  const DATA_DIR = makeFolder();
  const said = runWell('restore', [join(copy, name)], { DATA_DIR });
  assert.match(said, 'The file has no signing key.');
  assert.equal(await readStatuses(DATA_DIR, kept), [200]);
});

restore('refuses the log of another database beside the file', async () => {
  const { env, file } = await useNight();
  copyFileSync(join(env.DATA_DIR, `${name}-wal`), `${file}-wal`);
  assert.match(runBadly('restore', [file], env), 'do not belong together');
});

restore('names an older backup if there is one', async () => {
  const { env, file } = await useNight();
  writeFileSync(file, readFileSync(file).fill(0xee, 8192, 30_000));
  assert.not.match(runBadly('restore', [file], env), 'such as');
  copyFileSync(file, `${file}.1`);
  assert.match(runBadly('restore', [file], env), `Use an older backup, such as ${file}.1.`);
});

restore('of a link takes the log beside the file that the link names', async () => {
  const { env, kept, later } = await useNight();
  const copy = copyAsKilled(env.DATA_DIR);
  const link = join(makeFolder(), 'before');
  symlinkSync(join(copy, name), link);
  const DATA_DIR = makeFolder();
  copyFileSync(join(env.DATA_DIR, keyName), join(DATA_DIR, keyName));
  runWell('restore', [link], { DATA_DIR });
  assert.equal(await readStatuses(DATA_DIR, kept, later), [200, 200]);
});

restore('into a link to a missing folder says what to make', async () => {
  const { file } = await useNight();
  const DATA_DIR = join(makeFolder(), 'link');
  symlinkSync(join(makeFolder(), 'missing'), DATA_DIR);
  assert.match(runBadly('restore', [file], { DATA_DIR }), 'is a link to a folder that is not there');
});

restore('that ended between the workspaces and their key keeps the service from starting', async () => {
  const { env, file, kept } = await useNight();
  writeFileSync(join(env.DATA_DIR, `${keyName}.restoring`), 'the other key');
  const said = await startServer({ ...quiet, ...env }).then(
    async (server) => {
      await server.kill();
      return 'started';
    },
    (error: Error) => error.message,
  );
  assert.match(said, 'a restore ended before it was done');
  assert.match(said, 'Run it again: npm run restore -- FILE');
  runWell('restore', [file], env);
  assert.equal(await readStatuses(env.DATA_DIR, kept), [200]);
});

restore('that ended before it replaced anything is named by --check', async () => {
  const { env } = await useNight();
  writeFileSync(join(env.DATA_DIR, `${name}.restoring`), 'half');
  const { text, wouldStart } = await checkStart(env);
  assert.ok(wouldStart);
  assert.match(text, 'A restore ended before it replaced anything');
});

restore('with STORE_URL names the command that copies to a server', () => {
  const said = runBadly('restore', ['file'], { STORE_URL: 'redis://localhost:1' });
  assert.match(said, 'npm run transfer -- --from file --to STORE_URL');
});

if (process.getuid?.() === 0)
  restore('by root gives the files to the owner of the data', async () => {
    const { env, file } = await useNight();
    rmSync(join(env.DATA_DIR, keyName));
    for (const one of [env.DATA_DIR, join(env.DATA_DIR, name)]) chownSync(one, 1234, 1234);
    runWell('restore', [file], env);
    for (const one of [name, keyName, 'lock.sqlite'])
      assert.is(statSync(join(env.DATA_DIR, one)).uid, 1234, one);
  });

if (process.getuid?.() === 0)
  restore('by the owner of the data works without their group', async () => {
    const { env, file } = await useNight();
    const files = [env.DATA_DIR, ...readdirSync(env.DATA_DIR).map((one) => join(env.DATA_DIR, one))];
    for (const one of files) chownSync(one, 65534, 0);
    for (const one of [file, join(file, '..')]) chmodSync(one, 0o755);
    const { status, stderr } = spawnSync(process.execPath, ['scripts/restore.ts', file], {
      cwd: join(import.meta.dirname, '..', '..', '..'),
      env,
      encoding: 'utf8',
      uid: 65534,
      gid: 65534,
    });
    assert.is(status, 0, stderr);
  });

restore('explains itself with --help', () => {
  assert.is(runCommand('restore', ['--help']).code, 0);
});

restore.run();
