import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readMetrics } from '../../../support/metrics.ts';
import { openFor, withOpenServer } from '../../../support/open-host.ts';
import { until } from '../../../support/redis.ts';
import { startFor } from '../../../support/server.ts';
import { openWire, send } from '../../../support/wire.ts';

const callers = suite('callers');
const live = 8;
const limits = { RATE_LIMIT_LIVE: String(live), RATE_LIMIT_MINT: '3', LOG: 'off' };
const body = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });

type Fields = Record<string, string>;
const read = (origin: string, headers: Fields) => send(origin, '/candidates?limit=1', { headers });

/** Sends more reads than one client may, each with other headers. Returns their statuses. */
async function readOften(origin: string, toFields: (n: number) => Fields): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < live + 4; n += 1) statuses.push((await read(origin, toFields(n))).status);
  return statuses;
}
const limited = [...Array(live).fill(200), ...Array(4).fill(429)];
const unlimited = Array(live + 4).fill(200);

const forwarding: Record<string, (n: number) => Fields> = {
  'X-Forwarded-For': (n) => ({ 'X-Forwarded-For': `203.0.113.${n}` }),
  Forwarded: (n) => ({ Forwarded: `for=203.0.113.${n}` }),
  'X-Real-IP': (n) => ({ 'X-Real-IP': `203.0.113.${n}` }),
  'an empty X-Forwarded-For': () => ({ 'X-Forwarded-For': '' }),
};
const server = await startFor(callers, {
  ...limits,
  METRICS: 'on',
  ALLOWED_ORIGINS: 'https://desk.example',
});
const { origin } = server;

callers('callers behind a proxy count as one, whichever header names them', async () => {
  const fields = Object.values(forwarding);
  assert.equal(await readOften(origin, (n) => fields[n % fields.length]!(n)), limited);
});

callers('warns once of a proxy that TRUST_PROXY does not count, and counts each request', async () => {
  const name = 'careers_unnamed_proxy_requests_total';
  const before = (await readMetrics(server)).get(name)!;
  await readOften(origin, forwarding.Forwarded!);
  assert.is((await readMetrics(server)).get(name), before + live + 4);
  const isWarning = (line: string) => line.includes('"level":"warning"');
  const warnings = server.output().split('\n').filter(isWarning);
  assert.is(warnings.length, 1);
  assert.match(warnings[0]!, 'Set TRUST_PROXY to the number of your proxies.');
});

callers('an agent on this machine is not limited with those behind a proxy', async () => {
  await readOften(origin, forwarding.Forwarded!);
  assert.equal(await readOften(origin, () => ({})), unlimited);
});

callers('callers behind a proxy share the workspaces and the connections of one client', async () => {
  await withOpenServer({ ...limits, CONNECTIONS_PER_CLIENT: '2' }, async (server) => {
    const mint = (n: number) =>
      send(server.origin, '/candidates', { method: 'POST', body, headers: forwarding.Forwarded!(n) });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await mint(n)).status);
    assert.equal(statuses, [201, 201, 201, 429]);
    const wires = [1, 2, 3].map((n) =>
      openWire(server, `GET /pricing HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.${n}\r\n\r\n`),
    );
    await until(() => wires.every(({ text }) => text() !== ''), 'each call is answered');
    const shares = wires.filter(({ text }) => text().includes('"connection_share"'));
    assert.ok(shares.length >= 1);
    for (const { socket } of wires) socket.destroy();
  });
});

const foreign: Fields[] = [
  { Origin: 'https://evil.example' },
  { Origin: 'null' },
  { Origin: 'http://localhost:1' },
  { 'Sec-Fetch-Site': 'cross-site' },
];
callers('pages of other origins in a browser on this machine share one limit', async () => {
  assert.equal(await readOften(origin, (n) => foreign[n % foreign.length]!), limited);
});

callers('our own pages and those of allowed origins are not limited on this machine', async () => {
  const own: Fields[] = [
    { Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'https://desk.example' },
    { 'Sec-Fetch-Site': 'none' },
  ];
  assert.equal(await readOften(origin, (n) => own[n % own.length]!), unlimited);
});

const keyed = suite('Idempotency-Key without a workspace, by caller');
const hosts = {
  'no TRUST_PROXY': await openFor(keyed, { LOG: 'off' }),
  'TRUST_PROXY=1': await openFor(keyed, { LOG: 'off', TRUST_PROXY: '1' }),
};

/** Returns the workspace of a keyed create that names none. */
async function mint(origin: string, key: string, headers: Fields): Promise<unknown> {
  const sent = { method: 'POST', body, headers: { ...headers, 'Idempotency-Key': key } };
  const reply = await send(origin, '/candidates', sent);
  assert.is(reply.status, 201);
  return reply.headers['x-workspace'];
}

const twoCallers: Record<string, [Fields, Fields]> = {
  'X-Forwarded-For': [{ 'X-Forwarded-For': '203.0.113.1' }, { 'X-Forwarded-For': '203.0.113.2' }],
  Forwarded: [{ Forwarded: 'for=203.0.113.1' }, { Forwarded: 'for=203.0.113.2' }],
  'X-Real-IP': [{ 'X-Real-IP': '203.0.113.1' }, { 'X-Real-IP': '203.0.113.2' }],
  'the address before that of a proxy': [
    { 'X-Forwarded-For': '10.0.0.1, 203.0.113.1' },
    { 'X-Forwarded-For': '10.0.0.2, 203.0.113.1' },
  ],
  Origin: [{ Origin: 'https://a.example' }, { Origin: 'https://b.example' }],
};
for (const [host, { origin }] of Object.entries(hosts)) {
  for (const [what, [one, other]] of Object.entries(twoCallers)) {
    keyed(`two callers that differ in ${what} never share a key, with ${host}`, async () => {
      const key = randomUUID();
      assert.is.not(await mint(origin, key, one), await mint(origin, key, other));
    });

    keyed(`a caller gets its own reply again, with ${what} and ${host}`, async () => {
      const key = randomUUID();
      assert.is(await mint(origin, key, one), await mint(origin, key, one));
    });
  }
}

callers.run();
keyed.run();
