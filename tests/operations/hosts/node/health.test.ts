import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../../src/stores/sqlite.ts';
import { connect } from '../../../support/http.ts';
import { useServer, withServer } from '../../../support/server.ts';
import { World } from '../../../support/world.ts';

process.chdir(join(import.meta.dirname, '..', '..', '..', '..'));
const health = suite('health');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

health('/healthz says that the process lives, /readyz that its store accepts a write', async () => {
  const client = await connect((await useServer()).origin);
  for (const path of ['/healthz', '/readyz']) {
    const { status, headers } = await client.get(path);
    assert.is(status, 200, path);
    assert.is(headers.get('cache-control'), 'no-store', path);
    assert.is((await client.ask('HEAD', path)).status, 200);
    assert.is((await client.post(path, {})).status, 405);
    assert.not.ok(client.contract.paths[path], 'the contract does not have it');
  }
  const facts = JSON.parse(readFileSync('dist/host/catalogue.json', 'utf8'));
  const { type, live, version, commit } = (await client.get('/healthz')).body;
  assert.is(type, 'OK');
  assert.is(live, true);
  assert.equal(version, facts.service.version);
  assert.is(commit, facts.commit);
  assert.match(commit, /^[\w.+-]{1,64}$/);
  const { body } = await client.get('/readyz');
  assert.is(body.type, 'OK');
  assert.is(body.ready, true);
  assert.is(body.store.ok, true);
  assert.ok(body.store.ms >= 0);
  for (const method of ['GET', 'HEAD'])
    assert.is((await client.ask(method, '/%72eadyz')).status, 404, 'a proxy hides its plain address');
});

health('neither address counts in a rate limit', async () => {
  await withServer({ TRUST_PROXY: '1', RATE_LIMIT_LIVE: '5', LOG: 'off' }, async ({ origin }) => {
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    for (let n = 0; n < 20; n++) {
      const path = n % 2 ? '/healthz' : '/readyz';
      const response = await fetch(origin + path, { headers, method: n % 3 ? 'GET' : 'HEAD' });
      assert.is(response.status, 200);
      assert.is(response.headers.get('ratelimit'), null);
    }
    for (let n = 0; n < 6; n++) {
      const { status } = await fetch(`${origin}/healthz`, { headers, method: 'POST', body: '{}' });
      assert.is(status, n < 5 ? 405 : 429, 'no other method is exempt');
    }
  });
});

health('checks the store at most once in 2 s, however many callers ask', async () => {
  let asked = 0;
  let isUp = true;
  const check = async () => {
    asked += 1;
    await pause(20);
    if (!isUp) throw Object.assign(new Error('no space'), { word: 'disk_full' });
  };
  const store = Object.assign(new SqliteStore(':memory:'), { check });
  const world = new World({ store, watch: { report: () => {} } });
  const ask = async () => {
    const { status, body } = await world.get('/readyz');
    return { status, cause: body.cause };
  };
  await Promise.all(Array.from({ length: 50 }, ask));
  assert.is(asked, 1);
  isUp = false;
  world.clock.now += 1999;
  assert.is((await ask()).status, 200);
  world.clock.now += 1;
  const told = await Promise.all(Array.from({ length: 50 }, ask));
  assert.is(asked, 2);
  assert.equal(told[49], { status: 503, cause: { word: 'disk_full', message: 'no space' } });
  isUp = true;
  world.clock.now += 2000;
  assert.is((await ask()).status, 200);
});

health('/readyz reports a fault of the store once for as long as it lasts', async () => {
  const reports: unknown[] = [];
  const fault = Object.assign(new Error('appendonly is off'), { word: 'not_durable' });
  let isDurable = true;
  const check = async () => {
    if (!isDurable) throw fault;
  };
  const store = Object.assign(new SqliteStore(':memory:'), { check });
  const { ask, clock } = new World({ store, watch: { report: (error) => void reports.push(error) } });
  for (let round = 0; round < 3; round += 1) {
    await ask('GET', '/readyz');
    isDurable = false;
    clock.now += 2000;
  }
  assert.equal(reports, [fault]);
});

health('a clock that is set back shortens no expiry, and each expiry that was sent holds', async () => {
  const { ask, clock } = new World();
  const create = async (headers = {}) =>
    (await ask('POST', '/candidates', { name: 'A', onetCode: '15-1252.00' }, headers)).body;
  const first = await create();
  const mine = { 'x-workspace': first.workspace };
  clock.now -= 3_600_000;
  const { expiresAt } = (await create(mine)).retention;
  assert.is(expiresAt, first.retention.expiresAt);
  clock.now = Date.parse(expiresAt) - 1;
  assert.is((await ask('GET', '/candidates', undefined, mine)).status, 200);
  clock.now += 1;
  assert.is((await ask('GET', '/candidates', undefined, mine)).status, 401);
});

health.run();
