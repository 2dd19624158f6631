import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type Family, toFamily } from './metrics.ts';

/** Milliseconds between looks at the event loop: each look costs some microseconds. */
const lookMs = 20;

/** Descriptors that are open, but for the one that counts them; none where the system does not tell. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** What the process uses, by the names of the Prometheus client libraries. */
function toUseFamilies(): Family[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const descriptors = countDescriptors();
  const started = Math.round(performance.timeOrigin) / 1000;
  const cpu = 'Total user and system CPU time spent in seconds.';
  return [
    toFamily('process_cpu_seconds_total', 'counter', cpu, (user + system) / 1e6),
    toFamily(
      'process_start_time_seconds',
      'gauge',
      'Start time of the process since unix epoch in seconds.',
      started,
    ),
    toFamily('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', rss),
    ...(descriptors === undefined
      ? []
      : [toFamily('process_open_fds', 'gauge', 'Number of open file descriptors.', descriptors)]),
    toFamily(
      'nodejs_heap_size_used_bytes',
      'gauge',
      'Process heap size used from Node.js in bytes.',
      heapUsed,
    ),
  ];
}

/**
 * What the process uses, and how late its event loop was since the last time that somebody asked: of a hundred looks,
 * all but the latest one were less late. It is watched from here on.
 */
export function createProcessFamilies(): () => Family[] {
  const delay = monitorEventLoopDelay({ resolution: lookMs });
  delay.enable();
  return () => {
    const lateMs = delay.count > 0 ? Math.max(0, delay.percentile(99) / 1e6 - lookMs) : 0;
    delay.reset();
    return [
      ...toUseFamilies(),
      toFamily(
        'nodejs_eventloop_lag_p99_seconds',
        'gauge',
        'The 99th percentile of the event loop lag since the last scrape.',
        lateMs / 1000,
      ),
    ];
  };
}
