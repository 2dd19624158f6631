import { join } from 'node:path';
import { type RedisProcess, startRedis } from '../../tests/support/redis.ts';
import { send as sendTo } from '../../tests/support/wire.ts';
import { audit } from '../titles/read-titles.ts';
import { toTitles } from './cases.ts';
import { toRatios, toSpread } from './load.ts';
import type { Goal } from './report.ts';
import {
  root,
  type Server,
  start,
  startOurs,
  startPlainDesk,
  toCpuSeconds,
  toResidentMb,
} from './servers.ts';
import { candidates, get, post, send, toCall, type Wire } from './wire.ts';

/** The number of existing workspaces. Each has a hundred candidates and a hundred job orders. */
const oldWorkspaces = 24;

const jobOrders = candidates.map(({ onetCode, metro }, index) => ({
  client: `Client ${index % 9}`,
  title: onetCode === '15-1252.00' ? 'Software developer' : 'Registered nurse',
  onetCode,
  metro,
}));

/** A server that parses the body and replies with a kilobyte. */
const kilobyteServer = `require('node:http').createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1024' });
    response.end('x'.repeat(1024));
  });
}).listen(process.env.PORT, '127.0.0.1')`;

async function createOld({ port }: Server) {
  const created = await send(port, post('/batch', { candidates, jobOrders }));
  if (created.status !== 201) throw new Error(`${created.status}: ${created.body}`);
  const body = JSON.parse(created.body.toString());
  const toIds = (kind: string): string[] => body[kind].map(({ id }: { id: string }) => id);
  return {
    id: created.headers['x-workspace']!,
    candidates: toIds('candidates'),
    jobOrders: toIds('jobOrders'),
  };
}

type Workspace = Awaited<ReturnType<typeof createOld>>;

const createAll = async (server: Server) => {
  const all: Workspace[] = [];
  while (all.length < oldWorkspaces) all.push(await createOld(server));
  return all;
};

const inside = ({ id }: Workspace) => ({ 'X-Workspace': id });
const keyed = (at: number) => ({ 'Idempotency-Key': `"mix-${at}-of-the-bench"` });

/** Different titles: first the audit slice, as people write them, then titles of O*NET. */
const titles = [...new Set([...audit.map(({ title }) => title), ...toTitles(20_000)])];
let nextTitle = 0;
const takeTitle = () => pick(titles, nextTitle++);

const documents = ['/', '/pricing', '/llms.txt', '/openapi.json', '/.well-known/agents.json'];
const filtered = [
  '/candidates?status=available&occupation=15-1252.00',
  '/job-orders?status=open',
  '/candidates?occupation=29-1141.00&limit=5',
  '/placements?status=completed',
];
const ownLists = ['/candidates?limit=20', '/job-orders?status=open&limit=20'];
const pick = <T>(list: readonly T[], at: number) => list[at % list.length]!;

/**
 * The kinds of requests of an agent: how many of a hundred, and a function that creates one. `at` counts the requests,
 * and `own` is one of the old workspaces.
 */
const kinds: Record<string, [times: number, toWire: (at: number, own: Workspace) => Wire]> = {
  documents: [5, (at) => get(pick(documents, at))],
  'searches, HTTP': [15, () => get(`/occupations?q=${encodeURIComponent(takeTitle())}&limit=3`)],
  'searches, MCP': [8, () => toCall('listOccupations', { q: takeTitle(), limit: 3 })],
  'filtered lists': [12, (at) => get(pick(filtered, at))],
  'seed records': [10, (at) => get(`/${at % 2 ? 'candidates/cand' : 'job-orders/job'}_0${10 + (at % 20)}`)],
  'creates, fresh': [6, (at) => post('/candidates', pick(candidates, at))],
  'creates, old': [8, (at, own) => post('/candidates', pick(candidates, at), inside(own))],
  'creates, keyed': [
    4,
    (at, own) => post('/job-orders', pick(jobOrders, at), { ...inside(own), ...keyed(at) }),
  ],
  'batches of ten': [
    2,
    (at, own) => post('/batch', { candidates: candidates.slice(0, 10) }, at % 2 ? inside(own) : keyed(at)),
  ],
  'own records': [10, (at, own) => get(`/candidates/${pick(own.candidates, at)}`, inside(own))],
  'own lists': [11, (at, own) => get(pick(ownLists, at), inside(own))],
  changes: [
    4,
    (at, own) => ({
      method: 'PATCH',
      path: `/candidates/${pick(own.candidates, at)}`,
      headers: { ...inside(own), 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ skills: ['SQL', `Skill ${at}`] }),
    }),
  ],
  matches: [3, (at, own) => get(`/job-orders/${pick(own.jobOrders, at)}/matches`, inside(own))],
  workspaces: [2, (_, own) => get('/workspace', inside(own))],
};
const wholeMix = 'the mix';
const names = [wholeMix, ...Object.keys(kinds)];

/** Yields `count` requests of a kind, or of all kinds in turn. Each is created when it is sent. */
function* toRequests(name: string, count: number, first: number, own: readonly Workspace[]): Generator<Wire> {
  const chosen = name === wholeMix ? Object.values(kinds) : [kinds[name]!];
  const turns = chosen.flatMap(([times, toWire]) => Array.from({ length: times }, () => toWire));
  // 37 and 100 have no common factor, so the kinds are well mixed, and each kind reaches every workspace.
  for (let at = first; at < first + count; at += 1)
    yield pick(turns, at * 37)(at, pick(own, at + Math.floor(at / 100)));
}

/** How many connections to a server are open. */
const connections = 32;

/** Sends a request on a connection that stays open. Rejects if the request is refused. */
async function ask(port: number, { path, ...request }: Wire): Promise<void> {
  const { status } = await sendTo(`http://127.0.0.1:${port}`, path, request);
  if (status >= 300) throw new Error(`${request.method} ${path}: ${status}`);
}

/** Sends requests of a kind on 32 connections. Returns the server's processor time per request in milliseconds. */
async function take({ port, pid }: Server, ...of: Parameters<typeof toRequests>): Promise<number> {
  const before = toCpuSeconds(pid);
  const requests = toRequests(...of);
  const sendRequests = async () => {
    for (const request of requests) await ask(port, request);
  };
  await Promise.all(Array.from({ length: connections }, sendRequests));
  return ((toCpuSeconds(pid) - before) * 1000) / of[1];
}

const limits = { METER: 'on', BYTES_PER_CLIENT: 'off', STORE_BYTES: '1125899906842624' };
const startLimited = (env: Record<string, string>, folder = root) =>
  startOurs({ ...limits, ...env }, join(folder, 'dist/host/main.mjs'));

/** Returns a contestant: a server with its old workspaces, and the milliseconds per request by kind and round. */
const enter = (name: string, server: Server) => {
  return { name, server, own: [] as Workspace[], figures: new Map<string, number[]>() };
};
type Contestant = ReturnType<typeof enter>;

/** A contestant of this name stores nothing, and is sent the ids of the first one. */
const constant = 'node:http';

/** Measures the contestants in turn, kind by kind, and prints the medians. Then stops them. */
async function race(field: readonly Contestant[], { rounds, requests }: Sizes): Promise<void> {
  let first = 0;
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    // A workspace holds at most a thousand records, so each round has new workspaces.
    for (const contestant of field)
      contestant.own = contestant.name === constant ? field[0]!.own : await createAll(contestant.server);
    for (const name of names) {
      const count = Math.ceil(requests / rounds / (name === wholeMix ? 2 : 2 * Object.keys(kinds).length));
      const title = nextTitle;
      for (const contestant of round % 2 ? field : field.toReversed()) {
        nextTitle = title;
        const figure = await take(contestant.server, name, count, first, contestant.own);
        if (round > 0) contestant.figures.getOrInsert(name, []).push(figure);
      }
      first += count;
    }
  }
  for (const name of names) {
    const cells = field.map(
      (contestant) => `${contestant.name} ${toSpread(contestant.figures.get(name)!).median.toFixed(3)}`,
    );
    console.log(`${name.padEnd(16)} ${cells.join('   ')}`);
  }
  for (const { server } of field) await server.stop();
}

interface Sizes {
  rounds: number;
  requests: number;
}

/** Compares the processor time of two contestants, round by round. */
function compare(what: string, beside: string, atMost: number, [ours, theirs]: [number[], number[]]): Goal {
  return { what, unit: `x ${beside}`, atMost, reached: toRatios(ours, theirs) };
}

/**
 * Measures the processor time of the mix on both stores, kind by kind. It compares `node:http` and, if BENCH_AGAINST
 * is the folder of a built checkout, that checkout.
 */
export async function measureMix(sizes: Sizes): Promise<Goal[]> {
  const field: Contestant[] = [];
  const stores: RedisProcess[] = [];
  for (const folder of [root, process.env.BENCH_AGAINST || []].flat()) {
    const label = folder === root ? 'ours' : 'before';
    stores.push(await startRedis());
    field.push(enter(`${label}, SQLite`, await startLimited({}, folder)));
    const STORE_URL = `redis://127.0.0.1:${stores.at(-1)!.port}`;
    field.push(enter(`${label}, Redis`, await startLimited({ STORE_URL }, folder)));
  }
  field.push(enter(constant, await start(() => [process.execPath, '-e', kilobyteServer])));
  await race(field, sizes);
  for (const store of stores) await store.stop();
  const of = (who: string, name = wholeMix) =>
    field.find((contestant) => contestant.name === who)!.figures.get(name)!;
  const byTool = of('ours, SQLite', 'searches, MCP');
  return [
    compare('the mix on SQLite', constant, 2.8, [of('ours, SQLite'), of(constant)]),
    compare('the mix on Redis', constant, 4, [of('ours, Redis'), of(constant)]),
    compare('a search by MCP', 'the same by HTTP', 1.54, [byTool, of('ours, SQLite', 'searches, HTTP')]),
  ];
}

/** The goals beside the plain desk, by kind. Every other kind should take no more processor time than it does. */
const peerGoals: Record<string, number> = { [wholeMix]: 0.65, matches: 1.4 };

/** Compares the processor time of the mix with that of the plain desk, kind by kind. Both store in SQLite. */
export async function measurePeer(sizes: Sizes): Promise<Goal[]> {
  const ours = enter('ours', await startLimited({}));
  const plain = enter('plain desk', await startPlainDesk(ours.server.port));
  await race([ours, plain], sizes);
  return names.map((name) => {
    const figures = [ours, plain].map((contestant) => contestant.figures.get(name)!);
    return compare(name, 'the plain desk', peerGoals[name] ?? 1, figures as [number[], number[]]);
  });
}

/** After this many requests there are new workspaces, because a workspace holds at most a thousand records. */
const slice = 50_000;

/** Measures resident memory under the requests of the mix, in megabytes, and its growth. */
export async function measureMemory({ requests }: { requests: number }): Promise<Goal[]> {
  const server = await startLimited({});
  const samples: number[] = [];
  for (let first = 0; first < requests; first += slice) {
    const own = await createAll(server);
    for (let at = first; at < first + slice; at += slice / 5) {
      await take(server, wholeMix, slice / 5, at, own);
      samples.push(toResidentMb(server.pid));
    }
  }
  await server.stop();
  const quarter = Math.ceil(samples.length / 4);
  const growth = Math.max(...samples.slice(-quarter)) / Math.max(...samples.slice(quarter, 2 * quarter));
  const after = `memory after ${requests.toLocaleString('en')} requests of the mix`;
  return [
    { what: after, unit: 'MB', atMost: 180, reached: toSpread([samples.at(-1)!]) },
    { what: 'growth, last quarter to second', unit: 'x', atMost: 1.05, reached: toSpread([growth]) },
  ];
}
