import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import type { Script } from './redis-scripts.ts';

/** Milliseconds that a command may take, and a connection attempt; after that the store is unavailable. */
const commandMs = 2000;
const connectMs = 2000;
const longestPauseMs = 1000;

/** What the driver needs of a server. Every promise settles within two seconds. */
export interface RedisServer {
  /** Runs a script by its digest, or by its text where the server does not know it yet. */
  run(script: Script, keys: string[], values: string[]): Promise<unknown>;
  readList(key: string): Promise<string[]>;
  /** Writes a value on the server that has the key's slot; it is forgotten after `ms` milliseconds. */
  writeFor(key: string, value: string, ms: number): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * No command waits for a connection, none is sent twice, and one whose connection ends is rejected: only its
 * caller can know whether it may be repeated. A silent connection is found out by pings and made anew.
 */
const options = {
  disableOfflineQueue: true,
  pingInterval: 1000,
  socket: {
    connectTimeout: connectMs,
    socketTimeout: commandMs * 2,
    reconnectStrategy: (retries: number) =>
      Math.min(50 * 2 ** retries, longestPauseMs) * (0.5 + Math.random() / 2),
  },
} satisfies RedisClientOptions;

function withinTime<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), commandMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function toClusterClient(url: string) {
  const [, scheme, login = '', hosts = ''] = /^(rediss?)-cluster:\/\/([^@]*@)?([^/]+)/.exec(url) ?? [];
  const { username, password } = new URL(`redis://${login}host`);
  const tls = scheme === 'rediss';
  return createCluster({
    rootNodes: hosts.split(',').map((host) => ({ url: `${scheme}://${host}` })),
    defaults: {
      ...options,
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
      socket: { ...options.socket, ...(tls && { tls }) },
    },
  });
}

/** Connects in the background, again and again until it is closed. */
export function connect(url: string): RedisServer {
  const client = url.includes('-cluster://') ? toClusterClient(url) : createClient({ ...options, url });
  // Each failure is told by the command that meets it.
  client.on('error', () => {});
  client.connect().catch(() => {});
  return {
    run: (script, keys, values) =>
      withinTime(
        client.evalSha(script.sha, { keys, arguments: values }).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return client.eval(script.text, { keys, arguments: values });
        }),
      ),
    readList: (key) => withinTime(client.lRange(key, 0, -1)),
    writeFor: (key, value, ms) =>
      withinTime(client.set(key, value, { expiration: { type: 'PX', value: ms } })),
    async close() {
      await withinTime(client.close()).catch(() => client.destroy());
    },
  };
}
