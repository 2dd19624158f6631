import {
  toContact,
  toFlag,
  toOneOf,
  toOrigin,
  toOrigins,
  toSigningKey,
  toSocket,
  toText,
  toWhole,
  type Variable,
} from './setting-readers.ts';
import { storeVariables } from './store-variables.ts';
import { workspaceVariables } from './workspace-variables.ts';

/** Every environment variable that the Node host reads. */
export const variables = {
  PORT: {
    fallback: 4321,
    unit: 'TCP port',
    meaning: 'Port to listen on; 0 picks a free one.',
    read: toWhole(0, 65_535),
  },
  HOST: {
    fallback: '',
    unit: 'address',
    meaning: 'Address to listen on; empty listens on all.',
    read: toText,
  },
  LISTEN: {
    fallback: '',
    unit: 'unix:/PATH',
    meaning:
      'Unix socket to listen on instead of HOST and PORT, for a proxy on the same machine; made with mode 660, and removed at the stop.',
    read: toSocket,
  },
  BASE_URL: {
    fallback: '',
    unit: 'origin',
    meaning: 'Published origin; empty is http://localhost:PORT, with LISTEN http://localhost.',
    read: toOrigin,
  },
  DATA_DIR: {
    fallback: '.data',
    unit: 'folder',
    meaning: 'Where workspaces.sqlite is kept, for one process.',
    read: toText,
  },
  ...storeVariables,
  SIGNING_KEY: {
    fallback: '',
    unit: 'PEM or file',
    meaning:
      'Ed25519 private keys (PKCS #8 PEM), or the path of a file with them: the first signs receipts, all are published. Empty makes one in DATA_DIR, once; with STORE_URL, none.',
    read: toSigningKey,
  },
  CONTACT: {
    fallback: '',
    unit: 'address',
    meaning: 'mailto:, https: or tel: for security reports; empty publishes no security.txt.',
    read: toContact,
  },
  ALLOWED_ORIGINS: {
    fallback: [] as string[],
    unit: 'origins, comma separated',
    meaning: 'Origins and hosts that may call /mcp beside BASE_URL and loopback.',
    read: toOrigins,
  },
  DECLARE_TEST_SUITE: {
    fallback: false,
    unit: '1 or 0',
    meaning: 'Whether the card declares the executable suite; judges that cannot run one fail a declaration.',
    read: toFlag,
  },
  ...workspaceVariables,
  TRUST_PROXY: {
    fallback: 0,
    unit: 'proxies',
    meaning:
      'How many proxies of ours stand in front: the caller is that many entries from the right of X-Forwarded-For. 0 reads the connection alone.',
    read: toWhole(0, 10),
  },
  CDN_BYPASS: {
    fallback: 'off' as 'on' | 'off',
    unit: 'on or off',
    meaning:
      'on says that the CDN in front passes by what carries X-Workspace or Authorization: it may then keep seed lists and records, unknown ids and /offer for a minute.',
    read: toOneOf('on', 'off'),
  },
  RATE_LIMIT: {
    fallback: 'on' as 'on' | 'off',
    unit: 'on or off',
    meaning: 'off lifts both rate limits, for measurements.',
    read: toOneOf('on', 'off'),
  },
  RATE_LIMIT_LIVE: {
    fallback: 1200,
    unit: 'requests a minute',
    meaning: 'Live requests for each client address, an IPv6 /64 as one.',
    read: toWhole(1, 1_000_000),
  },
  RATE_LIMIT_MINT: {
    fallback: 120,
    unit: 'workspaces a minute',
    meaning: 'Workspaces that each client address may make.',
    read: toWhole(1, 1_000_000),
  },
  MAX_CONNECTIONS: {
    fallback: 10_000,
    unit: 'connections',
    meaning: 'Connections open at once; one more is answered 503 and closed.',
    read: toWhole(1, 1_000_000),
  },
  CONNECTIONS_PER_CLIENT: {
    fallback: 256,
    unit: 'connections',
    meaning:
      'Connections that one client address may have open, an IPv6 /64 as one; behind proxies, its caller. One more is answered 429 and closed.',
    read: toWhole(1, 1_000_000),
  },
  HEADER_TIMEOUT_SECONDS: {
    fallback: 10,
    unit: 'seconds',
    meaning: 'How long a connection may take to send the headers of a request.',
    read: toWhole(1, 600),
  },
  REQUEST_TIMEOUT_SECONDS: {
    fallback: 30,
    unit: 'seconds',
    meaning: 'How long a request may take to arrive whole, and a reader to take any of the answer.',
    read: toWhole(1, 3600),
  },
  KEEP_ALIVE_SECONDS: {
    fallback: 65,
    unit: 'seconds',
    meaning: 'How long a connection may rest between requests; longer than the proxy in front keeps it.',
    read: toWhole(1, 3600),
  },
  GRACE_SECONDS: {
    fallback: 5,
    unit: 'seconds',
    meaning: 'How long after SIGTERM new requests are still taken, while /readyz says 503.',
    read: toWhole(0, 600),
  },
  DRAIN_SECONDS: {
    fallback: 10,
    unit: 'seconds',
    meaning: 'How long requests in flight may take to finish after that.',
    read: toWhole(0, 600),
  },
  LOG: {
    fallback: 'live' as 'live' | 'all' | 'off',
    unit: 'live, all or off',
    meaning: 'Which requests are logged to stdout as JSON lines; live leaves out what is served from memory.',
    read: toOneOf('live', 'all', 'off'),
  },
  METRICS: {
    fallback: 'off' as 'on' | 'off',
    unit: 'on or off',
    meaning: 'on answers /metrics in the Prometheus text format; keep that address from the public.',
    read: toOneOf('on', 'off'),
  },
} satisfies Record<
  string,
  Variable<never> | Variable<string> | Variable<number> | Variable<string[]> | Variable<boolean>
>;

export type NodeSettings = { [N in keyof typeof variables]: (typeof variables)[N]['fallback'] };

/** Reads the environment. Throws with every variable that is not as it must be; an empty one is not set. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): NodeSettings {
  const problems: string[] = [];
  const entries = Object.entries(variables).map(([name, { fallback, read }]) => {
    const text = env[name]?.trim();
    if (!text) return [name, fallback];
    try {
      return [name, read(text)];
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}.`);
      return [name, fallback];
    }
  });
  const settings = Object.fromEntries(entries) as NodeSettings;
  if (settings.HEADER_TIMEOUT_SECONDS > settings.REQUEST_TIMEOUT_SECONDS)
    problems.push('HEADER_TIMEOUT_SECONDS must be at most REQUEST_TIMEOUT_SECONDS.');
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return settings;
}
