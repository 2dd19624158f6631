import type { Service } from '../kernel/service.ts';
import { type Signer, toSigner } from '../kernel/signer.ts';
import { makeSalt } from '../records/workspace.ts';
import type { Expected } from './passkeys.ts';

const label = 'challenge';
const challengeMs = 300_000;

const toMac = (service: Service, text: string) => (toSigner(service) as Signer).mac(label, text);

/** The text in a challenge as a page sends it back: base64url without padding. */
const toText = (challenge: string) => atob(challenge.replaceAll('-', '+').replaceAll('_', '/'));

/** What an answer is expected to be like. */
export function toExpected({ settings }: Service, isOurs: Expected['isOurs']): Expected {
  const { origin, hostname: host } = new URL(settings.baseUrl);
  return { isOurs, origin, host };
}

/** The challenge of a claim: one for each token, which claims once. */
export const toClaimChallenge = (service: Service, hash: string) => toMac(service, `claim ${hash}`);

export const isClaimChallenge = (service: Service, hash: string) => (challenge: string) =>
  toText(challenge) === toClaimChallenge(service, hash);

/** A challenge to sign in by: it holds until when it is taken, so that nothing is kept of it until it is answered. */
export function makeChallenge(service: Service): string {
  const said = `${makeSalt(service)}.${service.platform.now() + challengeMs}`;
  return `${said}.${toMac(service, said)}`;
}

/** What is remembered of a challenge that was answered, and until when; undefined where it is none of ours, or has expired. */
export function readChallenge(service: Service, challenge: string): readonly [string, number] | undefined {
  const [salt = '', expiresAt = '', mac = ''] = toText(challenge).split('.');
  const isOurs = (toSigner(service) as Signer).isMac(label, `${salt}.${expiresAt}`, mac);
  return isOurs && Number(expiresAt) > service.platform.now() ? [salt, Number(expiresAt)] : undefined;
}
