import * as v from 'valibot';
import type { Service } from '../../service.ts';
import { parseStoreUrl } from '../../stores/store-url.ts';
import { hideLogin } from './hide-login.ts';
import { readSigningKeys } from './keys.ts';

const text = v.string();

function whole(fallback: number, min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  const digits = v.pipe(text, v.regex(/^\d+$/, message), v.transform(Number));
  return v.optional(v.pipe(digits, v.minValue(min, message), v.maxValue(max, message)), String(fallback));
}

function fraction(fallback: number) {
  const message = 'must be a number from 0 to 1, such as 0.01';
  const digits = v.pipe(text, v.regex(/^(0|1|0?\.\d{1,9})$/, message), v.transform(Number));
  return v.optional(digits, String(fallback));
}

function wholeOrOff(fallback: number, min: number, max: number) {
  const message = `must be off, or a whole number from ${min} to ${max}`;
  const isRight = (value: string) =>
    value === 'off' || (/^\d+$/.test(value) && min <= +value && +value <= max);
  const parseQuota = (value: string) => (value === 'off' ? undefined : Number(value));
  return v.optional(v.pipe(text, v.check(isRight, message), v.transform(parseQuota)), String(fallback));
}

const oneOf = <const W extends string>(fallback: NoInfer<W>, ...words: W[]) =>
  v.optional(v.picklist(words, `must be one of ${words.join(', ')}`) as v.GenericSchema<string, W>, fallback);

/** A text, empty by default. `read` returns its value, or throws an error whose message, if any, is the reason. */
const readBy = <T>(read: (value: string) => T, rule: string) =>
  v.optional(
    v.pipe(
      text,
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        try {
          return read(dataset.value);
        } catch (error) {
          const { message } = error as Error;
          addIssue({ message: `must be ${rule}${message && `: ${message}`}` });
          return NEVER;
        }
      }),
    ),
    '',
  );

/**
 * Returns the origin of an address, without a slash at the end. Throws `reason` if the address is not just an origin.
 */
function parseOrigin(value: string, reason = ''): string {
  const url = URL.parse(value);
  const isOrigin = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  // URL accepts names with *, but they name no host.
  if (isOrigin && !url.hostname.includes('*')) return url.origin;
  throw new Error(reason);
}

/** The origins in a list with commas. `*` is every origin. */
const parseOrigins = (list: string) =>
  list
    .split(',')
    .flatMap((part) => part.trim() || [])
    .map((part) =>
      part === '*' ? part : parseOrigin(part, `${JSON.stringify(hideLogin(part, ''))} is none`),
    );

function parseContact(value: string): string {
  // An https address is published as it is, so it has no login.
  const isContact = /^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d().-]+|https:\/\/(?![^/?#]*@)\S+)$/.test(value);
  if (isContact && URL.canParse(value)) return value;
  throw new Error();
}

/** A bearer token (RFC 6750 section 2.1) that cannot be guessed. */
function parseToken(value: string): string {
  if (/^[\w.~+/-]{24,200}=*$/.test(value)) return value;
  throw new Error();
}

/** One pebibyte. */
const mostBytes = 1_125_899_906_842_624;

/** The shortest limit of any supported system on the path of a Unix socket, in bytes. */
const longestSocket = 103;

function parseSocket(value: string): string {
  const [, path] = /^unix:(\/.*[^/])$/.exec(value) ?? [];
  if (path && !path.includes('\0') && Buffer.byteLength(path) <= longestSocket) return value;
  throw new Error();
}

/** Every environment variable that the Node host reads. The guide to the settings says what each does, and its unit. */
export const Environment = v.pipe(
  v.object({
    PORT: whole(4321, 0, 65_535),
    HOST: v.optional(text, ''),
    LISTEN: readBy(
      (value) => value && parseSocket(value),
      `unix: and an absolute path of at most ${longestSocket} bytes, such as unix:/run/careers/careers.sock`,
    ),
    BASE_URL: readBy(
      (value) => value && parseOrigin(value),
      'an http or https origin without path or login, such as https://careers.example',
    ),
    DATA_DIR: v.optional(text, '.data'),
    STORE_URL: readBy(
      (value) => value && parseStoreUrl(value) && value,
      'redis://HOST:PORT, redis-cluster://HOST:PORT,HOST:PORT or redis-sentinel://HOST:PORT,HOST:PORT/MASTER-NAME, with rediss for redis where it is TLS',
    ),
    STORE_REPLICAS: whole(0, 0, 100),
    STORE_DURABILITY: oneOf('always', 'always', 'second', 'none'),
    SIGNING_KEY: readBy(
      (value) => value && readSigningKeys(value) && value,
      'Ed25519 private keys in PEM (PKCS #8, BEGIN PRIVATE KEY), or the path of a file with them',
    ),
    CONTACT: readBy(
      (value) => value && parseContact(value),
      'a mailto:, https: or tel: address, such as mailto:security@careers.example',
    ),
    ALLOWED_ORIGINS: readBy(
      parseOrigins,
      '* for every origin, or http or https origins without path or login, separated by commas',
    ),
    DECLARE_TEST_SUITE: v.pipe(
      oneOf('0', '1', '0'),
      v.transform((digit) => digit === '1'),
    ),
    RETENTION_SECONDS: whole(86_400, 1, 31_536_000),
    RECORD_CEILING: whole(1000, 1, 1_000_000),
    METER: oneOf('on', 'on', 'count'),
    LADDER: oneOf('on', 'on', 'off'),
    WORK_BITS: whole(20, 1, 40),
    CLAIMED_RETENTION_DAYS: whole(120, 1, 3650),
    CLAIMED_RECORD_CEILING: whole(10_000, 1, 1_000_000),
    TRUST_PROXY: whole(0, 0, 10),
    CDN_BYPASS: oneOf('off', 'on', 'off'),
    RATE_LIMIT: oneOf('on', 'on', 'off'),
    RATE_LIMIT_LIVE: whole(1200, 1, 1_000_000),
    RATE_LIMIT_MINT: whole(120, 1, 1_000_000),
    BYTES_PER_CLIENT: wholeOrOff(67_108_864, 1, mostBytes),
    STORE_BYTES: whole(4_294_967_296, 16_777_216, mostBytes),
    STORE_FREE: whole(268_435_456, 0, mostBytes),
    MAX_CONNECTIONS: whole(10_000, 1, 1_000_000),
    CONNECTIONS_PER_CLIENT: whole(256, 1, 1_000_000),
    HEADER_TIMEOUT_SECONDS: whole(10, 1, 600),
    REQUEST_TIMEOUT_SECONDS: whole(30, 1, 3600),
    KEEP_ALIVE_SECONDS: whole(65, 1, 3600),
    GRACE_SECONDS: whole(5, 0, 600),
    DRAIN_SECONDS: whole(10, 0, 600),
    LOG: oneOf('live', 'live', 'all', 'off'),
    LOG_SAMPLE: fraction(1),
    METRICS: oneOf('off', 'on', 'off'),
    OPERATOR_TOKEN: readBy(
      (value) => value && parseToken(value),
      'at least 24 letters and digits, such as the output of openssl rand -hex 24',
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
  v.forward(
    v.partialCheck(
      [['STORE_REPLICAS'], ['STORE_URL']],
      ({ STORE_REPLICAS, STORE_URL }) => STORE_REPLICAS === 0 || STORE_URL !== '',
      'must be 0, or left out, without STORE_URL: a file has no replicas',
    ),
    ['STORE_REPLICAS'],
  ),
  v.forward(
    v.partialCheck(
      [['STORE_DURABILITY'], ['STORE_URL']],
      ({ STORE_DURABILITY, STORE_URL }) => STORE_DURABILITY === 'always' || STORE_URL !== '',
      'must be always, or left out, without STORE_URL: a file is flushed at each write',
    ),
    ['STORE_DURABILITY'],
  ),
);

export type NodeSettings = v.InferOutput<typeof Environment>;

/** Reads the environment. An empty variable counts as not set. Throws an error that names every wrong variable. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): NodeSettings {
  const given = Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined]);
  const result = v.safeParse(Environment, Object.fromEntries(given));
  if (result.success) return result.output;
  throw new Error(result.issues.map(({ path, message }) => `${path?.[0].key} ${message}.`).join('\n'));
}

/** Whether other machines may reach this host, and it has no name to be called by. */
export const isPublicWithoutName = ({ BASE_URL, LISTEN, HOST }: NodeSettings): boolean =>
  !BASE_URL && (LISTEN !== '' || !/^(localhost|127\.|::1$)/.test(HOST));

export function findBaseUrl({ BASE_URL, LISTEN, PORT }: NodeSettings, port = PORT): string {
  return BASE_URL || (LISTEN ? 'http://localhost' : `http://localhost:${port}`);
}

/** The settings that the core needs. */
export const pickSettings = (env: NodeSettings): Service['settings'] => ({
  baseUrl: findBaseUrl(env),
  publishedUrl: env.BASE_URL || undefined,
  contact: env.CONTACT || undefined,
  allowedOrigins: env.ALLOWED_ORIGINS,
  declareTestSuite: env.DECLARE_TEST_SUITE,
  live: true,
  durability: env.STORE_DURABILITY,
  retentionSeconds: env.RETENTION_SECONDS,
  recordCeiling: env.RECORD_CEILING,
  meter: env.METER,
  ladder: env.LADDER === 'on',
  workBits: env.WORK_BITS,
  claimedRetentionSeconds: env.CLAIMED_RETENTION_DAYS * 86_400,
  claimedRecordCeiling: env.CLAIMED_RECORD_CEILING,
  rates: env.RATE_LIMIT === 'on' ? { live: env.RATE_LIMIT_LIVE, mint: env.RATE_LIMIT_MINT } : undefined,
});
