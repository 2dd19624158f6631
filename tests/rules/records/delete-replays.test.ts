import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply } from '../../support/http.ts';
import { World } from '../../support/world.ts';

const replays = suite('repeated deletes of a workspace');

const world = new World({ settings: { retentionSeconds: 3600 } });
const key = { 'Idempotency-Key': 'one' };

/** Makes a workspace with one candidate, and returns a function that deletes it. */
async function make() {
  const { workspace } = (await world.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' })).body;
  const remove = (headers: object, path = '/workspace') =>
    world.delete(path, { 'X-Workspace': workspace, ...headers });
  return { workspace, remove };
}

const isReplay = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

replays('a delete that is repeated with its key gets the same reply', async () => {
  const { remove } = await make();
  const first = await remove(key);
  assert.is(first.status, 200);
  assert.equal(first.body.deleted, { candidates: 1, jobOrders: 0, placements: 0 });
  assert.not.ok(isReplay(first));
  for (let times = 0; times < 2; times += 1) {
    const again = await remove(key);
    assert.is(again.status, 200);
    assert.is(again.text, first.text);
    assert.ok(isReplay(again));
  }
});

replays('two that are sent at once get one reply', async () => {
  const { remove } = await make();
  const both = await Promise.all([remove(key), remove(key)]);
  assert.equal(
    both.map(({ status }) => status),
    [200, 200],
  );
  assert.is(both[0]!.text, both[1]!.text);
  assert.is(both.filter(isReplay).length, 1);
});

replays('a delete with another key or none finds no workspace', async () => {
  const { remove } = await make();
  await remove(key);
  assert.is((await remove({})).status, 401);
  assert.is((await remove({ 'Idempotency-Key': 'two' })).status, 401);
  const other = await make();
  assert.is((await other.remove({})).status, 200);
  assert.is((await other.remove(key)).status, 401, 'the key of another workspace');
});

replays('another request with its key is refused', async () => {
  const { remove } = await make();
  await remove(key);
  const other = await remove(key, '/workspace?more=1');
  assert.is(other.status, 422);
  assert.is(other.body.code, 'idempotency_mismatch');
});

replays('the workspace stays deleted for all other operations', async () => {
  const { workspace, remove } = await make();
  await remove(key);
  const headers = { 'X-Workspace': workspace, ...key };
  for (const [method, path] of [
    ['GET', '/workspace'],
    ['GET', '/candidates'],
    ['POST', '/candidates'],
    ['DELETE', '/candidates/cand_x'],
  ] as const)
    assert.is((await world.ask(method, path, undefined, headers)).status, 401, `${method} ${path}`);
});

replays('its reply is stored for as long as a workspace without changes', async () => {
  const { remove } = await make();
  await remove(key);
  world.clock.now += 3_599_000;
  assert.is((await remove(key)).status, 200);
  world.clock.now += 2000;
  assert.is((await remove(key)).status, 401);
});

replays.run();
