import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
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
  };
}

export function toMachineText({ cpu, cores, memoryGb, system, node, load, commit, date }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGb} GB; ${system}; Node ${node}; load by ${load}; commit ${commit}, ${date}`;
}
