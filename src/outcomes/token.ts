import type { Capability, Context } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toTokenHash } from '../records/one-time-token.ts';
import type { PlacementRecord } from '../records/placement-outcome.ts';
import type { FollowedHead } from '../records/store.ts';

/** What its tokens are for, and begin with. */
export const ofConfirmation = { purpose: 'confirmation', prefix: 'cnf_' } as const;

/** How a party shows its token. */
export const confirmation: Capability = {
  header: 'X-Confirmation',
  argument: 'confirmation',
  description: 'The token, `cnf_…`, that the party was sent.',
  shape: /^cnf_[0-9a-hjkmnp-tv-z]{32}$/,
  unknown: 'unknown_confirmation',
};

/** A token that a caller showed. */
interface FollowedToken {
  hash: string;
  /** The workspace that it leads into, and the id of the placement there. */
  head: FollowedHead;
}

/** Whether a placement knows a token that leads to it: one that was replaced, or not issued in the end, it does not. */
export function toIssued(fact: PlacementRecord, hash: string, now: number) {
  const issued = fact.evidence?.confirmations?.find(({ token }) => token === hash);
  if (!issued || issued.expiresAt <= now) throw new Refusal('unknown_confirmation');
  return issued;
}

/** Where the token of a caller leads. Malformed, unknown, replaced and expired ones get the same refusal. */
export async function followToken({ service, options }: Context): Promise<FollowedToken> {
  const hash = await toTokenHash(service, ofConfirmation.purpose, options.capability!);
  const head = await service.store.follow(hash, service.platform.now());
  if (!head) throw new Refusal('unknown_confirmation');
  return { hash, head };
}
