import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../src/hosts/build/build-service.ts';
import { createAnswer } from '../../../src/kernel/answer.ts';
import { createService } from '../../../src/service.ts';
import { openSqliteStore } from '../../../src/stores/sqlite.ts';

const test = suite('the clock');

test("one that is set back shortens nobody's time, and what is told is what is kept", async () => {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const built = buildService();
  const platform = { ...built.platform, now: () => now };
  const service = createService({ ...built, platform, store: openSqliteStore(':memory:') });
  const answer = createAnswer(service);
  const create = async (headers = {}) => {
    const body = new TextEncoder().encode(JSON.stringify({ name: 'A', onetCode: '15-1252.00' }));
    const reply = await answer({ method: 'POST', path: '/candidates', query: '', headers, body });
    return JSON.parse(reply.body);
  };
  const first = await create();
  now -= 3_600_000;
  const second = await create({ 'x-workspace': first.workspace });
  assert.is(second.retention.expiresAt, first.retention.expiresAt);
  now = Date.parse(second.retention.expiresAt) - 1;
  const headers = { 'x-workspace': first.workspace };
  const read = async () =>
    (await answer({ method: 'GET', path: '/candidates', query: '', headers, body: new Uint8Array() })).status;
  assert.is(await read(), 200);
  now += 1;
  assert.is(await read(), 401);
});

test.run();
