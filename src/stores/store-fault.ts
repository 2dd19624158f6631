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
