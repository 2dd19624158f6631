import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import {
  make,
  openSqlite,
  TestedStore,
  toCreate,
  toHash,
  toName,
  toRecord,
  toWord,
  toWrite,
} from '../../support/changes.ts';
import { openFailing } from '../../support/failing-file.ts';
import { makeFolder } from '../../support/server.ts';
import { testStore } from '../../support/store-contract.ts';

const makeFile = () => join(makeFolder(), 'workspaces.sqlite');

testStore('SQLite in a file', () => new SqliteStore(makeFile()));

const sqlite = suite('SQLite');

sqlite('removes what expired, keeps the rest, and returns the space', async () => {
  const path = makeFile();
  const store = new SqliteStore(path);
  const tested = new TestedStore(store);
  const now = Date.now();
  const toKeyed = (expiresAt: number) => {
    const key = { name: toName(), fingerprint: toName() };
    return toCreate({ now, expiresAt, key, reply: 'x'.repeat(500) });
  };
  const kept = toKeyed(now + 60_000);
  await tested.change(kept);
  await Promise.all(Array.from({ length: 4000 }, () => tested.change(toKeyed(now + 1000))));
  const reader = new DatabaseSync(path);
  const count = (what: string) => Number(Object.values(reader.prepare(what).get()!)[0]);
  const pages = count('PRAGMA page_count');
  assert.is(store.overdue(now + 1000), 0);
  assert.is(store.overdue(now + 3000), 2000);
  let passes = 1;
  while (await store.sweep(now + 1000)) passes += 1;
  assert.is(store.overdue(now + 3000), 0);
  assert.ok(passes > 8, 'a sweep is done in small passes');
  for (const table of ['workspaces', 'records', 'replies'])
    assert.is(count(`SELECT count(*) FROM ${table}`), 1, table);
  assert.is(count('SELECT count(*) FROM tokens'), 1, 'the token of its key');
  assert.ok(count('PRAGMA page_count') < pages / 50, 'the file is small again');
  assert.is((await tested.readWhole(kept.hash))?.records.length, 1);
  reader.close();
  await store.close();
});

sqlite('removes a large deleted workspace in parts, and no longer opens it', async () => {
  const path = makeFile();
  const store = new SqliteStore(path);
  const tested = new TestedStore(store);
  const ceiling = { records: 7000, bytes: 1 };
  const change = toWrite({}, { ceiling }, (draft) => {
    for (let number = 0; number < 7000; number += 1) draft.put('candidate', toRecord());
  });
  await tested.change(change);
  const other = new DatabaseSync(path);
  const count = () => Number(other.prepare('SELECT count(*) AS rows FROM records').get()?.rows);
  await tested.change(toWrite({ deletesWorkspace: true }, { hash: change.hash, mint: false }));
  assert.is(await tested.open(change.hash), undefined);
  assert.is(count(), 5000);
  let passes = 0;
  while (await store.sweep(Date.now())) passes += 1;
  assert.ok(passes > 1);
  assert.is(count(), 0);
  other.close();
  await store.close();
});

sqlite('gives no workspace the key of one that was deleted', async () => {
  const store = new SqliteStore(makeFile());
  const tested = new TestedStore(store);
  const now = Date.now();
  const keys: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { hash } = await make(tested, { now, expiresAt: now + 1000 });
    keys.push((await tested.open(hash, now))!.key);
    await store.sweep(now + 1000);
  }
  assert.is(new Set(keys).size, 3);
  await store.close();
});

sqlite('removes nothing in a sweep that fails, nor in one of a closed store', async () => {
  const path = makeFile();
  const store = new SqliteStore(path);
  const tested = new TestedStore(store);
  const now = Date.now();
  const key = { name: toName(), fingerprint: toName() };
  await tested.change(toCreate({ now, expiresAt: now + 1000, key, reply: '' }));
  const other = new DatabaseSync(path);
  const count = () => other.prepare('SELECT count(*) AS rows FROM records').get()?.rows;
  other.exec("CREATE TRIGGER fault BEFORE DELETE ON replies BEGIN SELECT RAISE(ABORT, 'no'); END");
  assert.is(await store.sweep(now + 1000), false);
  assert.is(count(), 1);
  other.exec('DROP TRIGGER fault');
  await store.sweep(now + 1000);
  assert.is(count(), 0);
  await store.close();
  assert.is(await store.sweep(now + 1000), false);
  other.close();
});

sqlite('works after a restart, and after a close with creates under way', async () => {
  const path = makeFile();
  const before = openSqlite(path);
  const change = toCreate();
  const answer = before.change(change);
  await before.close();
  assert.equal(await answer, { result: 'done', answer: null });
  const after = openSqlite(path);
  assert.is((await after.listIds(change.hash))?.length, 1);
  await after.close();
});

sqlite('shows no record of a transaction that failed', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash, record } = await make(tested);
  const late = toCreate({ hash, mint: false });
  fail();
  assert.is(await toWord(tested, late), 'other');
  const workspace = (await tested.workspaces.open(hash))!;
  assert.equal(
    workspace.list('candidate').map((entry) => entry.record.id),
    [record.id],
  );
  work();
  assert.is(await toWord(tested, late), 'done');
  await close();
});

sqlite('opens no workspace that a failed transaction made', async () => {
  const { tested, fail, work, close } = openFailing();
  await make(tested);
  const late = toCreate();
  fail();
  assert.is(await toWord(tested, late), 'other');
  assert.is(await tested.open(late.hash), undefined);
  work();
  assert.is(await toWord(tested, late), 'done');
  await close();
});

sqlite('opens a workspace by its old hash if the transaction that renamed it failed', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash, write } = await make(tested);
  const rename = toHash();
  fail();
  await write({ rename }).catch(() => {});
  assert.is((await tested.open(hash))?.hash, hash);
  assert.is(await tested.open(rename), undefined);
  work();
  await close();
});

sqlite('opens a workspace that a failed transaction deleted', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash, write } = await make(tested);
  fail();
  await write({ deletesWorkspace: true }).catch(() => {});
  assert.is((await tested.open(hash))?.hash, hash);
  work();
  await close();
});

sqlite('makes none of the changes that were decided in a transaction that failed', async () => {
  const { tested, fail, work, close } = openFailing();
  const { hash } = await make(tested);
  const creates = Array.from({ length: 5 }, () => toCreate({ hash, mint: false }));
  fail();
  const words = await Promise.all(creates.map((create) => toWord(tested, create)));
  assert.equal(new Set(words), new Set(['other']));
  work();
  assert.equal((await tested.readWhole(hash))!.records.length, 1);
  assert.is(await toWord(tested, creates[0]), 'done');
  await close();
});

sqlite('writes many creates that arrive together in few transactions', async () => {
  const store = new SqliteStore(makeFile());
  const tested = new TestedStore(store);
  await Promise.all(Array.from({ length: 1000 }, () => tested.change(toCreate())));
  const { commits, creates } = store.stats() as { commits: number; creates: number };
  assert.is(creates, 1000);
  assert.ok(commits < 100, `${commits} commits`);
  await store.close();
});

sqlite.run();
