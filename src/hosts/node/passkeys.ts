import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { PasskeyExpectation, Passkeys } from '../../ladder/ladder.ts';

/** Loaded when the first person claims or signs in. Most hosts never need its memory. */
const library = () => import('@simplewebauthn/server');

const decodeBase64Url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const encodeChallenge = (text: string) => new TextEncoder().encode(text);

/** EdDSA, ES256 and RS256 (COSE, RFC 9053), which today's passkeys use. */
const supportedAlgorithmIDs = [-8, -7, -257];

/**
 * Maximum bytes of the id of a passkey (WebAuthn level 3, section 7.1), and twice the longest key, RS256 with 8,192
 * bits.
 */
const maxBytes = { id: 1023, publicKey: 2048 };

/**
 * Whether a passkey has no attestation certificate: attestation `none`, which we ask for, or self-attestation. We never
 * check certificates: the library would call addresses that are written in them, and so chosen by the caller.
 */
async function hasNoCertificate({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const object = decodeAttestationObject(decodeBase64Url(response.attestationObject));
  const fmt = object.get('fmt');
  return fmt === 'none' || (fmt === 'packed' && object.get('attStmt').get('x5c') === undefined);
}

const createChecks = ({ isOurs, origin, host }: PasskeyExpectation) => ({
  expectedChallenge: isOurs,
  expectedOrigin: origin,
  expectedRPID: host,
  requireUserVerification: true,
});

/**
 * Returns the result, or undefined if the check throws. The library throws for every answer that is not as expected.
 */
const orUndefined = <T>(check: () => Promise<T>) => check().catch(() => undefined);

/** WebAuthn by @simplewebauthn/server. Passkeys verify their user and need no user name. No attestation is used. */
export const passkeys: Passkeys = {
  async createRegistrationOptions(challenge, host, name) {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: 'Careers Placement Service',
      rpID: host,
      userName: name,
      challenge: encodeChallenge(challenge),
      attestationType: 'none',
      supportedAlgorithmIDs,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  },
  async createAuthenticationOptions(challenge, host) {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: host,
      challenge: encodeChallenge(challenge),
      userVerification: 'required',
    });
  },
  async verifyRegistration(answer, expected) {
    const { verifyRegistrationResponse } = await library();
    return orUndefined(async () => {
      const response = answer as RegistrationResponseJSON;
      if (!(await hasNoCertificate(response))) return undefined;
      const checks = { response, supportedAlgorithmIDs, ...createChecks(expected) };
      const result = await verifyRegistrationResponse(checks);
      if (!result.verified) return undefined;
      const { id, publicKey, counter } = result.registrationInfo.credential;
      if (decodeBase64Url(id).length > maxBytes.id || publicKey.length > maxBytes.publicKey) return undefined;
      return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
    });
  },
  async verifyAuthentication(answer, { id, publicKey, counter }, expected) {
    const { verifyAuthenticationResponse } = await library();
    return orUndefined(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer as AuthenticationResponseJSON,
        credential: { id, publicKey: decodeBase64Url(publicKey), counter },
        ...createChecks(expected),
      });
      return verified ? authenticationInfo.newCounter : undefined;
    });
  },
};
