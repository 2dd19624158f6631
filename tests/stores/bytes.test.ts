import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import { toChange, toFact, toHash } from '../support/changes.ts';
import { connect } from '../support/http.ts';
import { toCounts } from '../support/metered.ts';
import { askRedis, skipsRedis, startRedis, until } from '../support/redis.ts';
import { makeFolder, startServer } from '../support/server.ts';

/** Bytes at most: of a workspace with one small record and its meter, of one made under a key, of one more record. */
const most = { redis: 600, keyed: 1350, more: 150, sqlite: 400 };
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const bytes = suite('bytes that a workspace takes');

bytes('in Redis', async () => {
  if (skipsRedis()) return;
  const redis = await startRedis();
  const host = await startServer({ STORE_URL: `redis://127.0.0.1:${redis.port}`, RATE_LIMIT: 'off' });
  const client = await connect(host.origin);
  await until(async () => (await client.get('/readyz')).status === 200, 'it is ready');
  const ask = (...args: string[]) => askRedis(redis.port, ...args).trim();
  const measure = () => {
    const names = ask('KEYS', '*{*').split('\n');
    return names.reduce((sum, name) => sum + Number(ask('MEMORY', 'USAGE', name)), 0);
  };
  const make = async (more: Record<string, string> = {}) => {
    ask('FLUSHDB');
    const { status, body } = await client.post('/candidates', candidate, more);
    assert.is(status, 201);
    return body;
  };
  const { workspace, candidate: made } = await make();
  const mine = { 'X-Workspace': workspace };
  const one = measure();
  for (const path of [`/candidates/${made.id}`, '/candidates?limit=1', `/candidates/${made.id}/matches`])
    for (let count = 0; count < 12; count += 1) await client.get(path, mine);
  const { usage } = (await client.get('/workspace', mine)).body.workspace;
  assert.ok(Object.keys(toCounts(usage)).length >= 2, JSON.stringify(toCounts(usage)));
  const used = measure();
  assert.ok(used <= most.redis, `a workspace takes ${used}`);
  const facts: string[] = [];
  for (let count = 0; count < 20; count += 1) {
    const { body } = await client.post('/candidates', candidate, mine);
    const { id, name, onetCode, createdAt } = body.candidate;
    facts.push(JSON.stringify({ id, name, onetCode, createdAt: Date.parse(createdAt) }));
  }
  const text = facts.join('').length / facts.length;
  const more = (measure() - used) / facts.length - text;
  assert.ok(more <= most.more, `a record takes ${more} over its text of ${text}`);
  await make({ 'Idempotency-Key': toHash() });
  const keyed = measure();
  assert.ok(keyed <= most.keyed, `one made under a key takes ${keyed}`);
  console.log(`\nfigure: ${JSON.stringify({ one, used, keyed, more })}`);
  await host.stop();
  await redis.stop();
});

bytes('in SQLite', async () => {
  const count = 10_000;
  const folder = makeFolder();
  const store = openSqliteStore(join(folder, 'workspaces.sqlite'));
  const now = Date.now();
  const decide = () => ({
    writing: { puts: [{ kind: 'candidate', fact: toFact({ createdAt: now }) }] },
    answer: null,
    charge: { period: '2026-11', calls: { createCandidate: 1 } },
  });
  // As hashes of workspaces that are made one after the other: the moment, then what nobody can guess.
  const toWorkspace = (index: number) =>
    ((now + index) % 2 ** 35).toString(16).padStart(9, '0') + toHash().slice(9);
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from({ length: 1000 }, (_, index) => toWorkspace(from + index));
    await Promise.all(some.map((workspace) => store.change(toChange(decide, { workspace, now }))));
  }
  await store.close();
  const each = statSync(join(folder, 'workspaces.sqlite')).size / count;
  console.log(`\nfigure: ${each}`);
  assert.ok(each <= most.sqlite, `a workspace takes ${each}`);
});

bytes.run();
