import { copyFileSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { makeFolder, startServer } from '../../support/server.ts';
import { checkpoint, copyAsKilled, makeMany, name, open, useDatabase } from '../../support/stored-files.ts';

const restore = suite('a restored backup');
function vacuumInto(folder: string, path: string): void {
  useDatabase(folder, (database) => database.exec(`VACUUM INTO '${path}'`));
}

async function useBackupApi(folder: string, path: string): Promise<void> {
  const database = new DatabaseSync(join(folder, name));
  await backup(database, path);
  database.close();
}

const backups = { 'VACUUM INTO': vacuumInto, 'the backup API': useBackupApi };
/** What happens before the backup, and between the backup and the kill. */
const timings = {
  'of a new database': [0, 'log', 20],
  'of a log that was never emptied': [20, 'log', 20],
  'before a checkpoint': [20, 'checkpoint', 20],
  'before the log began again': [200, 'checkpoint', 1500],
} as const;
const placings = { mv: renameSync, cp: copyFileSync };

/** Whether a case makes a thousand workspaces more than others. One of these is enough, whatever took the backup. */
const isRepeated = (how: string, when: string, placing: string) =>
  when === 'before the log began again' && (how !== 'the backup API' || placing !== 'cp');

function holdToMessage({ message }: Error): void {
  assert.match(message, /workspaces\.sqlite and \S+workspaces\.sqlite-wal do not belong together/);
  assert.match(
    message,
    /To start with \S+workspaces\.sqlite, move \S+workspaces\.sqlite-wal to another folder/,
  );
}

/** Returns why something did not start. */
const toFailure = (started: Promise<unknown>): Promise<Error> =>
  started.then(
    () => assert.unreachable('it was started') as never,
    (error: Error) => error,
  );

async function holdToRefusal(folder: string): Promise<void> {
  const files = [join(folder, name), join(folder, `${name}-wal`)];
  const before = files.map((file) => readFileSync(file));
  holdToMessage(await toFailure(open(folder)));
  assert.ok(
    files.every((file, at) => readFileSync(file).equals(before[at]!)),
    'the files are unchanged',
  );
}

for (const [how, take] of Object.entries(backups))
  for (const [when, [before, between, after]] of Object.entries(timings))
    for (const [placing, place] of Object.entries(placings)) {
      if (isRepeated(how, when, placing)) continue;
      restore(`by ${how} ${when}, put in place with ${placing}, does not start`, async () => {
        const folder = makeFolder();
        const store = await open(folder);
        const kept = await makeMany(store, before);
        const path = join(makeFolder(), 'backup');
        await take(folder, path);
        if (between === 'checkpoint') checkpoint(folder);
        await makeMany(store, after);
        const killed = copyAsKilled(folder);
        await store.close();
        place(path, join(killed, name));
        await holdToRefusal(killed);

        rmSync(join(killed, `${name}-wal`));
        const again = await open(killed);
        for (const hash of kept) assert.is((await again.listIds(hash))?.length, 1);
        await again.close();
      });
    }

restore('copied from a stopped service does not start with a newer log', async () => {
  const folder = makeFolder();
  await (await open(folder)).close();
  const path = join(makeFolder(), 'backup');
  copyFileSync(join(folder, name), path);
  const store = await open(folder);
  await makeMany(store, 20);
  const killed = copyAsKilled(folder);
  await store.close();
  renameSync(path, join(killed, name));
  await holdToRefusal(killed);
});

restore('of another service does not start with the log of this one', async () => {
  const [folder, other] = [makeFolder(), makeFolder()];
  const stores = [await open(folder), await open(other)];
  for (const store of stores) await makeMany(store, 20);
  const killed = copyAsKilled(folder);
  for (const store of stores) await store.close();
  copyFileSync(join(other, name), join(killed, name));
  await holdToRefusal(killed);
});

restore('is read without the log that was moved away, and from then on has its own log', async () => {
  const folder = makeFolder();
  const store = await open(folder);
  const [first] = await makeMany(store, 1);
  const path = join(makeFolder(), 'backup');
  vacuumInto(folder, path);
  const [second] = await makeMany(store, 1);
  await store.close();
  renameSync(path, join(folder, name));
  const restored = await open(folder);
  assert.is(await restored.open(second!, Date.now()), undefined);
  const [third] = await makeMany(restored, 1);
  const killed = await open(copyAsKilled(folder));
  for (const hash of [first!, third!]) assert.ok(await killed.open(hash, Date.now()));
  await killed.close();
  await restored.close();
});

restore('that is missing leaves the log of the old database as it is', async () => {
  const folder = makeFolder();
  const store = await open(folder);
  await makeMany(store, 5);
  const killed = copyAsKilled(folder);
  await store.close();
  rmSync(join(killed, name));
  const log = readFileSync(join(killed, `${name}-wal`));
  holdToMessage(await toFailure(open(killed)));
  assert.ok(readFileSync(join(killed, `${name}-wal`)).equals(log));
});

restore('stops the host at its start after a kill, until the log is moved away', async () => {
  const env = { DATA_DIR: makeFolder(), LOG: 'off', RATE_LIMIT: 'off' };
  const [path, saved] = [join(env.DATA_DIR, name), join(makeFolder(), 'backup')];
  const host = await startServer(env);
  const client = await connect(host.origin);
  const create = () => client.post('/candidates', { name: 'Ann Sample', onetCode: '15-1252.00' });
  const { candidate, workspace } = (await create()).body;
  vacuumInto(env.DATA_DIR, saved);
  for (let count = 0; count < 50; count += 1) await create();
  await host.kill();
  renameSync(saved, path);
  const error = await toFailure(startServer(env));
  holdToMessage(error);
  assert.match(error.message, /ended with 1 /);

  renameSync(`${path}-wal`, join(makeFolder(), 'log'));
  const again = await startServer(env);
  const found = await (await connect(again.origin)).get(`/candidates/${candidate.id}`, {
    'X-Workspace': workspace,
  });
  assert.is(found.status, 200);
  await again.stop();
});

restore.run();
