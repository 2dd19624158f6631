import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { hasNginx, hasWrk, root } from './processes.ts';

/** What the figures were taken on. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  load: string;
  nginx: boolean;
  commit: string;
  date: string;
  /** Processes that wanted a core in the minute before the bench; figures of a busy machine are noise. */
  busy: number;
}

export function toMachine(): Machine {
  let commit = 'unknown';
  try {
    commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {}
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    node: process.version,
    load: hasWrk ? 'wrk' : 'autocannon',
    nginx: hasNginx,
    commit,
    date: new Date().toISOString().slice(0, 10),
    busy: Math.round(loadavg()[0]! * 10) / 10,
  };
}

export function toMachineText({
  cpu,
  cores,
  memoryGb,
  system,
  node,
  load,
  commit,
  date,
  busy,
}: Machine): string {
  const others = busy > 0.5 ? `; BUSY with ${busy} other processes` : '';
  return `${cpu}, ${cores} cores, ${memoryGb} GB; ${system}; Node ${node}; load by ${load}; commit ${commit}, ${date}${others}`;
}
