import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LogFields } from '../../kernel/call.ts';
import type { Store } from '../../records/store.ts';

/** Upper bounds of the latency histogram, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10];

/** Milliseconds between two samples of the event loop's delay: each takes some microseconds. */
const sampleMs = 20;

type Labels = Readonly<Record<string, string | undefined>>;
type Samples = readonly (readonly [labels: Labels, value: number])[];

/** The answers of one operation by one door. */
interface Series {
  labels: Labels;
  /** By class of status and code. */
  answers: Map<string, { labels: Labels; count: number }>;
  byBound: number[];
  count: number;
  seconds: number;
}

/** What counts itself where it happens, by plain increment. */
interface Counters {
  /** Answers from memory. */
  frozen: number;
  minted: number;
  limitedLive: number;
  limitedMint: number;
  malformed: number;
  connectionsRefused: { too_many_connections: number; connection_share: number };
}

/** What /metrics reads when it is asked. */
export interface Snapshot {
  /** Open ones, and those with an answer that has not left. */
  connections: number;
  inFlight: number;
  /** Networks that the rate limits remember. */
  networks: number;
  droppedLines: number;
  build: { version: string; commit?: string };
  store: Pick<Store, 'stats' | 'faults' | 'overdue'>;
}

/** Counters of one process since it started. */
export interface Metrics extends Counters {
  /** Counts one live answer. */
  observe(fields: LogFields, status: number, ms: number): void;
  /** The Prometheus text exposition format 0.0.4. */
  text(now: Snapshot): string;
}

/** Everything that the table reads. */
interface Sources extends Counters, Snapshot {
  series: readonly Series[];
  /** 99th percentile of the event loop's delay since the last scrape, in seconds. */
  delay: number;
}

/** Open file descriptors without the one that counts them; undefined where the system has no /proc. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

const toAnswers = (series: readonly Series[]): Samples =>
  series.flatMap(({ labels, answers }) =>
    [...answers.values()].map(({ labels: more, count }) => [{ ...labels, ...more }, count] as const),
  );

/** Samples that differ in one label. */
const by = (label: string, counts: Record<string, number> = {}): Samples =>
  Object.entries(counts).map(([text, count]) => [{ [label]: text }, count]);

/** A number is one sample without labels; undefined leaves the metric out. */
type Read = (now: Sources) => number | Samples | undefined;

/**
 * Every metric but the histogram, with its help. What ends in `_total` is a counter, all else a gauge. Those of the process
 * have the names of the Prometheus client libraries.
 */
const table: Record<string, readonly [help: string, read: Read]> = {
  careers_requests_total: ['Live answers.', (now) => toAnswers(now.series)],
  careers_frozen_answers_total: ['Answers from memory.', (now) => now.frozen],
  careers_workspaces_minted_total: ['Workspaces created.', (now) => now.minted],
  careers_rate_limited_total: [
    'Calls refused by a rate limit.',
    (now) => by('limit', { live: now.limitedLive, mint: now.limitedMint }),
  ],
  careers_malformed_total: ['Requests that the HTTP parser refused.', (now) => now.malformed],
  careers_connections_refused_total: [
    'Connections beyond a ceiling; behind a proxy, the request that one of them came with.',
    (now) => by('code', now.connectionsRefused),
  ],
  careers_build_info: [
    'What was built; always 1.',
    ({ build: { version, commit } }) => [[{ version, commit }, 1]],
  ],
  careers_connections: ['Open connections.', (now) => now.connections],
  careers_requests_in_flight: ['Connections with an answer that has not left.', (now) => now.inFlight],
  careers_rate_limit_networks: ['Networks that the rate limits remember.', (now) => now.networks],
  careers_log_lines_dropped_total: [
    'Log lines dropped because the reader did not keep up.',
    (now) => now.droppedLines,
  ],
  careers_store_commits_total: ['Commits that made changes durable.', ({ store }) => store.stats?.().commits],
  careers_store_creates_total: ['Creates that were made durable.', ({ store }) => store.stats?.().creates],
  careers_store_failures_total: [
    'Calls that failed because the store did.',
    ({ store }) => by('cause', store.faults?.()),
  ],
  careers_store_expiry_overdue_seconds: [
    'How long ago the oldest workspace that is still kept has expired.',
    ({ store }) => store.overdue && store.overdue(Date.now()) / 1000,
  ],
  process_cpu_seconds_total: [
    'Total user and system CPU time spent in seconds.',
    () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  ],
  process_start_time_seconds: [
    'Start time of the process since unix epoch in seconds.',
    () => Math.round(performance.timeOrigin) / 1000,
  ],
  process_resident_memory_bytes: ['Resident memory size in bytes.', () => process.memoryUsage.rss()],
  process_open_fds: ['Number of open file descriptors.', countDescriptors],
  nodejs_heap_size_used_bytes: [
    'Process heap size used from Node.js in bytes.',
    () => process.memoryUsage().heapUsed,
  ],
  nodejs_eventloop_lag_p99_seconds: [
    'The 99th percentile of the event loop lag since the last scrape.',
    (now) => now.delay,
  ],
};

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function toSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).flatMap(([label, text]) =>
    text === undefined ? [] : [`${label}="${text.replace(/[\\"\n]/g, (one) => escapes[one]!)}"`],
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}\n`;
}

const toHead = (name: string, type: string, help: string) =>
  `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

function toText(name: string, found: number | Samples | undefined): string {
  if (found === undefined) return '';
  const samples: Samples = typeof found === 'number' ? [[{}, found]] : found;
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return toHead(name, type, table[name]![0]) + samples.map((sample) => toSample(name, ...sample)).join('');
}

function toHistogram(series: readonly Series[]): string {
  const name = 'careers_request_seconds';
  const lines = series.flatMap(({ labels, byBound, count, seconds }) => {
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += byBound[index]!;
      return toSample(`${name}_bucket`, { ...labels, le: String(bound) }, below);
    });
    return [
      ...buckets,
      toSample(`${name}_bucket`, { ...labels, le: '+Inf' }, count),
      toSample(`${name}_sum`, labels, seconds),
      toSample(`${name}_count`, labels, count),
    ];
  });
  return toHead(name, 'histogram', 'Time to a live answer.') + lines.join('');
}

/** Metrics; with `isRead` the event loop is watched too, which takes a timer. */
export function createMetrics(isRead: boolean): Metrics {
  const byDoor = new Map<string, Series>();
  const delays = monitorEventLoopDelay({ resolution: sampleMs });
  if (isRead) delays.enable();

  function findSeries({ operation, door }: LogFields): Series {
    const key = `${door} ${operation}`;
    let found = byDoor.get(key);
    if (!found) {
      const labels = { operation, door };
      found = { labels, answers: new Map(), byBound: bounds.map(() => 0), count: 0, seconds: 0 };
      byDoor.set(key, found);
    }
    return found;
  }

  function takeDelay(): number {
    const lateMs = delays.count > 0 ? Math.max(0, delays.percentile(99) / 1e6 - sampleMs) : 0;
    delays.reset();
    return lateMs / 1000;
  }

  const metrics: Metrics = {
    frozen: 0,
    minted: 0,
    limitedLive: 0,
    limitedMint: 0,
    malformed: 0,
    connectionsRefused: { too_many_connections: 0, connection_share: 0 },
    observe(fields, status, ms) {
      const found = findSeries(fields);
      const { code } = fields;
      const kind = `${Math.floor(status / 100)}xx`;
      const key = code === undefined ? kind : `${kind} ${code}`;
      const answers = found.answers.get(key) ?? { labels: { status: kind, code }, count: 0 };
      if (answers.count === 0) found.answers.set(key, answers);
      answers.count += 1;
      found.count += 1;
      found.seconds += ms / 1000;
      const index = bounds.findIndex((bound) => ms <= bound * 1000);
      if (index >= 0) found.byBound[index]! += 1;
    },
    text(now) {
      const series = [...byDoor.values()];
      const sources: Sources = { ...metrics, ...now, series, delay: takeDelay() };
      const texts = Object.entries(table).map(([name, [, read]]) => toText(name, read(sources)));
      return toHistogram(series) + texts.join('');
    },
  };
  return metrics;
}
