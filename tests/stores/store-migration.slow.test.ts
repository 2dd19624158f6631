import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import { versionsBefore } from '../../src/stores/sqlite-migration.ts';
import { schemaVersion } from '../../src/stores/sqlite-schema.ts';
import { readKind, readWhole, toCreate, toHash, toWrite } from '../support/changes.ts';
import { makeFolder } from '../support/server.ts';

const migration = suite('a file of the version before');

const made = Date.parse('2026-11-20T12:34:56.789Z');
const expiresAt = made + 86_400_000;
const one = '1f8f3e8953bd5cf8392fc58e7f623d82d868cf21e6a3e42a3ad9e66c622e2a8a';
const two = '1f8f3ec7db6f615650748e1e24b7b40d158828607b4f5ae0695f5d649f3356e8';
const name = 'Zoë "\\\u0000 🧑‍💻 \ud800';

/** The latest moment not after now that the 35 bits in a hash may mean. */
const toLatest = (moment: number) => Date.now() - ((Date.now() - moment) % 2 ** 35);

function makeFile(): string {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const before = new DatabaseSync(path);
  before.exec(readFileSync(join(import.meta.dirname, '..', 'support', 'workspaces-v4.sql'), 'utf8'));
  before.close();
  return path;
}

migration('is brought up to this one, with all that is in it', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  const whole = (await readWhole(store, one, made))!;
  const createdAt = toLatest(made);
  assert.equal(
    whole.records.map(({ kind, seq, fact }) => [kind, seq, fact.id, fact.createdAt]),
    [
      ['candidate', 1, 'cand_one', createdAt],
      ['jobOrder', 2, 'job_one', createdAt],
      ['placement', 3, 'plc_1', createdAt],
      ['placement', 4, 'plc_2', createdAt],
    ],
  );
  assert.is(whole.records[0]?.fact.name, name);
  const sizes = whole.records.map(({ fact }) => Buffer.byteLength(JSON.stringify(fact)));
  assert.is(
    whole.bytes,
    sizes.reduce((sum, size) => sum + size),
  );
  assert.equal(whole.counts, { candidate: 1, jobOrder: 1, placement: 2 });
  assert.equal(
    [whole.createdAt, whole.expiresAt, whole.revision, whole.state],
    [createdAt, expiresAt, 4, {}],
  );
  const names = ['cand_one', 'job_one', 'cand_036', 'plc_1', 'cand_two'];
  const found = await store.find(whole.key, names);
  assert.equal(
    found.map(({ record, occupants }) => [record?.seq, occupants]),
    [
      [1, 1],
      [2, 2],
      [undefined, 1],
      [3, 0],
      [undefined, 0],
    ],
  );
  const other = (await readWhole(store, two, made))!;
  assert.equal([other.createdAt, other.revision, other.records.length], [toLatest(made + 1000), 1, 1]);
  const tables = new DatabaseSync(path, { readOnly: true });
  assert.is(tables.prepare('SELECT count(*) AS rows FROM workspaces').get()?.rows, 2);
  assert.is(tables.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  tables.close();
  store.close();
  const again = openSqliteStore(path);
  assert.equal(await readWhole(again, one, made), whole);
  again.close();
});

migration('is written to, counted on from what it holds', async () => {
  const store = openSqliteStore(makeFile());
  const key = { name: toHash('key'), fingerprint: toHash('asked') };
  const repeated = toCreate({ now: made, key });
  assert.equal(await store.change(repeated), { result: 'replay', reply: '{"kept":"Zoë"}' });
  const { bytes } = (await store.open(one, made))!;
  const change = toCreate({
    workspace: one,
    mint: false,
    now: made,
    expiresAt,
    ceiling: { records: 5, bytes },
  });
  const size = Buffer.byteLength(JSON.stringify(change.record.fact));
  assert.equal(await store.change(change), { result: 'full' });
  const fits = { ...change, ceiling: { records: 5, bytes: bytes + size } };
  assert.equal(await store.change(fits), { result: 'done', answer: null });
  const { key: place } = (await store.open(one, made))!;
  assert.equal(
    (await readKind(store, place, 'candidate', 'newest')).map(({ seq }) => seq),
    [5, 1],
  );
  store.close();
});

migration('is swept clean like any other', async () => {
  const path = makeFile();
  const store = openSqliteStore(path);
  while (store.sweep(expiresAt)) {}
  const tables = new DatabaseSync(path, { readOnly: true });
  for (const table of ['workspaces', 'records', 'names', 'keys']) {
    assert.is(tables.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows, 0, table);
  }
  tables.close();
  store.close();
});

migration('is left as it was where it cannot be brought over', async () => {
  const path = makeFile();
  const broken = new DatabaseSync(path);
  broken.exec('CREATE TABLE names (taken)');
  broken.close();
  const before = readFileSync(path);
  assert.throws(() => openSqliteStore(path), /cannot be opened for writing/);
  const after = new DatabaseSync(path);
  assert.is(after.prepare('PRAGMA user_version').get()?.user_version, 4);
  assert.is(after.prepare('SELECT count(*) AS rows FROM records').get()?.rows, 6);
  after.close();
  assert.is(before.length, readFileSync(path).length);
});

migration('of version 5 keeps all, and leads names to it from then on', async () => {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const store = openSqliteStore(path);
  const change = toCreate();
  await store.change(change);
  const whole = await readWhole(store, change.workspace);
  await store.close();
  const before = new DatabaseSync(path);
  before.exec(
    'DROP TABLE charge_log; DROP TABLE pointers; ALTER TABLE workspaces DROP COLUMN used; PRAGMA user_version = 5',
  );
  before.close();
  const again = openSqliteStore(path);
  assert.equal(await readWhole(again, change.workspace), whole);
  const name = toHash('name');
  const points = { [name]: { to: 'plc_1', expiresAt: change.expiresAt } };
  await again.change(toWrite({ points }, { workspace: change.workspace, mint: false }));
  assert.is((await again.follow(name, change.now))?.to, 'plc_1');
  await again.close();
});

migration('of version 6 keeps all, and charges from then on', async () => {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const store = openSqliteStore(path);
  const change = toCreate();
  await store.change(change);
  const whole = (await readWhole(store, change.workspace))!;
  await store.close();
  const before = new DatabaseSync(path);
  before.exec('DROP TABLE charge_log; ALTER TABLE workspaces DROP COLUMN used; PRAGMA user_version = 6');
  before.close();
  const again = openSqliteStore(path);
  assert.equal(await readWhole(again, change.workspace), whole);
  const charge = { period: '2026-11', calls: { getCandidate: 1 } };
  assert.ok(await again.charge(whole.key, charge));
  await again.close();
  const last = openSqliteStore(path);
  assert.equal((await last.open(change.workspace, change.now))?.used, charge);
  await last.close();
});

migration('of version 7 keeps all, and logs charges from then on', async () => {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const store = openSqliteStore(path);
  const change = toCreate();
  await store.change(change);
  const charge = { period: '2026-11', calls: { getCandidate: 1 } };
  const { key } = (await store.open(change.workspace, change.now))!;
  await store.close();
  const before = new DatabaseSync(path);
  before.exec("DROP TABLE charge_log; UPDATE workspaces SET used = '2026-11 getCandidate 2'");
  before.exec('PRAGMA user_version = 7');
  before.close();
  const again = openSqliteStore(path);
  assert.ok(await again.charge(key, charge));
  await again.close();
  const last = openSqliteStore(path);
  assert.equal((await last.open(change.workspace, change.now))?.used.calls, { getCandidate: 3 });
  await last.close();
});

migration('is told to operators, with every version that is taken', () => {
  const guide = readFileSync(
    join(import.meta.dirname, '..', '..', 'content', 'guides', 'operating.md'),
    'utf8',
  );
  assert.ok(guide.includes(`\`PRAGMA user_version\`: this version writes ${schemaVersion}.`));
  assert.ok(guide.includes(`Files of ${versionsBefore.join(' and ')} are brought up to it`));
});

migration.run();
