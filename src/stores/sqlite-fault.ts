import { type FaultWord, StoreFault } from './store-fault.ts';

const other = ['other', 'the store failed; see what SQLite says'] as const;
const denied = ['read_only', 'DATA_DIR may not be written to; give this process the right to'] as const;
const busy = ['locked', 'another program locks workspaces.sqlite; end it'] as const;
const damaged = ['corrupt', 'workspaces.sqlite is damaged; put a backup in its place'] as const;

/** By primary result code (https://www.sqlite.org/rescode.html). */
const causes: Record<number, readonly [word: FaultWord, advice: string]> = {
  3: denied,
  5: busy,
  6: busy,
  7: ['out_of_memory', 'there is no memory left for the store; give this machine more'],
  8: denied,
  10: ['disk_io', 'the disk under DATA_DIR fails to read or write; look at it'],
  11: damaged,
  13: ['disk_full', 'the disk under DATA_DIR is full; make room'],
  14: ['cannot_open', 'workspaces.sqlite cannot be opened; see that DATA_DIR is there and may be used'],
  26: damaged,
};

/** What SQLite, or what opens its file, threw; its `errcode`, or that of its cause, tells the cause. */
export function toSqliteFault(error: unknown): StoreFault {
  const { errcode, cause, message } = error as Error & { errcode?: number };
  const code = errcode ?? (cause as { errcode?: number } | undefined)?.errcode ?? 0;
  return new StoreFault(...(causes[code & 0xff] ?? other), message ?? String(error));
}
