import { type FaultWord, StoreFault } from './store-fault.ts';
import type { StoreAddress } from './store-url.ts';

type Cause = readonly [pattern: RegExp, word: FaultWord, advice: string];

const login = 'correct USER:PASSWORD in STORE_URL';
const mode =
  'write STORE_URL as the server is: redis:// for one server, redis-cluster:// for a cluster, redis-sentinel:// for sentinels';

/** Tried in this order on "CODE message". A script's errors stand behind a dash before version 7. */
const causes: readonly Cause[] = [
  [/(^| |-)OOM /, 'out_of_memory', 'the server is at its maxmemory; give it more'],
  [
    /(^| |-)READONLY |^UNBLOCKED |WAIT cannot be used with replica/,
    'read_only',
    'the server is a replica; point STORE_URL at the master, or promote it',
  ],
  [
    /(^| |-)MASTERDOWN /,
    'master_down',
    'the server is a replica without its master; point STORE_URL at the master',
  ],
  [
    /^NOREPLICAS \d+ of \d+ /,
    'too_few_replicas',
    'fewer replicas than STORE_REPLICAS have the write; start them, or correct it',
  ],
  [
    /(^| |-)NOREPLICAS /,
    'too_few_replicas',
    'the server has fewer replicas than its min-replicas-to-write; start them',
  ],
  [
    /(^| |-)CLUSTERDOWN |reading 'master'/,
    'cluster_down',
    'the cluster does not serve all slots; see CLUSTER INFO',
  ],
  [/(^| )LOADING /, 'loading', 'the server is loading its data; it will answer when it is done'],
  [/No space left on device/, 'disk_full', "the server's disk is full; make room"],
  [/(^| |-)MISCONF /, 'disk_io', "the server cannot write to its disk; see the server's log"],
  [
    /(^| )WRONGPASS |invalid password|AUTH <password> called without/,
    'wrong_password',
    `the server refuses the login; ${login}`,
  ],
  [/(^| )NOAUTH /, 'no_password', `the server wants a login; ${login}`],
  [
    /(^| |-)NOPERM /,
    'no_permission',
    'the user of STORE_URL may not do this; give it the commands and keys (ACL SETUSER)',
  ],
  [
    /DB index is out of range/,
    'wrong_database',
    'the server has no database of this number; correct /DB in STORE_URL',
  ],
  [/^MOVED |^cluster_enabled:1|cluster support disabled|SELECT is not allowed/, 'wrong_mode', mode],
  [/unknown command .?(SENTINEL|CLUSTER|EVALSHA|SET|SCAN)\b/i, 'wrong_mode', mode],
  [
    /^no master of the sentinels is named/,
    'wrong_mode',
    'the sentinels know no master of this name; correct /MASTER-NAME in STORE_URL',
  ],
  [/max number of clients/, 'too_many_clients', 'the server takes no more connections; raise its maxclients'],
  [
    /^ECONNREFUSED /,
    'refused',
    'nothing listens at the address of STORE_URL; start the server, or correct it',
  ],
  [
    /^(ENOTFOUND|EAI_\w+) /,
    'unknown_host',
    'the host name does not resolve; correct it in STORE_URL, or in DNS',
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM) /,
    'unreachable',
    'no way leads to the server; see the network and its firewalls',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID /,
    'tls',
    'the certificate of the server is for other names; in STORE_URL, or by what sentinels and cluster announce, call it as its certificate does',
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID) /,
    'tls',
    'the certificate of the server does not hold today; renew it, or set the clock right',
  ],
  [
    /alert (certificate required|handshake failure)/,
    'tls',
    'the server wants a certificate of its clients, and this service has none; give the server tls-auth-clients no',
  ],
  [
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_CA)/,
    'tls',
    'nobody that this process trusts signed the certificate of the server; name the file of its authority in NODE_EXTRA_CA_CERTS',
  ],
  [
    /before secure TLS|^(ERR_SSL_|ERR_TLS_|EPROTO )|SSL routines/,
    'tls',
    'TLS fails; use redis:// where the server speaks none, and see its tls-protocols',
  ],
  [
    /^ETIMEDOUT |timeout|no answer in time/i,
    'timeout',
    'the server does not answer in two seconds: it is cut off, hangs, or speaks no TLS where STORE_URL is rediss://',
  ],
  [
    /closed unexpectedly|^(ECONNRESET|EPIPE) /,
    'closed',
    'the server ended the connection: it stops, or speaks TLS, for which STORE_URL begins with rediss',
  ],
  [
    /^The client is (offline|closed)|^Disconnects client|root nodes are unavailable/,
    'not_connected',
    'there is no connection to the server yet',
  ],
];

const unknown: Cause = [/$/, 'other', 'the server refuses; see what it says, and its log'];

/** After these another server may stand behind the same address; after the others a map may be old, or the master another. */
const moves: FaultWord[] = ['read_only', 'master_down'];
const allMoves: FaultWord[] = [
  ...moves,
  'cluster_down',
  'refused',
  'unknown_host',
  'unreachable',
  'closed',
  'timeout',
  'not_connected',
  'too_few_replicas',
];

/** The causes after which a new connection may lead to another server. */
export const toMoves = (shape: StoreAddress['shape']) => (shape === 'single' ? moves : allMoves);

/** Whether an error says only that there is no connection, and not why. */
export function isOffline(error: unknown): boolean {
  return toRedisFault(error).word === 'not_connected';
}

/** What a Redis server, or the way to it, answered a command or a connection with. */
export function toRedisFault(error: unknown): StoreFault {
  if (error instanceof StoreFault) return error;
  const { code, message = String(error) } = error as NodeJS.ErrnoException;
  const text = code ? `${code} ${message}` : message;
  const [, word, advice] = causes.find(([pattern]) => pattern.test(text)) ?? unknown;
  return new StoreFault(word, advice, message);
}
