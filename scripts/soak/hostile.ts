import { readPeakMemory, startBystander } from '../../tests/support/bystander.ts';
import { until } from '../../tests/support/redis.ts';
import type { RunningServer } from '../../tests/support/server.ts';
import { openWire, send } from '../../tests/support/wire.ts';

const onetCode = '15-1252.00';
const text = 'é'.repeat(200);
/** The largest candidate that is accepted. */
const largest = {
  name: text,
  onetCode,
  skills: Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(80, 'é')),
  metro: text,
};

type Front = Pick<RunningServer, 'origin'>;

type Attack = (server: RunningServer) => Promise<unknown>;

const post = ({ origin }: RunningServer, path: string, body: object, headers: object = {}) =>
  send(origin, path, { method: 'POST', body: JSON.stringify(body), headers });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Fills a workspace with the largest records. */
async function fillWorkspace(server: RunningServer, most: number): Promise<string> {
  const first = await post(server, '/candidates', largest);
  const workspace = String(first.headers['x-workspace']);
  for (let n = 1; n < most; n += 1) {
    const { status } = await post(server, '/candidates', largest, { 'X-Workspace': workspace });
    if (status !== 201) break;
  }
  return workspace;
}

/** Opens many connections that send these bytes and read nothing, for two seconds. */
async function holdDeaf(server: RunningServer, count: number, bytes: string): Promise<void> {
  const wires = Array.from({ length: count }, () => openWire(server, bytes));
  for (const { socket } of wires) socket.pause();
  await pause(2000);
  for (const { socket } of wires) socket.destroy();
}

/** The most expensive calls within the limits of one caller, each sent again and again. */
export const attacks: Record<string, Attack> = {
  async 'lists of a full workspace, not read'(server) {
    const workspace = await fillWorkspace(server, 1000);
    const list = `GET /candidates?limit=200 HTTP/1.1\r\nHost: a\r\nX-Workspace: ${workspace}\r\n\r\n`;
    await holdDeaf(server, 50, list.repeat(995));
  },
  async 'lists and filters of a full workspace'(server) {
    const headers = { 'X-Workspace': await fillWorkspace(server, 1000) };
    const paths = ['/candidates?limit=200', '/candidates?status=placed', '/placements?scope=workspace'];
    for (let n = 0; n < 20; n += 1)
      await Promise.all(paths.map((path) => send(server.origin, path, { headers })));
  },
  async 'many readers of a full workspace'(server) {
    const headers = { 'X-Workspace': await fillWorkspace(server, 1000) };
    for (let n = 0; n < 3; n += 1)
      await Promise.all(
        Array.from({ length: 256 }, () => send(server.origin, '/candidates?limit=1', { headers })),
      );
  },
  async 'matches in a full workspace, all at once'(server) {
    const headers = { 'X-Workspace': await fillWorkspace(server, 400) };
    const order = { client: 'A', title: 'A', onetCode, skills: largest.skills };
    const { bytes } = await post(server, '/job-orders', order, headers);
    const path = `${JSON.parse(bytes.toString()).jobOrder.links.self}/matches`;
    const ask = (minScore: number) => send(server.origin, `${path}?minScore=${minScore % 100}`, { headers });
    await Promise.all(Array.from({ length: 240 }, (_, n) => ask(n)));
  },
  'requests of a few bytes, a packet full': (server) =>
    holdDeaf(server, 200, 'GET /offer HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(2500)),
  'invalid requests, a packet full': (server) =>
    holdDeaf(server, 200, 'GET /offer HTTP/1.1\r\n\r\n'.repeat(2500)),
  'blank lines': (server) => holdDeaf(server, 200, '\r\n'.repeat(30_000)),
  async 'one byte at a time'(server) {
    const wires = Array.from({ length: 200 }, () => openWire(server));
    const bytes = 'GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let at = 0; at < 10 * bytes.length; at += 1) {
      for (const { socket } of wires) if (socket.writable) socket.write(bytes[at % bytes.length]!);
      await pause(5);
    }
    for (const { socket } of wires) socket.destroy();
  },
  'half of a body': (server) =>
    holdDeaf(
      server,
      250,
      `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n${' '.repeat(65_000)}`,
    ),
  'long numbers': (server) => send(server.origin, `/candidates?limit=${'1'.repeat(15_900)}x`),
  'names given twice': (server) => send(server.origin, `/candidates?${'a&'.repeat(7900)}`),
  'wrong skills': (server) =>
    post(server, '/candidates', { name: 'A', onetCode, skills: Array(30_000).fill(1) }),
  'unknown members under a key': (server) =>
    post(
      server,
      '/candidates',
      { name: 'A', onetCode, ...Object.fromEntries(Array.from({ length: 6000 }, (_, n) => [n, 0])) },
      { 'Idempotency-Key': `${Math.random()}`.padEnd(20, 'x') },
    ),
  'unknown members in a batch': (server) => {
    const names = Array.from({ length: 20 }, (_, n) => `${'ab cd '.repeat(12)}${n}`);
    const record = { name: 'A', onetCode, ...Object.fromEntries(names.map((name) => [name, 0])) };
    const batch = { candidates: Array(200).fill(record) };
    return Promise.all(Array.from({ length: 12 }, () => post(server, '/batch', batch)));
  },
  'names of many meanings': (server) => {
    const names = Array.from({ length: 20 }, (_, n) => `${n}${'_job'.repeat(19)}`);
    const jobOrder = Object.fromEntries(names.map((name) => [name, 0]));
    return post(server, '/batch', { jobOrders: Array(20).fill(jobOrder) });
  },
  brackets: (server) => send(server.origin, '/candidates', { method: 'POST', body: '['.repeat(65_000) }),
  searches: (server) =>
    send(
      server.origin,
      `/occupations?q=${'nurse teacher driver clerk sales xq'.replaceAll(' ', '+')}&limit=200`,
    ),
  'chunks of one byte': async (server) => {
    const head =
      'POST /candidates HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    await openWire(server, `${head}${'1\r\n \r\n'.repeat(10_000)}0\r\n\r\n`).closed;
  },
};

/** Requests a document until it is answered, and returns the milliseconds that took. Rejects if the host has ended. */
async function recover({ origin, process: host }: RunningServer): Promise<number> {
  const from = performance.now();
  while ((await send(origin, '/pricing', { agent: false }).catch(() => undefined))?.status !== 200) {
    if (host.exitCode !== null || host.signalCode !== null) throw new Error('the attack ended the host');
    await pause(20);
  }
  return performance.now() - from;
}

/**
 * Attacks a server, or a proxy in front of it, for `seconds`. Returns the answers to a bystander meanwhile, the time
 * until a new caller is answered after the end, and the peak memory of the process.
 */
export async function soak(server: RunningServer, attack: Attack, seconds: number, front: Front = server) {
  const attacked = { ...server, origin: front.origin, port: Number(new URL(front.origin).port) };
  const bystander = startBystander(attacked);
  await until(() => bystander.answers() > 0, 'a first answer');
  const before = bystander.answers();
  const end = performance.now() + seconds * 1000;
  do await attack(attacked);
  while (performance.now() < end);
  const felt = bystander.stop();
  const answers = felt.answers - before;
  return { ...felt, answers, recoveredMs: await recover(attacked), peakMb: readPeakMemory(server) };
}
