import type { GrowthSource, Settings } from '../kernel/service.ts';
import { dayMs } from '../kernel/text.ts';
import type { ChangeDecision } from '../workspace/build-commit.ts';
import type { Head } from '../workspace/head.ts';

export const perCredit = { hours: 24, records: 250, included: 250 } as const;
/** How far ahead credits prolong a life at most, in days, and up to how many records. */
export const mostByCredits = { days: 30, records: 5000 } as const;

/** Bytes that a workspace may hold for each record that it may hold. */
export const bytesPerRecord = 4096;
/**
 * By how much each kind of change may exceed the bytes of a workspace. Whoever fills it must not keep the client from
 * answering, nor anyone from deleting.
 */
const byteFactors = { change: 1, answer: 1.25, bounded: Number.POSITIVE_INFINITY } as const;
const hourMs = 3_600_000;
/** Changes that are told of a claimed workspace; those before are forgotten. */
export const mostLogged = 40;

interface Ownership {
  /** What the store knows the owner by. */
  id: string;
  /** What the owner calls the workspace, no secret; what the store knows that by, and until when it leads here. */
  handle: string;
  name: string;
  until: number;
}

/** What is kept of a workspace beside its records, in the `state` of its head; times in milliseconds since the epoch. */
export interface WorkspaceState {
  /**
   * Credits earned in all and in one month, the latest time at which one was earned, and the challenges that were spent:
   * all that had not expired by then, and the last of the others.
   */
  work?: {
    credits: number;
    period: string;
    earned: number;
    at?: number;
    spent: readonly (readonly [string, number])[];
  };
  /** A claim that was started: the hash of its token. */
  claim?: { token: string; expiresAt: number };
  owner?: Ownership;
  /** The graded brief that it was made for: its variant, the hash of the grader's token and, once graded, the grade. */
  brief?: { id: string; variant: number; startedAt: number; token: string; grade?: object };
  /** What its owner authorised for one month, in the unit of the hard ceiling. */
  authorised?: { period: string; ceiling: number };
  /** The last changes since it was claimed: when, of which operation, and by whom. */
  log?: readonly (readonly [at: number, operation: string, by: OpenedBy])[];
}

/** By what a workspace was opened: its id, its owner's bearer, or the token of a party that confirms. */
export type OpenedBy = 'id' | 'owner' | 'party';

export const rungs = ['sandbox', 'worked', 'claimed'] as const;

export const readWorkspaceState = (state: Head['state'] = {}) => state as WorkspaceState;

export function findRung({ owner, work }: WorkspaceState): (typeof rungs)[number] {
  if (owner) return 'claimed';
  return work && work.credits > 0 ? 'worked' : 'sandbox';
}

/** Whether a person holds a workspace, or has been asked to. */
export function findClaimStatus(
  { owner, claim }: WorkspaceState,
  now: number,
): 'none' | 'pending' | 'claimed' {
  if (owner) return 'claimed';
  return claim && claim.expiresAt > now ? 'pending' : 'none';
}

/** Milliseconds that a workspace lives after its last write. */
export function computeLife(
  { owner, work }: WorkspaceState,
  { retentionSeconds, claimedRetentionSeconds }: Settings,
): number {
  const usual = retentionSeconds * 1000;
  const earned = usual + (work?.credits ?? 0) * perCredit.hours * hourMs;
  const worked = Math.max(usual, Math.min(earned, mostByCredits.days * dayMs));
  return owner ? Math.max(worked, claimedRetentionSeconds * 1000) : worked;
}

/** The records and bytes that a workspace may hold after a change of this kind. */
export function computeCeilings(
  { owner, work }: WorkspaceState,
  { recordCeiling, claimedRecordCeiling }: Pick<Settings, 'recordCeiling' | 'claimedRecordCeiling'>,
  kind: GrowthSource['kind'] = 'change',
) {
  const earned = recordCeiling + (work?.credits ?? 0) * perCredit.records;
  const worked = Math.max(recordCeiling, Math.min(earned, mostByCredits.records));
  const records = owner ? Math.max(worked, claimedRecordCeiling) : worked;
  return { records, bytes: records * bytesPerRecord * byteFactors[kind] };
}

type Written = Omit<ChangeDecision<never>, 'answer' | 'reply' | 'activity'>;

/**
 * A decision with the time until which its workspace lives after it. A change of a claimed workspace also logs what was
 * done and by whom and, if that is due, has its handle lead there for longer.
 */
export function withLife<D extends Written>(
  decision: D,
  before: Head['state'] | undefined,
  { now, operationId, by }: { now: number; operationId: string; by: OpenedBy },
  settings: Settings,
): D {
  const state = readWorkspaceState(decision.state ?? before);
  const expiresAt = now + computeLife(state, settings);
  const { owner, log = [] } = state;
  if (!owner || decision.deletesWorkspace) return { ...decision, expiresAt };
  const isDue = owner.until < expiresAt;
  const until = expiresAt + dayMs;
  const addedTokens = { ...decision.addedTokens, [owner.name]: { to: 'workspace', expiresAt: until } };
  return {
    ...decision,
    expiresAt,
    ...(isDue && { addedTokens }),
    state: {
      ...state,
      ...(isDue && { owner: { ...owner, until } }),
      log: [...log, [now, operationId, by]].slice(-mostLogged),
    },
  };
}
