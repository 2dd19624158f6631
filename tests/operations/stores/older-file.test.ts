import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteOldCopies } from '../../../src/stores/migrate-file.ts';
import { openStore } from '../../../src/stores/open-store.ts';
import { format, readFormat } from '../../../src/stores/sqlite-file.ts';
import { runWell } from '../../support/data-commands.ts';
import { dayMs } from '../../support/days.ts';
import {
  facts,
  holdToFacts,
  holdToSizes,
  makeOlderFolder,
  readKept,
  readRows,
  writeKept,
} from '../../support/kept-stores.ts';
import { copyEachStep } from '../../support/migration-steps.ts';
import { makeFolder } from '../../support/server.ts';
import { copyAsKilled, name, useDatabase } from '../../support/stored-files.ts';
import { World } from '../../support/world.ts';

const older = suite('a database of an older format');
const copyOf = (path: string) => `${path}.format-2`;

/** Starts and stops a store. Returns what it logged. */
async function startOnce(dataDir: string): Promise<string[]> {
  const logged: string[] = [];
  const store = await openStore({ url: '', dataDir, log: (text) => logged.push(text) });
  await store.close();
  return logged;
}

const listFiles = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file !== 'lock.sqlite')
    .sort();

/** Asserts that a start is refused, names the file, and leaves the folder as it was. Returns the message. */
async function holdRefused(dataDir: string): Promise<string> {
  const path = join(dataDir, name);
  const [before, files] = [readFileSync(path), listFiles(dataDir)];
  const message = await startOnce(dataDir).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  assert.match(message, path);
  assert.match(message, 'left as it is');
  assert.ok(readFileSync(path).equals(before), 'the file is unchanged');
  assert.equal(listFiles(dataDir), files);
  return message;
}

older('is migrated at the start, and serves everything as before', async () => {
  const dataDir = makeOlderFolder();
  const store = await openStore({ url: '', dataDir });
  await holdToFacts(new World({ store }));
  await store.close();
  assert.is(readFormat(join(dataDir, name))?.version, format);
  holdToSizes(join(dataDir, name));
});

older('changes in the placements that a stated fall-off ended, and nowhere else', async () => {
  const dataDir = makeOlderFolder();
  const path = join(dataDir, name);
  const before = readRows(path);
  await startOnce(dataDir);
  const after = readRows(path);
  const changed: string[] = [];
  for (const [at, row] of before.records!.entries()) {
    const { text, ...rest } = after.records![at]!;
    assert.equal({ ...rest, text: row.text }, { ...row });
    if (text !== row.text) changed.push(JSON.parse(String(text)).id);
  }
  assert.equal(changed.sort(), [facts.stated.withReason, facts.stated.withoutReason].sort());
  for (const table of ['replies', 'activity', 'tokens']) assert.equal(after[table], before[table], table);
  const withoutBytes = ({ head, ...row }: Record<string, unknown>) => {
    const { bytes: _, ...others } = JSON.parse(String(head));
    return { ...row, others };
  };
  assert.equal(after.workspaces!.map(withoutBytes), before.workspaces!.map(withoutBytes));
});

older('is kept under another name, which the log has, until seven days have passed', async () => {
  const dataDir = makeOlderFolder();
  const path = join(dataDir, name);
  const logged = await startOnce(dataDir);
  assert.is(logged.length, 1);
  assert.match(logged[0]!, copyOf(path));
  const before = makeOlderFolder();
  assert.equal(readRows(copyOf(path)), readRows(join(before, name)));
  const now = Date.now();
  assert.equal(deleteOldCopies(path, now + 6.9 * dayMs), []);
  assert.ok(existsSync(copyOf(path)));
  assert.equal(deleteOldCopies(path, now + 7.1 * dayMs), [copyOf(path)]);
  assert.not.ok(existsSync(copyOf(path)));
  assert.ok(existsSync(path));
});

older('is migrated once, and again if the file that was kept is put back', async () => {
  const dataDir = makeOlderFolder();
  const path = join(dataDir, name);
  await startOnce(dataDir);
  assert.equal(await startOnce(dataDir), []);
  writeKept(path);
  const [said] = await startOnce(dataDir);
  assert.match(said!, `${copyOf(path)}-2`);
  holdToSizes(path);
});

/** Makes a folder whose database has a change in its log only, as a kill leaves it. */
function makeKilledFolder(): string {
  const dataDir = makeOlderFolder();
  let killed = '';
  useDatabase(dataDir, (database) => {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`UPDATE records SET text = replace(text, 'Nurse', 'Later') WHERE kind = 'jobOrder'`);
    killed = copyAsKilled(dataDir);
  });
  assert.ok(existsSync(join(killed, `${name}-wal`)));
  return killed;
}

const countLate = (path: string) =>
  readRows(path).records!.filter(({ text }) => String(text).includes('"Later')).length;

older('is migrated with the changes that are only in its log', async () => {
  const dataDir = makeKilledFolder();
  const path = join(dataDir, name);
  await startOnce(dataDir);
  for (const file of [path, copyOf(path)]) assert.ok(countLate(file) > 0, file);
});

/** Asserts that a start completes the migration that a kill has ended. */
async function holdToMigrated(dataDir: string, when: string): Promise<void> {
  const path = join(dataDir, name);
  const store = await openStore({ url: '', dataDir });
  await holdToFacts(new World({ store }));
  await store.close();
  assert.is(readFormat(path)?.version, format, when);
  assert.is(readFormat(copyOf(path))?.version, 2, when);
  for (const file of [path, copyOf(path)]) assert.ok(countLate(file) > 0, `${file} ${when}`);
  holdToSizes(path);
  const rest = listFiles(dataDir).filter((file) => !file.startsWith(`${name}-`) && file !== 'holder.json');
  assert.equal(rest, [name, basename(copyOf(path))], when);
}

older('is migrated by the next start after a kill at any step, twice', async () => {
  const killed = await copyEachStep(makeKilledFolder());
  assert.ok(killed.length > 10, 'there were steps at all');
  for (const [step, dataDir] of killed.entries()) {
    const found = readFormat(join(dataDir, name))?.version;
    assert.ok(found === 2 || found === format, `after ${step} steps: format ${found}`);
    const again = await copyEachStep(dataDir);
    await holdToMigrated(again[step] ?? dataDir, `after ${step} steps`);
  }
});

older('that was cut anywhere is refused by name', async () => {
  const whole = readKept('sqlite-2');
  for (let length = 4096; length < whole.length; length += 4096 * 3 + 512) {
    const dataDir = makeFolder();
    writeFileSync(join(dataDir, name), whole.subarray(0, length));
    await holdRefused(dataDir);
  }
});

older('is left as it is if the disk fills up', async () => {
  const dataDir = makeFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', dataDir]).status !== 0) {
    console.log('\nskipped: a disk that can be filled needs the right to mount');
    return;
  }
  try {
    writeKept(join(dataDir, name));
    useDatabase(dataDir, (database) => database.exec('PRAGMA journal_mode = DELETE'));
    writeFileSync(join(dataDir, 'lock.sqlite'), '');
    const filler = join(dataDir, 'filler');
    let isRefused = false;
    let isStarted = false;
    // From no room at all to enough of it, a page at a time.
    for (let free = 0; !isStarted && free <= 400; free += 4) {
      rmSync(filler, { force: true });
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
      truncateSync(filler, Math.max(0, statSync(filler).size - free * 1024));
      const [before, files] = [readFileSync(join(dataDir, name)), listFiles(dataDir)];
      const message = await startOnce(dataDir).then(
        () => '',
        (error: Error) => error.message,
      );
      isStarted = readFormat(join(dataDir, name))?.version === format;
      if (isStarted) break;
      isRefused = true;
      assert.match(message, /left as it is.*(is full|has .* left)/);
      assert.ok(readFileSync(join(dataDir, name)).equals(before));
      assert.equal(listFiles(dataDir), files);
    }
    assert.ok(isRefused && isStarted, 'it was refused, and started with more room');
  } finally {
    spawnSync('umount', ['-l', dataDir]);
  }
});

older('is refused by name beside the log of another database', async () => {
  const dataDir = makeOlderFolder();
  const other = makeFolder();
  await startOnce(other);
  const store = await openStore({ url: '', dataDir: other });
  await store.check();
  writeFileSync(join(dataDir, `${name}-wal`), readFileSync(join(other, `${name}-wal`)));
  await store.close();
  assert.match(await holdRefused(dataDir), 'do not belong together');
});

older('is restored from its backup, and migrated by that', async () => {
  const file = join(makeFolder(), 'nightly.backup');
  writeFileSync(file, readKept('backup-2'));
  const DATA_DIR = makeFolder();
  assert.match(runWell('restore', [file], { DATA_DIR }), 'Restored 5 workspaces');
  holdToSizes(join(DATA_DIR, name));
  const store = await openStore({ url: '', dataDir: DATA_DIR });
  await holdToFacts(new World({ store }));
  await store.close();
  assert.ok(readFileSync(file).equals(readKept('backup-2')));
});

older('is transferred to a file of this format, and stays as it is', async () => {
  const [from, to] = [makeOlderFolder(), makeFolder()];
  const before = readFileSync(join(from, name));
  assert.match(runWell('transfer', ['--from', from, '--to', to]), 'Copied 5 workspaces');
  assert.ok(readFileSync(join(from, name)).equals(before));
  assert.is(readFormat(join(to, name))?.version, format);
  holdToSizes(join(to, name));
  const store = await openStore({ url: '', dataDir: to });
  await holdToFacts(new World({ store }));
  await store.close();
});

older('of any format that is not migrated is refused by name', async () => {
  for (const [version, said] of [
    [1, /an earlier format \(1\)/],
    [format + 1, new RegExp(`a later format \\(${format + 1}\\)`)],
  ] as const) {
    const dataDir = makeOlderFolder();
    const database = new DatabaseSync(join(dataDir, name));
    database.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = ${version}`);
    database.close();
    assert.match(await holdRefused(dataDir), said);
  }
});

older.run();
