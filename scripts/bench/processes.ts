import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

const has = (program: string) => spawnSync('which', [program]).status === 0;
/** Servers run on one core and the load on another, where the machine lets us say so. */
const canPin = has('taskset') && availableParallelism() > 1;
export const hasNginx = has('nginx');
export const hasWrk = has('wrk');

/** The command line that runs `command` on the core of the servers (0) or of the load (1). */
export function pin(core: 0 | 1, command: string[]): [string, string[]] {
  const [program, ...args] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return [program!, args];
}

export interface Server {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

export interface Launch {
  command: string[];
  env?: Record<string, string>;
  port?: number;
  /** Where its output goes; it must go somewhere, because a log that nobody reads is dropped. */
  log: string;
}

export function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(false));
  });
}

async function waitFor(port: number, child: ChildProcess, { command, log }: Launch): Promise<void> {
  const until = performance.now() + 30_000;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > until) {
      throw new Error(`${command.join(' ')} does not listen:\n${readFileSync(log, 'utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Starts a server on the core of the servers, told its port by PORT; resolves once it listens. */
export async function start(launch: Launch): Promise<Server> {
  const port = launch.port ?? (await findPort());
  const [program, args] = pin(0, launch.command);
  const out = openSync(launch.log, 'w');
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', GRACE_SECONDS: '0', PORT: String(port), ...launch.env },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await once(child, 'exit');
    clearTimeout(timer);
  };
  process.once('exit', () => child.kill('SIGKILL'));
  await waitFor(port, child, launch);
  return { port, pid: child.pid!, stop };
}

const ticksASecond = process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'])) : 0;

/** Seconds of processor time that a process has used; NaN where the system does not tell. */
export function toCpuSeconds(pid: number): number {
  if (!ticksASecond) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
}

/** Resident memory of a process, in megabytes (10^6 bytes). */
export function toResidentMb(pid: number): number {
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024) / 1e6;
}
