import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import type { RunningServer } from './server.ts';
import { send } from './wire.ts';

/** A caller that requests /pricing again and again, one request at a time on its own connection. */
interface Bystander {
  /** The number of answers so far. */
  answers(): number;
  /** Stops. Returns the number of answers, and the slowest in milliseconds. */
  stop(): { answers: number; slowestMs: number };
}

export function startBystander({ origin }: Pick<RunningServer, 'origin'>): Bystander {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let answers = 0;
  let slowestMs = 0;
  let askedAt = 0;
  let isOver = false;
  async function ask(): Promise<void> {
    askedAt = performance.now();
    const reply = await send(origin, '/pricing', { agent }).catch(() => undefined);
    if (!reply || isOver) return;
    if (reply.status !== 200) throw new Error(`/pricing answered ${reply.status}`);
    answers += 1;
    slowestMs = Math.max(slowestMs, performance.now() - askedAt);
    setTimeout(ask, 5);
  }
  void ask();
  return {
    answers: () => answers,
    stop() {
      isOver = true;
      agent.destroy();
      return { answers, slowestMs: Math.max(slowestMs, performance.now() - askedAt) };
    },
  };
}

/** Returns the peak memory of a process in MB, as Linux counts it. Undefined on other systems. */
export function readPeakMemory({ process }: Pick<RunningServer, 'process'>): number | undefined {
  try {
    const status = readFileSync(`/proc/${process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  } catch {
    return undefined;
  }
}
