import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** Bytes and keys that are read at most. */
const mostBytes = 65_536;
const mostKeys = 10;

/** How one is made by whoever has none. */
const howTo = 'openssl genpkey -algorithm ed25519';

/** Armour of RFC 7468, whatever it is of. Line breaks may be lost or written as `\n`, as in files of variables. */
const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** Throws for a block that is no PKCS #8 private key of Ed25519. Nothing of the key is in the message. */
function toKey([, label, body = '']: RegExpMatchArray, index: number): KeyObject {
  const name = `key ${index + 1}`;
  if (label === 'ENCRYPTED PRIVATE KEY') throw new Error(`${name} has a passphrase; store it without one`);
  if (label !== 'PRIVATE KEY') throw new Error(`${name} is a ${label}, not a PRIVATE KEY (PKCS #8)`);
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: Buffer.from(body, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    throw new Error(`${name} is broken`);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(`${name} is of the kind ${key.asymmetricKeyType}, not ed25519 (made by ${howTo})`);
}

/**
 * The Ed25519 private keys (RFC 8410) of a text of one to ten PEM blocks, in their order. Throws, in words that hold
 * nothing of the text, for any other kind, form or number, and for a key that stands there twice.
 */
export function toPrivateKeys(text: string): KeyObject[] {
  if (text.length > mostBytes) throw new Error(`it is longer than ${mostBytes} characters`);
  const armoured = text.replaceAll('\\n', '\n');
  const blocks = [...armoured.matchAll(block)];
  const begun = armoured.split('-----BEGIN').length - 1;
  if (begun === 0) throw new Error(`it has no PEM in it (made by ${howTo})`);
  if (begun > mostKeys) throw new Error(`it has more than ${mostKeys} keys`);
  if (begun !== blocks.length) throw new Error('a PEM in it is broken or cut off');
  const keys = blocks.map(toKey);
  const isTwice = keys.some((key, index) => keys.findIndex((one) => one.equals(key)) !== index);
  if (isTwice) throw new Error('the same key stands in it twice');
  return keys;
}

/** The keys that a file holds. Throws, in words that hold neither its path nor its text. */
export function readKeyFile(path: string): KeyObject[] {
  let text: string;
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > mostBytes)
      throw Object.assign(new Error(), { code: 'not a file of keys' });
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`no such file can be read (${(error as { code?: string }).code})`);
  }
  return toPrivateKeys(text);
}

/** The keys that a setting names: a text with PEM in it, else the path of a file. Throws like the two above. */
export function toConfiguredKeys(setting: string): KeyObject[] {
  return setting.includes('-----BEGIN') ? toPrivateKeys(setting) : readKeyFile(setting);
}
