import type { Registry } from 'prom-client';
import type { Store } from '../../workspace/store.ts';
import type { ServedRequest } from './request.ts';

type Kind = 'counter' | 'gauge' | 'histogram';

/** A metric: its kind, its help text, and its labels. */
type Definition = readonly [kind: Kind, help: string, labels?: readonly string[]];

/** Every metric of ours by name, in the order of /metrics. */
const definitions = {
  careers_longest_step_seconds: [
    'gauge',
    'The longest that work of an operation kept others waiting at a time.',
    ['operation'],
  ],
  careers_request_seconds: ['histogram', 'Time to a live answer.', ['operation', 'door']],
  careers_store_seconds: ['histogram', 'Time that the store took, by its verb.', ['verb']],
  careers_requests_total: ['counter', 'Live answers.', ['operation', 'door', 'status', 'code']],
  careers_frozen_answers_total: ['counter', 'Answers from memory.'],
  careers_workspaces_minted_total: ['counter', 'Workspaces created.'],
  careers_rate_limited_total: ['counter', 'Calls refused by a rate limit.', ['limit']],
  careers_metered_calls_total: ['counter', 'Calls that were charged to a workspace.', ['operation']],
  careers_refused_bytes_total: [
    'counter',
    'Bytes of bodies that came with refused requests, as Content-Length announced them.',
    ['code'],
  ],
  careers_malformed_total: ['counter', 'Requests that the HTTP parser refused.'],
  careers_connections_refused_total: [
    'counter',
    'Connections beyond a ceiling, or too many without a request (`no_request`); behind a proxy, the request that one of them came with.',
    ['code'],
  ],
  careers_unnamed_proxy_requests_total: [
    'counter',
    'Requests that a proxy forwarded while TRUST_PROXY is 0.',
  ],
  careers_build_info: ['gauge', 'What was built; always 1.', ['version', 'commit']],
  careers_connections: ['gauge', 'Open connections.'],
  careers_requests_in_flight: [
    'gauge',
    'Requests whose answer has not left. Those that wait for a change do not count.',
  ],
  careers_waiting_calls: ['gauge', 'Calls that wait for a change, as they asked.'],
  careers_rate_limit_networks: ['gauge', 'Addresses and networks that the rate limits remember.'],
  careers_log_lines_dropped_total: ['counter', 'Log lines dropped because the reader did not keep up.'],
  careers_store_commits_total: ['counter', 'Commits that made changes durable.'],
  careers_store_creates_total: ['counter', 'Creates that were made durable.'],
  careers_store_failures_total: ['counter', 'Calls that failed because the store did.', ['cause']],
  careers_store_bytes: ['gauge', 'Bytes that the store takes, a second ago at most.'],
  careers_store_room_bytes: ['gauge', 'Bytes that may be added to the store.'],
  careers_store_workspaces: ['gauge', 'Workspaces in the store, if it can count them.'],
  careers_store_full: ['gauge', 'Whether what makes the store larger is refused for want of room.'],
  careers_store_expiry_overdue_seconds: [
    'gauge',
    'How long ago the oldest workspace that is still kept has expired.',
  ],
} as const satisfies Record<string, Definition>;
export type Name = keyof typeof definitions;

/** A label without a text is left out. */
export type Labels = Readonly<Record<string, string | undefined>>;
interface Sample {
  labels: Labels;
  value: number;
}

/** Values that are read when /metrics is. Undefined ones are left out. */
export type Readings = Partial<Record<Name, number | readonly Sample[] | undefined>>;

/** Upper bounds of the buckets of times, in seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10];
/** Maximum bytes that a refused body counts as, because its caller may announce any number. */
const mostReceived = 1_048_576;
/** Metrics of prom-client that are left out: gauges named like counters, and those that are NaN without samples. */
const leftOut = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_min_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
];

/** Lists samples that differ in one label. */
export const listSamples = (label: string, counts: Record<string, number> = {}): Sample[] =>
  Object.entries(counts).map(([text, value]) => ({ labels: { [label]: text }, value }));

const omitEmptyLabels = (labels: Labels) =>
  Object.fromEntries(Object.entries(labels).filter(([, text]) => text !== undefined)) as Record<
    string,
    string
  >;

/** The metrics of one process since it started. */
export interface Metrics {
  add(name: Name, labels?: Labels, more?: number): void;
  /** Adds a time in milliseconds to a histogram. */
  addTime(name: Name, labels: Labels, ms: number): void;
  addAnswer(answered: ServedRequest): void;
  /** Counts calls that a workspace was charged for, by operation. */
  addCharged(calls: Readonly<Record<string, number>>): void;
  /** Returns the text of /metrics. */
  text(readings: Readings): Promise<string>;
}

/** Counts nothing. */
export const noMetrics: Metrics = {
  add() {},
  addTime() {},
  addAnswer() {},
  addCharged() {},
  text: async () => '',
};

/** The common interface of all kinds of metrics. */
interface Metric {
  inc(labels: Record<string, string>, more: number): void;
  observe(labels: Record<string, string>, seconds: number): void;
  reset(): void;
  remove(): void;
}

/** Metrics by prom-client: ours, and its own of the process and of Node. */
class PrometheusMetrics implements Metrics {
  #registry: Registry;
  #metrics: Record<Name, Metric>;

  constructor(library: typeof import('prom-client')) {
    this.#registry = new library.Registry();
    const types = { counter: library.Counter, gauge: library.Gauge, histogram: library.Histogram };
    const create = ([name, [kind, help, labelNames = []]]: [string, Definition]) => {
      const options = { name, help, labelNames: [...labelNames], registers: [this.#registry] };
      return [name, new types[kind](kind === 'histogram' ? { ...options, buckets } : options)];
    };
    this.#metrics = Object.fromEntries(Object.entries(definitions).map(create));
    library.collectDefaultMetrics({ register: this.#registry });
    for (const name of leftOut) this.#registry.removeSingleMetric(name);
    // These are listed before they count anything.
    for (const limit of ['live', 'mint', 'bytes']) this.add('careers_rate_limited_total', { limit }, 0);
    for (const code of ['too_many_connections', 'connection_share', 'no_request'])
      this.add('careers_connections_refused_total', { code }, 0);
  }

  add(name: Name, labels: Labels = {}, more = 1): void {
    this.#metrics[name].inc(omitEmptyLabels(labels), more);
  }

  addTime(name: Name, labels: Labels, ms: number): void {
    this.#metrics[name].observe(omitEmptyLabels(labels), ms / 1000);
  }

  addAnswer({ request, operation, door, status, code, ms, noted: { waited = 0 } }: ServedRequest): void {
    const received = Number(request.headers['content-length']) || 0;
    // The caller asked for this wait, so it is not time that we took.
    this.addTime('careers_request_seconds', { operation, door }, Math.max(0, ms - waited));
    this.add('careers_requests_total', { operation, door, status: `${Math.floor(status / 100)}xx`, code });
    if (received > 0 && status >= 400 && code !== undefined)
      this.add('careers_refused_bytes_total', { code }, Math.min(received, mostReceived));
  }

  addCharged(calls: Readonly<Record<string, number>>): void {
    for (const [operation, count] of Object.entries(calls))
      this.add('careers_metered_calls_total', { operation }, count);
  }

  text(readings: Readings): Promise<string> {
    for (const [name, reading] of Object.entries(readings)) this.#show(this.#metrics[name as Name], reading);
    return this.#registry.metrics();
  }

  /** Replaces the last reading. */
  #show(metric: Metric, reading: Readings[Name]): void {
    metric.reset();
    if (reading === undefined) metric.remove();
    const samples = typeof reading === 'number' ? [{ labels: {}, value: reading }] : (reading ?? []);
    for (const { labels, value } of samples) metric.inc(omitEmptyLabels(labels), value);
  }
}

/** Opens the metrics. The library is loaded only if they are on. */
export async function openMetrics(isOn: boolean): Promise<Metrics> {
  if (!isOn) return noMetrics;
  // The bundled CommonJS module has only this export.
  const { default: library } = await import('prom-client');
  return new PrometheusMetrics(library);
}

/** The store's methods that callers wait for. Metrics use their names. */
const verbs = [
  'open',
  'openByKey',
  'follow',
  'readReply',
  'readActivity',
  'write',
  'charge',
  'check',
] as const;

/** Measures the time of each of these methods of a store from now on. */
export function measureStore(store: Store, metrics: Metrics): void {
  for (const verb of verbs) {
    const run = store[verb] as (...args: unknown[]) => Promise<unknown>;
    const timed = (...args: unknown[]) => {
      const from = performance.now();
      const end = () => metrics.addTime('careers_store_seconds', { verb }, performance.now() - from);
      return run.apply(store, args).finally(end);
    };
    Object.assign(store, { [verb]: timed });
  }
}
