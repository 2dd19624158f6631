import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Store } from '../../workspace/store.ts';
import { type Answered, readHeader } from './request.ts';

/** Every metric and its help, in the order of /metrics. What ends in `_total` is a counter. */
const helps = {
  careers_request_seconds: 'Time to a live answer.',
  careers_store_seconds: 'Time that the store took, by its verb.',
  careers_requests_total: 'Live answers.',
  careers_frozen_answers_total: 'Answers from memory.',
  careers_workspaces_minted_total: 'Workspaces created.',
  careers_rate_limited_total: 'Calls refused by a rate limit.',
  careers_metered_calls_total: 'Calls that were charged to a workspace.',
  careers_refused_bytes_total:
    'Bytes of bodies that came with refused requests, as Content-Length announced them.',
  careers_malformed_total: 'Requests that the HTTP parser refused.',
  careers_connections_refused_total:
    'Connections beyond a ceiling, or too many without a request (`no_request`); behind a proxy, the request that one of them came with.',
  careers_unnamed_proxy_requests_total: 'Requests that a proxy forwarded while TRUST_PROXY is 0.',
  careers_build_info: 'What was built; always 1.',
  careers_connections: 'Open connections.',
  careers_requests_in_flight: 'Connections with an answer that has not left.',
  careers_waiting_calls: 'Calls that wait for a change, as they asked.',
  careers_rate_limit_networks: 'Addresses and networks that the rate limits remember.',
  careers_log_lines_dropped_total: 'Log lines dropped because the reader did not keep up.',
  careers_store_commits_total: 'Commits that made changes durable.',
  careers_store_creates_total: 'Creates that were made durable.',
  careers_store_failures_total: 'Calls that failed because the store did.',
  careers_store_bytes: 'Bytes that the store takes, a second ago at most.',
  careers_store_room_bytes: 'Bytes that may be added to the store.',
  careers_store_workspaces: 'Workspaces in the store, where it can count them.',
  careers_store_full: 'Whether what makes the store larger is refused for want of room.',
  careers_store_expiry_overdue_seconds: 'How long ago the oldest workspace that is still kept has expired.',
  process_cpu_seconds_total: 'Total user and system CPU time spent in seconds.',
  process_start_time_seconds: 'Start time of the process since unix epoch in seconds.',
  process_resident_memory_bytes: 'Resident memory size in bytes.',
  process_open_fds: 'Number of open file descriptors.',
  nodejs_heap_size_used_bytes: 'Process heap size used from Node.js in bytes.',
  nodejs_eventloop_lag_p99_seconds: 'The 99th percentile of the event loop lag since the last scrape.',
} as const;
type Name = keyof typeof helps;

/** A label without a text is left out. */
type Labels = Readonly<Record<string, string | undefined>>;
interface Sample {
  labels: Labels;
  /** A count, a reading or, of a histogram, the sum of its times in seconds. */
  value: number;
  /** How many times of a histogram are in each bucket, without those below it. */
  byBound?: number[];
}

/** What is measured when /metrics is read; what is undefined is left out. */
export type Readings = Partial<Record<Name, number | readonly Sample[] | undefined>>;

const histograms: readonly Name[] = ['careers_request_seconds', 'careers_store_seconds'];
/** Upper bounds of the buckets of times, in seconds, and beyond them. */
const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10];
const bounds = [...seconds, Number.POSITIVE_INFINITY];
/** Milliseconds between two samples of the event loop's delay: each takes some microseconds. */
const sampleMs = 20;
/** What a refused body counts at most: its caller may announce any number. */
const mostReceived = 1_048_576;

/** Open file descriptors without the one that counts them; undefined where the system has no /proc. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** Those of the process, with the names of the Prometheus client libraries. */
const readProcess = (): Readings => ({
  process_cpu_seconds_total: (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  process_start_time_seconds: Math.round(performance.timeOrigin) / 1000,
  process_resident_memory_bytes: process.memoryUsage.rss(),
  process_open_fds: countDescriptors(),
  nodejs_heap_size_used_bytes: process.memoryUsage().heapUsed,
});

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function toLine(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).flatMap(([label, text]) =>
    text === undefined ? [] : [`${label}="${text.replace(/[\\"\n]/g, (one) => escapes[one]!)}"`],
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}\n`;
}

function toLines(name: Name, { labels, value, byBound }: Sample): string {
  if (!byBound) return toLine(name, labels, value);
  let below = 0;
  const lines = bounds.map((bound, index) => {
    below += byBound[index]!;
    return toLine(`${name}_bucket`, { ...labels, le: String(bound).replace('Infinity', '+Inf') }, below);
  });
  lines.push(toLine(`${name}_sum`, labels, value), toLine(`${name}_count`, labels, below));
  return lines.join('');
}

function toType(name: Name): string {
  if (histograms.includes(name)) return 'histogram';
  return name.endsWith('_total') ? 'counter' : 'gauge';
}

/** Samples that differ in one label. */
export const toSamples = (label: string, counts: Record<string, number> = {}): Sample[] =>
  Object.entries(counts).map(([text, value]) => ({ labels: { [label]: text }, value }));

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of one process since it started; with `isRead` the event loop is watched too, which takes a timer. */
export function createMetrics(isRead: boolean) {
  const samples = new Map<Name, Map<string, Sample>>();
  const delays = monitorEventLoopDelay({ resolution: sampleMs });
  if (isRead) delays.enable();

  const find = (name: Name, labels: Labels): Sample =>
    samples
      .getOrInsertComputed(name, () => new Map())
      .getOrInsertComputed(Object.values(labels).join(' '), () => ({ labels, value: 0 }));

  function add(name: Name, labels: Labels = {}, more = 1): void {
    find(name, labels).value += more;
  }

  function addTime(name: Name, labels: Labels, ms: number): void {
    const found = find(name, labels);
    found.value += ms / 1000;
    found.byBound ??= bounds.map(() => 0);
    found.byBound[bounds.findIndex((bound) => ms <= bound * 1000)]! += 1;
  }

  function takeDelay(): number {
    const lateMs = delays.count > 0 ? Math.max(0, delays.percentile(99) / 1e6 - sampleMs) : 0;
    delays.reset();
    return lateMs / 1000;
  }

  function toText(name: Name, reading: Readings[Name]): string {
    const counted = [...(samples.get(name)?.values() ?? [])];
    const all = typeof reading === 'number' ? [{ labels: {}, value: reading }] : (reading ?? counted);
    const lines = all.map((sample) => toLines(name, sample)).join('');
    return `# HELP ${name} ${helps[name]}\n# TYPE ${name} ${toType(name)}\n${lines}`;
  }

  // These are there before they count anything.
  add('careers_frozen_answers_total', {}, 0);
  add('careers_workspaces_minted_total', {}, 0);
  add('careers_malformed_total', {}, 0);
  add('careers_unnamed_proxy_requests_total', {}, 0);
  for (const limit of ['live', 'mint', 'bytes']) add('careers_rate_limited_total', { limit }, 0);
  for (const code of ['too_many_connections', 'connection_share', 'no_request'])
    add('careers_connections_refused_total', { code }, 0);
  return {
    add,
    addTime,
    /** Counts one live answer. A wait that its caller asked for is no time of ours. */
    addAnswer({ request, operation, door, status, code, ms, noted: { waited = 0 } }: Answered): void {
      const received = Number(readHeader(request, 'content-length')) || 0;
      addTime('careers_request_seconds', { operation, door }, Math.max(0, ms - waited));
      add('careers_requests_total', { operation, door, status: `${Math.floor(status / 100)}xx`, code });
      if (received > 0 && status >= 400 && code !== undefined)
        add('careers_refused_bytes_total', { code }, Math.min(received, mostReceived));
    },
    /** Counts calls that workspaces were charged for. */
    addCharged(calls: Readonly<Record<string, number>>): void {
      for (const [operation, count] of Object.entries(calls))
        add('careers_metered_calls_total', { operation }, count);
    },
    /** The Prometheus text exposition format 0.0.4. */
    text(readings: Readings): string {
      const all = { ...readings, ...readProcess(), nodejs_eventloop_lag_p99_seconds: takeDelay() };
      return (Object.keys(helps) as Name[]).map((name) => toText(name, all[name])).join('');
    },
  };
}

/** The verbs that callers wait for, as the metrics name them. */
const verbs = [
  'open',
  'openByKey',
  'follow',
  'readReply',
  'readActivity',
  'commit',
  'charge',
  'check',
] as const;

/** Measures the time of each verb of a store from now on. */
export function measureStore(store: Store, { addTime }: Metrics): void {
  for (const verb of verbs) {
    const run = store[verb] as (...given: unknown[]) => Promise<unknown>;
    const timed = (...given: unknown[]) => {
      const from = performance.now();
      const end = () => addTime('careers_store_seconds', { verb }, performance.now() - from);
      return run.apply(store, given).finally(end);
    };
    Object.assign(store, { [verb]: timed });
  }
}
