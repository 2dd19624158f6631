import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Blocks } from '../../../../src/hosts/node/operator/blocks.ts';
import { createTokenCheck } from '../../../../src/hosts/node/operator/token.ts';
import { runWell } from '../../../support/data-commands.ts';
import type { Body } from '../../../support/http.ts';
import { makeFolder, startServer, useServer, withServer } from '../../../support/server.ts';

const operator = suite("the operator's addresses");
const root = join(import.meta.dirname, '..', '..', '..', '..');
const token = 'a-token-of-24-characters-or-more';
const bearer = { Authorization: `Bearer ${token}` };
// Behind a proxy, a test can be any client.
const env = { OPERATOR_TOKEN: token, TRUST_PROXY: '1', RATE_LIMIT_LIVE: '20' };
const from = (address: string) => ({ 'X-Forwarded-For': address });

const host = await startServer(env);
operator.after(async () => void (await host.stop()));

async function call(path: string, init: RequestInit = {}) {
  const reply = await fetch(host.origin + path, init);
  const text = await reply.text();
  const body: Body = reply.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : text;
  return { status: reply.status, headers: reply.headers, body };
}
const read = async (): Promise<Body> =>
  (await call('/operator.json', { headers: { ...bearer, ...from('192.0.2.99') } })).body;
const block = (body: object) =>
  call('/operator/blocks', { method: 'POST', headers: bearer, body: JSON.stringify(body) });
const unblock = (address: string) =>
  call(`/operator/blocks/${encodeURIComponent(address)}`, { method: 'DELETE', headers: bearer });

/** Every address of the operator, with a method that it takes. */
const addresses: [method: string, path: string][] = [
  ['GET', '/operator.json'],
  ['POST', '/operator/blocks'],
  ['DELETE', '/operator/blocks/203.0.113.1'],
];

operator('do not exist without OPERATOR_TOKEN', async () => {
  const { origin } = await useServer();
  for (const [method, path] of [...addresses, ['GET', '/operator.html'] as const])
    assert.is((await fetch(origin + path, { method, headers: bearer })).status, 404, path);
});

operator('are no part of the files of a static host', () => {
  for (const folder of ['client', 'deploy/site'])
    assert.not.ok(existsSync(join(root, 'dist', folder, 'operator.html')), folder);
  const manifest = readFileSync(join(root, 'dist', 'host', 'manifest.json'), 'utf8');
  assert.not.match(manifest, '/operator.html');
});

const wrong: Record<string, string> = {
  'a part of it': `Bearer ${token.slice(1)}`,
  'more than it': `Bearer ${token}x`,
  nothing: 'Bearer ',
  'another scheme': `Basic ${token}`,
  'the token alone': token,
};

operator('want the whole token as a bearer', async () => {
  const isOperator = createTokenCheck(token);
  assert.ok(isOperator(`Bearer ${token}`));
  assert.ok(isOperator(`bearer  ${token}`), 'a scheme has no case (RFC 9110 section 11.1)');
  assert.not.ok(isOperator(undefined));
  for (const [what, field] of Object.entries(wrong)) assert.not.ok(isOperator(field), what);
  for (const [method, path] of addresses) {
    const { status, headers, body } = await call(path, { method, headers: from('192.0.2.1') });
    assert.is(status, 401, path);
    assert.is(body.code, 'operator_only');
    assert.match(headers.get('WWW-Authenticate') ?? '', /^Bearer /);
  }
});

operator('are read by no other origin, and kept by no cache', async () => {
  for (const [method, path] of [
    ...addresses,
    ['GET', '/operator.html'],
    ['OPTIONS', '/operator.json'],
  ] as const)
    for (const headers of [{}, bearer]) {
      const origin = { Origin: 'https://evil.example' };
      const reply = await call(path, { method, headers: { ...headers, ...origin, ...from('192.0.2.2') } });
      assert.is(reply.headers.get('Cache-Control'), 'no-store', `${method} ${path}`);
      for (const [name] of reply.headers)
        assert.not.match(name, /^access-control|^cdn-cache/, `${method} ${path}`);
    }
});

operator('take a guess for a live call, so that guesses are limited', async () => {
  const statuses = [];
  for (let guess = 0; guess < 21; guess += 1)
    statuses.push((await call('/operator.json', { headers: from('192.0.2.3') })).status);
  assert.equal(new Set(statuses.slice(0, 20)), new Set([401]));
  assert.is(statuses[20], 429);
});

operator('show what is in the store, and what was called', async () => {
  const before = await read();
  await call('/candidates', { method: 'POST', body: '{"name": "Ada", "onetCode": "15-1252.00"}' });
  const after = await read();
  assert.is(after.calls.byOperation.createCandidate, (before.calls.byOperation.createCandidate ?? 0) + 1);
  assert.ok(after.store.bytes > 0 && after.store.roomBytes > 0);
  assert.is(after.versions.node, process.versions.node);
  assert.is(after.store.isFull, false);
});

operator('show refusals by code and client', async () => {
  for (let count = 0; count < 3; count += 1)
    await call('/candidates?scope=admin', { headers: from('192.0.2.4') });
  const { refusals } = await read();
  const row = refusals.byClient.find(({ client }: Body) => client === '192.0.2.4');
  assert.is(row.code, 'forbidden_scope');
  assert.is(row.count, 3);
  assert.ok(refusals.byCode.forbidden_scope >= 3);
});

operator('show a limit of a client from four fifths on', async () => {
  const near = async () =>
    (await read()).nearLimits
      .filter(({ client }: Body) => client === '192.0.2.5')
      .map(({ used }: Body) => used);
  for (let count = 0; count < 15; count += 1)
    await call('/candidates?limit=1', { headers: from('192.0.2.5') });
  assert.equal(await near(), []);
  await call('/candidates?limit=1', { headers: from('192.0.2.5') });
  assert.equal(await near(), [16]);
});

operator('block an address for everything but these addresses, and unblock it', async () => {
  const headers = from('203.0.113.7');
  const statusOf = async (path: string) => (await call(path, { headers })).status;
  const { status, body } = await block({ address: ' 203.0.113.7 ', reason: 'floods' });
  assert.is(status, 201);
  assert.is(body.block.address, '203.0.113.7');
  for (const path of ['/', '/occupations', '/candidates?limit=1', '/healthz', '/mcp'])
    assert.is(await statusOf(path), 403, path);
  assert.is((await call('/candidates', { headers })).body.code, 'address_blocked');
  assert.is(await statusOf('/operator.json'), 401);
  assert.is((await call('/', { headers: from('203.0.113.8') })).status, 200);
  assert.is((await read()).blocks[0].reason, 'floods');
  assert.is((await unblock('203.0.113.7')).status, 200);
  assert.is(await statusOf('/'), 200);
  assert.is((await unblock('203.0.113.7')).status, 404);
});

operator('block the /64 of an IPv6 address', async () => {
  const { body } = await block({ address: '2001:db8::1' });
  assert.is((await call('/', { headers: from('2001:db8::2') })).status, 403);
  assert.is((await call('/', { headers: from('2001:db8:0:1::1') })).status, 200);
  assert.is((await unblock(body.block.address)).status, 200, body.block.address);
  assert.is((await call('/', { headers: from('2001:db8::2') })).status, 200);
});

const bad: [body: object | string, status: number, code: string][] = [
  [{ address: '127.0.0.1' }, 400, 'own_machine'],
  [{ address: '::1' }, 400, 'own_machine'],
  [{ address: '::ffff:127.0.0.2' }, 400, 'own_machine'],
  [{ address: 'careers.example' }, 400, 'not_an_address'],
  [{ address: 7 }, 400, 'not_an_address'],
  [{}, 400, 'not_an_address'],
  [[], 400, 'not_an_object'],
  ['{', 400, 'invalid_json'],
  [{ address: '203.0.113.9', reason: 'x'.repeat(5000) }, 413, 'body_too_large'],
];
operator('refuse what is no address', async () => {
  for (const [body, status, code] of bad) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await call('/operator/blocks', { method: 'POST', headers: bearer, body: text });
    assert.is(reply.status, status, text.slice(0, 80));
    assert.is(reply.body.code, code, text.slice(0, 80));
  }
});

operator('keep blocks through a restart, show the last backup, and never the token', async () => {
  const DATA_DIR = makeFolder();
  const post = { method: 'POST', headers: bearer, body: '{"address": "203.0.113.7"}' };
  const printed = await withServer({ ...env, DATA_DIR }, ({ origin }) =>
    fetch(`${origin}/operator/blocks`, post),
  );
  assert.match(printed, '"OPERATOR_TOKEN":"(set, not shown)"');
  assert.not.match(printed, token);
  runWell('backup', [join(makeFolder(), 'careers.backup')], { DATA_DIR });
  await withServer({ ...env, DATA_DIR }, async ({ origin }) => {
    const { blocks, store } = await (await fetch(`${origin}/operator.json`, { headers: bearer })).json();
    assert.is(blocks[0].address, '203.0.113.7');
    assert.match(store.lastBackup.file, /careers\.backup$/);
  });
});

operator('unblock nobody because the list of blocks is damaged', () => {
  const file = join(makeFolder(), 'blocks.json');
  writeFileSync(file, '[{');
  assert.throws(() => new Blocks(file), /blocks\.json has no list of blocks: repair it/);
});

operator.run();
