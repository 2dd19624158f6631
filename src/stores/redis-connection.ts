import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import { isOffline, toRedisFault } from './redis-fault.ts';
import type { Script } from './redis-scripts.ts';
import type { FaultWord, StoreFault } from './store-fault.ts';
import { parseStoreUrl, type StoreAddress } from './store-url.ts';

/** Milliseconds that a command may take, and a connection attempt; after that the store is unavailable. */
const commandMs = 2000;
const connectMs = 2000;
const longestPauseMs = 1000;

/** What the driver needs of a server. Every promise settles within two seconds, or rejects with a StoreFault. */
interface RedisServer {
  /** Runs a script by its digest, or by its text where the server does not know it yet. */
  run(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /** Writes a value on the server that has the key's slot; it is forgotten after `ms` milliseconds. */
  writeFor(key: string, value: string, ms: number): Promise<unknown>;
  close(): Promise<void>;
}

const toPauseMs = (retries: number) =>
  Math.min(50 * 2 ** retries, longestPauseMs) * (0.5 + Math.random() / 2);

/**
 * No command waits for a connection, none is sent twice, and one whose connection ends is rejected: only its
 * caller can know whether it may be repeated. A silent connection is found out by pings and made anew.
 */
function toOptions({ tls, username, password, database }: StoreAddress) {
  return {
    disableOfflineQueue: true,
    pingInterval: 1000,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    socket: {
      connectTimeout: connectMs,
      socketTimeout: commandMs * 2,
      reconnectStrategy: toPauseMs,
      ...(tls && { tls }),
    },
  } satisfies RedisClientOptions;
}

function withinTime<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), commandMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A client of one server. It reconnects by itself, and looks its host name up each time. */
function toClient(address: StoreAddress) {
  const options = toOptions(address);
  return createClient({ ...options, socket: { ...options.socket, ...address.nodes[0]! } });
}

/** A client of a cluster. It connects to a node at its first use, so that one that is away holds up no other. */
function toClusterClient(address: StoreAddress) {
  return createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults: toOptions(address),
    minimizeConnections: true,
  });
}

type Client = ReturnType<typeof toClient> | ReturnType<typeof toClusterClient>;

type Node = StoreAddress['nodes'][number];

const toMasters = (client: Client | undefined): Node[] =>
  client && 'masters' in client ? client.masters.map(({ host, port }) => ({ host, port })) : [];

/** After these another server may stand behind the same address; after these a cluster may have a new map. */
const moves: FaultWord[] = ['read_only', 'master_down'];
const clusterMoves: FaultWord[] = [
  ...moves,
  'cluster_down',
  'refused',
  'unknown_host',
  'unreachable',
  'closed',
  'timeout',
  'not_connected',
];

/**
 * Connects in the background, again and again until it is closed. After a fault that another server could be
 * without, a new client is made beside the one in use and takes its place once it is connected; what is under
 * way on the old one is finished there.
 */
export function connect(url: string): RedisServer {
  const address = parseStoreUrl(url);
  const renewing = address.isCluster ? clusterMoves : moves;
  let client: Client | undefined;
  let next: Client | undefined;
  let isClosed = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let trouble: { error: unknown; at: number } | undefined;

  /** Keeps why there is no connection: a command is only told that there is none. */
  const note = (error: unknown) => {
    if (!isOffline(error)) trouble = { error, at: performance.now() };
  };

  function open(): Client {
    if (!address.isCluster) return toClient(address).on('error', note);
    const isGiven = (one: Node) =>
      address.nodes.some(({ host, port }) => host === one.host && port === one.port);
    const nodes = [...address.nodes, ...toMasters(client).filter((one) => !isGiven(one))];
    return toClusterClient({ ...address, nodes })
      .on('error', note)
      .on('node-error', note);
  }

  const end = (old: Client) => withinTime(Promise.resolve(old.close())).catch(() => old.destroy());

  async function renew(): Promise<void> {
    if (next || isClosed || performance.now() - renewedAt < longestPauseMs) return;
    for (let retries = 0; !isClosed; retries += 1) {
      next = open();
      try {
        await next.connect();
        if (address.isCluster && toMasters(next).length === 0)
          throw new Error('CLUSTERDOWN no slot is assigned');
        if (client) void end(client);
        client = next;
        break;
      } catch (error) {
        note(error);
        next.destroy();
        await new Promise((resolve) => setTimeout(resolve, toPauseMs(retries)));
      }
    }
    next = undefined;
    renewedAt = performance.now();
  }

  function toFault(error: unknown, from: number): StoreFault {
    const fault = toRedisFault(error);
    if (!trouble) return fault;
    const isTroubled = fault.word === 'not_connected' || (fault.word === 'timeout' && trouble.at >= from);
    return isTroubled ? toRedisFault(trouble.error) : fault;
  }

  async function ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      if (!client) throw new Error('The client is offline');
      return await withinTime(command(client));
    } catch (error) {
      const fault = toFault(error, from);
      if (renewing.includes(fault.word)) void renew();
      throw fault;
    }
  }

  void renew();
  return {
    run: (script, keys, values) =>
      ask((server) =>
        server.evalSha(script.sha, { keys, arguments: values }).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return server.eval(script.text, { keys, arguments: values });
        }),
      ),
    writeFor: (key, value, ms) =>
      ask((server) => server.set(key, value, { expiration: { type: 'PX', value: ms } })),
    async close() {
      isClosed = true;
      next?.destroy();
      if (client) await end(client);
    },
  };
}
