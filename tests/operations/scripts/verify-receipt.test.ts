import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../../src/kernel/freeze.ts';
import { listPublicKeys, requireSigner } from '../../../src/kernel/signer.ts';
import { connect } from '../../support/http.ts';
import { falsify, signAt } from '../../support/receipts.ts';
import { makeFolder, startFor } from '../../support/server.ts';
import { readStaticHeaders } from '../../support/static-host.ts';

const keys = suite('published keys');
const server = await startFor(keys);
const client = await connect(server.origin);
const path = '/.well-known/jwks.json';
const dist = join(import.meta.dirname, '..', '..', '..', 'dist');

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

keys('are cached for five minutes and never served stale, so that a rotation is seen', async () => {
  const { headers } = await client.get(path);
  assert.is(headers.get('cache-control'), 'public, max-age=300, must-revalidate');
  assert.is(headers.get('cdn-cache-control'), 'max-age=300, must-revalidate');
  assert.is(headers.get('vary'), null);
  const tag = headers.get('etag') ?? '';
  assert.match(tag, /^"[0-9a-f]{32}"$/);
  assert.is((await fetch(server.origin + path, { headers: { 'If-None-Match': tag } })).status, 304);
  assert.is((await client.get(`${path}?x=1`)).text, (await client.get(path)).text);
});

keys('do not exist without a signer: on a static host, in a browser, and in the build', async () => {
  const file = readFileSync(join(dist, 'client', path), 'utf8');
  assert.equal(JSON.parse(file), { keys: [] });
  const headers = readStaticHeaders()(path);
  assert.is(headers.get('content-type'), 'application/jwk-set+json');
  assert.is(headers.get('cache-control'), 'public, max-age=300, must-revalidate');
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));
  assert.is(manifest.addresses[path]!.atStart, true);
  assert.equal(listPublicKeys({}), { keys: [] });
  assert.throws(() => requireSigner({}), /preview/);
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

keys('npm run verify-receipt checks a receipt by the address or a file of the keys', async () => {
  const file = put('receipt.txt', `${receipt}\n`);
  const says =
    /^It holds\.\n\nOutcome +retained: [\s\S]*\nKey +[\w-]{43}\n\nWhat it proves: What [\s\S]*does not: Who/;
  const broken = put('broken', falsify(receipt));
  const elsewhere = put('elsewhere', await signAt(server.dataDir, 'https://careers.example'));
  await holdTo([file, '--keys', url], 0, says);
  await holdTo([put('answer.json', JSON.stringify({ type: 'OK', receipt })), `--keys=${saved}`], 0, says);
  await holdTo([broken, '--keys', saved], 1, /^It does not hold\. Its signature does not fit/);
  await holdTo([elsewhere, '--keys', url], 1, /names another issuer.*https:\/\/careers\.example, not/);
  await holdTo([elsewhere, '--keys', url, '--issuer', 'https://careers.example'], 0, /^It holds/);
  await holdTo([file, '--keys', put('none.json', 'no JSON')], 1, /is no JWK Set/);
  await holdTo([file], 2, /npm run verify-receipt -- FILE --keys/);
  await holdTo([join(folder, 'none'), '--keys', saved], 1, /none cannot be read: ENOENT/);
  await holdTo([file, '--keys', 'http://localhost:1/'], 1, /^http:\/\/localhost:1\/ cannot be read/);
});

keys.run();
