import { everydayTitles } from './everyday-titles.ts';
import { readMetrics } from './metrics.ts';
import { onetCode } from './sandbox.ts';
import { type RunningServer, startServer } from './server.ts';
import { send, type WireReply } from './wire.ts';

/**
 * What agents without a workspace request, out of a hundred requests. Within a line the first address is
 * requested most, and the n-th 1/n as often (Zipf).
 */
const mix: readonly (readonly [times: number, ...paths: string[]])[] = [
  [6, '/'],
  [20, '/llms.txt', '/.well-known/agents.json', '/openapi.json', '/pricing', '/verify', '/icp.json'],
  [10, '/candidates', '/job-orders', '/placements'],
  [16, ...ids('/candidates/cand_', 30).flatMap((path, at) => [path, ids('/job-orders/job_', 30)[at]!])],
  [
    14,
    ...['/candidates?status=available', '/job-orders?status=open', '/placements?validated=true'],
    ...['15-1252.00', '29-1141.00', '15-2051.00', '13-2011.00', '53-3032.00'].flatMap((code) =>
      ['/candidates?', '/job-orders?', '/candidates?limit=5&'].map((path) => `${path}occupation=${code}`),
    ),
  ],
  [20, ...everydayTitles.map(([title]) => `/occupations?q=${encodeURIComponent(title)}&limit=3`)],
  [6, ...ids('/candidates/cand_none', 40)],
  [8, '/offer'],
];

function ids(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => prefix + String(index + 1).padStart(3, '0'));
}

/** Returns the same sequence of numbers from 0 to 1 each time (Park and Miller). */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function pick(paths: readonly string[], number: number): string {
  const weights = paths.map((_, index) => 1 / (index + 1));
  let left = number * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left <= 0;
  });
  return paths[index] ?? paths[0]!;
}

/** Draws this many requests of the mix, in the same order each time. */
function toRequests(count: number): string[] {
  const numbers = createNumbers(7);
  const lines = mix.flatMap(([times, ...paths]) => Array.from({ length: times }, () => paths));
  return Array.from({ length: count }, () => pick(lines[Math.floor(numbers() * lines.length)]!, numbers()));
}

/** Counts the requests that a host has answered, except those for its health or metrics. */
async function countAnswers(host: RunningServer): Promise<number> {
  const samples = await readMetrics(host);
  return [...samples].reduce((sum, [name, value]) => {
    const isCounted = /^careers_(?:requests|frozen_answers)_total/.test(name);
    return isCounted && !/operation="get(?:Readiness|Health)"/.test(name) ? sum + value : sum;
  }, 0);
}

/** Returns the share of the mix that reaches a host behind a cache that begins empty. */
export async function measureShare(
  startCache: (host: number) => Promise<{ origin: string; stop(): void }>,
  CDN_BYPASS: 'on' | 'off',
  count: number,
): Promise<number> {
  const open = { TRUST_PROXY: '1', RATE_LIMIT: 'off', BYTES_PER_CLIENT: 'off' };
  const host = await startServer({ ...open, METRICS: 'on', LOG: 'off', CDN_BYPASS });
  const cache = await startCache(host.port);
  try {
    const before = await countAnswers(host);
    const paths = toRequests(count);
    let next = 0;
    const ask = async () => {
      while (next < count) await send(cache.origin, paths[next++]!);
    };
    await Promise.all(Array.from({ length: 8 }, ask));
    return ((await countAnswers(host)) - before) / count;
  } finally {
    cache.stop();
    await host.stop();
  }
}

const count = 24;
const atOnce = 16;

interface Own {
  workspace: string;
  id: string;
  /** Only answers to this workspace contain this text. */
  mark: string;
}

/** The answers to two callers who requested the same address at once. */
interface Interleaved {
  pairs: number;
  /** Answers that a cache repeated, as far as Age shows it. */
  kept: number;
  /** Answers that contain data of another caller, or lack data of their own. */
  mixed: string[];
}

async function mint(origin: string, index: number): Promise<Own> {
  const mark = `Mark${String(index).padStart(3, '0')}x`;
  const body = JSON.stringify({ name: mark, onetCode, skills: ['Go'] });
  const { headers, bytes } = await send(origin, '/candidates', { method: 'POST', body });
  const { candidate } = JSON.parse(bytes.toString());
  return { workspace: String(headers['x-workspace']), id: candidate.id, mark };
}

/** Returns what is wrong with an answer to a caller with this workspace, or with none. */
function toFault({ bytes, status }: WireReply, path: string, by: Own | undefined, of: Own) {
  const text = bytes.toString();
  const marks = new Set(text.match(/Mark\d{3}x/g) ?? []);
  const isOfRecord = path.endsWith(of.id);
  const isMine = by !== undefined && (!isOfRecord || by === of) && !path.includes('.json');
  const wanted = isMine ? [by.mark] : [];
  const statusWanted = isOfRecord && !isMine ? 404 : 200;
  if (status === statusWanted && [...marks].join() === wanted.join()) return undefined;
  return `${path} by ${by?.mark ?? 'nobody'}: ${status} with ${[...marks].join() || 'no mark'}`;
}

/**
 * Requests the same addresses from a cache at once, for two workspaces or for one and none, and counts the
 * answers that do not belong to their caller.
 */
export async function interleave(origin: string, pairs: number): Promise<Interleaved> {
  const owners: Own[] = [];
  for (let index = 0; index < count; index += 1) owners.push(await mint(origin, index));
  const told: Interleaved = { pairs: 0, kept: 0, mixed: [] };

  async function ask(path: string, by: Own | undefined, of: Own): Promise<void> {
    const headers = by ? { 'X-Workspace': by.workspace } : {};
    const reply = await send(origin, path, { headers });
    if (Number(reply.headers.age ?? 0) > 0 || reply.headers['x-varnish']?.includes(' ')) told.kept += 1;
    const fault = toFault(reply, path, by, of);
    if (fault) told.mixed.push(fault);
  }

  const once = async (turn: number) => {
    const one = owners[turn % count]!;
    const other = turn % 3 === 0 ? undefined : owners[(turn * 7 + 1 + (turn % 5)) % count]!;
    const ends = ['', '?status=available', `/${one.id}`, '?limit=3', '.json'];
    const path = `/candidates${ends[turn % 5]}`;
    const both = [ask(path, one, one), ask(path, other, one)];
    await Promise.all(turn % 2 ? both : both.reverse());
    told.pairs += 1;
  };
  let next = 0;
  const worker = async () => {
    while (next < pairs) await once(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return told;
}
