import type { Context, OpenedWorkspace, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import type { Challenge } from './work.ts';

/** What climbs the ladder: it is Node's alone, since no browser could check a proof, or a passkey, against itself. */
export interface Ladder {
  /** Gives a challenge to a workspace, and a credit for what solves it, once. */
  getWork(context: Context): Outcome;
  submitWork(proof: { challenge: Challenge; nonce: string }, context: Context): Promise<Outcome>;
  /** Starts a claim, in the place of one that was started before. */
  startClaim(context: Context): Promise<Outcome>;
  /** Shows what a token would claim, and what a passkey is to answer. */
  showClaim(context: Context): Promise<Outcome>;
  /** Claims a workspace with what a passkey answered: one that was made just now, or one that is known here. */
  claim(answer: object, context: Context): Promise<Outcome>;
  /** Gives a challenge to sign in by, and lets an owner in for what its passkey answered. */
  challenge(context: Context): Promise<Outcome>;
  signIn(answer: object, context: Context): Promise<Outcome>;
  /** The workspaces that the owner of a bearer holds. */
  list(context: Context): Promise<Outcome>;
  /** Opens one of them. Rejects with the Refusal `unknown_owner` or `unknown_workspace`. */
  open(handle: string, bearer: string | undefined, service: Service): Promise<OpenedWorkspace>;
  /** What only an owner may do: authorise a ceiling for the rest of the month, and give a workspace another id. */
  authorizeSpend(ceiling: number, context: Context): Promise<Outcome>;
  rotateWorkspace(context: Context): Promise<Outcome>;
}

declare module '../kernel/service.ts' {
  interface Service {
    /** Absent in a browser, and while the service is built. */
    ladder?: Ladder;
  }
}

/** What climbs the ladder here. Throws the Refusal `not_live` with the reason where a rung is not live. */
export function toLadder({ ladder, rungs }: Service, rung: 'work' | 'claim'): Ladder {
  const { [rung]: here } = rungs();
  if (here !== true) throw new Refusal('not_live', { reason: here });
  if (!ladder) throw new Refusal('not_live');
  return ladder;
}

/** The shape of a handle, by which an owner names a workspace. */
export const isHandle = (text: string) => /^wsh_[0-9a-hjkmnp-tv-z]{32}$/.test(text);
