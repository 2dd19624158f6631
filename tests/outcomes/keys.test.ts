import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../src/kernel/freeze.ts';
import { toKeys, toSigner } from '../../src/kernel/signer.ts';
import { client, server } from '../support/front.ts';
import { readStaticHeaders } from '../support/static-host.ts';

const keys = suite('published keys');
const path = '/.well-known/jwks.json';
const dist = join(import.meta.dirname, '..', '..', 'dist');

keys('are a JWK Set of public Ed25519 keys, each named by its thumbprint', async () => {
  const { status, headers, body } = await client.get(path);
  assert.is(status, 200);
  assert.is(headers.get('content-type'), 'application/jwk-set+json');
  assert.is(body.keys.length, 1);
  for (const jwk of body.keys) {
    assert.equal(Object.keys(jwk), ['kty', 'crv', 'x', 'kid', 'use', 'alg']);
    assert.is(jwk.kid, await calculateJwkThumbprint(jwk));
  }
});

keys('are kept for five minutes and never given out stale, so that a rotation is seen', async () => {
  const { headers } = await client.get(path);
  assert.is(headers.get('cache-control'), 'public, max-age=300, must-revalidate');
  assert.is(headers.get('cdn-cache-control'), 'max-age=300, must-revalidate');
  assert.is(headers.get('vary'), null);
  const tag = headers.get('etag') ?? '';
  assert.match(tag, /^"[0-9a-f]{32}"$/);
  assert.is((await fetch(server.origin + path, { headers: { 'If-None-Match': tag } })).status, 304);
  assert.is((await client.get(`${path}?x=1`)).text, (await client.get(path)).text);
});

keys('have an example in the contract, that of RFC 8037, which fits its name', async () => {
  const contract = (await client.get('/openapi.json')).body;
  const { content } = contract.paths[path].get.responses['200'];
  const [jwk] = content['application/jwk-set+json'].example.keys;
  assert.is(await calculateJwkThumbprint(jwk), jwk.kid);
});

keys('are none where nothing signs: on a static host, in a browser, and in the build', async () => {
  const file = readFileSync(join(dist, 'client', path), 'utf8');
  assert.equal(JSON.parse(file), { keys: [] });
  const headers = readStaticHeaders()(path);
  assert.is(headers.get('content-type'), 'application/jwk-set+json');
  assert.is(headers.get('cache-control'), 'public, max-age=300, must-revalidate');
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));
  assert.is(manifest.addresses[path]!.atStart, true);
  assert.equal(toKeys({}), { keys: [] });
  const none = toSigner({});
  assert.ok('reason' in none && /preview/.test(none.reason));
  assert.not.match(readFileSync(join(dist, 'client', 'worker.js'), 'utf8'), /JWSInvalid|crit.*b64/);
});

keys.run();
