import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compressed, toSearches } from './cases.ts';
import { load, toRatios, toSpread } from './load.ts';
import { measureMix } from './mix.ts';
import type { Goal } from './report.ts';
import { root, start, startOurs, toResidentMb } from './servers.ts';
import { creates, get, legacyCall, modernCall, send, type Wire } from './wire.ts';

/** How often each is taken, and how many requests the memory is measured under. */
interface Sizes {
  rounds: number;
  requests: number;
}

const toGoal = (what: string, unit: string, atMost: number, figures: number[]): Goal => ({
  what,
  unit,
  atMost,
  reached: toSpread(figures),
});

const emptyServer =
  "require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')";

/** Milliseconds from the start of a process to its first answer. */
async function timeStart(...args: string[]): Promise<number> {
  const from = performance.now();
  const server = await start(() => [process.execPath, ...args], {}, '/pricing');
  const elapsed = performance.now() - from;
  await server.stop();
  return elapsed;
}

/** Our server and an empty one in turn, and the first search of a process beside the middle one of 20 later ones. */
async function measureStart({ rounds }: Sizes): Promise<Goal[]> {
  const [ours, empty, searching]: [number[], number[], number[]] = [[], [], []];
  const searches = toSearches(rounds * 21);
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await timeStart('dist/host/main.mjs'));
    empty.push(await timeStart('-e', emptyServer));
    const server = await startOurs();
    const times: number[] = [];
    for (const search of searches.splice(0, 21)) {
      const from = performance.now();
      await send(server.port, search);
      times.push(performance.now() - from);
    }
    await server.stop();
    searching.push(times[0]! / toSpread(times.slice(1)).median);
  }
  const what = 'start to first answer';
  return [
    { what, unit: 'x an empty server', atMost: 5, reached: toRatios(ours, empty) },
    toGoal('first search after start', 'x a later one', 2, searching),
  ];
}

/** What a day of callers looks like: mostly documents and lists, some searches and tools, few creates. */
const toMix = (): Wire[] =>
  toSearches(1000).flatMap((search, index) => [
    get('/pricing', compressed),
    get('/.well-known/agents.json'),
    get(`/occupations/${['15-1252.00', '29-1141.00', '47-2111.00', '53-3032.00'][index % 4]}`, compressed),
    get('/placements?status=completed'),
    get(`/candidates?occupation=${['15', '29-1141', '47-2111.00'][index % 3]}`),
    search,
    get('/candidates/cand_001'),
    get(`/nowhere/${index}`),
    get('/placements?scope=admin'),
    index % 2 ? modernCall : legacyCall,
    ...(index % 4 === 0 ? [creates[index % creates.length]!] : []),
  ]);

/** Sends about so many requests to a fresh server, and takes its resident megabytes at least 20 times, evenly. */
async function measureMemory({ requests: wanted }: Sizes): Promise<Goal[]> {
  const server = await startOurs();
  const requests = toMix();
  const samples: number[] = [];
  let [after, seconds] = [0, 1];
  while (after < wanted) {
    const { count, rate } = await load(server, { requests, seconds, connections: 32, mayRefuse: true });
    after += count;
    seconds = Math.max(1, Math.round(wanted / 20 / rate));
    samples.push(toResidentMb(server.pid));
  }
  await server.stop();
  const toPeak = (from: number, to: number) =>
    Math.max(...samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)));
  const growth = toPeak(0.75, 1) / toPeak(0.25, 0.5);
  return [
    toGoal(`memory after ${after.toLocaleString('en')} requests`, 'MB', 200, [samples.at(-1)!]),
    toGoal('growth, last quarter to second', 'x', 1.05, [growth]),
  ];
}

/** Builds from nothing, on every core there is. */
function measureBuild(): Goal[] {
  const from = performance.now();
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root });
  return [toGoal('full build', 's', 20, [(performance.now() - from) / 1000])];
}

function measureBundle(): Goal[] {
  const { size } = statSync(join(root, 'dist/host/main.mjs'));
  return [toGoal('server bundle', 'MB', 1.5, [size / 1e6])];
}

/** What is measured of our server alone, by name. */
export const singles: Record<string, (sizes: Sizes) => Goal[] | Promise<Goal[]>> = {
  build: measureBuild,
  bundle: measureBundle,
  start: measureStart,
  memory: measureMemory,
  mix: measureMix,
};
