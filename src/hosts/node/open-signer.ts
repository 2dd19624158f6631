import { generateKeyPairSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NoSigner, Signer } from '../../kernel/signer.ts';
import { moveIntoPlace } from '../../stores/data-dir.ts';
import { readKeyFile, toConfiguredKeys } from './private-keys.ts';
import type { NodeSettings } from './settings.ts';
import { createSigner } from './signer.ts';

/** Makes a key beside its place and moves it there whole, flushed, for its owner's eyes alone. */
function makeKeyFile(path: string): void {
  const draft = `${path}.new`;
  const { privateKey } = generateKeyPairSync('ed25519');
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  moveIntoPlace(draft, path);
}

/** Whether others than its owner may read a file; not told by Windows. */
function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** What signs, or why nothing does; and where the key is kept, for the operator. */
interface OpenedSigner {
  signer: Signer | NoSigner;
  told: string;
}

/** The signer of the key in `dataDir`, which is made once. The folder has to be there, and held by this process. */
async function openInFolder(dataDir: string): Promise<OpenedSigner> {
  const path = join(dataDir, 'signing-key.pem');
  try {
    const isNew = !statSync(path, { throwIfNoEntry: false });
    if (isNew) makeKeyFile(path);
    const signer = await createSigner(readKeyFile(path));
    const open = isOpenToOthers(path) ? '; others on this machine may read it, so set its mode to 0600' : '';
    return { signer, told: `${path}${isNew ? ', made just now' : ''}${open}` };
  } catch (error) {
    throw new Error(
      `DATA_DIR is ${dataDir}, where signing-key.pem is no key to sign by: ${(error as Error).message}. Put the right file back, set SIGNING_KEY, or move the file away: then a new key is made, by which earlier receipts cannot be checked.`,
    );
  }
}

/**
 * The signer that an operator chose: of the keys in SIGNING_KEY, else of the one in DATA_DIR. With STORE_URL alone
 * there is none, since each of several instances would make its own. Rejects with a plain message that names the
 * variable, and never with anything of a key.
 */
export async function openSigner({
  SIGNING_KEY,
  STORE_URL,
  DATA_DIR,
}: Pick<NodeSettings, 'SIGNING_KEY' | 'STORE_URL' | 'DATA_DIR'>): Promise<OpenedSigner> {
  if (SIGNING_KEY) {
    const keys = toConfiguredKeys(SIGNING_KEY);
    const place = SIGNING_KEY.includes('-----BEGIN') ? 'in SIGNING_KEY' : SIGNING_KEY;
    return { signer: await createSigner(keys), told: place };
  }
  if (!STORE_URL) return openInFolder(DATA_DIR);
  const reason =
    'Nothing is signed here: several instances share one store, and their operator has not given them a key (SIGNING_KEY).';
  return { signer: { reason }, told: 'none, since STORE_URL is set and SIGNING_KEY is not' };
}
