import { createPrivateKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSigner, openSigner, toPrivateKeys } from '../../../src/hosts/node/keys.ts';
import { readReceipt } from '../../../src/outcomes/read-receipt.ts';
import { toReceipt } from '../../../src/outcomes/receipt.ts';
import { facts, makeKey, signAt, toPem, toSecrets } from '../../support/receipts.ts';
import { makeFolder, startServer, withServer } from '../../support/server.ts';

const signing = suite('the signing key');
const root = join(import.meta.dirname, '..', '..', '..');
const nameOf = (folder: string) => join(folder, 'signing-key.pem');

const readKeys = async (origin: string) => (await fetch(`${origin}/.well-known/jwks.json`)).json();

signing('is made once, whole, for its owner alone, and kept across a restart', async () => {
  const first = await startServer({ LOG: 'off' });
  const path = nameOf(first.dataDir);
  const text = readFileSync(path, 'utf8');
  assert.is(statSync(path).mode & 0o777, 0o600);
  assert.is(createPrivateKey(text).asymmetricKeyType, 'ed25519');
  assert.not(existsSync(`${path}.new`));
  const keys = await readKeys(first.origin);
  assert.match(first.output(), /^Signing key: \S+signing-key\.pem, made just now$/m);
  const receipt = await signAt(first.dataDir, first.origin);
  assert.is(await first.stop(), 0);
  writeFileSync(`${path}.new`, 'left by a crash');
  const again = await startServer({ LOG: 'off', DATA_DIR: first.dataDir });
  assert.equal(await readKeys(again.origin), keys);
  assert.match(again.output(), /^Signing key: \S+signing-key\.pem$/m);
  assert.is(readFileSync(path, 'utf8'), text);
  assert.is((await readReceipt(receipt, keys, { issuer: first.origin })).holds, true);
  assert.is(await again.stop(), 0);
});

signing('SIGNING_KEY is taken as PEM, with line breaks lost or written as \\n, and as a file', async () => {
  const key = makeKey();
  const { kid } = (await createSigner([key])).keys().keys[0]!;
  const file = join(makeFolder(), 'key.pem');
  writeFileSync(file, `# of the year\n${toPem(key)}`);
  const pem = toPem(key);
  const texts = [
    pem,
    pem.replaceAll('\n', '\\n'),
    pem.replaceAll('\n', ' '),
    pem.replaceAll('\n', '\r\n'),
    file,
  ];
  for (const SIGNING_KEY of texts) {
    const server = await startServer({ SIGNING_KEY, LOG: 'off' });
    const { keys } = await readKeys(server.origin);
    assert.equal(
      keys.map((one: { kid: string }) => one.kid),
      [kid],
      SIGNING_KEY.slice(0, 30),
    );
    assert.match(
      server.output(),
      SIGNING_KEY === file ? /^Signing key: \S+key\.pem$/m : /^Signing key: in SIGNING_KEY$/m,
    );
    assert.not(readdirSync(server.dataDir).includes('signing-key.pem'), 'none is made');
    assert.is(await server.stop(), 0);
  }
});

signing('is rotated by two keys: what the old one signed holds, and the first one signs', async () => {
  const [old, fresh] = [makeKey(), makeKey()];
  const before = await createSigner([old]);
  const receipt = await toReceipt(facts, before);
  const folder = makeFolder();
  writeFileSync(nameOf(folder), toPem(fresh) + toPem(old), { mode: 0o600 });
  const ways: Record<string, string>[] = [{ SIGNING_KEY: toPem(fresh) + toPem(old) }, { DATA_DIR: folder }];
  for (const env of ways) {
    await withServer({ ...env, LOG: 'off' }, async ({ origin }) => {
      const jwks = await readKeys(origin);
      assert.is(jwks.keys.length, 2);
      assert.is((await readReceipt(receipt, jwks)).holds, true);
      const after = await createSigner(toPrivateKeys(toPem(fresh) + toPem(old)));
      const read = await readReceipt(await toReceipt(facts, after), jwks);
      assert.is(read.holds && read.kid, jwks.keys[0].kid);
      assert.is((await readReceipt(await toReceipt(facts, after), before.keys())).holds, false);
    });
  }
});

signing('several instances without one sign nothing, publish no key, and say why', async () => {
  const none = { SIGNING_KEY: '', STORE_URL: 'redis://localhost:1', DATA_DIR: makeFolder() };
  const { signer } = await openSigner(none);
  assert.ok('reason' in signer && /SIGNING_KEY/.test(signer.reason));
  const server = await startServer({ STORE_URL: none.STORE_URL, LOG: 'off' });
  assert.equal(await readKeys(server.origin), { keys: [] });
  assert.match(server.output(), /^Signing key: none, since STORE_URL is set and SIGNING_KEY is not$/m);
  assert.not(readdirSync(server.dataDir).includes('signing-key.pem'));
  await server.stop();
  const given = await openSigner({ ...none, SIGNING_KEY: toPem(makeKey()) });
  assert.ok('sign' in given.signer);
});

signing('nothing of it is in a document, a page, a metric or a log', async () => {
  const key = makeKey();
  const manifest = JSON.parse(readFileSync(join(root, 'dist', 'host', 'manifest.json'), 'utf8'));
  const paths = Object.keys(manifest.addresses).filter((path) => !/^\/occupations\/\d/.test(path));
  const secrets = toSecrets(key);
  const printed = await withServer(
    { SIGNING_KEY: toPem(key), METRICS: 'on', LOG: 'all' },
    async ({ origin, dataDir }) => {
      for (const path of [...paths, '/metrics', '/healthz', '/readyz', '/?x=1', '/.well-known/none']) {
        const text = await (await fetch(origin + path)).text();
        const told = /guides\/operating/.test(path) ? secrets.slice(0, -1) : secrets;
        for (const secret of told) assert.not(text.includes(secret), path);
      }
      for (const name of readdirSync(dataDir)) {
        const text = readFileSync(join(dataDir, name), 'latin1');
        for (const secret of secrets) assert.not(text.includes(secret), name);
      }
    },
  );
  for (const secret of secrets) assert.not(printed.includes(secret), secret);
});

signing.run();
