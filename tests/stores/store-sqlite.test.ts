import { existsSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import { make, readWhole, toCreate, toFact, toHash, toWrite } from '../support/changes.ts';
import { makeFolder } from '../support/server.ts';
import { testStore } from '../support/store-contract.ts';

const makeFile = () => join(makeFolder(), 'workspaces.sqlite');

testStore('SQLite in a file', () => openSqliteStore(makeFile()));
testStore('SQLite in memory', () => openSqliteStore(':memory:'));

const sqlite = suite('SQLite');

sqlite('forgets what expired, keeps the rest, and gives the space back', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const now = Date.now();
  const toKeyed = (expiresAt: number) => {
    const key = { name: toHash(), fingerprint: toHash() };
    return toCreate({ now, expiresAt, key, reply: 'x'.repeat(500) });
  };
  const kept = toKeyed(now + 60_000);
  await store.change(kept);
  await Promise.all(Array.from({ length: 4000 }, () => store.change(toKeyed(now + 1000))));
  const reader = new DatabaseSync(path);
  const count = (what: string) => Number(Object.values(reader.prepare(what).get()!)[0]);
  const pages = count('PRAGMA page_count');
  assert.equal([store.overdue!(now + 1000), store.overdue!(now + 3000)], [0, 2000]);
  let passes = 1;
  while (await store.sweep(now + 1000)) passes += 1;
  assert.is(store.overdue!(now + 3000), 0);
  assert.ok(passes > 8, 'a sweep is done in small passes');
  const tables = ['workspaces', 'records', 'names', 'doors'];
  const counts = tables.map((table) => count(`SELECT count(*) FROM ${table}`));
  assert.equal(counts, [1, 2, 2, 1], 'a record and a kept reply, with a name each, and the door of its key');
  assert.ok(count('PRAGMA page_count') < pages / 50, 'the file is small again');
  assert.is((await readWhole(store, kept.workspace))?.records.length, 1);
  reader.close();
  await store.close();
});

sqlite('forgets a workspace of many records a part at a time, and knows it no more at once', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const puts = Array.from({ length: 3000 }, () => ({ kind: 'candidate', fact: toFact() }));
  const ceiling = { records: 3000, bytes: 1 };
  const change = toWrite({ puts }, { ceiling });
  await store.change(change);
  const other = new DatabaseSync(path);
  const count = () => Number(other.prepare('SELECT count(*) AS rows FROM records').get()?.rows);
  await store.change(toWrite({ forget: true }, { workspace: change.workspace, mint: false }));
  assert.is(await store.open(change.workspace, 0), undefined);
  assert.is(count(), 1000);
  let passes = 0;
  while (await store.sweep(Date.now())) passes += 1;
  assert.ok(passes > 1);
  assert.is(count(), 0);
  other.close();
  await store.close();
});

sqlite('gives no workspace the place of one that was forgotten', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const now = Date.now();
  const keys: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { workspace } = await make(store, { now, expiresAt: now + 1000 });
    keys.push((await readWhole(store, workspace))!.key);
    await store.sweep(now + 1000);
    rmSync(path);
  }
  assert.is(new Set(keys).size, 3);
  await store.close();
});

sqlite('forgets nothing in a sweep that fails, nor in one of a closed store', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const now = Date.now();
  const key = { name: toHash(), fingerprint: toHash() };
  await store.change(toCreate({ now, expiresAt: now + 1000, key, reply: '' }));
  const other = new DatabaseSync(path);
  const count = () => other.prepare("SELECT count(*) AS rows FROM records WHERE kind <> '='").get()?.rows;
  other.exec("CREATE TRIGGER fault BEFORE DELETE ON names BEGIN SELECT RAISE(ABORT, 'no'); END");
  assert.is(await store.sweep(now + 1000), false);
  assert.is(count(), 1);
  other.exec('DROP TRIGGER fault');
  await store.sweep(now + 1000);
  assert.is(count(), 0);
  await store.close();
  assert.is(await store.sweep(now + 1000), false);
  other.close();
});

sqlite('goes on after a restart, and after a close with creates under way', async () => {
  const path = makeFile();
  const first = openSqliteStore(path);
  const change = toCreate();
  const answer = first.change(change);
  await first.close();
  assert.equal(await answer, { result: 'done', answer: null });
  const second = openSqliteStore(path);
  assert.is((await readWhole(second, change.workspace))?.records.length, 1);
  await second.close();
});

sqlite('has many creates that arrive together in few transactions', async () => {
  const store = openSqliteStore(makeFile());
  await Promise.all(Array.from({ length: 1000 }, () => store.change(toCreate())));
  const { commits, creates } = store.stats!() as { commits: number; creates: number };
  assert.is(creates, 1000);
  assert.ok(commits < 100, `${commits} commits`);
  await store.close();
});

const foreign: Record<string, (path: string) => void> = {
  text: (path) => writeFileSync(path, 'dear diary, '.repeat(500)),
  "another program's database": (path) => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
    database.close();
  },
  'a database of another version': (path) => {
    openSqliteStore(path).close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
  },
  'one of an earlier format': (path) => {
    const database = new DatabaseSync(path);
    database.exec('PRAGMA application_id = 0x43505331; PRAGMA user_version = 8; CREATE TABLE records (x)');
    database.close();
  },
  'one of ours cut short': (path) => {
    openSqliteStore(path).close();
    writeFileSync(path, readFileSync(path).subarray(0, 5000));
  },
  'one of ours with its first page overwritten': (path) => {
    openSqliteStore(path).close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(2000, 0x5a), 0, 2000, 100);
  },
};

for (const [what, make] of Object.entries(foreign)) {
  sqlite(`refuses ${what} plainly and leaves it as it was`, () => {
    const path = makeFile();
    make(path);
    const before = readFileSync(path);
    assert.throws(
      () => openSqliteStore(path),
      ({ message }: Error) =>
        message.startsWith(path) &&
        message.includes('left as it is') &&
        message.includes('of an earlier format (8)') === what.includes('earlier'),
    );
    assert.ok(before.equals(readFileSync(path)));
    assert.not(existsSync(`${path}-journal`));
  });
}

sqlite.run();
