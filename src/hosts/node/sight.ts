import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRouter } from '../../core/router.ts';
import type { Store } from '../../core/store.ts';
import { operations } from '../../operations/table.ts';
import { type Answered, toClient, toRequestId } from './live.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { isProbe } from './probes.ts';
import type { NodeSettings } from './settings.ts';

/** What an operator sees of each request, as the settings ask. */
export interface Sight {
  onAnswered(answered: Answered): void;
  /** Told of an answer from memory, only where those are logged too. */
  onFrozen:
    | ((request: IncomingMessage, response: ServerResponse, path: string, bytes: number) => void)
    | undefined;
  /** The body of /metrics, only where it is on. */
  metricsText: (() => string) | undefined;
}

type Gauges = () => Record<string, number>;

/** The operation that a request is counted under; a fixed word where there is none. */
function createNaming(): (method: string, path: string) => string {
  const route = createRouter(operations);
  return (method, path) => {
    if (method === 'OPTIONS') return 'preflight';
    try {
      return route(path)?.byMethod.get(method === 'HEAD' ? 'GET' : method)?.operationId ?? 'none';
    } catch {
      return 'none';
    }
  };
}

function toProcessGauges(): Record<string, number> {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    process_resident_memory_bytes: rss,
    process_heap_bytes: heapUsed,
    process_cpu_seconds_total: (user + system) / 1e6,
    process_start_time_seconds: Math.round(performance.timeOrigin / 1000),
  };
}

function toStoreGauges(store: Store): Record<string, number> {
  const stats = Object.entries(store.stats?.() ?? {});
  return Object.fromEntries(stats.map(([name, value]) => [`careers_store_${name}`, value]));
}

/** Puts log and metrics behind the requests. What is off costs nothing. */
export function createSight(
  settings: Pick<NodeSettings, 'LOG' | 'METRICS' | 'TRUST_PROXY'>,
  { log, metrics, store, gauges }: { log: Log; metrics: Metrics; store: Store; gauges: Gauges },
): Sight {
  const isLogged = settings.LOG !== 'off';
  const isAllLogged = settings.LOG === 'all';
  const name = settings.METRICS === 'on' ? createNaming() : undefined;
  return {
    onAnswered({ id, request, path, client, status, bytes, ms }) {
      const method = request.method ?? '';
      if (name) metrics.observe(name(method, path), status, ms);
      if (isLogged && (isAllLogged || !isProbe(method, path)))
        log.request({ id, method, path, status, ms, bytes, client });
    },
    onFrozen: isAllLogged
      ? (request, response, path, bytes) =>
          log.request({
            id: toRequestId(request.headers['x-request-id']),
            method: request.method ?? '',
            path,
            status: response.statusCode,
            ms: 0,
            bytes,
            client: toClient(request, settings.TRUST_PROXY),
          })
      : undefined,
    metricsText: name
      ? () =>
          metrics.text({
            ...gauges(),
            careers_log_lines_dropped_total: log.dropped(),
            ...toStoreGauges(store),
            ...toProcessGauges(),
          })
      : undefined,
  };
}
