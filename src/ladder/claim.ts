import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toTime } from '../kernel/text.ts';
import { makeOneTimeToken, toTokenHash } from '../records/one-time-token.ts';
import type { FollowedHead } from '../records/store.ts';
import { deriveText } from '../records/workspace.ts';
import { toWorkspaceState, type WorkspaceState } from '../records/workspace-state.ts';
import { write } from '../records/write.ts';

const claimMs = 900_000;
const ofClaim = { purpose: 'claim', prefix: 'clm_' } as const;

/** What agent and person compare, so that a person claims what its own agent made: `4H7K-M2QX`. */
async function toUserCode({ service }: Context, token: string): Promise<string> {
  const text = (await deriveText(service, `user code ${token}`)).slice(0, 8).toUpperCase();
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** Starts a claim, in the place of one that was started before. */
export async function startClaim(context: Context): Promise<Outcome> {
  const { settings } = context.service;
  const { hash, salt, tell } = await makeOneTimeToken(context, ofClaim);
  return write(
    {
      needs: [],
      salt,
      decide({ now, head }) {
        const standing = toWorkspaceState(head!.state);
        if (standing.owner) throw new Refusal('already_claimed');
        const expiresAt = now + claimMs;
        const state: WorkspaceState = { ...standing, claim: { token: hash, expiresAt } };
        const claim = { url: '', userCode: '', expiresAt: toTime(expiresAt) };
        return {
          writing: {
            state: { ...state },
            points: { [hash]: { to: 'claim', expiresAt } },
            unpoints: standing.claim ? [standing.claim.token] : [],
          },
          outcome: { status: 201, body: { type: 'OK', claim } },
        };
      },
      async fill(outcome, kept) {
        const body = outcome.body as { claim?: object };
        if (!body.claim) return outcome;
        const token = await tell(kept);
        const url = `${settings.baseUrl}/claim.html#${token}`;
        const claim = { ...body.claim, url, userCode: await toUserCode(context, token) };
        return { ...outcome, body: { ...body, claim } };
      },
    },
    context,
  );
}

/** A claim that a page asks about. */
export interface Claim {
  /** The hash of its token. */
  hash: string;
  head: FollowedHead;
  userCode: string;
  expiresAt: number;
}

/** When a claim ends that a workspace waits for; undefined where it waits for another, or for none. */
export function toClaimEnd({ claim }: WorkspaceState, hash: string, now: number): number | undefined {
  return claim && claim.token === hash && claim.expiresAt > now ? claim.expiresAt : undefined;
}

/** Where the token of a claim leads. Malformed, unknown, used, replaced and expired ones get the same refusal. */
export async function followClaim(context: Context): Promise<Claim> {
  const { service, options } = context;
  const now = service.platform.now();
  const token = options.capability!;
  const hash = await toTokenHash(service, ofClaim.purpose, token);
  const head = await service.store.follow(hash, now);
  const expiresAt = head && toClaimEnd(toWorkspaceState(head.state), hash, now);
  if (!head || expiresAt === undefined) throw new Refusal('unknown_claim');
  return { hash, head, userCode: await toUserCode(context, token), expiresAt };
}
