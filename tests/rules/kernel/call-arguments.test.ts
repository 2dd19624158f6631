import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openTable } from '../../support/small-table.ts';
import { inWorkspace, ran, thingRows } from '../../support/thing-rows.ts';

const args = suite('arguments of calls of a small table');
const table = openTable(thingRows);

/** The code of the refusal of a body, and its reason. */
const refuseBody = async (body: string, type?: string, coding?: string) => {
  const headers = { ...(type && { 'Content-Type': type }), ...(coding && { 'Content-Encoding': coding }) };
  const { json } = await table.ask('POST', '/things', { body, headers });
  return [json.code, json.reason];
};

args(
  'a body that is no JSON is refused for its type if that is another, and otherwise for its text',
  async () => {
    for (const type of [undefined, 'application/json', 'text/json; charset=utf-8', 'application/ld+json'])
      assert.is((await refuseBody('{', type))[0], 'invalid_json', type);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'x/json']) {
      const [code, reason] = await refuseBody('{', type);
      assert.is(code, 'unsupported_media', type);
      assert.is(
        reason,
        `The body is ${type} and not JSON. Send one JSON object in UTF-8 as application/json.`,
      );
    }
    const patched = await table.ask('PATCH', '/things/1', {
      headers: { ...inWorkspace, 'Content-Type': 'text/plain' },
    });
    assert.is(patched.json.code, 'invalid_json');
  },
);

args('a compressed body is refused, and identity is no compression', async () => {
  const body = '{"name":"a"}';
  for (const coding of ['gzip', 'br', 'x'])
    assert.is((await refuseBody(body, undefined, coding))[0], 'unsupported_media');
  for (const coding of ['identity', 'Identity'])
    assert.is((await refuseBody(body, undefined, coding))[0], undefined);
});

args('a query beside a body is not read, and says so', async () => {
  const { json } = await table.ask('POST', '/things?name=b', { body: { name: 'a' } });
  assert.is(json.input.name, 'a');
  assert.equal(
    json.warnings.map(({ code, path }: { code: string; path: string }) => [code, path]),
    [['unread_query', '?name']],
  );
});

/** The places that a call is refused for. */
const listPlaces = async (body: unknown, target = '/things', headers = {}) => {
  const method = target === '/things' || target === '/batch' ? 'POST' : 'PATCH';
  const { json } = await table.ask(method, target, { body, headers });
  return json.issues?.map(({ path }: { path: string }) => path);
};

args('arguments are checked by the schema and by the row, and each place is named once', async () => {
  assert.equal(await listPlaces({}), ['name']);
  assert.equal(await listPlaces({ name: 'bad' }), ['name']);
  assert.equal(await listPlaces({ name: 'bad', count: 'x' }), ['name', 'count']);
  assert.equal(await listPlaces({ name: 7, count: 'x' }), ['name', 'count']);
  assert.is(await listPlaces({ name: 'good', count: 1 }), undefined);
});

args('a long call is checked as a short one', async () => {
  const long = 'x'.repeat(500);
  assert.equal(await listPlaces({ name: 'bad', long }), ['name']);
  assert.equal(await listPlaces({ count: 'x', long }), ['name', 'count']);
  const { json } = await table.ask('POST', '/things', { body: { name: 'good', long } });
  assert.equal(json.input, { name: 'good' });
});

args('the items of a list are checked, and each place is named', async () => {
  const items = (...things: unknown[]) => listPlaces({ things }, '/batch', inWorkspace);
  assert.is(await items({ name: 'a' }, { name: 'b' }), undefined);
  assert.equal(await items({ name: 'a' }, { name: 7 }, 8), ['things[1].name', 'things[2]']);
  assert.equal(await listPlaces({}, '/batch', inWorkspace), ['things']);
  assert.equal(await listPlaces({ things: Array(101).fill({ name: 'a' }) }, '/batch', inWorkspace), [
    'things',
  ]);
  assert.equal(await items(...Array(100).fill({ name: 'a' })), undefined);
});

args('an unknown name warns, and is refused under strict handling', async () => {
  const body = { name: 'a', other: 1, source: 'ignored' };
  const { json } = await table.ask('POST', '/things', { body });
  assert.equal(
    json.warnings.map(({ path }: { path: string }) => path),
    ['other'],
  );
  assert.equal(await listPlaces(body, '/things', { Prefer: 'handling=strict' }), ['other']);
});

args('no caller has the scopes admin and internal', async () => {
  for (const scope of ['admin', 'internal'])
    assert.is((await table.ask('PATCH', '/things/1', { headers: inWorkspace, body: { scope } })).status, 403);
  assert.is(
    (await table.ask('PATCH', '/things/1', { headers: inWorkspace, body: { scope: 'all' } })).status,
    200,
  );
  assert.is((await table.ask('POST', '/things', { body: { name: 'a', scope: 'admin' } })).status, 200);
});

args('a change knows who asked for it, in UTF-8 that is percent-encoded', async () => {
  const actors = {
    Ada: 'Ada',
    'Zo%C3%AB%20Hart': 'Zoë Hart',
    ' Ada ': 'Ada',
    '': undefined,
    '  ': undefined,
  };
  for (const [sent, actor] of Object.entries(actors)) {
    await table.ask('POST', '/things', { headers: { 'X-Actor': sent }, body: { name: 'a' } });
    assert.is(ran.contexts.at(-1)?.options.actor?.trim() || undefined, actor, sent);
  }
  for (const sent of ['%zz', 'Zoë', '%C3', 'a'.repeat(81), '%E2%80%8B'])
    assert.equal(await listPlaces({ name: 'a' }, '/things', { 'X-Actor': sent }), ['X-Actor'], sent);
  assert.is((await table.ask('GET', '/things/1', { headers: { 'X-Actor': '%zz' } })).status, 200);
});

args.run();
