import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { has } from '../../tests/support/tools.ts';
import { folder, pin, root, type Server, toCpuSeconds } from './servers.ts';
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
export const toRatios = (ours: readonly number[], theirs: readonly number[]): Spread =>
  toSpread(ours.map((figure, round) => figure / theirs[round]!));

/** The figures of one run of load against one server. */
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
}

function toText({ method, path, headers, body = '' }: Wire): string {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...length });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** A script for wrk; the strings are ASCII, so JSON's are Lua's. */
const toLua = (requests: readonly Wire[]) => `local requests = {
${requests.map((request) => JSON.stringify(toText(request))).join(',\n')}
}
local count, index = #requests, 0
request = function()
  index = index % count + 1
  return requests[index]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"count":%d,"micros":%d,"p50":%d,"p99":%d,"broken":%d,"refused":%d}\\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.timeout, e.status))
end
`;

export const generator = has('wrk') ? 'wrk' : 'autocannon';

/** The command line that puts the load on the server at `port`; it prints its outcome as JSON on the last line. */
function toCommand(port: number, load: Load): string[] {
  const given = join(folder, 'load');
  if (generator === 'wrk') {
    writeFileSync(given, toLua(load.requests));
    const options = ['-t1', `-c${load.connections}`, `-d${Math.ceil(load.seconds)}s`, '-s', given];
    return ['wrk', ...options, `http://127.0.0.1:${port}`];
  }
  writeFileSync(given, JSON.stringify({ ...load, port }));
  return [process.execPath, join(root, 'scripts/referees/servers/autocannon.ts'), given];
}

/** Loads a server and returns the figures. Throws where an answer was an error. */
export async function load({ port, pid }: Pick<Server, 'port' | 'pid'>, wanted: Load): Promise<Figures> {
  const before = toCpuSeconds(pid);
  const { stdout } = await promisify(execFile)(...pin(1, toCommand(port, wanted)));
  const cpu = toCpuSeconds(pid) - before;
  const { count, micros, p50, p99, broken, refused } = JSON.parse(stdout.trim().split('\n').at(-1)!);
  if (broken > 0 || refused > 0)
    throw new Error(`${wanted.requests[0]!.path}: ${broken} broken and ${refused} refused of ${count}`);
  return { count, rate: count / (micros / 1e6), cpuRate: count / cpu, p50: p50 / 1000, p99: p99 / 1000 };
}
