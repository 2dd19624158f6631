import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCaller, findCaller, isExempt, stdioClient } from '../../../../src/kernel/caller.ts';
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

keyed('a call that is repeated through another of our proxies gets the same reply', () => {
  const identify = (entries: string) =>
    describeCaller(
      { peer: '10.0.0.9', header: (name) => (name === 'x-forwarded-for' ? entries : undefined) },
      { proxies: 2, origins: [] },
    );
  assert.is(identify('203.0.113.1, 10.0.0.1'), identify('203.0.113.1, 10.0.0.2'));
});

const decision = suite('the client of a request');
const rules = { proxies: 0, origins: ['https://careers.example'] };
const find = (peer: string, fields: Fields, proxies = 0) =>
  findCaller({ peer, header: (name) => fields[name] }, { ...rules, proxies });

const rows: [what: string, peer: string, fields: Fields, proxies: number, client: string][] = [
  ['a plain call from loopback', '127.0.0.1', {}, 0, '127.0.0.1'],
  ['a plain call from ::1', '0:0:0:0:0:0:0:1', {}, 0, '0:0:0:0:0:0:0:1'],
  ['a forwarded call from loopback', '127.0.0.1', { 'x-real-ip': '203.0.113.1' }, 0, 'proxied'],
  ['a forwarded call from another machine', '192.0.2.1', { 'x-real-ip': '203.0.113.1' }, 0, '192.0.2.1'],
  ['a call through a named proxy', '127.0.0.1', { 'x-forwarded-for': '203.0.113.1' }, 1, '203.0.113.1'],
  ['a page of another origin', '127.0.0.1', { origin: 'https://evil.example' }, 0, 'foreign-page'],
  ['the published origin', '127.0.0.1', { origin: 'https://careers.example' }, 0, '127.0.0.1'],
  ['our own page', '127.0.0.1', { origin: 'http://localhost:1', host: 'localhost:1' }, 0, '127.0.0.1'],
  [
    'a page of another port',
    '127.0.0.1',
    { origin: 'http://localhost:2', host: 'localhost:1' },
    0,
    'foreign-page',
  ],
  [
    'a page that was rebound',
    '127.0.0.1',
    { origin: 'http://evil.example', host: 'evil.example' },
    0,
    'foreign-page',
  ],
];
for (const [what, peer, fields, proxies, client] of rows)
  decision(`${what} is ${client}`, () => assert.is(find(peer, fields, proxies).client, client));

decision('the client over stdio is exempt, whatever proxies are named', () => {
  for (const proxies of [0, 1, 2]) assert.ok(isExempt(stdioClient, { proxies }));
  assert.is.not(find('192.0.2.1', { 'x-forwarded-for': stdioClient }, 1).client, stdioClient);
});

/** Requests from loopback, by the words of the reference. */
const requests: Record<string, Fields[]> = {
  'neither of the next two': [{}, { origin: 'https://careers.example' }, { 'sec-fetch-site': 'same-origin' }],
  'has `X-Forwarded-For`, `Forwarded` or `X-Real-IP`': [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': '' },
    { forwarded: 'for=203.0.113.1' },
    { 'x-real-ip': '203.0.113.1', origin: 'https://evil.example' },
  ],
  'comes from a page of another origin': [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ],
  'has `X-Forwarded-For`': [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': '127.0.0.1, 203.0.113.1', origin: 'https://evil.example' },
  ],
  'has no `X-Forwarded-For`': [{}, { 'x-real-ip': '203.0.113.1' }, { origin: 'https://careers.example' }],
};
const reference = readFileSync('content/guides/operating-reference.md', 'utf8');

decision('a request from this machine counts for the client that the reference names', () => {
  const table = [...reference.matchAll(/^\| (0|1 or more) \| (.*) \| (.*) \|$/gm)];
  assert.is(table.length, Object.keys(requests).length);
  for (const [, proxy, words, expected] of table)
    for (const fields of requests[words!]!) {
      const proxies = proxy === '0' ? 0 : 1;
      const { client } = find('127.0.0.1', fields, proxies);
      const said = isExempt(client, { proxies }) ? 'none: it is not limited' : `\`${client}\``;
      const named = expected === 'the address that it names' ? '`203.0.113.1`' : expected;
      assert.is(said, named, `${proxy} ${words} ${JSON.stringify(fields)}`);
    }
});

decision('no other machine is exempt', () => {
  for (const proxies of [0, 1, 2])
    for (const client of ['proxied', 'foreign-page', '192.0.2.1'])
      assert.not.ok(isExempt(client, { proxies }), client);
});

callers.run();
keyed.run();
decision.run();
