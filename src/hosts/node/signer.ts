import { createHmac, createPublicKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint } from 'jose';
import type { JwkSet, Signer } from '../../kernel/signer.ts';

/** Sets what is derived here apart from what others may derive of the same key. */
const salt = 'careers-placement/1';
const derivedBytes = 32;

async function toJwk(key: KeyObject): Promise<JwkSet['keys'][number]> {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const named = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...named, kid: await calculateJwkThumbprint(named), use: 'sig', alg: 'EdDSA' };
}

/** Signs by the first of some Ed25519 private keys, and publishes all of them. */
export async function createSigner(privateKeys: readonly KeyObject[]): Promise<Signer> {
  const [first] = privateKeys;
  if (!first) throw new Error('a signer needs a key');
  const set: JwkSet = { keys: await Promise.all(privateKeys.map(toJwk)) };
  const header = { alg: 'EdDSA', kid: set.keys[0]!.kid };
  const secret = Buffer.from(first.export({ format: 'jwk' }).d!, 'base64url');
  const derived = new Map<string, Buffer>();

  function derive(label: string): Buffer {
    if (label === '') throw new Error('a derived key needs a label');
    const key = derived.get(label) ?? Buffer.from(hkdfSync('sha256', secret, salt, label, derivedBytes));
    derived.set(label, key);
    return key;
  }

  const toMac = (label: string, text: string) => createHmac('sha256', derive(label)).update(text).digest();

  return {
    sign: (claims) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader(header)
        .sign(first),
    keys: () => set,
    mac: (label, text) => toMac(label, text).toString('base64url'),
    isMac(label, text, mac) {
      const [right, given] = [toMac(label, text), Buffer.from(mac, 'base64url')];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
