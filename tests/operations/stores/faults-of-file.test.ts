import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { make, openSqlite, toChecked, toCreate, toWord } from '../../support/changes.ts';
import { makeFolder } from '../../support/server.ts';

const test = suite('faults of the database file');

test('a file that cannot be written to is read, and written to once it can be', async () => {
  if (process.getuid?.() !== 0) {
    console.log('\nskipped: giving a process another user needs root');
    return;
  }
  const folder = makeFolder();
  const path = join(folder, 'workspaces.sqlite');
  const nobody = 65_534;
  const first = openSqlite(path);
  const kept = toCreate();
  await first.change(kept);
  await first.close();
  chmodSync(folder, 0o777);
  chmodSync(path, 0o444);
  process.seteuid?.(nobody);
  try {
    const store = openSqlite(path);
    assert.is(await toWord(store), 'read_only');
    assert.is(await toChecked(store), 'read_only');
    assert.is((await store.listIds(kept.hash))?.length, 1);
    process.seteuid?.(0);
    for (const name of readdirSync(folder)) {
      chownSync(join(folder, name), nobody, nobody);
      chmodSync(join(folder, name), 0o644);
    }
    process.seteuid?.(nobody);
    assert.equal(await store.change(toCreate()), { result: 'done', answer: null });
    await store.close();
  } finally {
    process.seteuid?.(0);
  }
});

test('a file that is moved away or replaced gets no more writes', async () => {
  const folder = makeFolder();
  const path = join(folder, 'workspaces.sqlite');
  const store = openSqlite(path);
  await make(store);
  rmSync(path);
  const late = toCreate();
  assert.equal(await store.change(late), { result: 'done', answer: null });
  await store.close();
  const again = openSqlite(path);
  assert.is((await again.listIds(late.hash))?.length, 1);
  await again.close();
});

test('a moved file has all acknowledged changes, and its replacement is read alone', async () => {
  const folder = makeFolder();
  const [path, moved] = [join(folder, 'workspaces.sqlite'), join(folder, 'moved')];
  const counts = async (file: string, ...changes: { hash: string }[]) => {
    const store = openSqlite(file);
    const whole = changes.map(async ({ hash }) => (await store.listIds(hash))?.length);
    const found = await Promise.all(whole);
    await store.close();
    return found;
  };
  const [first, second, third] = [toCreate(), toCreate(), toCreate()];
  const store = openSqlite(path);
  await store.change(first);
  renameSync(path, moved);
  await store.change(second);
  renameSync(moved, path);
  await store.change(third);
  renameSync(path, moved);
  await store.close();
  assert.equal(await counts(moved, first, second, third), [1, undefined, 1]);
  assert.equal(await counts(path, first, second, third), [undefined, undefined, undefined]);
});

test('if the folder is gone, refuses, and serves again once it is back', async () => {
  const folder = join(makeFolder(), 'data');
  mkdirSync(folder);
  const path = join(folder, 'workspaces.sqlite');
  const store = openSqlite(path);
  await store.change(toCreate());
  rmSync(folder, { recursive: true });
  assert.is(await toWord(store), 'cannot_open');
  mkdirSync(folder);
  assert.equal(await store.change(toCreate()), { result: 'done', answer: null });
  await store.close();
});

test('the health check finds damage at the place of the next create', async () => {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const first = openSqlite(path);
  const hashes = Array.from({ length: 200 }, (_, n) => (n + 1).toString(16).padStart(64, '0'));
  for (const hash of hashes) await first.change(toCreate({ hash }));
  await first.check();
  await first.close();
  const bytes = readFileSync(path);
  const pageSize = bytes.readUInt16BE(16);
  const last = Buffer.from(hashes.at(-1)!, 'hex');
  for (let at = bytes.indexOf(last); at >= 0; at = bytes.indexOf(last)) {
    const start = at - (at % pageSize);
    bytes.fill(0xaa, start, start + pageSize);
  }
  writeFileSync(path, bytes);
  const store = openSqlite(path);
  for (let n = 0; n < 2; n++) {
    assert.is(await toChecked(store), 'corrupt');
    assert.is(await toWord(store, toCreate({ hash: 'fe'.repeat(32) })), 'corrupt');
  }
  await store.close();
});

test.run();
