import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Mistake } from '../command.ts';

/** Returns the processor seconds of a thread. */
const toSeconds = (pid: number, thread: number | string) =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

/** Throws a Mistake if this system does not count the processor time of threads. */
export function requireProcessorTime(): void {
  if (!existsSync(`/proc/${process.pid}/schedstat`))
    throw new Mistake('This soak reads processor times from /proc/PID/schedstat. Run it on Linux.');
}

/** Returns the processor seconds of all threads of a process. A thread must not end meanwhile. */
export const toProcessSeconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + toSeconds(pid, thread), 0);

/** Returns the processor seconds of the main thread of a process. In Redis it does all operations. */
export const toMainSeconds = (pid: number): number => toSeconds(pid, pid);
