import { Agent, request as open } from 'node:http';
import { join } from 'node:path';
import { startRedis } from '../../tests/support/redis.ts';
import { audit } from '../titles/read-titles.ts';
import { toSearches } from './cases.ts';
import { toRatios, toSpread } from './load.ts';
import type { Goal } from './report.ts';
import { root, type Server, start, startOurs, toCpuSeconds, toResidentMb } from './servers.ts';
import { candidates, get, headerOf, modern, post, send, toCall, type Wire } from './wire.ts';

/** Workspaces that are there before, and the records of each kind in one. */
const oldWorkspaces = 24;
const oldRecords = 100;

interface Workspace {
  id: string;
  candidates: string[];
  jobOrders: string[];
}

const jobOrders = candidates.map(({ onetCode, metro }, index) => ({
  client: `Client ${index % 9}`,
  title: onetCode === '15-1252.00' ? 'Software developer' : 'Registered nurse',
  onetCode,
  metro,
}));

/** Reads and parses what it is sent, and answers a kilobyte. */
const kilobyteServer = `require('node:http').createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1024' });
    response.end('x'.repeat(1024));
  });
}).listen(process.env.PORT, '127.0.0.1')`;

async function createOld({ port }: Server): Promise<Workspace> {
  const created = await send(port, post('/batch', { candidates, jobOrders }));
  if (created.status !== 201) throw new Error(`${created.status}: ${created.body}`);
  const body = JSON.parse(created.body.toString());
  const toIds = (kind: string): string[] => body[kind].map(({ id }: { id: string }) => id);
  return {
    id: headerOf(created, 'x-workspace')!,
    candidates: toIds('candidates'),
    jobOrders: toIds('jobOrders'),
  };
}

const inside = ({ id }: Workspace) => ({ 'X-Workspace': id });
const keyed = (at: number) => ({ 'Idempotency-Key': `"mix-${at}-of-the-bench"` });
const toSearchCall = (q: string) =>
  toCall(
    { name: 'listOccupations', arguments: { q, limit: 3 }, _meta: modern },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'listOccupations' },
  );

/** Titles as people write them, each once: the audit slice, then those of O*NET. */
const titles = [...new Set(audit.map(({ title }) => title))];
const others = toSearches(20_000).map(({ path }) => new URLSearchParams(path.split('?')[1]).get('q')!);
let nextTitle = 0;
function takeTitle(): string {
  nextTitle += 1;
  return titles[nextTitle - 1] ?? others[nextTitle % others.length]!;
}

/** What an agent does, of a hundred requests: how often, and one of them. `at` counts up, and `own` is one of the old workspaces. */
const kinds: Record<string, { times: number; toWire(at: number, own: Workspace): Wire }> = {
  documents: {
    times: 5,
    toWire: (at) => get(['/', '/pricing', '/llms.txt', '/openapi.json', '/.well-known/agents.json'][at % 5]!),
  },
  'searches, HTTP': {
    times: 15,
    toWire: () => get(`/occupations?q=${encodeURIComponent(takeTitle())}&limit=3`),
  },
  'searches, MCP': { times: 8, toWire: () => toSearchCall(takeTitle()) },
  'filtered lists': {
    times: 12,
    toWire: (at) =>
      get(
        [
          '/candidates?status=available&occupation=15-1252.00',
          '/job-orders?status=open',
          '/candidates?occupation=29-1141.00&limit=5',
          '/placements?status=completed',
        ][at % 4]!,
      ),
  },
  'seed records': {
    times: 10,
    toWire: (at) => get(`/${at % 2 ? 'candidates/cand' : 'job-orders/job'}_0${10 + (at % 20)}`),
  },
  'creates, fresh': { times: 6, toWire: (at) => post('/candidates', candidates[at % 100]!) },
  'creates, old': { times: 8, toWire: (at, own) => post('/candidates', candidates[at % 100]!, inside(own)) },
  'creates, keyed': {
    times: 4,
    toWire: (at, own) => post('/job-orders', jobOrders[at % 100]!, { ...inside(own), ...keyed(at) }),
  },
  'batches of ten': {
    times: 2,
    toWire: (at, own) =>
      post('/batch', { candidates: candidates.slice(0, 10) }, at % 2 ? inside(own) : keyed(at)),
  },
  'own records': {
    times: 10,
    toWire: (at, own) => get(`/candidates/${own.candidates[at % oldRecords]}`, inside(own)),
  },
  'own lists': {
    times: 11,
    toWire: (at, own) =>
      get(['/candidates?limit=20', '/job-orders?status=open&limit=20'][at % 2]!, inside(own)),
  },
  changes: {
    times: 4,
    toWire: (at, own) => ({
      ...post(
        `/candidates/${own.candidates[at % oldRecords]}`,
        { skills: ['SQL', `Skill ${at}`] },
        { ...inside(own), 'Content-Type': 'application/merge-patch+json' },
      ),
      method: 'PATCH',
    }),
  },
  matches: {
    times: 3,
    toWire: (at, own) => get(`/job-orders/${own.jobOrders[at % oldRecords]}/matches`, inside(own)),
  },
  workspaces: { times: 2, toWire: (_, own) => get('/workspace', inside(own)) },
};
const wholeMix = 'the mix';
const names = [wholeMix, ...Object.keys(kinds)];

/** So many requests of a kind, or of all in turn. */
function toRequests(name: string, count: number, first: number, own: readonly Workspace[]): Wire[] {
  const chosen = name === wholeMix ? Object.values(kinds) : [kinds[name]!];
  const turns = chosen.flatMap((kind) => Array.from({ length: kind.times }, () => kind));
  // 37 has no factor with the hundred, so kinds are well mixed.
  return Array.from({ length: count }, (_, index) => {
    const kind = turns[(index * 37) % turns.length]!;
    const at = first + index;
    return kind.toWire(at, own[at % own.length]!);
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

function ask(port: number, { method, path, headers, body }: Wire): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = open({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
      response.resume();
      const status = response.statusCode!;
      response.once('end', () =>
        status < 300 ? resolve() : reject(new Error(`${method} ${path}: ${status}`)),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Milliseconds of processor time that a server takes a request, all sent on 32 connections. */
async function take({ port, pid }: Server, requests: readonly Wire[]): Promise<number> {
  const before = toCpuSeconds(pid);
  let next = 0;
  const askOn = async () => {
    while (next < requests.length) await ask(port, requests[next++]!);
  };
  await Promise.all(Array.from({ length: 32 }, askOn));
  return ((toCpuSeconds(pid) - before) * 1000) / requests.length;
}

interface Contestant {
  name: string;
  server: Server;
  own: Workspace[];
  /** Milliseconds a request by kind, round by round. */
  figures: Map<string, number[]>;
}

/**
 * What the mix takes of processor time, on both stores, beside `node:http` and, with BENCH_AGAINST, beside another
 * checkout that is built. Prints each kind of request.
 */
export async function measureMix({
  rounds,
  requests,
}: {
  rounds: number;
  requests: number;
}): Promise<Goal[]> {
  const redis = [await startRedis(), await startRedis()];
  const limits = { METER: 'on', BYTES_PER_CLIENT: 'off', STORE_BYTES: '1125899906842624' };
  const folders = { ours: root, ...(process.env.BENCH_AGAINST && { before: process.env.BENCH_AGAINST }) };
  const field: Contestant[] = [];
  for (const [who, folder] of Object.entries(folders)) {
    const main = join(folder, 'dist/host/main.mjs');
    for (const store of ['SQLite', 'Redis']) {
      const url = store === 'SQLite' ? '' : `redis://127.0.0.1:${redis[field.length > 2 ? 1 : 0]!.port}`;
      const server = await startOurs({ ...limits, STORE_URL: url }, main);
      const own: Workspace[] = [];
      while (own.length < oldWorkspaces) own.push(await createOld(server));
      field.push({ name: `${who}, ${store}`, server, own, figures: new Map() });
    }
  }
  const raw = await start(() => [process.execPath, '-e', kilobyteServer]);
  field.push({ name: 'node:http', server: raw, own: field[0]!.own, figures: new Map() });
  let first = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const count = Math.ceil(requests / rounds / (name === wholeMix ? 2 : 2 * Object.keys(kinds).length));
      const from = nextTitle;
      for (const { server, own, figures } of round % 2 ? field : field.toReversed()) {
        nextTitle = from;
        const figure = await take(server, toRequests(name, count, first, own));
        // The first round only warms up.
        if (round > 0) figures.set(name, [...(figures.get(name) ?? []), figure]);
      }
      first += count;
    }
  }
  for (const name of names) {
    const cells = field.map((one) => `${one.name} ${toSpread(one.figures.get(name)!).median.toFixed(3)}`);
    console.log(`${name.padEnd(16)} ${cells.join('   ')}`);
  }
  for (const { name, server } of field) console.log(`${name}: ${Math.round(toResidentMb(server.pid))} MB`);
  const of = (who: string, name = wholeMix) =>
    field.find((one) => one.name.startsWith(who))!.figures.get(name)!;
  const toGoal = (what: string, unit: string, atMost: number, ours: number[], theirs: number[]): Goal => ({
    what,
    unit,
    atMost,
    reached: toRatios(ours, theirs),
  });
  const goals = [
    toGoal('the mix on SQLite', 'x node:http', 2.8, of('ours, SQLite'), of('node:http')),
    toGoal('the mix on Redis', 'x node:http', 4, of('ours, Redis'), of('node:http')),
    toGoal(
      'a search by MCP',
      'x the same by HTTP',
      1 / 0.65,
      of('ours, SQLite', 'searches, MCP'),
      of('ours, SQLite', 'searches, HTTP'),
    ),
  ];
  for (const { server } of field) await server.stop();
  for (const one of redis) await one.stop();
  return goals;
}
