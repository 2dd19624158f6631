import { spawnSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSigner } from '../src/hosts/node/open-signer.ts';
import { toPrivateKeys } from '../src/hosts/node/private-keys.ts';
import { createSigner } from '../src/hosts/node/signer.ts';
import { readReceipt } from '../src/outcomes/read-receipt.ts';
import { toReceipt } from '../src/outcomes/receipt.ts';
import { facts, makeKey, signAt, toPem, toSecrets } from './support/receipts.ts';
import { makeFolder, startServer, withServer } from './support/server.ts';

const signing = suite('the signing key');
const root = join(import.meta.dirname, '..');
const nameOf = (folder: string) => join(folder, 'signing-key.pem');

const readKeys = async (origin: string) => (await fetch(`${origin}/.well-known/jwks.json`)).json();

/** Starts the host in vain, and answers what it printed. */
function startInVain(env: Record<string, string>): string {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['dist/host/main.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: makeFolder(), ...env },
    encoding: 'utf8',
    timeout: 5000,
    killSignal: 'SIGKILL',
  });
  const printed = stdout + stderr;
  assert.equal([status, signal], [1, null], printed);
  assert.not.match(printed, /^\s+at |node:internal|Careers Placement Service on/m);
  return printed;
}

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

signing(
  'one that others may read is told of, and one that is broken stops the start and is left alone',
  async () => {
    const folder = makeFolder();
    writeFileSync(nameOf(folder), toPem(makeKey()));
    chmodSync(nameOf(folder), 0o644);
    await withServer({ LOG: 'off', DATA_DIR: folder }, async ({ origin, output }) => {
      await readKeys(origin);
      assert.match(
        output(),
        /signing-key\.pem; others on this machine may read it, so set its mode to 0600$/m,
      );
    });
    const pem = toPem(makeKey());
    for (const text of ['', 'no key', pem.slice(0, 60), toPem(generateKeyPairSync('x25519').privateKey)]) {
      writeFileSync(nameOf(folder), text);
      const printed = startInVain({ DATA_DIR: folder });
      assert.match(
        printed,
        /^DATA_DIR is .*signing-key\.pem is no key to sign by: .*earlier receipts cannot/m,
      );
      assert.is(readFileSync(nameOf(folder), 'utf8'), text);
    }
    const taken = makeFolder();
    mkdirSync(nameOf(taken));
    assert.match(startInVain({ DATA_DIR: taken }), /DATA_DIR is .*not a file of keys/);
  },
);

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

signing(
  'one of a wrong kind, broken or unreadable stops the start, names SIGNING_KEY, and is not shown',
  () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const ed = generateKeyPairSync('ed25519');
    const pem = toPem(ed.privateKey);
    const sealed = ed.privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'sesame',
    });
    const bare = pem.split('\n')[1]!;
    const file = join(makeFolder(), 'key.pem');
    writeFileSync(file, 'nothing');
    const wrong: [text: string, says: RegExp][] = [
      [toPem(rsa), /key 1 is of the kind rsa, not ed25519/],
      [toPem(ec), /of the kind ec,/],
      [toPem(generateKeyPairSync('ed448').privateKey), /of the kind ed448,/],
      [toPem(generateKeyPairSync('x25519').privateKey), /of the kind x25519,/],
      [rsa.export({ format: 'pem', type: 'pkcs1' }) as string, /is a RSA PRIVATE KEY, not a PRIVATE KEY/],
      [ec.export({ format: 'pem', type: 'sec1' }) as string, /is a EC PRIVATE KEY/],
      [ed.publicKey.export({ format: 'pem', type: 'spki' }) as string, /is a PUBLIC KEY/],
      [sealed as string, /has a passphrase/],
      [pem.replace(bare, bare.slice(0, 40)), /key 1 is broken/],
      [pem.replace(bare, `${bare.slice(0, 20)}?${bare.slice(21)}`), /broken or cut off/],
      [pem.slice(0, -10), /broken or cut off/],
      [pem + pem.slice(0, 40), /broken or cut off/],
      [pem + toPem(ec), /key 2 is of the kind ec/],
      [pem + pem, /the same key stands in it twice/],
      [toPem(makeKey()).repeat(11), /more than 10 keys/],
      [bare, /no such file can be read \(ENOENT\)/],
      [`${file}.none`, /no such file can be read \(ENOENT\)/],
      [file, /has no PEM in it/],
      [makeFolder(), /not a file of keys/],
      ['/dev/zero', /not a file of keys/],
      ['x'.repeat(70_000), /no such file can be read \(ENAMETOOLONG\)/],
    ];
    for (const [text, says] of wrong) {
      const printed = startInVain({ SIGNING_KEY: text });
      const line =
        printed.split('\n').find((one) => one.startsWith('SIGNING_KEY must be Ed25519 private keys')) ?? '';
      assert.match(line, says, printed);
      const parts = text.match(/[\w+/=-]{16,}/g)?.filter((part) => !/PRIVATE|^-+$/.test(part)) ?? [];
      for (const part of parts) assert.not(printed.includes(part), `${says}: ${printed}`);
    }
    assert.throws(() => toPrivateKeys('x'.repeat(70_000)), /longer than 65536/);
  },
);

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
