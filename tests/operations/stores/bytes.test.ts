import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Change } from '../../../src/workspace/change.ts';
import { openSqlite, toChange, toHash, toRecord, toWrite } from '../../support/changes.ts';
import { connect } from '../../support/http.ts';
import { toCounts } from '../../support/metered.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { makeFolder, startServer } from '../../support/server.ts';

/**
 * Bytes at most: of a workspace with one small record and its meter, of one made under a key, and of each
 * further record with its activity entry. Redis counts all fields, because its usual sample of five varies.
 */
const most = { redis: 900, keyed: 1700, more: 260, sqlite: 520 };
/** Bytes on disk at most per byte of text, in workspaces of 24 records. */
const mostPerByte = 1.5;
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
    return names.reduce((sum, name) => sum + Number(ask('MEMORY', 'USAGE', name, 'SAMPLES', '0')), 0);
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
  assert.ok(keyed <= most.keyed, `a workspace made under a key takes ${keyed}`);
  console.log(`\nfigure: ${JSON.stringify({ one, used, keyed, more })}`);
  await host.stop();
  await redis.stop();
});

bytes('in SQLite', async () => {
  const count = 10_000;
  const folder = makeFolder();
  const store = openSqlite(join(folder, 'workspaces.sqlite'));
  const now = Date.now();
  const create = (change: Change) => {
    change.put('candidate', toRecord({ createdAt: now }));
    change.charge = { period: '2026-11', calls: { createCandidate: 1 } };
  };
  // Hashes as real ones that are made one after the other: the time, then a random part.
  const toWorkspace = (index: number) =>
    ((now + index) % 2 ** 35).toString(16).padStart(9, '0') + toHash().slice(9);
  for (let from = 0; from < count; from += 1000) {
    const some = Array.from({ length: 1000 }, (_, index) => toWorkspace(from + index));
    await Promise.all(some.map((hash) => store.change(toChange(create, { hash, now }))));
  }
  await store.close();
  const each = statSync(join(folder, 'workspaces.sqlite')).size / count;
  console.log(`\nfigure: ${each}`);
  assert.ok(each <= most.sqlite, `a workspace takes ${each}`);
});

bytes('in SQLite, beside the text of 24 records', async () => {
  const folder = makeFolder();
  const store = openSqlite(join(folder, 'workspaces.sqlite'));
  const record = () => toRecord({ note: 'x'.repeat(270), createdAt: Date.now() });
  let text = 0;
  for (let count = 0; count < 200; count += 1) {
    const records = Array.from({ length: 24 }, record);
    text += records.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
    await store.change(
      toWrite({}, {}, (draft) => {
        for (const one of records) draft.put('candidate', one);
      }),
    );
  }
  await store.close();
  const each = statSync(join(folder, 'workspaces.sqlite')).size / text;
  console.log(`\nfigure: ${each}`);
  assert.ok(each <= mostPerByte, `a byte of text takes ${each}`);
});

bytes.run();
