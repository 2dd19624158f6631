import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Limits } from '../../../../src/hosts/node/limits.ts';
import { noMetrics } from '../../../../src/hosts/node/metrics.ts';
import { readSettings } from '../../../../src/hosts/node/settings.ts';
import { findTurn, listClientKeys, UseByClient } from '../../../../src/kernel/client-keys.ts';
import { connect } from '../../../support/http.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { openFor, withOpenServer } from '../../../support/open-host.ts';
import { until } from '../../../support/redis.ts';
import { openWire, send } from '../../../support/wire.ts';

const networks = suite('IPv6 networks');
const limits = { RATE_LIMIT_LIVE: '6', RATE_LIMIT_MINT: '2', CONNECTIONS_PER_CLIENT: '3' };
const env = { ...limits, TRUST_PROXY: '1', LOG: 'off', METRICS: 'on' };
const server = await openFor(networks, env);
const body = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });

let used = 0;
/** Returns the address of a host in an unused /64 of the 256 in a /56. */
function makeWide(): (subnet: number, host?: number) => string {
  used += 1;
  const group = used;
  return (subnet, host = 1) => `2001:db8:${group.toString(16)}:${(0xab00 + subnet).toString(16)}::${host}`;
}
const from = (address: string) => ({ 'X-Forwarded-For': address });
const read = (address: string) => send(server.origin, '/candidates?limit=1', { headers: from(address) });
const mint = (address: string) =>
  send(server.origin, '/candidates', { method: 'POST', body, headers: from(address) });

/** Counts how many of `count` calls, each from the next network of a /56, get this status. */
async function countStatus(
  call: typeof read,
  count: number,
  status: number,
  toAddress = makeWide(),
): Promise<number> {
  let found = 0;
  for (let subnet = 0; subnet < count; subnet += 1)
    if ((await call(toAddress(subnet))).status === status) found += 1;
  return found;
}

networks('a /56 has the live requests of four clients', async () => {
  assert.is(await countStatus(read, 40, 200), 24);
});

networks('a /56 has the new workspaces of four clients', async () => {
  assert.is(await countStatus(mint, 16, 201), 8);
});

networks('a used-up /56 gets its own quota in the reply', async () => {
  const toAddress = makeWide();
  await countStatus(read, 24, 200, toAddress);
  const { status, headers, bytes } = await read(toAddress(25));
  assert.is(status, 429);
  assert.is(headers['ratelimit-policy'], '"live";q=24;w=60');
  assert.match(bytes.toString(), 'More than 24 live requests a minute from this network (an IPv6 /56)');
});

networks('a /64 has no more than one client, however many hosts it has', async () => {
  const toAddress = makeWide();
  let answered = 0;
  for (let host = 1; host <= 10; host += 1)
    if ((await read(toAddress(7, host))).status === 200) answered += 1;
  assert.is(answered, 6);
});

networks('the next /56 has its own quota', async () => {
  await countStatus(read, 40, 200);
  assert.is(await countStatus(read, 24, 200), 24);
});

networks('a refused call does not count for the /56', async () => {
  const toAddress = makeWide();
  for (let n = 0; n < 30; n += 1) await read(toAddress(0));
  assert.is(
    await countStatus(
      (address) => read(address),
      18,
      200,
      (n) => toAddress(n + 1),
    ),
    18,
  );
});

networks('a /56 has the connections of four clients', async () => {
  const toAddress = makeWide();
  const wires = Array.from({ length: 20 }, (_, subnet) =>
    openWire(server, `GET /pricing HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${toAddress(subnet)}\r\n\r\n`),
  );
  await until(() => wires.every(({ text }) => text() !== ''), 'each call is answered');
  assert.is(wires.filter(({ text }) => text().startsWith('HTTP/1.1 200 ')).length, 12);
  for (const { socket } of wires) socket.destroy();
});

networks('a /56 has the waiting calls of four clients', async () => {
  const open = { TRUST_PROXY: '1', RATE_LIMIT: 'off', METRICS: 'on', LOG: 'off' };
  await withOpenServer(open, async (host) => {
    const client = await connect(host.origin);
    const toAddress = makeWide();
    const wires: ReturnType<typeof openWire>[] = [];
    // A client may have ten waits in one workspace, so each has two workspaces.
    for (let half = 0; half < 12; half += 1) {
      const { workspace } = (await client.post('/candidates', body)).body;
      const mine = { 'X-Workspace': workspace, ...from(toAddress(Math.floor(half / 2))) };
      const tag = (await client.get('/workspace', mine)).headers.get('etag');
      const fields = { Host: 'a', ...mine, Prefer: 'wait=25', 'If-None-Match': tag };
      const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
      for (let n = 0; n < 10; n += 1)
        wires.push(openWire(host, `GET /workspace HTTP/1.1\r\n${lines.join('')}\r\n`));
    }
    const refused = () => wires.filter(({ text }) => text().includes('\r\nRetry-After: ')).length;
    await until(() => refused() === 40, 'those beyond the share are answered at once');
    const countWaiting = async () => (await readMetrics(host)).get('careers_waiting_calls');
    await until(async () => (await countWaiting()) === 80, 'the others wait');
    for (const { socket } of wires) socket.destroy();
  });
});

networks('a /56 has the bytes of four clients', () => {
  const settings = readSettings({ TRUST_PROXY: '1', BYTES_PER_CLIENT: '1000' });
  const limits = new Limits(settings, noMetrics);
  const add = (subnet: number) => limits.admitBytes(1000, `2001:db8:0:${subnet}:0:0:0:1`)();
  for (const subnet of [0, 1, 2, 3]) add(subnet);
  assert.throws(() => add(4), /More than 4000 bytes in a day from this network/);
});

const keys = suite('the keys of a client');

keys('an IPv4 address or a word is its own key', () => {
  for (const client of ['203.0.113.9', 'proxied', ''])
    assert.equal(listClientKeys(client), [{ key: client, shares: 1 }]);
});

keys('an IPv6 address counts for its /64 and its /56', () => {
  assert.equal(listClientKeys('2001:db8:0:abcd:0:0:0:1'), [
    { key: '2001:db8:0:abcd::/64', shares: 1 },
    { key: '2001:db8:0:ab00::/56', shares: 4 },
  ]);
});

keys('all networks of a /56 share four turns', () => {
  const turns = Array.from({ length: 256 }, (_, n) =>
    findTurn(`2001:db8:0:${(0xab00 + n).toString(16)}:0:0:0:1`),
  );
  assert.is(new Set(turns).size, 4);
});

keys('a /56 has room for what four clients use, and no more', () => {
  const use = new UseByClient();
  for (const subnet of [0, 1, 2, 3]) use.add(`2001:db8:0:${subnet}:0:0:0:1`, 10);
  assert.not.ok(use.hasRoom('2001:db8:0:4:0:0:0:1', 1, 10));
  use.add('2001:db8:0:3:0:0:0:1', -1);
  assert.ok(use.hasRoom('2001:db8:0:4:0:0:0:1', 1, 10));
});

networks.run();
keys.run();
