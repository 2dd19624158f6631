import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answered, callerGone, isProbe } from './live.ts';
import type { Log } from './log.ts';
import type { Metrics, Snapshot } from './metrics.ts';
import { readHeader, toRequestId, toTraceId } from './request.ts';
import type { NodeSettings } from './settings.ts';

/** Log and metrics of each request, as the settings ask. */
export interface Observability {
  onAnswered(answered: Answered): void;
  /** Called for an answer from memory, only where those are logged too. */
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

/** Connects requests with the log and the metrics. What is off costs nothing. */
export function createObservability(
  { LOG, METRICS }: Pick<NodeSettings, 'LOG' | 'METRICS'>,
  { log, metrics, now }: { log: Log; metrics: Metrics; now(): Snapshot },
): Observability {
  const isCounted = METRICS === 'on';
  const toTrace = (request: IncomingMessage) => toTraceId(readHeader(request, 'traceparent'));
  return {
    onAnswered({ id, request, path, client, status, bytes, ms, logFields }) {
      const method = request.method ?? '';
      const { operation, door } = logFields;
      const code = status === callerGone ? undefined : logFields.code;
      if (isCounted) metrics.observe({ operation, door, code }, status, ms);
      if (LOG === 'all' || (LOG === 'live' && !isProbe(method, path)))
        log.request({
          id,
          trace: toTrace(request),
          method,
          path,
          operation,
          status,
          code,
          ms,
          bytes,
          client,
        });
    },
    onFrozen:
      LOG === 'all'
        ? (request, response, path, bytes, client) => {
            const id = toRequestId(readHeader(request, 'x-request-id'));
            const { method = '' } = request;
            const status = response.statusCode;
            log.request({ id, trace: toTrace(request), method, path, status, ms: 0, bytes, client });
          }
        : undefined,
    metricsText: isCounted ? () => metrics.text(now()) : undefined,
  };
}
