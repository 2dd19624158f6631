import * as v from 'valibot';
import type { WorkspaceSettings } from '../../kernel/service.ts';
import { parseStoreUrl } from '../../stores/store-url.ts';
import { toConfiguredKeys } from './keys.ts';

const text = v.string();

/** A variable with what the guide to operating says of it. Its schema has the default, as an operator would write it. */
const setting = <S extends v.GenericSchema<string | undefined, unknown>>(
  schema: S,
  unit: string,
  meaning: string,
) => v.pipe(schema, v.metadata({ unit }), v.description(meaning));

function whole(fallback: number, min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  const digits = v.pipe(text, v.regex(/^\d+$/, message), v.transform(Number));
  return v.optional(v.pipe(digits, v.minValue(min, message), v.maxValue(max, message)), String(fallback));
}

const oneOf = <const W extends string>(fallback: NoInfer<W>, ...words: W[]) =>
  v.optional(v.picklist(words, `must be one of ${words.join(', ')}`) as v.GenericSchema<string, W>, fallback);

/** Empty by default, which no check refuses. */
const orEmpty = (schema: v.GenericSchema<string, string>) =>
  v.optional(
    v.lazy<v.GenericSchema<string, string>>((input) => (input === '' ? text : schema)),
    '',
  );

/** A text that `read` accepts. `read` throws the reason where it does not. */
const readBy = (read: (value: string) => unknown, rule: string) =>
  v.pipe(
    text,
    v.rawCheck(({ dataset, addIssue }) => {
      try {
        if (dataset.typed) read(dataset.value);
      } catch (error) {
        addIssue({ message: `must be ${rule}: ${(error as Error).message}` });
      }
    }),
  );

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
}

const toOrigin = v.transform((value: string) => new URL(value).origin);

const origin = v.pipe(
  text,
  v.check(isOrigin, 'must be an http or https origin without path or login, such as https://careers.example'),
  toOrigin,
);

const toParts = (list: string) => list.split(',').flatMap((part) => part.trim() || []);

const origins = v.pipe(
  v.optional(text, ''),
  v.transform(toParts),
  v.array(
    v.pipe(
      text,
      v.check(
        isOrigin,
        ({ received }) =>
          `must be http or https origins without path or login, separated by commas; ${received} is none`,
      ),
      toOrigin,
    ),
  ),
);

const contact = v.pipe(
  text,
  v.check(
    (value) => /^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d().-]+|https:\/\/\S+)$/.test(value) && URL.canParse(value),
    'must be a mailto:, https: or tel: address, such as mailto:security@careers.example',
  ),
);

const flag = v.pipe(
  oneOf('0', '1', '0'),
  v.transform((digit) => digit === '1'),
);

/** The shortest limit of any supported system on the address of a Unix socket. */
const longestSocket = 103;

const socket = v.pipe(
  text,
  v.check((value) => {
    const [, path] = /^unix:(\/.*[^/])$/.exec(value) ?? [];
    return path !== undefined && !path.includes('\0') && Buffer.byteLength(path) <= longestSocket;
  }, `must be unix: and an absolute path of at most ${longestSocket} bytes, such as unix:/run/careers/careers.sock`),
);

const storeUrl = readBy(
  parseStoreUrl,
  'redis://HOST:PORT, redis-cluster://HOST:PORT,HOST:PORT or redis-sentinel://HOST:PORT,HOST:PORT/MASTER-NAME, with rediss for redis where it is TLS',
);

const signingKey = readBy(
  toConfiguredKeys,
  'Ed25519 private keys in PEM (PKCS #8, BEGIN PRIVATE KEY), or the path of a file with them',
);

/** Every environment variable that the Node host reads, by its name. */
export const Settings = v.pipe(
  v.object({
    PORT: setting(whole(4321, 0, 65_535), 'TCP port', 'Port to listen on; 0 picks a free one.'),
    HOST: setting(v.optional(text, ''), 'address', 'Address to listen on; empty listens on all.'),
    LISTEN: setting(
      orEmpty(socket),
      'unix:/PATH',
      'Unix socket to listen on instead of HOST and PORT, for a proxy on the same machine. It is created with mode 660 and removed when the process stops.',
    ),
    BASE_URL: setting(
      orEmpty(origin),
      'origin',
      'Published origin; empty is http://localhost:PORT, with LISTEN http://localhost.',
    ),
    DATA_DIR: setting(
      v.optional(text, '.data'),
      'folder',
      'Where workspaces.sqlite is kept, for one process.',
    ),
    STORE_URL: setting(
      orEmpty(storeUrl),
      'URL',
      'Redis or Valkey for several instances: redis://[USER:PASSWORD@]HOST:PORT[/DB], redis-cluster://HOST:PORT,HOST:PORT, redis-sentinel://HOST:PORT,HOST:PORT/MASTER-NAME[/DB]; rediss in place of redis is with TLS. Empty keeps workspaces in DATA_DIR.',
    ),
    STORE_REPLICAS: setting(
      whole(0, 0, 100),
      'replicas',
      'With STORE_URL: how many replicas have a write before it is answered, so that a failover to one of them loses none.',
    ),
    SIGNING_KEY: setting(
      orEmpty(signingKey),
      'PEM or file',
      'Ed25519 private keys (PKCS #8 PEM), or the path of a file with them: the first signs receipts, all are published. Empty makes one in DATA_DIR, once; with STORE_URL, none.',
    ),
    CONTACT: setting(
      orEmpty(contact),
      'address',
      'mailto:, https: or tel: for security reports; empty publishes no security.txt.',
    ),
    ALLOWED_ORIGINS: setting(
      origins,
      'origins, comma separated',
      'Origins and hosts that may call /mcp, besides BASE_URL and loopback.',
    ),
    DECLARE_TEST_SUITE: setting(
      flag,
      '1 or 0',
      'Whether the card declares the executable suite; judges that cannot run one fail a declaration.',
    ),
    RETENTION_SECONDS: setting(
      whole(86_400, 1, 31_536_000),
      'seconds',
      'How long a workspace lives after its last write.',
    ),
    RECORD_CEILING: setting(
      whole(1000, 1, 1_000_000),
      'records',
      'Records that a workspace may hold, and 4 KiB of text for each of them.',
    ),
    METER: setting(
      oneOf('on', 'on', 'count'),
      'on or count',
      'on refuses a metered call that would go above the ceiling; count only counts, for load tests.',
    ),
    LADDER: setting(
      oneOf('on', 'on', 'off'),
      'on or off',
      'off takes neither work nor claims; they need a signing key, and claims BASE_URL with https or localhost.',
    ),
    WORK_BITS: setting(
      whole(20, 1, 40),
      'zero bits',
      'How hard the proof is that earns a credit: one bit more takes twice the hashes.',
    ),
    CLAIMED_RETENTION_DAYS: setting(
      whole(120, 1, 3650),
      'days',
      'How long a claimed workspace lives after its last write.',
    ),
    CLAIMED_RECORD_CEILING: setting(
      whole(10_000, 1, 1_000_000),
      'records',
      'Records that a claimed workspace may hold, and 4 KiB of text for each of them.',
    ),
    TRUST_PROXY: setting(
      whole(0, 0, 10),
      'proxies',
      'How many of your proxies a request passes: the caller is that many entries from the right of X-Forwarded-For. 0 reads the connection alone.',
    ),
    CDN_BYPASS: setting(
      oneOf('off', 'on', 'off'),
      'on or off',
      'on says that the CDN in front bypasses its cache for requests with X-Workspace or Authorization: it may then keep seed lists and records, unknown ids and /offer for a minute.',
    ),
    RATE_LIMIT: setting(
      oneOf('on', 'on', 'off'),
      'on or off',
      'off lifts both rate limits, for measurements.',
    ),
    RATE_LIMIT_LIVE: setting(
      whole(1200, 1, 1_000_000),
      'requests a minute',
      'Live requests for each client address, an IPv6 /64 as one.',
    ),
    RATE_LIMIT_MINT: setting(
      whole(120, 1, 1_000_000),
      'workspaces a minute',
      'Workspaces that each client address may make.',
    ),
    MAX_CONNECTIONS: setting(
      whole(10_000, 1, 1_000_000),
      'connections',
      'Connections open at once; one more is answered 503 and closed.',
    ),
    CONNECTIONS_PER_CLIENT: setting(
      whole(256, 1, 1_000_000),
      'connections',
      'Connections that one client address may have open, an IPv6 /64 as one; behind proxies, its caller. One more is answered 429 and closed.',
    ),
    HEADER_TIMEOUT_SECONDS: setting(
      whole(10, 1, 600),
      'seconds',
      'How long a connection may take to send the headers of a request.',
    ),
    REQUEST_TIMEOUT_SECONDS: setting(
      whole(30, 1, 3600),
      'seconds',
      'How long a request may take to arrive whole, and a reader to take any of the answer.',
    ),
    KEEP_ALIVE_SECONDS: setting(
      whole(65, 1, 3600),
      'seconds',
      'How long a connection may rest between requests; longer than the proxy in front keeps it.',
    ),
    GRACE_SECONDS: setting(
      whole(5, 0, 600),
      'seconds',
      'How long after SIGTERM new requests are still answered, while /readyz is 503.',
    ),
    DRAIN_SECONDS: setting(
      whole(10, 0, 600),
      'seconds',
      'How long requests in flight may take to finish after that.',
    ),
    LOG: setting(
      oneOf('live', 'live', 'all', 'off'),
      'live, all or off',
      'Which requests are logged to stdout as JSON lines; live leaves out what is served from memory.',
    ),
    METRICS: setting(
      oneOf('off', 'on', 'off'),
      'on or off',
      'on answers /metrics in the Prometheus text format; keep that address from the public.',
    ),
  }),
  v.forward(
    v.partialCheck(
      [['HEADER_TIMEOUT_SECONDS'], ['REQUEST_TIMEOUT_SECONDS']],
      (times) => times.HEADER_TIMEOUT_SECONDS <= times.REQUEST_TIMEOUT_SECONDS,
      'must be at most REQUEST_TIMEOUT_SECONDS',
    ),
    ['HEADER_TIMEOUT_SECONDS'],
  ),
);

export type NodeSettings = v.InferOutput<typeof Settings>;

/** Reads the environment; an empty variable counts as not set. Throws an error that names every wrong variable. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): NodeSettings {
  const given = Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined]);
  const result = v.safeParse(Settings, Object.fromEntries(given));
  if (result.success) return result.output;
  throw new Error(result.issues.map(({ path, message }) => `${path?.[0].key} ${message}.`).join('\n'));
}

/** The part of the settings that the core knows. */
export const toWorkspaceSettings = (env: NodeSettings): WorkspaceSettings => ({
  retentionSeconds: env.RETENTION_SECONDS,
  recordCeiling: env.RECORD_CEILING,
  meter: env.METER,
  ladder: env.LADDER === 'on',
  workBits: env.WORK_BITS,
  claimedRetentionSeconds: env.CLAIMED_RETENTION_DAYS * 86_400,
  claimedRecordCeiling: env.CLAIMED_RECORD_CEILING,
});
