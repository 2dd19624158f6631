import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import type { StoreAddress } from './store-url.ts';

/** Milliseconds that a command may take, and a connection attempt; after that the store is unavailable. */
const commandMs = 2000;
const connectMs = 2000;
/** Milliseconds between two attempts at most, and from one new client to the next at least. */
export const longestPauseMs = 1000;

export type Node = StoreAddress['nodes'][number];

export const toPauseMs = (retries: number) =>
  Math.min(50 * 2 ** retries, longestPauseMs) * (0.5 + Math.random() / 2);

/**
 * No command waits for a connection, none is sent twice, and one whose connection ends is rejected: only its
 * caller can know whether it may be repeated. A silent connection is found out by pings and made anew.
 */
function toOptions({ tls, username, password, database }: Omit<StoreAddress, 'nodes' | 'shape'>) {
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

/** Rejects where a promise does not settle in the time of a command. */
export function withinTime<T>(promise: Promise<T>, ms = commandMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A client of one server. It reconnects by itself, and looks its host name up each time. */
export function toClient(address: StoreAddress) {
  const options = toOptions(address);
  return createClient({ ...options, socket: { ...options.socket, ...address.nodes[0]! } });
}

/** A client of one server that connects once: when that ends, another server may have its part. */
export function toClientOnce(
  address: Omit<StoreAddress, 'nodes' | 'shape'>,
  node: Node,
  connectTimeout = connectMs,
) {
  const options = toOptions(address);
  const socket = { ...options.socket, ...node, connectTimeout, reconnectStrategy: false as const };
  return createClient({ ...options, socket });
}

/** A client of a cluster. It connects to a node at its first use, so that one that is away holds up no other. */
export function toClusterClient(address: StoreAddress) {
  return createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults: toOptions(address),
    minimizeConnections: true,
  });
}

export type NodeClient = ReturnType<typeof toClient>;
type ClusterClient = ReturnType<typeof toClusterClient>;
export type Client = NodeClient | ClusterClient;

export const isCluster = (client: Client): client is ClusterClient => 'masters' in client;

/** The nodes of a cluster that have slots, as far as it was seen. */
export const toMasters = (client: Client | undefined): Node[] =>
  client && isCluster(client) ? client.masters.map(({ host, port }) => ({ host, port })) : [];

/** Whether a server is a node of a cluster: it may take a check, and refuse most of what is written. */
export async function isOfCluster(client: NodeClient): Promise<boolean> {
  const told = await client.sendCommand(['INFO', 'cluster']).catch(() => '');
  return /^cluster_enabled:1/m.test(String(told));
}
