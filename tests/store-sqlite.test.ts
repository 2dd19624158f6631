import { existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteStore } from '../src/stores/sqlite.ts';
import { readWhole, toAddition } from './support/additions.ts';
import { makeFolder } from './support/server.ts';
import { testStore } from './support/store-contract.ts';

const makeFile = () => join(makeFolder(), 'workspaces.sqlite');

testStore('SQLite in a file', () => openSqliteStore(makeFile()));
testStore('SQLite in memory', () => openSqliteStore(':memory:'));

const sqlite = suite('SQLite');

sqlite('flushes at every commit, in a write-ahead log', () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const reader = new DatabaseSync(path, { readOnly: true });
  assert.is(reader.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
  assert.is(reader.prepare('PRAGMA auto_vacuum').get()?.auto_vacuum, 2);
  reader.close();
  store.close();
});

sqlite('brings a file of the version before up to this one, with all that is in it', async () => {
  const path = makeFile();
  const before = new DatabaseSync(path);
  before.exec(readFileSync(join(import.meta.dirname, 'support', 'workspaces-v3.sql'), 'utf8'));
  const [first, second] = [toAddition(), toAddition()];
  const { workspace, now, expiresAt } = first;
  const insert = before.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)');
  for (const [at, { record }] of [first, second].entries()) {
    const head = at === 0 ? [2, expiresAt] : [null, null];
    const fact = JSON.stringify(record.fact);
    insert.run(Buffer.from(workspace, 'hex'), at + 1, ...head, record.kind, fact);
  }
  before.close();
  const store = openSqliteStore(path);
  assert.equal(await readWhole(store, workspace, now), {
    expiresAt,
    records: [first, second].map(({ record }, at) => ({ ...record, seq: at + 1 })),
  });
  assert.equal(await store.find(workspace, now, [second.record.fact.id]), [{ ...second.record, seq: 2 }]);
  const bytes = 3 * JSON.stringify(first.record.fact).length;
  const more = () => toAddition({ workspace, mint: false, ceiling: { records: 9, bytes } });
  assert.equal(await store.add(more()), { result: 'added' });
  assert.equal(await store.add(more()), { result: 'full' });
  store.close();
  openSqliteStore(path).close();
});

sqlite('gathers creates that arrive together into one commit', async () => {
  const store = openSqliteStore(makeFile());
  await Promise.all(Array.from({ length: 64 }, () => store.add(toAddition())));
  assert.equal(store.stats?.(), { commits: 1, creates: 64 });
  store.close();
});

sqlite('forgets what expired, keeps the rest, and gives the space back', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const now = Date.now();
  const key = () => ({
    name: toAddition().workspace,
    fingerprint: toAddition().workspace,
    reply: 'x'.repeat(500),
  });
  const kept = toAddition({ now, expiresAt: now + 60_000, key: key() });
  await store.add(kept);
  await Promise.all(
    Array.from({ length: 4000 }, () => store.add(toAddition({ now, expiresAt: now + 1000, key: key() }))),
  );
  const reader = new DatabaseSync(path);
  const count = (what: string) => Number(Object.values(reader.prepare(what).get()!)[0]);
  const pages = count('PRAGMA page_count');
  let passes = 1;
  while (store.sweep(now + 1000)) passes += 1;
  assert.ok(passes > 8, 'a sweep is done in small passes');
  assert.equal(
    ['records', 'keys'].map((table) => count(`SELECT count(*) FROM ${table}`)),
    [1, 1],
  );
  assert.ok(count('PRAGMA page_count') < pages / 50, 'the file is small again');
  assert.is((await readWhole(store, kept.workspace, now))?.records.length, 1);
  reader.close();
  store.close();
});

sqlite('forgets nothing in a sweep that fails, nor in one of a closed store', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const now = Date.now();
  const { workspace: name } = toAddition();
  await store.add(toAddition({ now, expiresAt: now + 1000, key: { name, fingerprint: name, reply: '' } }));
  const other = new DatabaseSync(path);
  const count = () => other.prepare('SELECT count(*) AS rows FROM records').get()?.rows;
  other.exec("CREATE TRIGGER fault BEFORE DELETE ON keys BEGIN SELECT RAISE(ABORT, 'no'); END");
  assert.is(store.sweep(now + 1000), false);
  assert.is(count(), 1);
  other.exec('DROP TRIGGER fault');
  store.sweep(now + 1000);
  assert.is(count(), 0);
  store.close();
  assert.is(store.sweep(now + 1000), false);
  other.close();
});

sqlite('goes on after a restart, and after a close with creates under way', async () => {
  const path = makeFile();
  const first = openSqliteStore(path);
  const addition = toAddition();
  const answer = first.add(addition);
  first.close();
  assert.equal(await answer, { result: 'added' });
  const second = openSqliteStore(path);
  assert.is((await readWhole(second, addition.workspace, Date.now()))?.records.length, 1);
  second.close();
});

sqlite('makes a database of an empty file', async () => {
  const path = makeFile();
  writeFileSync(path, '');
  const store = openSqliteStore(path);
  assert.is((await store.add(toAddition())).result, 'added');
  store.close();
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
      ({ message }: Error) => message.startsWith(path) && message.includes('it was left as it is'),
    );
    assert.ok(before.equals(readFileSync(path)));
    assert.not(existsSync(`${path}-journal`));
  });
}

sqlite('says the same for a file that it cannot reach', () => {
  const path = join(makeFile(), 'nowhere', 'workspaces.sqlite');
  assert.throws(() => openSqliteStore(path), /cannot be made/);
});

sqlite.run();
