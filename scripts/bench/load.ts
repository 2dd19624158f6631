import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasWrk, pin, root, type Server, toCpuSeconds } from './processes.ts';
import type { Wire } from './wire.ts';

/** The middle, the least and the greatest of figures taken in rounds. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function toSpread(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Ratios of figures taken in the same rounds. */
export function toRatios(ours: readonly number[], theirs: readonly number[]): Spread {
  return toSpread(ours.map((figure, round) => figure / theirs[round]!));
}

const run = promisify(execFile);

/** What came of one run of load against one server. */
export interface Figures {
  count: number;
  /** Answers a second. */
  rate: number;
  /** Answers a second of processor time of the server: what the noise of a shared machine hardly touches. */
  cpuRate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export interface Load {
  /** Sent in turn, on every connection. */
  requests: readonly Wire[];
  seconds: number;
  connections: number;
  /** Folder for what the load generator reads. */
  folder: string;
  /** true where answers of 4xx and 5xx are part of the mix. */
  mayRefuse?: boolean;
}

function toText({ method, path, headers, body = '' }: Wire): string {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...length });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** A script for wrk; the strings are ASCII, so JSON's are Lua's. */
function toLua(requests: readonly Wire[]): string {
  return `local requests = {
${requests.map((request) => JSON.stringify(toText(request))).join(',\n')}
}
local count, index = #requests, 0
request = function()
  index = index % count + 1
  return requests[index]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nFIGURES {"count":%d,"micros":%d,"p50":%d,"p99":%d,"broken":%d,"refused":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.timeout, e.status))
end
`;
}

interface Outcome {
  count: number;
  micros: number;
  p50: number;
  p99: number;
  broken: number;
  refused: number;
}

async function runWrk(port: number, { requests, seconds, connections, folder }: Load): Promise<Outcome> {
  const script = join(folder, 'load.lua');
  writeFileSync(script, toLua(requests));
  const options = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '-s', script];
  const [program, args] = pin(1, ['wrk', ...options, `http://127.0.0.1:${port}`]);
  const { stdout } = await run(program, args);
  return JSON.parse(/FIGURES (.*)/.exec(stdout)![1]!);
}

async function runAutocannon(port: number, load: Load): Promise<Outcome> {
  const given = join(load.folder, 'load.json');
  writeFileSync(given, JSON.stringify({ ...load, port }));
  const generator = join(root, 'scripts/referees/servers/autocannon.ts');
  const [program, args] = pin(1, [process.execPath, generator, given]);
  return JSON.parse((await run(program, args)).stdout);
}

/** Loads a server and tells what came of it. Throws where an answer was an error. */
export async function load({ port, pid }: Pick<Server, 'port' | 'pid'>, wanted: Load): Promise<Figures> {
  const before = toCpuSeconds(pid);
  const outcome = await (hasWrk ? runWrk : runAutocannon)(port, wanted);
  const cpu = toCpuSeconds(pid) - before;
  const { count, micros, broken, refused } = outcome;
  if (broken > 0 || (refused > 0 && !wanted.mayRefuse)) {
    throw new Error(`${wanted.requests[0]!.path}: ${broken} broken and ${refused} refused of ${count}`);
  }
  return {
    count,
    rate: count / (micros / 1e6),
    cpuRate: count / cpu,
    p50: outcome.p50 / 1000,
    p99: outcome.p99 / 1000,
  };
}
