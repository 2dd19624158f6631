import type { WorkspaceSettings } from '../../kernel/service.ts';
import { toOneOf, toWhole } from './setting-readers.ts';

/** The environment variables that say how long workspaces live, what they may hold, and how they get more. */
export const workspaceVariables = {
  RETENTION_SECONDS: {
    fallback: 86_400,
    unit: 'seconds',
    meaning: 'How long a workspace lives after its last write.',
    read: toWhole(1, 31_536_000),
  },
  RECORD_CEILING: {
    fallback: 1000,
    unit: 'records',
    meaning: 'Records that a workspace may hold, and 4 KiB of text for each of them.',
    read: toWhole(1, 1_000_000),
  },
  METER: {
    fallback: 'on' as 'on' | 'count',
    unit: 'on or count',
    meaning: 'on refuses a metered call that would go above the ceiling; count only counts, for load tests.',
    read: toOneOf('on', 'count'),
  },
  LADDER: {
    fallback: 'on' as 'on' | 'off',
    unit: 'on or off',
    meaning:
      'off takes neither work nor claims; they need a signing key, and claims BASE_URL with https or localhost.',
    read: toOneOf('on', 'off'),
  },
  WORK_BITS: {
    fallback: 20,
    unit: 'zero bits',
    meaning: 'How hard the proof is that earns a credit: one bit more takes twice the hashes.',
    read: toWhole(1, 40),
  },
  CLAIMED_RETENTION_DAYS: {
    fallback: 120,
    unit: 'days',
    meaning: 'How long a claimed workspace lives after its last write.',
    read: toWhole(1, 3650),
  },
  CLAIMED_RECORD_CEILING: {
    fallback: 10_000,
    unit: 'records',
    meaning: 'Records that a claimed workspace may hold, and 4 KiB of text for each of them.',
    read: toWhole(1, 1_000_000),
  },
};

type Env = { [N in keyof typeof workspaceVariables]: (typeof workspaceVariables)[N]['fallback'] };

/** What the core is told of them. */
export const toWorkspaceSettings = (env: Env): WorkspaceSettings => ({
  retentionSeconds: env.RETENTION_SECONDS,
  recordCeiling: env.RECORD_CEILING,
  meter: env.METER,
  ladder: env.LADDER === 'on',
  workBits: env.WORK_BITS,
  claimedRetentionSeconds: env.CLAIMED_RETENTION_DAYS * 86_400,
  claimedRecordCeiling: env.CLAIMED_RECORD_CEILING,
});
