/** Faults of Redis, Valkey and the network, matched in this order: pattern of "CODE message", word, advice. */
const redisFaults = [
  [/\bOOM /, 'out_of_memory', 'the server is at its maxmemory; give it more'],
  [/\bREADONLY |^UNBLOCKED |WAIT cannot/, 'read_only', 'this is a replica; name its master in STORE_URL'],
  [/\bMASTERDOWN /, 'master_down', 'this is a replica without its master; name that in STORE_URL'],
  [/\bNOREPLICAS /, 'too_few_replicas', 'fewer than STORE_REPLICAS or min-replicas-to-write; start them'],
  [/\bCLUSTERDOWN |reading 'master'/, 'cluster_down', 'some slots are not served; see CLUSTER INFO'],
  [/\bLOADING /, 'loading', 'the server is loading its data; it will answer when it is done'],
  [/No space left on device/, 'disk_full', "the server's disk is full; make room"],
  [/\bMISCONF /, 'disk_io', "the server cannot write to its disk; see the server's log"],
  [/\bWRONGPASS |invalid password|AUTH <p/, 'wrong_password', 'correct USER:PASSWORD in STORE_URL'],
  [/\bNOAUTH /, 'no_password', 'the server wants a login; put USER:PASSWORD into STORE_URL'],
  [/\bNOPERM /, 'no_permission', 'give the user of STORE_URL the commands and keys (ACL SETUSER)'],
  [/DB index is out of range/, 'wrong_database', 'the server has no such database; correct /DB in STORE_URL'],
  [
    /^MOVED |^cluster_enabled:1|cluster support disabled|SELECT is not|unknown command .?(SENT|CLUS|EVALSHA|SET\b)|^no master of the/i,
    'wrong_mode',
    'STORE_URL has redis:// for one server, redis-cluster:// for a cluster, redis-sentinel:// and /MASTER-NAME for sentinels',
  ],
  [/max number of clients/, 'too_many_clients', 'the server takes no more connections; raise its maxclients'],
  [/^ECONNREFUSED /, 'refused', 'nothing listens at the address of STORE_URL; start it, or correct that'],
  [/^(ENOTFOUND|EAI_\w+) /, 'unknown_host', 'the host does not resolve; correct it in STORE_URL, or in DNS'],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM) /,
    'unreachable',
    'no way leads to the server; see the network and its firewalls',
  ],
  [
    /alert (cert|handshake)|before secure TLS|^(CERT|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|ERR_SSL_|ERR_TLS_|EPROTO )|SSL routines/,
    'tls',
    'the server must speak TLS, want no certificate of ours (tls-auth-clients no), and have one that holds today, for the host as STORE_URL or sentinels and cluster name it, of an authority that is known or in NODE_EXTRA_CA_CERTS',
  ],
  [
    /^ETIMEDOUT |timeout|no answer in time/i,
    'timeout',
    'no answer in two seconds: the server hangs, is cut off, or speaks no TLS where STORE_URL is rediss://',
  ],
  [
    /closed unexpectedly|^(ECONNRESET|EPIPE) /,
    'closed',
    'the server ended the connection: it stops, or speaks TLS, for which STORE_URL begins with rediss',
  ],
  [/^The client is|^Disconnects|root nodes/, 'not_connected', 'there is no connection to the server yet'],
  [/$/, 'other', 'the server refuses; see what it says, and its log'],
] as const;

/** By the primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
const sqliteFaults = [
  [[3, 8], 'read_only', 'DATA_DIR may not be written to; give this process the right to'],
  [[5, 6], 'locked', 'another program locks workspaces.sqlite; end it'],
  [[7], 'out_of_memory', 'there is no memory left for the store; give this machine more'],
  [[10], 'disk_io', 'the disk under DATA_DIR fails to read or write; look at it'],
  [
    [11, 26],
    'corrupt',
    'workspaces.sqlite is damaged; stop the service, and restore a backup: npm run restore -- FILE',
  ],
  [[13], 'disk_full', 'the disk under DATA_DIR is full; make room'],
  [[14], 'cannot_open', 'workspaces.sqlite cannot be opened; see that DATA_DIR is there and may be used'],
] as const;

/** The cause of a failure of a store, as a stable word. */
export type FaultWord =
  | 'earlier_format'
  | 'evicts'
  | 'not_durable'
  | 'store_full'
  | (typeof redisFaults)[number][1]
  | (typeof sqliteFaults)[number][1];

/** The part of an error message that repeats what was sent, which may be a login (Redis: "unknown command"). */
const repeated = /,? with args beginning with:.*/s;

/**
 * The fault behind `store_unavailable`. `word` is for a counter. The message is for an operator: the word, what to do,
 * and what the driver said. It has no stack, because it is not an error in the program.
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

export function createFaultCounts() {
  const counts: Partial<Record<FaultWord, number>> = {};
  return {
    /** Counts a fault for `calls` calls, and returns it. */
    count(fault: StoreFault, calls = 1): StoreFault {
      if (calls > 0) counts[fault.word] = (counts[fault.word] ?? 0) + calls;
      return fault;
    },
    read: (): Record<string, number> => ({ ...counts }),
  };
}

/** Converts an error of SQLite, or of opening its file. The `errcode` of the error or of its cause is the reason. */
export function toSqliteFault(error: unknown): StoreFault {
  const { errcode, cause, message } = error as Error & { errcode?: number };
  const code = (errcode ?? (cause as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff;
  const [, word, advice] = sqliteFaults.find(([codes]) => codes.some((known) => known === code)) ?? [];
  return new StoreFault(word ?? 'other', advice ?? 'the store failed; see what SQLite says', message);
}

/** Converts the error of a command or a connection of Redis. */
export function toRedisFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  const text = code ? `${code} ${message}` : message;
  const [, word, advice] = redisFaults.find(([pattern]) => pattern.test(text))!;
  return new StoreFault(word, advice, message);
}
