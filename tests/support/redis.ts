import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Tls } from './redis-sets.ts';
import { findPort, makeFolder } from './server.ts';

const wanted = process.env.REDIS_SERVER;

/** The server that REDIS_SERVER names, otherwise the Redis or Valkey server on the PATH, if there is one. */
export const redisBinary = (wanted ? [wanted] : ['redis-server', 'valkey-server']).find(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0,
);
if (wanted && !redisBinary) throw new Error(`REDIS_SERVER is ${wanted}, which does not run`);

/** The client program beside it. */
export const redisCli = redisBinary?.replace(/-server$/, '-cli') ?? 'redis-cli';

/**
 * Returns whether a test file is skipped because there is no server, and prints that. If `CI` is set, a
 * missing server is a failure.
 */
export function skipsRedis(): boolean {
  if (redisBinary) return false;
  console.log('skipped: no redis-server on this machine');
  if (process.env.CI) process.exitCode = 1;
  return true;
}

/** A Redis server on its own port. */
export interface RedisProcess {
  port: number;
  process: ChildProcess;
  /** Stops it, with SIGTERM by default, and waits until it has ended. Its data stay in its folder. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port, with its data. */
  start(): Promise<void>;
}

const started: RedisProcess[] = [];
process.on('exit', () => {
  for (const redis of started) redis.process.kill('SIGKILL');
});

/** The file of the authority for each port that speaks TLS. */
const authorities = new Map<number, string>();

/**
 * Starts a server that flushes its log at every write, with more options for its command line, or a sentinel
 * by its file. With `tls` it speaks nothing else. It ends with this process at the latest.
 */
export async function startRedis(
  more: string[] = [],
  { sentinel, tls }: { sentinel?: string; tls?: Tls | undefined } = {},
): Promise<RedisProcess> {
  const port = await findPort();
  const folder = makeFolder();
  if (tls) authorities.set(port, tls.authority);
  const listens = tls ? ['--port', '0', '--tls-port', `${port}`, ...tls.options] : ['--port', `${port}`];
  const fixed = [...listens, '--bind', '127.0.0.1'];
  const durable = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const toArgs = () => (sentinel ? [sentinel, ...fixed, '--sentinel'] : [...fixed, ...durable, ...more]);
  const redis = { port } as RedisProcess;
  redis.start = () =>
    new Promise((resolve, reject) => {
      const child = spawn(redisBinary!, toArgs(), {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      redis.process = child;
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += chunk;
        if (/Ready to accept connections|Sentinel ID is/.test(printed)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${printed}`)));
    });
  redis.stop = (signal = 'SIGTERM') =>
    new Promise((resolve) => {
      if (redis.process.exitCode !== null || redis.process.signalCode !== null) return resolve();
      redis.process.once('exit', () => resolve());
      redis.process.kill(signal);
    });
  started.push(redis);
  await redis.start();
  return redis;
}

/** Returns what `redis-cli` with these arguments prints about the server on `port`. */
export function askRedis(port: number, ...args: string[]): string {
  const authority = authorities.get(port);
  const secured = authority ? ['--tls', '--cacert', authority] : [];
  return spawnSync(redisCli, ['-p', `${port}`, ...secured, ...args], { encoding: 'utf8' }).stdout;
}

/** Waits until `is` returns true, for at most ten seconds by default. */
export async function until(is: () => boolean | Promise<boolean>, what: string, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await is())) {
    if (Date.now() > end) throw new Error(`not within ${ms / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
