import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { LogFields } from '../../kernel/call.ts';
import type { Room, Store } from '../../records/store.ts';
import { createHistogram, type Labels, toHead, toLine } from './histogram.ts';

/** Milliseconds between two samples of the event loop's delay: each takes some microseconds. */
const sampleMs = 20;
/** What a refused body counts at most: its caller may announce any number. */
const mostReceived = 1_048_576;

interface Sample {
  labels: Labels;
  value: number;
}

/** What /metrics reads when it is asked. */
export interface Snapshot {
  /** Open ones, and those with an answer that has not left, without those that wait for a change. */
  connections: number;
  inFlight: number;
  /** Calls that wait for a change, as they asked. */
  waiting: number;
  /** Networks that the rate limits remember. */
  networks: number;
  droppedLines: number;
  /** The room in the store as far as is known, the bytes that may be added, and whether it takes no more records. */
  storage: Partial<Room> & { left?: number | undefined; isFull: boolean };
  build: { version: string; commit?: string };
  store: Pick<Store, 'stats' | 'faults' | 'overdue'>;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Open file descriptors without the one that counts them; undefined where the system has no /proc. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** Samples that differ in one label. */
const by = (label: string, counts: Record<string, number> = {}): Sample[] =>
  Object.entries(counts).map(([text, value]) => ({ labels: { [label]: text }, value }));

type Rows = Record<string, readonly [help: string, found: number | readonly Sample[] | undefined]>;

/** Those of the process, with the names of the Prometheus client libraries. */
const toProcessRows = (delaySeconds: number): Rows => ({
  process_cpu_seconds_total: [
    'Total user and system CPU time spent in seconds.',
    (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
  ],
  process_start_time_seconds: [
    'Start time of the process since unix epoch in seconds.',
    Math.round(performance.timeOrigin) / 1000,
  ],
  process_resident_memory_bytes: ['Resident memory size in bytes.', process.memoryUsage.rss()],
  process_open_fds: ['Number of open file descriptors.', countDescriptors()],
  nodejs_heap_size_used_bytes: [
    'Process heap size used from Node.js in bytes.',
    process.memoryUsage().heapUsed,
  ],
  nodejs_eventloop_lag_p99_seconds: [
    'The 99th percentile of the event loop lag since the last scrape.',
    delaySeconds,
  ],
});

/** What ends in `_total` is a counter, all else a gauge; what is undefined is left out. */
function toText([name, [help, found]]: [string, Rows[string]]): string {
  if (found === undefined) return '';
  const samples = typeof found === 'number' ? [{ labels: {}, value: found }] : found;
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return toHead(name, type, help) + samples.map((one) => toLine(name, one.labels, one.value)).join('');
}

/** Counters of one process since it started; with `isRead` the event loop is watched too, which takes a timer. */
export function createMetrics(isRead: boolean) {
  /** Incremented where it happens. */
  const own = {
    frozen: 0,
    minted: 0,
    limitedLive: 0,
    limitedMint: 0,
    limitedBytes: 0,
    malformed: 0,
    connectionsRefused: { too_many_connections: 0, connection_share: 0, no_request: 0 },
  };
  const answers = new Map<string, Sample>();
  const times = createHistogram('careers_request_seconds', 'Time to a live answer.');
  /** What `toMeasured` counts. */
  const ofStore = {
    seconds: createHistogram('careers_store_seconds', 'Time that the store took, by its verb.'),
    metered: {} as Record<string, number>,
  };
  const refusedBytes: Record<string, number> = {};
  const delays = monitorEventLoopDelay({ resolution: sampleMs });
  if (isRead) delays.enable();

  function takeDelay(): number {
    const lateMs = delays.count > 0 ? Math.max(0, delays.percentile(99) / 1e6 - sampleMs) : 0;
    delays.reset();
    return lateMs / 1000;
  }

  const toRows = ({
    connections,
    inFlight,
    waiting,
    networks,
    droppedLines,
    storage,
    build,
    store,
  }: Snapshot): Rows => ({
    careers_requests_total: ['Live answers.', [...answers.values()]],
    careers_frozen_answers_total: ['Answers from memory.', own.frozen],
    careers_workspaces_minted_total: ['Workspaces created.', own.minted],
    careers_rate_limited_total: [
      'Calls refused by a rate limit.',
      by('limit', { live: own.limitedLive, mint: own.limitedMint, bytes: own.limitedBytes }),
    ],
    careers_metered_calls_total: [
      'Calls that were charged to a workspace.',
      by('operation', ofStore.metered),
    ],
    careers_refused_bytes_total: [
      'Bytes of bodies that came with refused requests, as Content-Length announced them.',
      by('code', refusedBytes),
    ],
    careers_malformed_total: ['Requests that the HTTP parser refused.', own.malformed],
    careers_connections_refused_total: [
      'Connections beyond a ceiling, or too many without a request (`no_request`); behind a proxy, the request that one of them came with.',
      by('code', own.connectionsRefused),
    ],
    careers_build_info: ['What was built; always 1.', [{ labels: { ...build }, value: 1 }]],
    careers_connections: ['Open connections.', connections],
    careers_requests_in_flight: ['Connections with an answer that has not left.', inFlight],
    careers_waiting_calls: ['Calls that wait for a change, as they asked.', waiting],
    careers_rate_limit_networks: ['Networks that the rate limits remember.', networks],
    careers_log_lines_dropped_total: ['Log lines dropped because the reader did not keep up.', droppedLines],
    careers_store_commits_total: ['Commits that made changes durable.', store.stats?.().commits],
    careers_store_creates_total: ['Creates that were made durable.', store.stats?.().creates],
    careers_store_failures_total: ['Calls that failed because the store did.', by('cause', store.faults?.())],
    careers_store_bytes: ['Bytes that the store takes, a second ago at most.', storage.used],
    careers_store_room_bytes: ['Bytes that may be added to the store.', storage.left],
    careers_store_workspaces: ['Workspaces in the store, where it can count them.', storage.workspaces],
    careers_store_full: ['Whether creates are refused for want of room.', Number(storage.isFull)],
    careers_store_expiry_overdue_seconds: [
      'How long ago the oldest workspace that is still kept has expired.',
      store.overdue && store.overdue(Date.now()) / 1000,
    ],
    ...toProcessRows(takeDelay()),
  });

  return Object.assign(own, {
    ofStore,
    /** Counts one live answer, to a request with a body of so many bytes. */
    observe({ operation, door, code }: LogFields, status: number, ms: number, received = 0): void {
      times.observe({ operation, door }, ms);
      if (received > 0 && status >= 400 && code !== undefined)
        refusedBytes[code] = (refusedBytes[code] ?? 0) + Math.min(received, mostReceived);
      const kind = `${Math.floor(status / 100)}xx`;
      const answered = `${door} ${operation} ${kind} ${code}`;
      const sample = answers.get(answered);
      if (sample) sample.value += 1;
      else answers.set(answered, { labels: { operation, door, status: kind, code }, value: 1 });
    },
    /** The Prometheus text exposition format 0.0.4. */
    text: (now: Snapshot): string =>
      times.text() + ofStore.seconds.text() + Object.entries(toRows(now)).map(toText).join(''),
  });
}
