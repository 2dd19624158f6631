import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { has } from '../../tests/support/tools.ts';
import { toRefereeFile } from '../referees/install.ts';
import { folder, pin, type Server, toCpuSeconds } from './servers.ts';
import type { Wire } from './wire.ts';

/** The median, the minimum and the maximum of the figures of all rounds. */
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

/** Returns the ratios of two servers' figures, round by round. */
export const toRatios = (ours: readonly number[], theirs: readonly number[]): Spread =>
  toSpread(ours.map((figure, round) => figure / theirs[round]!));

/** The figures of one run of load against one server. */
export interface Figures {
  /** Answers per second. */
  rate: number;
  /** Answers per second of the server's processor time. The noise of a shared machine hardly affects it. */
  cpuRate: number;
  /** In milliseconds. */
  p99: number;
}

interface Load {
  /** Every connection sends them in turn. */
  requests: readonly Wire[];
  seconds: number;
  connections: number;
}

function toText({ method, path, headers, body = '' }: Wire): string {
  const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: 'localhost', ...headers, ...length });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Returns a script for wrk that prints the same JSON as autocannon. JSON strings in ASCII are valid in Lua. */
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
  io.write(string.format('\\n{"requests":{"total":%d},"duration":%f,"latency":{"p99":%f},"errors":%d,"4xx":%d,"5xx":0}\\n',
    summary.requests, summary.duration / 1e6, latency:percentile(99) / 1e3,
    e.connect + e.read + e.write + e.timeout, e.status))
end
`;

/** Returns the requests as an HTTP archive, which autocannon reads. */
function toArchive(requests: readonly Wire[], origin: string): string {
  const entries = requests.map(({ method, path, headers, body: text }) => {
    const list = Object.entries(headers).map(([name, value]) => ({ name, value }));
    return { request: { method, url: origin + path, headers: list, ...(text && { postData: { text } }) } };
  });
  return JSON.stringify({ log: { entries } });
}

const hasWrk = has('wrk');
export const generator = hasWrk ? 'wrk' : 'autocannon';
const autocannon = [process.execPath, toRefereeFile('autocannon/autocannon.js'), '--json'];

/** Loads a server and returns the figures. Throws if an answer was an error. */
export async function load({ port, pid }: Pick<Server, 'port' | 'pid'>, wanted: Load): Promise<Figures> {
  const origin = `http://127.0.0.1:${port}`;
  const file = join(folder, 'load');
  writeFileSync(file, hasWrk ? toLua(wanted.requests) : toArchive(wanted.requests, origin));
  const command = hasWrk ? ['wrk', '-t1', '-s', file] : [...autocannon, '--har', file];
  const amount = [`-c${wanted.connections}`, `-d${Math.ceil(wanted.seconds)}`];
  const before = toCpuSeconds(pid);
  const { stdout } = await promisify(execFile)(...pin(1, [...command, ...amount, origin]));
  const cpu = toCpuSeconds(pid) - before;
  const { requests, duration, latency, errors, ...others } = JSON.parse(stdout.trim().split('\n').at(-1)!);
  const [count, refused] = [requests.total, others['4xx'] + others['5xx']];
  if (errors > 0 || refused > 0)
    throw new Error(`${wanted.requests[0]!.path}: ${errors} broken and ${refused} refused of ${count}`);
  return { rate: count / duration, cpuRate: count / cpu, p99: latency.p99 };
}
