import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import { toCreate, toHash } from '../support/changes.ts';
import { until } from '../support/redis.ts';
import { makeFolder } from '../support/server.ts';

const test = suite('the log of charges');
const period = '2026-11';
const charge = { period, calls: { getCandidate: 1 } };

/** A copy of a file as a crash would leave it. */
function copy(path: string, into: string): string {
  const database = new DatabaseSync(path);
  database.exec(`VACUUM INTO '${into}'`);
  database.close();
  return into;
}

function count(path: string, what: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const { found } = database.prepare(`SELECT count(*) AS found FROM ${what}`).get() as { found: number };
  database.close();
  return found;
}

test('what it says is in the rows once the file is opened again, unless they say more', async () => {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const store = openSqliteStore(path);
  const changes = [toCreate(), toCreate(), toCreate()];
  for (const change of changes) await store.change(change);
  const { now } = changes[0]!;
  const keys = changes.map(({ workspace }) => (store.open(workspace, now) as { key: string }).key);
  for (const key of keys) for (let times = 0; times < 3; times += 1) store.charge(key, charge);
  await until(() => count(path, 'charge_log') > 0, 'it is logged');
  const more = { ...changes[1]!, mint: false };
  const decide = () => ({ writing: {}, answer: null, charge: { period, calls: { getCandidate: 4 } } });
  await store.change({ ...more, decide });
  const forget = () => ({ writing: { forget: true as const }, answer: null });
  await store.change({ ...changes[2]!, mint: false, decide: forget });
  const left = copy(path, join(makeFolder(), 'workspaces.sqlite'));
  await store.close();
  const again = openSqliteStore(left);
  const made = toCreate();
  await again.change(made);
  const toCalls = async (workspace: string) => (await again.open(workspace, now))?.used.calls;
  assert.equal(await toCalls(changes[0]!.workspace), { getCandidate: 3 });
  assert.equal(await toCalls(changes[1]!.workspace), { getCandidate: 7 });
  assert.is(await toCalls(changes[2]!.workspace), undefined);
  assert.equal(
    await toCalls(made.workspace),
    {},
    'who comes after one that is gone is charged nothing of it',
  );
  assert.is(count(left, 'charge_log'), 0);
  await again.close();
});

test('much of it is written into the rows while more is charged, and a crash in between loses nothing', async () => {
  const size = 51_000;
  const path = join(makeFolder(), 'workspaces.sqlite');
  const store = openSqliteStore(path);
  const made: string[] = [];
  const { now } = toCreate();
  while (made.length < size) {
    const some = Array.from({ length: 1000 }, () => toHash());
    await Promise.all(some.map((workspace) => store.change(toCreate({ workspace, now }))));
    made.push(...some);
  }
  const keys = made.map((workspace) => (store.open(workspace, now) as { key: string }).key);
  for (const key of keys) assert.ok(store.charge(key, charge));
  await until(
    () => count(path, "workspaces WHERE used LIKE '%getCandidate%'") > 1000,
    'rows are written',
    20_000,
  );
  for (const key of keys.slice(0, 500)) assert.ok(store.charge(key, charge));
  const logged = count(path, 'charge_log');
  await until(() => count(path, 'charge_log') > logged, 'what was charged since is logged', 20_000);
  const left = copy(path, join(makeFolder(), 'workspaces.sqlite'));
  await until(() => count(path, "workspaces WHERE used LIKE '%getCandidate%'") === size, 'all are', 60_000);
  await until(() => count(path, 'charge_log') <= 1, 'the log keeps what was charged since', 20_000);
  const again = openSqliteStore(left);
  for (const one of [store, again]) {
    for (const [index, workspace] of made.entries()) {
      const { used } = (await one.open(workspace, now))!;
      assert.is(used.calls.getCandidate, index < 500 ? 2 : 1, `${index}`);
    }
    await one.close();
  }
});

test.run();
