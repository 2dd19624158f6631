/** Why a store failed, in one stable word. */
export type FaultWord =
  | 'not_connected'
  | 'refused'
  | 'unknown_host'
  | 'unreachable'
  | 'closed'
  | 'timeout'
  | 'tls'
  | 'wrong_password'
  | 'no_password'
  | 'no_permission'
  | 'wrong_database'
  | 'wrong_mode'
  | 'too_many_clients'
  | 'out_of_memory'
  | 'read_only'
  | 'master_down'
  | 'too_few_replicas'
  | 'cluster_down'
  | 'loading'
  | 'disk_full'
  | 'disk_io'
  | 'locked'
  | 'corrupt'
  | 'cannot_open'
  | 'earlier_format'
  | 'other';

/** Where an error message repeats what was sent, a login among it (Redis: "unknown command"). */
const repeated = /,? with args beginning with:.*/s;

/**
 * What is behind `store_unavailable`: `word` for a counter, and a message for an operator that begins with the
 * word, says what to do, and ends with what the driver said. It has no stack: it is no fault of the program.
 */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly word: FaultWord;

  constructor(word: FaultWord, advice: string, said: string) {
    super(`${word}: ${advice} (${said.replace(repeated, '').trim()})`);
    this.word = word;
    this.stack = String(this);
  }
}

/** Counts faults by their word. */
export function createFaultCounts() {
  const counts: Partial<Record<FaultWord, number>> = {};
  return {
    /** Counts a fault for so many calls, and hands it back. */
    count(fault: StoreFault, calls = 1): StoreFault {
      if (calls > 0) counts[fault.word] = (counts[fault.word] ?? 0) + calls;
      return fault;
    },
    read: (): Record<string, number> => ({ ...counts }),
  };
}

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
