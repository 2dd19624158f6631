import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answered, callerGone, isProbe } from './live.ts';
import type { Log } from './log.ts';
import type { Metrics, Readings } from './metrics.ts';
import { readHeader, toRequestId, toTraceId } from './request.ts';
import type { NodeSettings } from './settings.ts';

export type Observability = ReturnType<typeof createObservability>;

/** The log and the metrics of each request, as the settings ask. What is off costs nothing. */
export function createObservability(
  { LOG, LOG_SAMPLE, METRICS }: Pick<NodeSettings, 'LOG' | 'LOG_SAMPLE' | 'METRICS'>,
  { log, metrics, read }: { log: Log; metrics: Metrics; read(): Readings },
) {
  const isCounted = METRICS === 'on';
  const toTrace = (request: IncomingMessage) => toTraceId(readHeader(request, 'traceparent'));

  /** Refusals, offers and faults are always logged. */
  const isLeftOut = (status: number, code?: string) =>
    LOG_SAMPLE < 1 && status < 400 && code === undefined && Math.random() >= LOG_SAMPLE;

  function onAnswered({ id, request, path, client, status, bytes, ms, logFields, noted }: Answered): void {
    const method = request.method ?? '';
    const { operation, door } = logFields;
    const code = status === callerGone ? undefined : logFields.code;
    const received = Number(readHeader(request, 'content-length')) || 0;
    // A wait that was asked for is no work of ours.
    const took = Math.max(0, ms - (noted.waited ?? 0));
    if (isCounted) metrics.addAnswer({ operation, door, code }, status, took, received);
    if (LOG === 'off' || (LOG === 'live' && isProbe(method, path)) || isLeftOut(status, code)) return;
    const trace = toTrace(request);
    log.request({ id, trace, method, path, operation, status, code, ms, bytes, client, ...noted });
  }

  function onFrozen(
    request: IncomingMessage,
    { statusCode: status }: ServerResponse,
    path: string,
    bytes: number,
    client: string,
  ): void {
    if (isLeftOut(status)) return;
    const id = toRequestId(readHeader(request, 'x-request-id'));
    const { method = '' } = request;
    log.request({ id, trace: toTrace(request), method, path, status, ms: 0, bytes, client });
  }

  return {
    onAnswered,
    /** Called for an answer from memory, only where those are logged too. */
    onFrozen: LOG === 'all' ? onFrozen : undefined,
    /** The body of /metrics, only where it is on. */
    metricsText: isCounted ? () => metrics.text(read()) : undefined,
  };
}
