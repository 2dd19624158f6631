import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Store } from '../../records/store.ts';
import { type Answered, callerGone, isProbe, toRequestId } from './live.ts';
import type { Log } from './log.ts';
import { type Family, type Metrics, toFamily } from './metrics.ts';
import { createProcessFamilies } from './process-metrics.ts';
import { readHeader } from './request-headers.ts';
import type { NodeSettings } from './settings.ts';
import { toTraceId } from './trace.ts';

/** What the counters of `Store.stats` count. */
const counted: Record<string, string> = {
  commits: 'Commits that made changes durable, creates among them.',
  creates: 'Creates that were made durable.',
};

/** The counters of a store, its failures by their cause, and how far its forgetting is behind. */
export function toStoreFamilies({
  stats,
  faults,
  overdue,
}: Pick<Store, 'stats' | 'faults' | 'overdue'>): Family[] {
  return [
    ...Object.entries(stats?.() ?? {}).map(([name, value]) =>
      toFamily(`careers_store_${name}_total`, 'counter', counted[name] ?? `The store's ${name}.`, value),
    ),
    {
      name: 'careers_store_failures_total',
      type: 'counter',
      help: 'Calls that failed because the store did.',
      samples: Object.entries(faults?.() ?? {}).map(([cause, count]) => [{ cause }, count]),
    },
    ...(overdue
      ? [
          toFamily(
            'careers_store_expiry_overdue_seconds',
            'gauge',
            'How long the workspace that expired first has waited to be forgotten.',
            overdue(Date.now()) / 1000,
          ),
        ]
      : []),
  ];
}

/** What an operator sees of each request, as the settings ask. */
export interface Observability {
  onAnswered(answered: Answered): void;
  /** Told of an answer from memory, only where those are logged too. */
  onFrozen:
    | ((
        request: IncomingMessage,
        response: ServerResponse,
        path: string,
        bytes: number,
        client: string,
      ) => void)
    | undefined;
  /** The body of /metrics, only where it is on. */
  metricsText: (() => string) | undefined;
}

/** What observability is of. */
interface ObservabilityParts {
  log: Log;
  metrics: Metrics;
  store: Store;
  build: { version: string; commit?: string };
  /** How much there is now: open connections, those with an answer that has not left, networks that are remembered. */
  now(): { connections: number; inFlight: number; networks: number };
}

function toOwnFamilies({ log, build, now }: ObservabilityParts): Family[] {
  const { connections, inFlight, networks } = now();
  return [
    {
      name: 'careers_build_info',
      type: 'gauge',
      help: 'What was built; always 1.',
      samples: [[{ version: build.version, commit: build.commit }, 1]],
    },
    toFamily('careers_connections', 'gauge', 'Open connections.', connections),
    toFamily(
      'careers_requests_in_flight',
      'gauge',
      'Connections with an answer that has not left.',
      inFlight,
    ),
    toFamily('careers_rate_limit_networks', 'gauge', 'Networks that the rate limits remember.', networks),
    toFamily(
      'careers_log_lines_dropped_total',
      'counter',
      'Log lines given up because the reader did not keep up.',
      log.dropped(),
    ),
  ];
}

/** Puts log and metrics behind the requests. What is off costs nothing. */
export function createObservability(
  settings: Pick<NodeSettings, 'LOG' | 'METRICS'>,
  parts: ObservabilityParts,
): Observability {
  const { log, metrics, store } = parts;
  const isLogged = settings.LOG !== 'off';
  const isAllLogged = settings.LOG === 'all';
  const isCounted = settings.METRICS === 'on';
  const toProcessFamilies = isCounted ? createProcessFamilies() : () => [];
  return {
    onAnswered({ id, request, path, client, status, bytes, ms, logFields }) {
      const method = request.method ?? '';
      const { operation, door } = logFields;
      const code = status === callerGone ? undefined : logFields.code;
      if (isCounted) metrics.observe({ operation, door, code }, status, ms);
      if (isLogged && (isAllLogged || !isProbe(method, path))) {
        const trace = toTraceId(readHeader(request, 'traceparent'));
        log.request({ id, trace, method, path, operation, status, code, ms, bytes, client });
      }
    },
    onFrozen: isAllLogged
      ? (request, response, path, bytes, client) =>
          log.request({
            id: toRequestId(readHeader(request, 'x-request-id')),
            trace: toTraceId(readHeader(request, 'traceparent')),
            method: request.method ?? '',
            path,
            status: response.statusCode,
            ms: 0,
            bytes,
            client,
          })
      : undefined,
    metricsText: isCounted
      ? () => metrics.text([...toOwnFamilies(parts), ...toStoreFamilies(store), ...toProcessFamilies()])
      : undefined,
  };
}
