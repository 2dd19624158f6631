import { everydayTitles } from './everyday-titles.ts';
import { readMetrics } from './metrics.ts';
import { type RunningServer, startServer } from './server.ts';
import { send } from './wire.ts';

/**
 * What agents without a workspace ask for, of a hundred requests. Within a line, what is first is asked for most: the
 * n-th so often as 1/n of the first (Zipf).
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

/** Numbers from 0 to 1, the same each time (Park and Miller). */
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

/** So many requests of the mix, in an order that is the same each time. */
function toRequests(count: number): string[] {
  const numbers = createNumbers(7);
  const lines = mix.flatMap(([times, ...paths]) => Array.from({ length: times }, () => paths));
  return Array.from({ length: count }, () => pick(lines[Math.floor(numbers() * lines.length)]!, numbers()));
}

/** Requests that a host has answered, but for those that ask after its health or its metrics. */
async function countAnswers(host: RunningServer): Promise<number> {
  const samples = await readMetrics(host);
  return [...samples].reduce((sum, [name, value]) => {
    const isCounted = /^careers_(?:requests|frozen_answers)_total/.test(name);
    return isCounted && !/operation="get(?:Readiness|Health)"/.test(name) ? sum + value : sum;
  }, 0);
}

/** The share of the mix that reaches a host behind a cache that begins empty. */
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
