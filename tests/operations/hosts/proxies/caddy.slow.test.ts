import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Front, startCaddyBefore } from '../../../support/balancers.ts';
import { toLines } from '../../../support/log-lines.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { skipsRedis, startRedis, until } from '../../../support/redis.ts';
import { sendLegacy } from '../../../support/rpc.ts';
import { findPort, type RunningServer, startFor, startServer } from '../../../support/server.ts';
import { skipsWithout } from '../../../support/tools.ts';
import { openWire, send, sendRaw, type WireReply } from '../../../support/wire.ts';

const caddy = suite('the example for Caddy');
const settings = { TRUST_PROXY: '1', RATE_LIMIT: 'off', METRICS: 'on' };
const candidate = { method: 'POST', body: '{"name": "A", "onetCode": "15-1252.00"}' };
const portOf = ({ origin }: Front) => Number(new URL(origin).port);
const toBody = ({ bytes }: WireReply) => JSON.parse(bytes.toString());

/** Runs `use` with Caddy before one host. Nothing listens at the address of the second. */
async function withHost(
  env: Record<string, string>,
  pairs: readonly (readonly [string, string])[],
  use: (front: Front, host: RunningServer) => Promise<void>,
): Promise<void> {
  const host = await startServer({ ...settings, ...env });
  const front = await startCaddyBefore([host.port, await findPort()], pairs);
  try {
    await use(front, host);
  } finally {
    front.stop();
    await host.stop();
  }
}

/** Creates a candidate in a new workspace and returns the headers for that workspace. */
async function createWorkspace(origin: string): Promise<{ 'X-Workspace': string }> {
  const { status, headers } = await send(origin, '/candidates', candidate);
  assert.is(status, 201);
  return { 'X-Workspace': String(headers['x-workspace']) };
}

/** Sends a read that is answered when the workspace changes. */
async function startWait(origin: string, workspace: object): Promise<{ answer: Promise<WireReply> }> {
  const { headers } = await send(origin, '/workspace/activity', { headers: workspace });
  const wait = { ...workspace, Prefer: 'wait=25', 'If-None-Match': headers.etag };
  return { answer: send(origin, '/workspace/activity', { headers: wait, agent: false }) };
}

const countWaiting = async (host: RunningServer) =>
  (await readMetrics(host)).get('careers_waiting_calls') ?? 0;

const calls: [title: string, call: (front: Front, host: RunningServer) => Promise<void>][] = [
  [
    'a waiting read is answered when another caller changes the workspace',
    async ({ origin }, host) => {
      const workspace = await createWorkspace(origin);
      const { answer } = await startWait(origin, workspace);
      await until(async () => (await countWaiting(host)) === 1, 'one call waits');
      const change = await send(origin, '/candidates', { ...candidate, headers: workspace });
      assert.is(change.status, 201);
      const { status, headers } = await answer;
      assert.is(status, 200);
      assert.is(headers['preference-applied'], 'wait=25');
    },
  ],
  [
    'the host gets the address of the caller, not one that the caller sends',
    async ({ origin }, host) => {
      const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Request-Id': 'of-this-caller' };
      const agent = new Agent({ localAddress: '127.0.0.2' });
      assert.is((await send(origin, '/candidates', { ...candidate, headers, agent })).status, 201);
      agent.destroy();
      const find = () => toLines(host.output()).find(({ id }) => id === 'of-this-caller');
      await until(() => find() !== undefined, 'the host has logged the call');
      assert.is(find()!.client, '127.0.0.2');
    },
  ],
  [
    'an MCP client can initialize',
    async (front) => {
      const { status, body } = await sendLegacy(portOf(front), 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'a client', version: '1.0.0' },
      });
      assert.is(status, 200);
      assert.is(body.result.protocolVersion, '2025-06-18');
    },
  ],
  [
    'headers that only the host refuses are 431 with a type',
    async ({ origin }) => {
      const reply = await send(origin, '/offer', { headers: { 'X-Large': 'x'.repeat(20_000) } });
      assert.is(reply.status, 431);
      assert.is(toBody(reply).code, 'headers_too_large');
    },
  ],
];

if (!skipsWithout('caddy')) {
  const host = await startFor(caddy, settings);
  const front = await startCaddyBefore([host.port, await findPort()]);
  caddy.after(() => front.stop());
  for (const [title, call] of calls) caddy(title, () => call(front, host));

  caddy('the host ends a body that does not arrive with 408', () => {
    const env = { LOG: 'off', HEADER_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '1' };
    // Caddy holds the answer back until the body arrives or this time is over.
    return withHost(env, [['read_body 40s', 'read_body 5s']], async (front) => {
      const head = 'POST /candidates HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{';
      const { status, body } = await sendRaw(portOf(front), head);
      assert.is(status, 408);
      assert.is(body.code, 'request_timeout');
    });
  });

  caddy('ends a connection that sends only bytes of a head', () =>
    withHost({ LOG: 'off' }, [['read_header 10s', 'read_header 1s']], async (front) => {
      const wire = openWire({ port: portOf(front) }, 'GET /pricing HTTP/1.1\r\nX-Slow: ');
      const drip = setInterval(() => wire.socket.writable && wire.socket.write('x'), 100);
      await wire.closed;
      clearInterval(drip);
    }),
  );

  caddy('repeats a read that an instance did not answer, and sends a create only once', async () => {
    const counts: Record<string, number> = { GET: 0, POST: 0 };
    const instance = createServer((request, reply) => {
      if (request.url === '/healthz') return reply.end();
      counts[request.method!]! += 1;
      request.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(instance, 'listening');
    const { port } = instance.address() as AddressInfo;
    const front = await startCaddyBefore([port, port]);
    try {
      assert.is((await send(front.origin, '/candidates', candidate)).status, 502);
      assert.is(counts.POST, 1);
      assert.is((await send(front.origin, '/candidates')).status, 502);
      assert.ok(counts.GET! > 1, `${counts.GET} reads`);
    } finally {
      front.stop();
      instance.closeAllConnections();
      instance.close();
    }
  });
}

/** Sends reads from eight callers, each one after the other, until it is stopped. */
function startReads(origin: string) {
  const failed: string[] = [];
  let [count, isOn] = [0, true];
  const callers = Array.from({ length: 8 }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (isOn) {
      const path = ['/pricing', '/occupations?q=nurse', '/candidates?limit=2'][count % 3]!;
      const result = await send(origin, path, { agent }).then(({ status }) => String(status), String);
      if (result !== '200') failed.push(`${path}: ${result}`);
      count += 1;
    }
    agent.destroy();
  });
  return {
    failed,
    count: () => count,
    async stop() {
      isOn = false;
      await Promise.all(callers);
    },
  };
}

/** Kills one of two hosts while reads run and others wait. Returns what callers saw. */
async function loseInstance(origin: string, hosts: readonly [RunningServer, RunningServer]) {
  const workspace = await createWorkspace(origin);
  const waits = await Promise.all(Array.from({ length: 6 }, () => startWait(origin, workspace)));
  const countAll = async () => Promise.all(hosts.map(countWaiting));
  await until(async () => (await countAll()).reduce((sum, one) => sum + one) === 6, 'six calls wait');
  const [first, second] = await countAll();
  const [lost, other] = first! > second! ? hosts : [hosts[1], hosts[0]];
  const reads = startReads(origin);
  await until(() => reads.count() > 100, '100 reads are answered');
  await lost.kill();
  const before = reads.count();
  await until(() => reads.count() > before + 500, '500 more reads are answered');
  await until(async () => (await countWaiting(other)) === 6, 'all six wait at the other instance');
  await reads.stop();
  await send(other.origin, '/candidates', { ...candidate, headers: workspace });
  const answers = await Promise.all(waits.map(({ answer }) => answer));
  return { failed: reads.failed, statuses: answers.map(({ status }) => status) };
}

if (!skipsWithout('caddy') && !skipsRedis())
  caddy('no read is lost with one of two instances, not even one that waits', async () => {
    const redis = await startRedis();
    const env = { ...settings, STORE_URL: `redis://127.0.0.1:${redis.port}`, LOG: 'off' };
    const hosts = await Promise.all([startServer(env), startServer(env)]);
    const front = await startCaddyBefore([hosts[0].port, hosts[1].port]);
    try {
      const { failed, statuses } = await loseInstance(front.origin, hosts);
      assert.equal(failed, []);
      assert.equal(statuses, Array(6).fill(200));
    } finally {
      front.stop();
      await Promise.all(hosts.map((host) => host.stop()));
      await redis.stop();
    }
  });

caddy.run();
