import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../src/kernel/freeze.ts';
import { toKeys, toSigner } from '../../src/kernel/signer.ts';
import { toReceipt } from '../../src/outcomes/receipt.ts';
import { connect } from '../support/http.ts';
import { facts, falsify, makeSigner, signAt, toUnsigned } from '../support/receipts.ts';
import { makeFolder, startFor } from '../support/server.ts';
import { readStaticHeaders } from '../support/static-host.ts';

const keys = suite('published keys');
const server = await startFor(keys);
const client = await connect(server.origin);
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

const folder = makeFolder();
const url = `${server.origin}/.well-known/jwks.json`;
const receipt = await signAt(server.dataDir, server.origin);
const saved = put('keys.json', await (await fetch(url)).text());

function put(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function run(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/verify-receipt.ts', ...args], (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

async function holdTo(args: string[], code: number, says: RegExp): Promise<void> {
  const ran = await run(...args);
  assert.is(ran.code, code, ran.output);
  assert.match(ran.output, says);
  assert.not.match(ran.output, /^\s+at /m);
}

keys('one that holds is told, by the address of the keys and by a file of them', async () => {
  const file = put('receipt.txt', `${receipt}\n`);
  const says =
    /^It holds\.\n\nOutcome +retained: [\s\S]*\nKey +[\w-]{43}\n\nWhat it proves: What [\s\S]*does not: Who/;
  await holdTo([file, '--keys', url], 0, says);
  await holdTo([file, '--keys', saved], 0, says);
  await holdTo([put('answer.json', JSON.stringify({ type: 'OK', receipt })), `--keys=${saved}`], 0, says);
});

keys('one that does not hold is told why', async () => {
  const foreign = await toReceipt({ ...facts, iss: server.origin }, await makeSigner());
  const elsewhere = await signAt(server.dataDir, 'https://careers.example');
  const { keys } = JSON.parse(readFileSync(saved, 'utf8'));
  const withKey = (more: object) => put('keys', JSON.stringify({ keys: [{ ...keys[0], ...more }] }));
  const { x } = (await makeSigner()).keys().keys[0]!;
  const own = ['--issuer', 'https://careers.example'];
  const cases: [text: string, keys: () => string, code: number, says: RegExp, ...more: string[]][] = [
    [falsify(receipt), () => url, 1, /^It does not hold\. Its signature does not fit/],
    [foreign, () => url, 1, /names a key that is not among those given/],
    [toUnsigned(receipt), () => url, 1, /not signed by EdDSA/],
    [elsewhere, () => url, 1, /names another issuer.*https:\/\/careers\.example, not/],
    [elsewhere, () => url, 0, /^It holds/, ...own],
    [elsewhere, () => saved, 0, /Signed .*by https:\/\/careers\.example/],
    [receipt, () => put('keys', 'no JSON'), 1, /is no JWK Set/],
    [receipt, () => put('keys', '{"keys": []}'), 1, /holds no key/],
    [receipt, () => withKey({ exp: Date.now() / 1000 - 1 }), 1, /names a key that .* has expired/],
    [receipt, () => withKey({ exp: Date.now() / 1000 + 3600 }), 0, /^It holds/],
    [receipt, () => withKey({ x }), 1, /Its signature does not fit/],
  ];
  for (const [text, toKeys, code, says, ...more] of cases)
    await holdTo([put('receipt', text), '--keys', toKeys(), ...more], code, says);
});

keys('what is missing is asked for, and what cannot be read is named', async () => {
  const file = put('receipt.txt', receipt);
  for (const args of [[], [file], ['--keys', saved], [file, file, '--keys', saved], [file, '--none']])
    await holdTo(args, 1, /npm run verify-receipt -- FILE --keys|'--none'/);
  await holdTo([join(folder, 'none'), '--keys', saved], 1, /none cannot be read: ENOENT/);
  await holdTo([file, '--keys', 'http://localhost:1/'], 1, /^http:\/\/localhost:1\/ cannot be read/);
  await holdTo([file, '--keys', `${server.origin}/none`], 1, /cannot be read: it answered 404/);
});

keys.run();
