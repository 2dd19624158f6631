import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answered, callerGone, isProbe } from './live.ts';
import type { Log } from './log.ts';
import type { Metrics, Snapshot } from './metrics.ts';
import { readHeader, toRequestId, toTraceId } from './request.ts';
import type { NodeSettings } from './settings.ts';

export type Observability = ReturnType<typeof createObservability>;

/** The log and the metrics of each request, as the settings ask. What is off costs nothing. */
export function createObservability(
  { LOG, METRICS }: Pick<NodeSettings, 'LOG' | 'METRICS'>,
  { log, metrics, now }: { log: Log; metrics: Metrics; now(): Snapshot },
) {
  const isCounted = METRICS === 'on';
  const toTrace = (request: IncomingMessage) => toTraceId(readHeader(request, 'traceparent'));

  function onAnswered({ id, request, path, client, status, bytes, ms, logFields }: Answered): void {
    const method = request.method ?? '';
    const { operation, door } = logFields;
    const code = status === callerGone ? undefined : logFields.code;
    if (isCounted) metrics.observe({ operation, door, code }, status, ms);
    if (LOG === 'off' || (LOG === 'live' && isProbe(method, path))) return;
    const trace = toTrace(request);
    log.request({ id, trace, method, path, operation, status, code, ms, bytes, client });
  }

  function onFrozen(
    request: IncomingMessage,
    { statusCode: status }: ServerResponse,
    path: string,
    bytes: number,
    client: string,
  ): void {
    const id = toRequestId(readHeader(request, 'x-request-id'));
    const { method = '' } = request;
    log.request({ id, trace: toTrace(request), method, path, status, ms: 0, bytes, client });
  }

  return {
    onAnswered,
    /** Called for an answer from memory, only where those are logged too. */
    onFrozen: LOG === 'all' ? onFrozen : undefined,
    /** The body of /metrics, only where it is on. */
    metricsText: isCounted ? () => metrics.text(now()) : undefined,
  };
}
