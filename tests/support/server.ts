import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'uvu';

const root = join(import.meta.dirname, '..', '..');
const host = [process.execPath, 'dist/host/main.mjs'];

/** The built Node host in a process of its own. */
export interface RunningServer {
  origin: string;
  port: number;
  dataDir: string;
  process: ChildProcess;
  /** Everything that it has printed. */
  output(): string;
  /** Sends SIGTERM and returns the exit code. Leaves the data. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits until it has ended. */
  kill(): Promise<unknown>;
}

const folders: string[] = [];
const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Finds the folder for temporary ones: in memory if there is room, because a store waits for the disk after each change.
 * TMPDIR names another.
 */
function findTemporaryFolder(): string {
  const memory = '/dev/shm';
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return process.env.TMPDIR === undefined && bavail * bsize >= 2 ** 30 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

const temporary = findTemporaryFolder();

/** Makes a folder that is removed when the test process ends. */
export function makeFolder(parent = temporary): string {
  const folder = mkdtempSync(join(parent, 'careers-'));
  folders.push(folder);
  return folder;
}

const given = new Set<number>();

/**
 * Finds an unused port that was not returned before and that no outgoing connection gets meanwhile: systems
 * use those from 32,768 on. Redis clusters use the port 10,000 higher as well.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 10_000);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer().listen(port);
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/**
 * Starts the host on a free port, with an empty data folder unless `DATA_DIR` is given, and without a grace
 * unless `GRACE_SECONDS` is. A `BASE_URL` without a port needs a `PORT`. `command` runs in the folder of the
 * project. Returns when it listens: for the next half second its answers take longer.
 */
export async function launchServer(
  env: Record<string, string> = {},
  [program, ...args] = host,
): Promise<RunningServer> {
  const dataDir = env.DATA_DIR ?? makeFolder();
  const child = spawn(program!, args, {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', GRACE_SECONDS: '0', ...env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  let printed = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const [said, port] = /on http\S*?(?::(\d+))?\n/.exec(printed) ?? [];
      if (said) resolve(`http://localhost:${Number(env.PORT) || port}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then((code) => reject(new Error(`the host ended with ${code} before it listened:\n${printed}`)));
  });
  return {
    origin,
    port: Number(new URL(origin).port),
    dataDir,
    process: child,
    output: () => printed,
    stop() {
      child.kill('SIGTERM');
      return exited;
    },
    kill() {
      child.kill('SIGKILL');
      return exited;
    },
  };
}

/** Starts the host as `launchServer` does, and returns when it is ready. */
export async function startServer(env: Record<string, string> = {}, command = host): Promise<RunningServer> {
  const server = await launchServer(env, command);
  await new Promise((resolve) => {
    const asked = get(`${server.origin}/readyz`, { agent: false }, (reply) => reply.resume());
    asked.once('close', resolve).on('error', resolve);
  });
  return server;
}

/** The host that all test files of a process share. It is never stopped. */
export type SharedServer = Omit<RunningServer, 'process' | 'stop' | 'kill'>;
let shared: Promise<SharedServer> | undefined;

async function startShared(): Promise<SharedServer> {
  const rates = { RATE_LIMIT_LIVE: '1000000', RATE_LIMIT_MINT: '1000000' };
  const server = await startServer({ ...rates, LOG: 'off' });
  const { stdout, stderr } = server.process as unknown as Record<'stdout' | 'stderr', Socket>;
  for (const each of [server.process, stdout, stderr]) each.unref();
  return server;
}

/**
 * Returns the host that all test files of this process share, with default settings and limits that no test
 * reaches. A test that needs settings, the output, the data or the end of a host starts its own with
 * `startServer`.
 */
export function useServer(): Promise<SharedServer> {
  shared ??= startShared();
  return shared;
}

/** Runs `use` with a new host that listens, and stops the host in any case. Returns what it printed. */
export async function withServer(
  env: Record<string, string>,
  use: (server: RunningServer) => Promise<unknown>,
): Promise<string> {
  const server = await launchServer(env);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
  return server.output();
}

/** Starts a host for the tests of a suite, and stops it after them. */
export async function startFor(suite: Test, env: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(env);
  suite.after(async () => void (await server.stop()));
  return server;
}
