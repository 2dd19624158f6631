import { readdirSync } from 'node:fs';
import type { Store } from '../../core/store.ts';
import { type Family, toFamily } from './metrics.ts';

/** Descriptors that are open, but for the one that counts them; none where the system does not tell. */
function countDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** What the process uses, by the names of the Prometheus client libraries. */
export function toProcessFamilies(): Family[] {
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

/** What the counters of `Store.stats` count, but for its failures. */
const counted: Record<string, string> = {
  commits: 'Commits that made creates durable.',
  creates: 'Creates that were made durable.',
};

/** The counters of a store; its failures by cause where it tells them apart. */
export function toStoreFamilies({ stats, faults }: Pick<Store, 'stats' | 'faults'>): Family[] {
  const { failures = 0, ...others } = stats?.() ?? {};
  const byCause = faults && Object.entries(faults()).map(([cause, count]) => [{ cause }, count] as const);
  return [
    ...Object.entries(others).map(([name, value]) =>
      toFamily(`careers_store_${name}_total`, 'counter', counted[name] ?? `The store's ${name}.`, value),
    ),
    {
      name: 'careers_store_failures_total',
      type: 'counter',
      help: 'Calls that failed because the store did.',
      samples: byCause ?? [[{}, failures]],
    },
  ];
}
