import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toSearches } from './cases.ts';
import { type Spread, toRatios, toSpread } from './load.ts';
import { measureMemory, measureMix, measurePeer } from './mix.ts';
import { measurePlan } from './plan.ts';
import type { Goal } from './report.ts';
import { root, start, startOurs } from './servers.ts';
import { send } from './wire.ts';

/** The number of measurements, and of requests under which memory is measured. */
interface Sizes {
  rounds: number;
  requests: number;
}

const toGoal = (what: string, unit: string, atMost: number, reached: Spread): Goal => {
  return { what, unit, atMost, reached };
};

const emptyServer =
  "require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')";

/** Returns how many milliseconds a function takes. */
async function time(run: () => unknown): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** Returns the milliseconds from the start of a process to its first answer. */
async function timeStart(...args: string[]): Promise<number> {
  const from = performance.now();
  const server = await start(() => [process.execPath, ...args], {}, '/pricing');
  const elapsed = performance.now() - from;
  await server.stop();
  return elapsed;
}

/** Compares the start of our server with an empty one, and its first search with the median of 20 later searches. */
async function measureStart({ rounds }: Sizes): Promise<Goal[]> {
  const [ours, empty, searching]: [number[], number[], number[]] = [[], [], []];
  const searches = toSearches(rounds * 21);
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await timeStart('dist/host/main.mjs'));
    empty.push(await timeStart('-e', emptyServer));
    const server = await startOurs();
    const times: number[] = [];
    for (const search of searches.splice(0, 21)) times.push(await time(() => send(server.port, search)));
    await server.stop();
    searching.push(times[0]! / toSpread(times.slice(1)).median);
  }
  return [
    toGoal('start to first answer', 'x an empty server', 5, toRatios(ours, empty)),
    toGoal('first search after start', 'x a later one', 2, toSpread(searching)),
  ];
}

/** Measurements of our server alone, by name. */
export const singles: Record<string, (sizes: Sizes) => Promise<Goal[]>> = {
  /** Builds from an empty folder on all cores. */
  async build() {
    const ms = await time(() => execFileSync(process.execPath, ['scripts/build.ts'], { cwd: root }));
    return [toGoal('full build', 's', 20, toSpread([ms / 1000]))];
  },
  async bundle() {
    const host = join(root, 'dist/host');
    // The file that starts the host, and the part that it loads at once.
    const files = readdirSync(host).filter((name) => /^(main|part-run-.*)\.mjs$/.test(name));
    const size = files.reduce((sum, name) => sum + statSync(join(host, name)).size, 0);
    return [toGoal('server bundle', 'MB', 1.5, toSpread([size / 1e6]))];
  },
  start: measureStart,
  memory: measureMemory,
  mix: measureMix,
  peer: measurePeer,
  plan: measurePlan,
};
