import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { memoize } from '../../kernel/cache.ts';
import type { JwkSet, Signer } from '../../kernel/signer.ts';
import { keyName } from '../../stores/data-dir.ts';

/** Maximum length of a text of keys, in characters. */
const maxLength = 65_536;

/** A key in PEM (RFC 7468). Line breaks may be lost, as in files of environment variables. */
const block = /-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----/g;

/**
 * Parses Ed25519 private keys (RFC 8410) in PEM (PKCS #8), in order. Throws a message that holds nothing of the text.
 */
function parsePrivateKeys(text: string): KeyObject[] {
  const blocks = text.length > maxLength ? [] : [...text.replaceAll('\\n', '\n').matchAll(block)];
  const isWhole = blocks.length > 0 && blocks.length === text.split('-----BEGIN').length - 1;
  try {
    const keys = blocks.map(([, body = '']) =>
      createPrivateKey({ key: Buffer.from(body, 'base64'), format: 'der', type: 'pkcs8' }),
    );
    if (isWhole && keys.every(({ asymmetricKeyType }) => asymmetricKeyType === 'ed25519')) return keys;
  } catch {}
  throw new Error(
    'there is none, or one is broken, has a passphrase or is of another kind (openssl genpkey -algorithm ed25519 makes one)',
  );
}

/** Reads the keys in a file. Throws a message that holds neither the path nor the text. */
export function readKeyFile(path: string): KeyObject[] {
  let text = '';
  try {
    const stat = statSync(path);
    if (stat.isFile() && stat.size <= maxLength) text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`no such file can be read (${(error as NodeJS.ErrnoException).code})`);
  }
  return parsePrivateKeys(text);
}

const isPem = (setting: string) => setting.includes('-----BEGIN');

/** Reads the keys of the setting SIGNING_KEY: PEM, or the path of a file with it. Throws like the two above. */
export const readSigningKeys = (setting: string) =>
  isPem(setting) ? parsePrivateKeys(setting) : readKeyFile(setting);

async function toJwk(key: KeyObject): Promise<JwkSet['keys'][number]> {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'EdDSA' };
}

/** Separates the keys that are derived here from keys that others may derive from the same secret. */
const salt = 'careers-placement/1';

/** More than there are labels. */
const mostLabels = 100;

/** Encodes a part of a JWS (RFC 7515 section 3.1). */
const encodePart = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Creates a signer that signs with the first of these Ed25519 private keys and publishes all. Needs at least one. */
export async function createSigner(privateKeys: readonly KeyObject[]): Promise<Signer> {
  const first = privateKeys[0]!;
  const set: JwkSet = { keys: await Promise.all(privateKeys.map(toJwk)) };
  const header = encodePart({ alg: 'EdDSA', kid: set.keys[0]!.kid });
  const secret = Buffer.from(first.export({ format: 'jwk' }).d!, 'base64url');
  const derive = memoize((label: string) => Buffer.from(hkdfSync('sha256', secret, salt, label, 32)), {
    most: mostLabels,
  });
  const computeMac = (label: string, text: string) =>
    createHmac('sha256', derive(label)).update(text).digest();

  return {
    sign(claims) {
      const signed = `${header}.${encodePart(claims)}`;
      return `${signed}.${sign(null, Buffer.from(signed), first).toString('base64url')}`;
    },
    keys: () => set,
    mac: (label, text) => computeMac(label, text).toString('base64url'),
    isMac(label, text, mac) {
      const [right, given] = [computeMac(label, text), Buffer.from(mac, 'base64url')];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}

/**
 * Makes a key file that only its owner can read. It is flushed to disk before the rename, so a crash leaves no half
 * file.
 */
function makeKeyFile(path: string): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  writeFileSync(draft, pem, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, path);
  // Windows cannot flush a folder.
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

const toKeyFault = (dataDir: string, error: unknown) =>
  new Error(
    `DATA_DIR is ${dataDir}, where ${keyName} is no key to sign by: ${(error as Error).message}. Put the right file back, set SIGNING_KEY, or move the file away: then a new key is made, by which earlier receipts cannot be checked.`,
  );

/** Reads the keys in `dataDir`. Throws a plain message if the service does not sign with them. */
export function readFolderKeys(dataDir: string): KeyObject[] {
  const path = join(dataDir, keyName);
  try {
    const keys = readKeyFile(path);
    // Windows does not report who may read a file.
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new Error('others on this machine may read it, so set its mode to 0600');
    return keys;
  } catch (error) {
    throw toKeyFault(dataDir, error);
  }
}

/** Makes the key in `dataDir` if there is none. Returns whether it did. */
function makeMissingKey(dataDir: string): boolean {
  const path = join(dataDir, keyName);
  try {
    if (statSync(path, { throwIfNoEntry: false })) return false;
    makeKeyFile(path);
    return true;
  } catch (error) {
    throw toKeyFault(dataDir, error);
  }
}

/** Opens the signer of the key in `dataDir`, and makes the key if there is none. This process must own the folder. */
async function openInFolder(dataDir: string) {
  const isNew = makeMissingKey(dataDir);
  const signer = await createSigner(readFolderKeys(dataDir));
  return { signer, place: `${join(dataDir, keyName)}${isNew ? ', made just now' : ''}` };
}

type KeySettings = Record<'SIGNING_KEY' | 'STORE_URL' | 'DATA_DIR', string>;

/**
 * Opens the signer that the settings name, and says where its key is, for the operator. The key is that of SIGNING_KEY,
 * or the one in DATA_DIR. With only STORE_URL there is no signer but a reason, because each instance would make its own
 * key. Rejects with the name of the setting.
 */
export async function openSigner({ SIGNING_KEY, STORE_URL, DATA_DIR }: KeySettings) {
  if (SIGNING_KEY) {
    const signer = await createSigner(readSigningKeys(SIGNING_KEY));
    return { signer, place: isPem(SIGNING_KEY) ? 'in SIGNING_KEY' : SIGNING_KEY };
  }
  if (!STORE_URL) return openInFolder(DATA_DIR);
  const reason =
    'Nothing is signed here: several instances share one store, and their operator has not given them a key (SIGNING_KEY).';
  return { signer: { reason }, place: 'none, since STORE_URL is set and SIGNING_KEY is not' };
}
