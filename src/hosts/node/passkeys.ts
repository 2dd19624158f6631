import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { Expected, Passkeys } from '../../ladder/passkeys.ts';

const toBytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));

/** EdDSA, ES256 and RS256 (COSE, RFC 9053): what passkeys are made with today. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** Bytes that the id of a passkey has at most (WebAuthn level 3, section 7.1), and its key: that of RS256 with 8,192 bits, twice. */
const mostBytes = { id: 1023, publicKey: 2048 };

/**
 * Whether nothing but a passkey itself attests it, as is asked for. What attests with certificates is not looked at:
 * to check those, the library asks addresses that are written in them, and so by whoever made them.
 */
function isItsOwn({ response }: RegistrationResponseJSON): boolean {
  const object = decodeAttestationObject(toBytes(response.attestationObject));
  const fmt = object.get('fmt');
  return fmt === 'none' || (fmt === 'packed' && object.get('attStmt').get('x5c') === undefined);
}

const toChecks = ({ isOurs, origin, host }: Expected) => ({
  expectedChallenge: isOurs,
  expectedOrigin: origin,
  expectedRPID: host,
  requireUserVerification: true,
});

/** What is undefined where an answer is not as expected: the library throws for each way in which it is not. */
async function orNone<T>(check: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}

/** WebAuthn by @simplewebauthn/server: passkeys that verify their user and are found without a name; no attestation is asked for. */
export const passkeys: Passkeys = {
  toCreateOptions: (challenge, host, name) =>
    generateRegistrationOptions({
      rpName: 'Careers Placement Service',
      rpID: host,
      userName: name,
      challenge: new TextEncoder().encode(challenge),
      attestationType: 'none',
      supportedAlgorithmIDs,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    }),
  toGetOptions: (challenge, host) =>
    generateAuthenticationOptions({
      rpID: host,
      challenge: new TextEncoder().encode(challenge),
      userVerification: 'required',
    }),
  made: (answer, expected) =>
    orNone(async () => {
      const response = answer as RegistrationResponseJSON;
      if (!isItsOwn(response)) return undefined;
      const result = await verifyRegistrationResponse({
        response,
        supportedAlgorithmIDs,
        ...toChecks(expected),
      });
      if (!result.verified) return undefined;
      const { id, publicKey, counter } = result.registrationInfo.credential;
      if (toBytes(id).length > mostBytes.id || publicKey.length > mostBytes.publicKey) return undefined;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
    }),
  shown: (answer, { id, publicKey, counter }, expected) =>
    orNone(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        credential: { id, publicKey: toBytes(publicKey), counter },
        ...toChecks(expected),
      });
      return verified ? authenticationInfo.newCounter : undefined;
    }),
};
