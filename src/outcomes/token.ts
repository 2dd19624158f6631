import type { Capability, Context } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import type { Judged } from '../records/placement-outcome.ts';
import type { FollowedHead } from '../records/store.ts';
import { deriveText, makeText } from '../records/workspace.ts';

const prefix = 'cnf_';

/** How a party shows its token. */
export const confirmation: Capability = {
  header: 'X-Confirmation',
  argument: 'confirmation',
  description: 'The token, `cnf_…`, that the party was sent.',
  shape: /^cnf_[0-9a-hjkmnp-tv-z]{32}$/,
  unknown: 'unknown_confirmation',
};

/** A fresh token: a capability of 160 random bits. */
export const makeToken = (service: Service) => prefix + makeText(service);

/**
 * The token that is told under an Idempotency-Key: 160 bits of SHA-256 over a salt, the workspace id and the key. Only
 * the salt is kept, so that a replay can say the token again while the store alone cannot.
 */
export const deriveToken = async (service: Service, salt: string, id: string, key: string) =>
  prefix + (await deriveText(service, `confirmation ${salt} ${id} ${key}`));

/** What is kept of a token: SHA-256 in hex. */
export const toTokenHash = async ({ platform }: Service, token: string): Promise<string> =>
  platform.sha256(`confirmation ${token}`);

/** A token that a caller showed. */
export interface Shown {
  hash: string;
  /** The workspace that it leads into, and the id of the placement there. */
  head: FollowedHead;
}

/** Whether a placement knows a token that leads to it: one that was replaced, or not issued in the end, it does not. */
export function toIssued(fact: Judged, hash: string, now: number) {
  const issued = fact.evidence?.confirmations?.find(({ token }) => token === hash);
  if (!issued || issued.expiresAt <= now) throw new Refusal('unknown_confirmation');
  return issued;
}

/** Where the token of a caller leads. Malformed, unknown, replaced and expired ones get the same refusal. */
export async function followToken({ service, asks }: Context): Promise<Shown> {
  const hash = await toTokenHash(service, asks.capability!);
  const head = await service.store.follow(hash, service.platform.now());
  if (!head) throw new Refusal('unknown_confirmation');
  return { hash, head };
}
