import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { createSigner, readKeyFile } from '../../src/hosts/node/keys.ts';
import type { Signer } from '../../src/kernel/signer.ts';
import { type ReceiptFacts, signReceipt } from '../../src/placements/sign-receipt.ts';

/** The facts of an outcome that both parties confirmed. */
export const facts: ReceiptFacts = {
  at: Date.parse('2026-10-31T09:00:05Z'),
  iss: 'https://careers.example',
  jti: 'rcp_0123456789abcdef',
  sub: 'plc_k3v9tq2m',
  onetCode: '15-1252.00',
  startDate: '2026-08-02',
  result: 'retained',
  asOf: '2026-10-31',
  recordedAt: '2026-08-01T12:00:00.000Z',
  statedAt: '2026-10-31T08:00:00.000Z',
  confirmedBy: ['client', 'candidate'],
  confirmedAt: '2026-10-31T09:00:05.123Z',
};

export const makeKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

export const toPem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }) as string;

/** Makes a signer with new keys. */
export const makeSigner = (count = 1): Promise<Signer> =>
  createSigner(Array.from({ length: count }, makeKey));

/** Signs a receipt as a host with its data in this folder would, with some facts changed. */
export async function signAt(
  dataDir: string,
  iss: string,
  changed: Partial<ReceiptFacts> = {},
): Promise<string> {
  const signer = await createSigner(readKeyFile(join(dataDir, 'signing-key.pem')));
  return signReceipt({ ...facts, iss, ...changed }, signer);
}

/** Returns the same receipt with another result, under the old signature. */
export function falsify(receipt: string): string {
  const [header, payload = '', signature] = receipt.split('.');
  const said = Buffer.from(payload, 'base64url').toString().replace('retained', 'attrited');
  return [header, Buffer.from(said).toString('base64url'), signature].join('.');
}

/** Returns the secrets of a private key, in every encoding in which they could leak. */
export function toSecrets(key: KeyObject): string[] {
  const seed = Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url');
  const der = key.export({ format: 'der', type: 'pkcs8' });
  return [
    ...[seed.toString('base64url'), seed.toString('base64').slice(0, 40), seed.toString('hex')],
    ...[der.toString('base64').slice(-40), 'PRIVATE KEY'],
  ];
}
