import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findPort } from '../../tests/support/server.ts';
import { has } from '../../tests/support/tools.ts';
import type { PeerName } from './cases.ts';
import { type Answer, get, send, type Wire } from './wire.ts';

export const root = join(import.meta.dirname, '../..');
/** Servers run on one core and the load on another, where the machine lets us say so. */
const canPin = has('taskset') && availableParallelism() > 1;

const shelf = join(root, 'node_modules/.cache');
mkdirSync(shelf, { recursive: true });
/** Of this run. On a disk, because a flush to memory costs nothing. */
export const folder = mkdtempSync(join(shelf, 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
/** Every server adds a listener, so that none outlives the bench. */
process.setMaxListeners(0);

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

/**
 * Starts a server with a folder of its own, on the core of the servers, with its port in PORT; resolves at its first
 * answer, to `path`. Its output goes to a file, because a log that nobody reads is dropped.
 */
export async function start(
  toCommand: (own: string, port: number) => string[],
  env: Record<string, string> = {},
  path = '/candidates',
): Promise<Server> {
  const own = mkdtempSync(join(folder, 'server-'));
  const port = await findPort();
  const log = join(own, 'log');
  const out = openSync(log, 'w');
  const [program, args] = pin(0, toCommand(own, port));
  const always = { NODE_ENV: 'production', GRACE_SECONDS: '0', PORT: String(port), DATA_DIR: own };
  const options: SpawnOptions = { cwd: root, env: { ...process.env, ...always, ...env } };
  const child = spawn(program, args, { ...options, stdio: ['ignore', out, out] });
  closeSync(out);
  process.once('exit', () => child.kill('SIGKILL'));
  const until = performance.now() + 30_000;
  while (!(await send(port, get(path)).catch(() => undefined))) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`${program} ${args.join(' ')} does not listen:\n${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const stop = async () => {
    if (!child.kill('SIGTERM')) return;
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await once(child, 'exit');
    clearTimeout(timer);
  };
  return { port, pid: child.pid!, stop };
}

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Node's options as npm start has them. */
const nodeOptions: string[] = scripts.start.match(/--\S+/g);

/** Starts our server, or that of another checkout, as an operator would, without limits. */
export const startOurs = (env: Record<string, string> = {}, main = 'dist/host/main.mjs'): Promise<Server> =>
  start(
    () => [process.execPath, ...nodeOptions, main],
    { RATE_LIMIT: 'off', METER: 'count', ...env },
    '/readyz',
  );

const peers = join(root, 'scripts/referees/servers');

/** One nginx worker that serves `answer` at `path`. */
const startNginx = (path: string, answer: Answer): Promise<Server> =>
  start(
    (own, port) => {
      const { 'content-type': type, 'content-length': _, ...headers } = answer.headers;
      const added = Object.entries(headers).map(([name, value]) => `add_header ${name} '${value}';`);
      const given = { PORT: port, PATH: path, TYPE: type, HEADERS: added.join('\n') };
      const text = readFileSync(join(peers, 'nginx.conf'), 'utf8');
      writeFileSync(
        join(own, 'nginx.conf'),
        text.replace(/\$\{(\w+)\}/g, (_, name: keyof typeof given) => String(given[name])),
      );
      writeFileSync(join(own, 'body'), answer.body);
      return ['nginx', '-p', own, '-c', join(own, 'nginx.conf'), '-e', 'log'];
    },
    {},
    path,
  );

/**
 * Starts a peer. The raw limit and nginx answer `constant`, which is what `request` gets from us; the others read what
 * they answer from our server at the port `reference`.
 */
export function startPeer(
  name: Exclude<PeerName, 'http'>,
  { reference, request, constant }: { reference: number; request: Wire; constant: Answer },
): Promise<Server> {
  if (name === 'nginx') return startNginx(request.path, constant);
  const file = join(peers, name.startsWith('raw') ? 'raw.ts' : 'peers.ts');
  const env = { REFERENCE: String(reference), REQUEST: JSON.stringify(request), PEER: name };
  return start(() => [process.execPath, file], env);
}

const ticksASecond = process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'])) : 0;

/** Seconds of processor time that a process has used; NaN where the system does not say. */
export function toCpuSeconds(pid: number): number {
  if (!ticksASecond) return Number.NaN;
  const [, text] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = text!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
}

/** Resident memory of a process, in megabytes (10^6 bytes). */
export const toResidentMb = (pid: number): number =>
  (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024) / 1e6;
