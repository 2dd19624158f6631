import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Encodes the few shapes of CBOR (RFC 8949) that an authenticator writes. */
function toCbor(value: unknown): Buffer {
  const head = (major: number, count: number) => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    if (count < 256) return Buffer.from([(major << 5) | 24, count]);
    return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(toCbor)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(toCbor)]);
}

/** Deviations from a correct answer. */
export interface Lies {
  origin?: string;
  host?: string;
  challenge?: string;
  isVerified?: boolean;
  counter?: number;
  type?: string;
  /** The attestation of a new passkey, made of the signed bytes and its key. */
  attest?(of: { signed: Buffer; privateKey: KeyObject }): {
    fmt: string;
    attStmt: object;
  };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/**
 * An authenticator with one passkey (WebAuthn level 3, section 6), which counts its uses and verifies its
 * user.
 */
export function makeAuthenticator(baseUrl: string, id = randomBytes(32)) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  let used = 0;

  const toClientData = (type: string, challenge: string, { origin = baseUrl, ...lies }: Lies) =>
    Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin }));

  function toData(lies: Lies, credential = Buffer.alloc(0)): Buffer {
    const { host = new URL(baseUrl).hostname, isVerified = true, counter = used } = lies;
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (credential.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(host), Buffer.from([flags]), count, credential]);
  }

  const toAnswer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  });

  return {
    id: id.toString('base64url'),
    /** Returns what `startRegistration` returns. */
    make(challenge: string, lies: Lies = {}) {
      const key = toCbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]),
      );
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const authData = toData(lies, credential);
      const clientDataJSON = toClientData('webauthn.create', challenge, lies);
      const signed = Buffer.concat([authData, sha256(clientDataJSON)]);
      const { fmt, attStmt } = lies.attest?.({ signed, privateKey }) ?? {
        fmt: 'none',
        attStmt: {},
      };
      const attestation = new Map<string, unknown>([
        ['fmt', fmt],
        ['attStmt', new Map(Object.entries(attStmt))],
        ['authData', authData],
      ]);
      return toAnswer({ clientDataJSON, attestationObject: toCbor(attestation) });
    },
    /** Returns what `startAuthentication` returns. */
    show(challenge: string, lies: Lies = {}) {
      used += 1;
      const clientDataJSON = toClientData('webauthn.get', challenge, lies);
      const authenticatorData = toData(lies);
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
        privateKey,
      );
      return toAnswer({ clientDataJSON, authenticatorData, signature });
    },
  };
}
