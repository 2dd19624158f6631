import * as v from 'valibot';
import type { Durability, GrowthSource, Settings } from '../../kernel/service.ts';
import { dayMs, formatDuration, NonNegativeInteger, named, say, Time, toIsoTime } from '../../kernel/text.ts';
import type { Change } from '../../workspace/change.ts';
import type { Head } from '../../workspace/head.ts';

export const perCredit = { hours: 24, records: 250, included: 250 } as const;
/** Credits extend a workspace to at most this many days of life, and to this many records. */
export const mostByCredits = { days: 30, records: 5000 } as const;

/** Bytes that a workspace may hold for each record of its ceiling. */
export const bytesPerRecord = 4096;
/**
 * The byte ceiling is multiplied by this for each kind of change. A full workspace still accepts a client's answer,
 * and deletes.
 */
const byteFactors = { change: 1, extra: 1, answer: 1.25, bounded: Number.POSITIVE_INFINITY } as const;
const hourMs = 3_600_000;
/** The log of a claimed workspace keeps this many of its last changes. */
export const mostLogged = 40;

export interface Ownership {
  /** The hash under which the store keeps the owner. */
  id: string;
  /** The owner's name for the workspace. It is no secret. */
  handle: string;
  /** The hash of the handle: the token that leads to this workspace. */
  name: string;
  /** When that token expires. */
  until: number;
}

/**
 * The `state` in the head of a workspace: all that is stored of it beside its records. Times are in milliseconds
 * since the epoch.
 */
export interface WorkspaceState {
  work?: {
    /** Credits earned in all. */
    credits: number;
    period: string;
    /** Credits earned in the month `period`. */
    earned: number;
    /** The latest time at which a credit was earned. */
    at?: number;
    /** Spent challenges: all that had not expired by `at`, and the last of the others. */
    spent: readonly (readonly [string, number])[];
  };
  /** A pending claim. `token` is the hash of its token. */
  claim?: { token: string; expiresAt: number };
  owner?: Ownership;
  /**
   * The graded brief that it was made for. `token` is the hash of the grader's token. `grade` is absent until it is
   * graded. `rules` are those of its people, with ids in place of keys, and `matched` counts how often each matched.
   */
  brief?: {
    id: string;
    variant: number;
    startedAt: number;
    token: string;
    grade?: object;
    rules?: readonly object[];
    matched?: Readonly<Record<string, number>>;
  };
  /** How much its owner authorised for one month, in the unit of the hard ceiling. */
  authorised?: { period: string; ceiling: number };
  /** The last changes since it was claimed: when, of which operation, and by whom. */
  log?: readonly (readonly [at: number, operation: string, by: OpenedBy])[];
}

/** How a workspace was opened: by its id, by its owner's bearer, or by the token of a party. */
export type OpenedBy = 'id' | 'owner' | 'party';

export const rungs = ['sandbox', 'worked', 'claimed'] as const;

export const readWorkspaceState = (state: Head['state'] = {}) => state as WorkspaceState;

export function findRung({ owner, work }: WorkspaceState): (typeof rungs)[number] {
  if (owner) return 'claimed';
  return work && work.credits > 0 ? 'worked' : 'sandbox';
}

export function findClaimStatus(
  { owner, claim }: WorkspaceState,
  now: number,
): 'none' | 'pending' | 'claimed' {
  if (owner) return 'claimed';
  return claim && claim.expiresAt > now ? 'pending' : 'none';
}

/** Returns how long a workspace lives after its last write, in milliseconds. */
export function computeLife(
  { owner, work }: WorkspaceState,
  { retentionSeconds, claimedRetentionSeconds }: Settings,
): number {
  const usualLife = retentionSeconds * 1000;
  const earnedLife = usualLife + (work?.credits ?? 0) * perCredit.hours * hourMs;
  const lifeWithCredits = Math.max(usualLife, Math.min(earnedLife, mostByCredits.days * dayMs));
  return owner ? Math.max(lifeWithCredits, claimedRetentionSeconds * 1000) : lifeWithCredits;
}

/** Returns how many records and bytes a workspace may hold after a change of this kind. */
export function computeCeilings(
  { owner, work }: WorkspaceState,
  { recordCeiling, claimedRecordCeiling }: Pick<Settings, 'recordCeiling' | 'claimedRecordCeiling'>,
  kind: GrowthSource['kind'] = 'change',
) {
  const earnedRecords = recordCeiling + (work?.credits ?? 0) * perCredit.records;
  const recordsWithCredits = Math.max(recordCeiling, Math.min(earnedRecords, mostByCredits.records));
  const records = owner ? Math.max(recordsWithCredits, claimedRecordCeiling) : recordsWithCredits;
  return { records, bytes: records * bytesPerRecord * byteFactors[kind] };
}

/**
 * Sets when the workspace of a change expires. A change of a claimed workspace is also logged. If the token of its handle
 * would expire before it, the token is extended.
 */
export function extendLife(
  change: Change,
  { operationId, by }: { operationId: string; by: OpenedBy },
  settings: Settings,
): void {
  const { now } = change;
  const state = readWorkspaceState(change.state);
  const expiresAt = now + computeLife(state, settings);
  change.expiresAt = expiresAt;
  const { owner, log = [] } = state;
  if (!owner || change.deletesWorkspace) return;
  const isDue = owner.until < expiresAt;
  const until = expiresAt + dayMs;
  if (isDue) change.addToken(owner.name, 'workspace', until);
  change.state = {
    ...state,
    ...(isDue && { owner: { ...owner, until } }),
    log: [...log, [now, operationId, by]].slice(-mostLogged),
  };
}

export const Retention = named(
  v.object({
    policy: say(
      v.picklist(['ephemeral', 'claimed']),
      'Ephemeral, or claimed where a person keeps the workspace.',
    ),
    expiresAt: Time,
    seconds: say(NonNegativeInteger, 'Seconds from the last write to expiry.'),
    statement: say(v.string(), 'What is kept, and for how long.'),
  }),
  'Retention',
  'Retention disclosure: until when the workspace, an ephemeral sandbox or claimed by a person, is kept; each write extends that. Anyone with the workspace id can read it: keep it to yourself.',
);

/**
 * Returns a sentence, after a space, about what a crash of the store may lose. Returns an empty text if a crash
 * loses nothing.
 */
export function describeLoss(durability: Durability = 'always'): string {
  if (durability === 'always') return '';
  return ` A crash of its store may lose ${durability === 'second' ? 'the last second' : 'it'}.`;
}

/** What the retention of a new record is computed from. `head` is the workspace before the change. */
interface RetentionSource {
  /** Milliseconds since the epoch. */
  now: number;
  head: Head | undefined;
}

/** Presents the retention of a workspace in the reply to a create. The reply gets the workspace id when it is sent. */
export function presentRetention({ now, head }: RetentionSource, { settings }: { settings: Settings }) {
  const state = readWorkspaceState(head?.state);
  const life = computeLife(state, settings);
  const retention: v.InferOutput<typeof Retention> = {
    policy: state.owner ? 'claimed' : 'ephemeral',
    // The store keeps the later time if its clock was set back.
    expiresAt: toIsoTime(Math.max(now + life, head?.expiresAt ?? 0)),
    seconds: life / 1000,
    statement: `Forgotten ${formatDuration(life / 1000)} after the last write.${describeLoss(settings.durability)} Send no personal data.`,
  };
  return { retention };
}
