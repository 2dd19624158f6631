import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findPort } from '../../tests/support/server.ts';
import { has } from '../../tests/support/tools.ts';
import type { PeerName } from './cases.ts';
import { type Answer, get, headerOf, send, type Wire } from './wire.ts';

export const root = join(import.meta.dirname, '../..');
/** Servers run on one core and the load on another, where the machine lets us say so. */
const canPin = has('taskset') && availableParallelism() > 1;
export const hasNginx = has('nginx');

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

let started = 0;

/**
 * Starts a server with a folder of its own, on the core of the servers, with its port in PORT; resolves at its first
 * answer, to `path`. Its output goes to a file, because a log that nobody reads is dropped.
 */
export async function start(
  toCommand: (own: string, port: number) => string[],
  env: Record<string, string> = {},
  path = '/candidates',
): Promise<Server> {
  started += 1;
  const own = join(folder, String(started));
  const port = await findPort();
  mkdirSync(own);
  const log = join(own, 'log');
  const out = openSync(log, 'w');
  const [program, args] = pin(0, toCommand(own, port));
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...process.env,
      ...{ NODE_ENV: 'production', GRACE_SECONDS: '0', PORT: String(port), DATA_DIR: own },
      ...env,
    },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  process.once('exit', () => child.kill('SIGKILL'));
  const until = performance.now() + 30_000;
  while (!(await send(port, get(path)).catch(() => undefined))) {
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`${program} ${args.join(' ')} does not listen:\n${readFileSync(log, 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
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

/**
 * One nginx worker that serves the file `body` in `own` at `path`, with the headers of `answer`. It keeps the access
 * log that Debian's package keeps, and like there no open_file_cache.
 */
function toNginxConfig(own: string, port: number, path: string, answer: Answer): string {
  const headers = answer.headers.filter(([name]) => !/^content-(type|length)$/i.test(name));
  return `daemon off;
master_process off;
pid ${own}/pid;
events { worker_connections 1024; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${own}/${name};`).join('\n  ')}
  access_log ${own}/access.log;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  server_tokens off;
  etag off;
  max_ranges 0;
  types {}
  default_type '${headerOf(answer, 'content-type')}';
  server {
    listen 127.0.0.1:${port};
    location = ${path} {
      alias ${own}/body;
      add_header Last-Modified '';
      ${headers.map(([name, value]) => `add_header ${name} '${value}';`).join('\n      ')}
    }
  }
}
`;
}

/**
 * Starts a peer. The raw limit and nginx answer `constant`, which is what `request` gets from us; the others read what
 * they answer from our server at the port `reference`.
 */
export function startPeer(
  name: Exclude<PeerName, 'http'>,
  { reference, request, constant }: { reference: number; request: Wire; constant: Answer },
): Promise<Server> {
  if (name === 'nginx')
    return start(
      (own, port) => {
        writeFileSync(join(own, 'body'), constant.body);
        writeFileSync(join(own, 'nginx.conf'), toNginxConfig(own, port, request.path, constant));
        return ['nginx', '-p', own, '-c', join(own, 'nginx.conf'), '-e', join(own, 'log')];
      },
      {},
      request.path,
    );
  const [program, variant = ''] = name === 'map' ? ['bare', 'map'] : name.split(' ');
  const file = join(root, 'scripts/referees/servers', `${program}.ts`);
  const env = { REFERENCE: String(reference), REQUEST: JSON.stringify(request), VARIANT: variant };
  return start(() => [process.execPath, file], env);
}

const ticksASecond = process.platform === 'linux' ? Number(execFileSync('getconf', ['CLK_TCK'])) : 0;

/** Seconds of processor time that a process has used; NaN where the system does not say. */
export function toCpuSeconds(pid: number): number {
  if (!ticksASecond) return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksASecond;
}

/** Resident memory of a process, in megabytes (10^6 bytes). */
export const toResidentMb = (pid: number): number =>
  (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) * 1024) / 1e6;
