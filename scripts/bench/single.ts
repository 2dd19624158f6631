import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startOurs } from './field.ts';
import { type Spread, toRatios, toSpread } from './load.ts';
import { findPort, pin, root } from './processes.ts';
import { toSearches } from './requests.ts';
import { get, send } from './wire.ts';

/** Milliseconds from the start of the process to its first answer. */
export interface StartTimes {
  ours: Spread;
  empty: Spread;
  ratio: Spread;
}

/** Seconds of every step of a build, and of the whole. */
export interface BuildTimes {
  steps: { name: string; seconds: number }[];
  seconds: number;
}

const emptyServer =
  "require('node:http').createServer((_, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')";

async function timeStart(command: string[], path: string, folder: string): Promise<number> {
  const port = await findPort();
  const [program, args] = pin(0, command);
  const from = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), DATA_DIR: folder },
  });
  for (;;) {
    const answer = await send(port, get(path)).catch(() => undefined);
    if (answer?.status === 200) break;
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended before it answered`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const elapsed = performance.now() - from;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return elapsed;
}

/** Starts our server and an empty one in turn. */
export async function measureStart(rounds: number, folder: string): Promise<StartTimes> {
  const ours: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await timeStart([process.execPath, 'dist/host/main.mjs'], '/pricing', folder));
    empty.push(await timeStart([process.execPath, '-e', emptyServer], '/', folder));
  }
  return { ours: toSpread(ours), empty: toSpread(empty), ratio: toRatios(ours, empty) };
}

const later = 20;

/**
 * How long the first search of a process takes, once that says that it is ready, beside the middle one of those after
 * it, which ask for other titles.
 */
export async function measureFirstSearch(rounds: number, folder: string): Promise<Spread> {
  const ratios: number[] = [];
  const searches = toSearches(rounds * (later + 1));
  for (let round = 0; round < rounds; round += 1) {
    const server = await startOurs(folder);
    const times: number[] = [];
    await send(server.port, get('/readyz'));
    for (const search of searches.splice(0, later + 1)) {
      const from = performance.now();
      await send(server.port, search);
      times.push(performance.now() - from);
    }
    await server.stop();
    ratios.push(times[0]! / toSpread(times.slice(1)).median);
  }
  return toSpread(ratios);
}

/** Bytes of the main file of the server, and of all that it may load. */
export function measureBundle(): { main: number; all: number } {
  const host = join(root, 'dist/host');
  const size = (name: string) => statSync(join(host, name)).size;
  const parts = readdirSync(host).filter((name) => name.endsWith('.mjs'));
  return { main: size('main.mjs'), all: parts.reduce((sum, name) => sum + size(name), 0) };
}

/** Builds from nothing, on every core there is. */
export async function measureBuild(): Promise<BuildTimes> {
  const from = performance.now();
  const child = spawn(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
  const steps = [...output.matchAll(/^(.+?)\s+(\d+\.\d+) s$/gm)].map(([, name, seconds]) => ({
    name: name!,
    seconds: Number(seconds),
  }));
  return { steps, seconds: (performance.now() - from) / 1000 };
}
