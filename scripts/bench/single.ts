import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toSearches } from './cases.ts';
import { toRatios, toSpread } from './load.ts';
import { measureMemory, measureMix } from './mix.ts';
import type { Goal } from './report.ts';
import { root, start, startOurs } from './servers.ts';
import { send } from './wire.ts';

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
