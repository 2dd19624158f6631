import { readPeakMemory } from '../../tests/support/bystander.ts';
import { type RunningServer, startServer } from '../../tests/support/server.ts';
import { send } from '../../tests/support/wire.ts';

const onetCode = '29-1141.03';
const skillCount = 50;
const mostOfBatch = 200;

/** The options of Node in the container, and a heap that fits into its 512 MiB. */
const container = ['--max-semi-space-size=8', '--heap-growing-percent=30', '--max-old-space-size=384'];
const env = {
  TRUST_PROXY: '1',
  RATE_LIMIT: 'off',
  BYTES_PER_CLIENT: 'off',
  RECORD_CEILING: '10000',
  METER: 'count',
  LOG: 'off',
};

type Headers = Record<string, string>;

/** Returns the header of a client with another address. */
const from = (last: number): Headers => ({ 'X-Forwarded-For': `203.0.113.${last}` });
const attacker = from(1);
const bystander = from(2);

async function post(server: RunningServer, path: string, body: object, headers: Headers) {
  const reply = await fetch(server.origin + path, { method: 'POST', body: JSON.stringify(body), headers });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  return reply.json();
}

const toSkills = (first: number) =>
  Array.from({ length: skillCount }, (_, at) => `skill ${first + at} of ward ${at}`);

interface Filled {
  headers: Headers;
  orders: string[];
}

/** Creates a workspace of `count` candidates with fifty skills each, and eight job orders. */
async function fill(server: RunningServer, count: number, client: Headers): Promise<Filled> {
  const order = {
    client: 'A',
    title: 'Nurse',
    onetCode,
    skills: toSkills(0).slice(0, 5),
    requires: ['ward 7'],
  };
  const first = await post(server, '/batch', { jobOrders: Array(8).fill(order) }, client);
  const { workspace, jobOrders } = first;
  const headers = { ...client, 'X-Workspace': workspace };
  for (let made = 0; made < count; made += mostOfBatch) {
    const length = Math.min(mostOfBatch, count - made);
    const candidates = Array.from({ length }, (_, at) => ({
      name: 'A',
      onetCode,
      skills: toSkills(made + at),
    }));
    await post(server, '/batch', { candidates }, headers);
  }
  return { headers, orders: jobOrders.map(({ id }: { id: string }) => `/job-orders/${id}/matches`) };
}

const toPercentile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!;

/** Reads `path` repeatedly until `work` ends. Prints how long the replies took, and returns their 95th percentile. */
async function observe(
  what: string,
  server: RunningServer,
  { path, headers }: { path: string; headers: Headers },
  work: Promise<unknown>,
): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  // Each call has another query, so that no reply comes from a cache.
  while (!isOver) {
    const start = performance.now();
    const { status } = await send(server.origin, path.replace('N', `${times.length}`), { headers });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await ended;
  const p95 = toPercentile(times, 0.95);
  console.log(
    `${what}: p95 ${p95.toFixed(1)} ms, slowest ${Math.max(...times).toFixed(1)} ms of ${times.length} answers; peak memory ${readPeakMemory(server)?.toFixed(0)} MB`,
  );
  return p95;
}

const get = async (server: RunningServer, path: string, headers: Headers) => {
  const reply = await fetch(server.origin + path, { headers });
  if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
  await reply.arrayBuffer();
};

/** Keeps `width` calls open for `seconds`. */
async function keepBusy(
  seconds: number,
  width: number,
  call: (n: number) => Promise<unknown>,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  let n = 0;
  const run = async () => {
    while (performance.now() < end) await call(n++);
  };
  await Promise.all(Array.from({ length: width }, run));
}

/** Measures a large workspace: one match, then eight at once from one client, then from eight clients. */
async function measureLarge(server: RunningServer, count: number): Promise<number[]> {
  const large = await fill(server, count, attacker);
  const match = (n: number, client = attacker) =>
    get(server, `${large.orders[n % 8]}?limit=${1 + (n % 190)}`, { ...large.headers, ...client });
  const all = (call: (n: number) => Promise<unknown>) =>
    Promise.all(Array.from({ length: 8 }, (_, n) => call(n)));
  const list = '/candidates?occupation=29&limit=5';
  const watch = (what: string, work: Promise<unknown>) =>
    observe(what, server, { path: list, headers: bystander }, work);
  return [
    await watch(`one match of ${count}`, match(100)),
    await watch(
      'eight matches at once of one client',
      all((n) => match(n)),
    ),
    await watch(
      'eight matches at once of eight clients',
      all((n) => match(n + 8, from(n + 10))),
    ),
  ];
}

/**
 * Measures workspaces below the usual ceiling: sixteen open matches of one client, while another matches and filters.
 */
async function measureMiddle(server: RunningServer, seconds: number): Promise<number[]> {
  const eight: Filled[] = [];
  for (let n = 0; n < 8; n += 1) eight.push(await fill(server, 990, attacker));
  const own = await fill(server, 10, bystander);
  const attack = () =>
    keepBusy(seconds, 16, (n) => {
      const { orders, headers } = eight[n % 8]!;
      return get(server, `${orders[(n >> 3) % 8]}?limit=${1 + ((n >> 6) % 190)}&minScore=1`, headers);
    });
  const watch = (what: string, path: string) =>
    observe(what, server, { path, headers: own.headers }, attack());
  return [
    await watch('a match beside sixteen', `${own.orders[0]}?minScore=1.N`),
    await watch('a filtered list beside sixteen', '/candidates?skill=ward+N'),
  ];
}

/** Measures titles: many calls of one client with 100 misspelled titles each, while another searches. */
async function measureTitles(server: RunningServer, seconds: number): Promise<number[]> {
  const toTitle = (n: number) =>
    `nurze techer drivr ${n} clark sales manger assistnt chief enginer electrican`;
  const titles = (n: number) => Array.from({ length: 100 }, (_, at) => toTitle(n * 100 + at));
  const attack = keepBusy(seconds, 250, (n) => post(server, '/titles', { titles: titles(n) }, attacker));
  return [
    await observe(
      'a search beside 250 calls of 100 titles',
      server,
      { path: '/occupations?q=nurse+N', headers: bystander },
      attack,
    ),
  ];
}

/**
 * Prints how one client with much work delays another, and the peak memory of the host. Returns whether the 95th
 * percentiles are below 150 ms, and memory below 450 MB.
 */
export async function measureTurns(count: number, seconds: number): Promise<boolean> {
  const command = [process.execPath, ...container, 'dist/host/main.mjs'];
  const server = await startServer(env, command);
  const p95s = [
    ...(await measureLarge(server, count)),
    ...(await measureMiddle(server, seconds)),
    ...(await measureTitles(server, seconds)),
  ];
  const peakMb = readPeakMemory(server) ?? 0;
  await server.stop();
  return p95s.every((p95) => p95 < 150) && peakMb < 450;
}
