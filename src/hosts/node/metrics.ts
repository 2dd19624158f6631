import type { LogFields } from '../../kernel/call.ts';
import type { Turned } from './connections.ts';

/** Upper bounds of the latency histogram, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5, 5, 10];

type Labels = Readonly<Record<string, string | undefined>>;

/** A metric by its full name, with a sample for each set of labels. */
export interface Family {
  name: string;
  type: 'counter' | 'gauge';
  help: string;
  samples: readonly (readonly [labels: Labels, value: number])[];
}

/** The answers of one operation by one door. */
interface Series {
  labels: Labels;
  /** By class of status and code. */
  answers: Map<string, { labels: Labels; count: number }>;
  byBound: number[];
  count: number;
  seconds: number;
}

/** Counters of one process since it started. */
export interface Metrics {
  /** Answers from memory: counted by plain increment, the same whether anybody looks or not. */
  frozen: number;
  minted: number;
  limitedLive: number;
  limitedMint: number;
  malformed: number;
  connectionsRefused: Record<Turned, number>;
  /** One live answer; nothing of `logFields` is ever what a caller wrote. */
  observe(logFields: LogFields, status: number, ms: number): void;
  /** The Prometheus text exposition format 0.0.4, with more families at the end. */
  text(more: readonly Family[]): string;
}

/** A metric without labels. */
export function toFamily(name: string, type: Family['type'], help: string, value: number): Family {
  return { name, type, help, samples: [[{}, value]] };
}

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

function toSample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).flatMap(([label, text]) =>
    text === undefined ? [] : [`${label}="${text.replace(/[\\"\n]/g, (one) => escapes[one]!)}"`],
  );
  return `${name}${pairs.length > 0 ? `{${pairs.join()}}` : ''} ${value}\n`;
}

function toHead(name: string, type: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function toText({ name, type, help, samples }: Family): string {
  return toHead(name, type, help) + samples.map((sample) => toSample(name, ...sample)).join('');
}

function toHistogram(series: Iterable<Series>): string {
  const name = 'careers_request_seconds';
  const lines = [...series].flatMap(({ labels, byBound, count, seconds }) => {
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

export function createMetrics(): Metrics {
  const series = new Map<string, Series>();

  function findSeries({ operation, door }: LogFields): Series {
    const key = `${door} ${operation}`;
    let found = series.get(key);
    if (!found) {
      const labels = { operation, door };
      found = { labels, answers: new Map(), byBound: bounds.map(() => 0), count: 0, seconds: 0 };
      series.set(key, found);
    }
    return found;
  }

  function toAnswers(): Family['samples'] {
    return [...series.values()].flatMap(({ labels, answers }) =>
      [...answers.values()].map(({ labels: more, count }) => [{ ...labels, ...more }, count] as const),
    );
  }

  const metrics: Metrics = {
    frozen: 0,
    minted: 0,
    limitedLive: 0,
    limitedMint: 0,
    malformed: 0,
    connectionsRefused: { too_many_connections: 0, connection_share: 0 },
    observe(logFields, status, ms) {
      const found = findSeries(logFields);
      const { code } = logFields;
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
    text(more) {
      const counter = (name: string, help: string, value: number) => toFamily(name, 'counter', help, value);
      const limited: Family['samples'] = [
        [{ limit: 'live' }, metrics.limitedLive],
        [{ limit: 'mint' }, metrics.limitedMint],
      ];
      const families: Family[] = [
        { name: 'careers_requests_total', type: 'counter', help: 'Live answers.', samples: toAnswers() },
        counter('careers_frozen_answers_total', 'Answers from memory.', metrics.frozen),
        counter('careers_workspaces_minted_total', 'Workspaces made.', metrics.minted),
        {
          name: 'careers_rate_limited_total',
          type: 'counter',
          help: 'Calls turned down by a rate limit.',
          samples: limited,
        },
        counter('careers_malformed_total', 'Requests that the HTTP parser refused.', metrics.malformed),
        {
          name: 'careers_connections_refused_total',
          type: 'counter',
          help: 'Connections beyond a ceiling; behind a proxy, the request that one of them came with.',
          samples: Object.entries(metrics.connectionsRefused).map(
            ([code, count]) => [{ code }, count] as const,
          ),
        },
        ...more,
      ];
      return toHistogram(series.values()) + families.map(toText).join('');
    },
  };
  return metrics;
}
