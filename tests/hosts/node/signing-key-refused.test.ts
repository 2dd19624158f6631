import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toPrivateKeys } from '../../../src/hosts/node/keys.ts';
import { makeKey, toPem } from '../../support/receipts.ts';
import { makeFolder } from '../../support/server.ts';

const refused = suite('signing keys that are refused');
const root = join(import.meta.dirname, '..', '..', '..');
const nameOf = (folder: string) => join(folder, 'signing-key.pem');

/** Starts the host in vain, and answers what it printed. */
function startInVain(env: Record<string, string>): string {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['dist/host/main.mjs'], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: makeFolder(), ...env },
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const printed = stdout + stderr;
  assert.equal([status, signal], [1, null], printed);
  assert.not.match(printed, /^\s+at |node:internal|Careers Placement Service on/m);
  return printed;
}

refused('one that others may read, or that is broken, stops the start and is left alone', async () => {
  const folder = makeFolder();
  const pem = toPem(makeKey());
  writeFileSync(nameOf(folder), pem);
  chmodSync(nameOf(folder), 0o644);
  assert.match(
    startInVain({ DATA_DIR: folder }),
    /others on this machine may read it, so set its mode to 0600/,
  );
  assert.is(readFileSync(nameOf(folder), 'utf8'), pem);
  chmodSync(nameOf(folder), 0o600);
  for (const text of ['', 'no key', pem.slice(0, 60), toPem(generateKeyPairSync('x25519').privateKey)]) {
    writeFileSync(nameOf(folder), text);
    const printed = startInVain({ DATA_DIR: folder });
    assert.match(printed, /^DATA_DIR is .*signing-key\.pem is no key to sign by: .*earlier receipts cannot/m);
    assert.is(readFileSync(nameOf(folder), 'utf8'), text);
  }
  const taken = makeFolder();
  mkdirSync(nameOf(taken));
  assert.match(startInVain({ DATA_DIR: taken }), /DATA_DIR is .*not a file of keys/);
});

refused(
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
      [pem + pem, /it has the same key twice/],
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

refused.run();
