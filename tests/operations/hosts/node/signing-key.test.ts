import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSigner, openSigner } from '../../../../src/hosts/node/keys.ts';
import { readSettings } from '../../../../src/hosts/node/settings.ts';
import type { Signer } from '../../../../src/kernel/signer.ts';
import { readReceipt } from '../../../../src/placements/read-receipt.ts';
import { signReceipt } from '../../../../src/placements/sign-receipt.ts';
import { facts, makeKey, signAt, toPem, toSecrets } from '../../../support/receipts.ts';
import { makeFolder, withServer } from '../../../support/server.ts';

const signing = suite('the signing key');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const nameOf = (folder: string) => join(folder, 'signing-key.pem');
const readKeys = async (origin: string) => (await fetch(`${origin}/.well-known/jwks.json`)).json();

signing('is created once, readable by its owner alone, and kept across a restart', async () => {
  const folder = makeFolder();
  const path = nameOf(folder);
  const open = () => openSigner({ SIGNING_KEY: '', STORE_URL: '', DATA_DIR: folder });
  const first = await open();
  assert.is(first.place, `${path}, made just now`);
  const text = readFileSync(path, 'utf8');
  assert.is(statSync(path).mode & 0o777, 0o600);
  assert.is(createPrivateKey(text).asymmetricKeyType, 'ed25519');
  writeFileSync(`${path}.new`, 'left by a crash');
  await withServer({ LOG: 'off', DATA_DIR: folder }, async ({ origin, output }) => {
    const keys = await readKeys(origin);
    assert.equal(keys, (first.signer as Signer).keys());
    assert.match(output(), /^Signing key: \S+signing-key\.pem$/m);
    assert.is(readFileSync(path, 'utf8'), text);
    assert.is((await readReceipt(await signAt(folder, origin), keys, { issuer: origin })).holds, true);
  });
});

signing('SIGNING_KEY may be PEM, PEM with lost line breaks, or a file', async () => {
  const key = makeKey();
  const { kid } = (await createSigner([key])).keys().keys[0]!;
  const file = join(makeFolder(), 'key.pem');
  const pem = toPem(key);
  writeFileSync(file, `# of the year\n${pem}`);
  for (const text of [pem, pem.replaceAll('\n', '\\n'), pem.replaceAll('\n', ' '), file]) {
    const { signer, place } = await openSigner({ SIGNING_KEY: text, STORE_URL: '', DATA_DIR: '' });
    assert.is('keys' in signer && signer.keys().keys[0]?.kid, kid, text.slice(0, 30));
    assert.is(place, text === file ? file : 'in SIGNING_KEY');
  }
});

signing('can be rotated: receipts of the old key stay valid, and the first key signs', async () => {
  const [old, fresh] = [makeKey(), makeKey()];
  const before = await createSigner([old]);
  const receipt = signReceipt(facts, before);
  const both = toPem(fresh) + toPem(old);
  const folder = makeFolder();
  writeFileSync(nameOf(folder), both, { mode: 0o600 });
  for (const env of [{ SIGNING_KEY: both }, { SIGNING_KEY: '', DATA_DIR: folder }]) {
    const { signer } = await openSigner({ STORE_URL: '', DATA_DIR: '', ...env });
    const jwks = (signer as Signer).keys();
    assert.is(jwks.keys.length, 2);
    assert.is((await readReceipt(receipt, jwks)).holds, true);
    const later = signReceipt(facts, signer as Signer);
    const read = await readReceipt(later, jwks);
    assert.is(read.holds && read.kid, jwks.keys[0]!.kid);
    assert.is((await readReceipt(later, before.keys())).holds, false);
  }
});

signing('is in no document, page, metric or log', async () => {
  const key = makeKey();
  const manifest = JSON.parse(readFileSync(join(root, 'dist', 'host', 'manifest.json'), 'utf8'));
  const paths = Object.keys(manifest.addresses).filter((path) => !/^\/occupations\/\d/.test(path));
  const secrets = toSecrets(key);
  const env = { SIGNING_KEY: toPem(key), METRICS: 'on', LOG: 'all' };
  const printed = await withServer(env, async ({ origin, dataDir }) => {
    for (const path of [...paths, '/metrics', '/healthz', '/readyz', '/?x=1', '/.well-known/none']) {
      const text = await (await fetch(origin + path)).text();
      const told = /guides\/(operating|settings|keys|backup|tls)/.test(path) ? secrets.slice(0, -1) : secrets;
      for (const secret of told) assert.not(text.includes(secret), path);
    }
    for (const name of readdirSync(dataDir)) {
      const text = readFileSync(join(dataDir, name), 'latin1');
      for (const secret of secrets) assert.not(text.includes(secret), name);
    }
  });
  for (const secret of secrets) assert.not(printed.includes(secret), secret);
});

signing('a key file that is broken or that others may read stops the start and stays as it is', async () => {
  const folder = makeFolder();
  const open = () =>
    openSigner({ SIGNING_KEY: '', STORE_URL: '', DATA_DIR: folder }).catch(({ message }) => message);
  const pem = toPem(makeKey());
  writeFileSync(nameOf(folder), pem);
  chmodSync(nameOf(folder), 0o644);
  assert.match(await open(), /others on this machine may read it, so set its mode to 0600/);
  chmodSync(nameOf(folder), 0o600);
  for (const text of ['', 'no key', pem.slice(0, 60), toPem(generateKeyPairSync('x25519').privateKey)]) {
    writeFileSync(nameOf(folder), text);
    assert.match(await open(), /^DATA_DIR is .*signing-key\.pem is no key to sign by: .*receipts cannot/);
    assert.is(readFileSync(nameOf(folder), 'utf8'), text);
  }
});

signing('a SIGNING_KEY that is wrong, broken or unreadable is refused by name, and not shown', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const ed = generateKeyPairSync('ed25519');
  const pem = toPem(ed.privateKey);
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'sesame' };
  const sealed = ed.privateKey.export({ format: 'pem', type: 'pkcs8', ...cipher });
  const bare = pem.split('\n')[1]!;
  const folder = makeFolder();
  writeFileSync(join(folder, 'key.pem'), 'nothing');
  mkdirSync(join(folder, 'folder'));
  const wrong = [
    ...[toPem(rsa), toPem(generateKeyPairSync('ed448').privateKey), sealed, pem + toPem(ec)],
    ...[rsa.export({ format: 'pem', type: 'pkcs1' }), ed.publicKey.export({ format: 'pem', type: 'spki' })],
    ...[pem.replace(bare, bare.slice(0, 40)), pem.slice(0, -10), pem + pem.slice(0, -10), pem.repeat(600)],
    ...[join(folder, 'key.pem'), join(folder, 'folder'), '/dev/zero'],
  ].map(String);
  const unread = [bare, bare.repeat(100)];
  for (const text of [...wrong, ...unread]) {
    let said = '';
    try {
      readSettings({ SIGNING_KEY: text });
    } catch (error) {
      said = (error as Error).message;
    }
    assert.match(said, /^SIGNING_KEY must be Ed25519 private keys/);
    const says = unread.includes(text) ? /no such file can be read \(E/ : /: there is none, or one is broken/;
    assert.match(said, says);
    for (const part of text.match(/[\w+/=]{16,}/g) ?? []) assert.not(said.includes(part), said);
  }
});

signing.run();
