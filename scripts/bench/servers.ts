import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findPort } from '../../tests/support/server.ts';
import { has } from '../../tests/support/tools.ts';
import { toProcessSeconds } from '../soak/processor-time.ts';
import type { PeerName } from './cases.ts';
import { type Answer, get, send, type Wire } from './wire.ts';

export const root = join(import.meta.dirname, '../..');
/** Whether the servers can run on one core and the load on another. */
const canPin = has('taskset') && availableParallelism() > 1;

const shelf = join(root, 'node_modules/.cache');
mkdirSync(shelf, { recursive: true });
/** The folder of this run. It is on a disk, because a flush to memory would cost nothing. */
export const folder = mkdtempSync(join(shelf, 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
/** Every server adds a listener that kills it when the bench ends. */
process.setMaxListeners(0);

/** Returns the command line that runs `command` on the core of the servers (0) or of the load (1). */
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
 * Starts a server on the core of the servers, with a new folder in DATA_DIR and its port in PORT. Resolves when it
 * first answers at `path`. Its output goes to a file, because a log without a reader would be dropped.
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
  const commonEnv = { NODE_ENV: 'production', GRACE_SECONDS: '0', PORT: String(port), DATA_DIR: own };
  const options: SpawnOptions = { cwd: root, env: { ...process.env, ...commonEnv, ...env } };
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
/** The options of Node in `npm start`. */
const nodeOptions: string[] = scripts.start.match(/--\S+/g);

/** Starts our server, or that of another checkout, as an operator would, but without limits. */
export const startOurs = (env: Record<string, string> = {}, main = 'dist/host/main.mjs'): Promise<Server> =>
  start(
    () => [process.execPath, ...nodeOptions, main],
    { RATE_LIMIT: 'off', METER: 'count', ...env },
    '/readyz',
  );

const peers = join(root, 'scripts/referees/servers');

/** Starts nginx with one worker that serves `answer` at `path`. */
const startNginx = (path: string, answer: Answer): Promise<Server> =>
  start(
    (own, port) => {
      const { 'content-type': type, 'content-length': _, ...headers } = answer.headers;
      const headerLines = Object.entries(headers).map(([name, value]) => `add_header ${name} '${value}';`);
      const variables = { PORT: port, PATH: path, TYPE: type, HEADERS: headerLines.join('\n') };
      const text = readFileSync(join(peers, 'nginx.conf'), 'utf8');
      writeFileSync(
        join(own, 'nginx.conf'),
        text.replace(/\$\{(\w+)\}/g, (_, name: keyof typeof variables) => String(variables[name])),
      );
      writeFileSync(join(own, 'body'), answer.body);
      return ['nginx', '-p', own, '-c', join(own, 'nginx.conf'), '-e', 'log'];
    },
    {},
    path,
  );

/**
 * Starts a peer. nginx sends `constant`, our answer to `request`. Other peers read what they answer from our server at
 * the port `reference`.
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

/** Starts the plain desk: Fastify, SQLite and the MCP SDK. It fills itself from our server at the port `reference`. */
export const startPlainDesk = (reference: number): Promise<Server> =>
  start(() => [process.execPath, ...nodeOptions, join(peers, 'plain-desk.ts')], {
    REFERENCE: String(reference),
  });

const isCounted = existsSync('/proc/self/schedstat');

/**
 * Returns the processor time that a process has used, in seconds. NaN except on Linux. The clock ticks in
 * `/proc/PID/stat` are 10 ms, too coarse for a few hundred requests.
 */
export const toCpuSeconds = (pid: number): number => (isCounted ? toProcessSeconds(pid) : Number.NaN);

/** Returns the resident memory of a process in megabytes (10^6 bytes). */
export const toResidentMb = (pid: number): number =>
  (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024) / 1e6;
