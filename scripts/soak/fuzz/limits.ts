import * as assert from 'uvu/assert';
import { type OpenedHost, withOpenServer } from '../../../tests/support/open-host.ts';
import { until } from '../../../tests/support/redis.ts';
import { openWire, send } from '../../../tests/support/wire.ts';
import { createRandom, type Random } from './random.ts';

const quota = 20;
const env = { RATE_LIMIT_LIVE: String(quota), RATE_LIMIT_MINT: String(quota), METRICS: 'on' };
const body = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });

type Fields = Record<string, string>;
type Attack = (random: Random, runs: number) => Promise<void>;

const toIpv4 = ({ below }: Random) => `203.0.113.${below(256)}`;
const toIpv6 = ({ below }: Random) =>
  `2001:db8:${below(65_536).toString(16)}:${below(65_536).toString(16)}::1`;

/** Headers by which a proxy names a caller, in one of the forms that proxies write. */
function toForwarded(random: Random): Fields {
  const address = random.pick([toIpv4, toIpv6])(random);
  return random.pick<Fields>([
    { 'X-Forwarded-For': address },
    { 'x-forwarded-for': `10.0.0.1, ${address}` },
    { 'X-Forwarded-For': '' },
    { 'X-Real-IP': address },
    { Forwarded: `for="[${address}]:4711";proto=https` },
    { Forwarded: `for=${address}`, 'X-Real-IP': '127.0.0.1' },
    { 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
  ]);
}

/** Headers that a browser sends for a page of another origin. */
function toForeign(random: Random): Fields {
  const name = `page-${random.below(1000)}.example`;
  return random.pick<Fields>([
    { Origin: `https://${name}` },
    { Origin: 'null' },
    { Origin: `http://localhost:${1 + random.below(9)}` },
    { Origin: `http://localhost.${name}` },
    { Origin: `http://${name}`, Host: name },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'Cross-Site', Origin: `https://${name}` },
  ]);
}

/** Sends `runs` reads. Throws if more than `most` are answered. */
async function holdToQuota(
  origin: string,
  runs: number,
  most: number,
  toFields: () => Fields,
): Promise<void> {
  let answered = 0;
  for (let n = 0; n < runs; n += 1) {
    const fields = toFields();
    const { status } = await send(origin, '/candidates?limit=1', { headers: fields });
    assert.ok(status === 200 || status === 429, `${status} for ${JSON.stringify(fields)}`);
    if (status === 200) answered += 1;
    assert.ok(answered <= most, `${answered} of ${n + 1} answered, the last with ${JSON.stringify(fields)}`);
  }
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const unseen = ['%E2%80%8B', '%e2%80%8d', '%EF%BB%BF', '%C2%AD', '%25E2%2580%258B', '%00', '%0A'];

/** One of our tokens, and how a caller might write it into an address by mistake. */
function toDamaged(random: Random): { token: string; written: string } {
  const token = Array.from({ length: 32 }, () => random.pick([...alphabet])).join('');
  const encode = (one: string) => `%${one.charCodeAt(0).toString(16)}`;
  let written = token;
  if (random.below(2) === 0) {
    const at = 1 + random.below(30);
    written = token.slice(0, at) + random.pick(unseen) + token.slice(at);
  }
  const change = random.pick<(text: string) => string>([
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.replace(/[0-9a-z](?=[^%]{3})/g, (one) => (random.below(3) === 0 ? encode(one) : one)),
  ]);
  const prefix = random.pick([
    '',
    'cnf_',
    'cnf-',
    'grd.',
    'clm%20',
    'sl',
    'SL_',
    'ws:',
    'c%E2%80%8Bnf_',
    '_',
  ]);
  return { token, written: prefix + (written === token ? change(written) : written) };
}

/** Returns a line as an eye reads it, or a program that drops invisible characters. */
function toSeen(line: string): string {
  let seen = line;
  for (let round = 0; round < 4; round += 1)
    seen = seen.replace(/%(?:25)*([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return seen.toLowerCase().replace(/[^0-9a-z]/g, '');
}

const saysClose = (text: string) => /^Connection: close\r?$/im.test(text.split('\r\n\r\n')[0]!);
const countReplies = (text: string) => text.match(/HTTP\/1\.1 \d+ /g)?.length ?? 0;

/**
 * Sends a body that may be refused and then a read. Throws if the connection does not do what the first reply
 * says.
 */
async function holdToPromise(server: Pick<OpenedHost, 'port'>, bytes: string): Promise<void> {
  const wire = openWire(server, `${bytes}GET /projection.json HTTP/1.1\r\nHost: a\r\n\r\n`);
  await until(() => wire.text().includes('\r\n\r\n'), 'a reply');
  const closes = saysClose(wire.text());
  if (closes) await wire.closed;
  else
    await until(() => countReplies(wire.text()) === 2, `a second reply after ${wire.text().slice(0, 200)}`);
  assert.is(countReplies(wire.text()), closes ? 1 : 2);
  wire.socket.destroy();
}

function toBody(random: Random): string {
  const size = random.below(200_000);
  const line = random.pick([
    'POST /candidates',
    'POST /nothing',
    'GET /pricing',
    'POST /mcp',
    'PATCH /offer',
  ]);
  const start = `${line} HTTP/1.1\r\nHost: a\r\n`;
  if (random.below(2) === 0) return `${start}Content-Length: ${size}\r\n\r\n${' '.repeat(size)}`;
  const piece = 1 + random.below(8192);
  const chunk = `${piece.toString(16)}\r\n${' '.repeat(piece)}\r\n`;
  return `${start}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(Math.ceil(size / piece))}0\r\n\r\n`;
}

/** Attacks on the limits of one caller. Each throws at the first answer that breaks its rule. */
const limitAttacks: Record<string, Attack> = {
  'forwarded addresses get no more than one caller': async (random, runs) => {
    await withOpenServer({ ...env, LOG: 'off' }, ({ origin }) =>
      holdToQuota(origin, runs, quota, () => toForwarded(random)),
    );
  },
  'forwarded addresses never share a new workspace': async (random, runs) => {
    await withOpenServer({ ...env, RATE_LIMIT: 'off', LOG: 'off' }, async ({ origin }) => {
      const key = 'a-key-that-everybody-sends';
      const owners = new Map<string, string>();
      for (let n = 0; n < runs; n += 1) {
        const fields = toForwarded(random);
        const headers = { ...fields, 'Idempotency-Key': key };
        const reply = await send(origin, '/candidates', { method: 'POST', body, headers });
        const workspace = String(reply.headers['x-workspace']);
        const owner = JSON.stringify(fields).toLowerCase();
        assert.is(owners.get(workspace) ?? owner, owner, 'one workspace for two callers');
        owners.set(workspace, owner);
      }
    });
  },
  'foreign origins get no more than one caller': async (random, runs) => {
    await withOpenServer({ ...env, LOG: 'off' }, ({ origin }) =>
      holdToQuota(origin, runs, quota, () => toForeign(random)),
    );
  },
  'networks of one IPv6 /56 get no more than four callers': async (random, runs) => {
    await withOpenServer({ ...env, TRUST_PROXY: '1', LOG: 'off' }, ({ origin }) =>
      holdToQuota(origin, runs, 4 * quota, () => {
        const subnet = (0xab00 + random.below(256)).toString(16);
        return { 'X-Forwarded-For': `2001:db8:1:${subnet}::${1 + random.below(999)}` };
      }),
    );
  },
  'damaged tokens are not logged': async (random, runs) => {
    const tokens: string[] = [];
    const printed = await withOpenServer({ RATE_LIMIT: 'off' }, async (server) => {
      for (let n = 0; n < runs; n += 1) {
        const { token, written } = toDamaged(random);
        tokens.push(token);
        const headers = /^[\w.-]+$/.test(written) ? { 'X-Request-Id': written } : {};
        await send(server.origin, `/candidates/${written}`, { headers });
      }
    });
    const seen = toSeen(printed);
    for (const token of tokens) assert.not.ok(seen.includes(token), `${token} is in the log`);
  },
  'a connection is as the reply to a refused body says': async (random, runs) => {
    await withOpenServer({ RATE_LIMIT: 'off', LOG: 'off' }, async (server) => {
      for (let n = 0; n < runs; n += 1) await holdToPromise(server, toBody(random));
    });
  },
};

/** Runs each attack this many times. The same seed makes the same calls. */
export async function attackLimits(runs: number, seed: number, tell = (_: string) => {}): Promise<void> {
  for (const [name, attack] of Object.entries(limitAttacks)) {
    await attack(createRandom(seed), runs);
    tell(`${runs} times, seed ${seed}: ${name}`);
  }
}
