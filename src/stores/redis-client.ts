import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import type { StoreAddress } from './store-url.ts';

/** Milliseconds that a command may take, and a connection attempt; a sentinel has half of it to answer. */
export const commandMs = 2000;
const sentinelMs = 1000;
/** The last milliseconds of each. They begin when the process runs: after a pause it reads first what arrived. */
const lastMs = 100;
/** Milliseconds between two attempts at most, and from one new client to the next at least. */
export const longestPauseMs = 1000;

type ServerNode = StoreAddress['nodes'][number];
type Login = Omit<StoreAddress, 'nodes' | 'shape'>;

export const pickPauseMs = (retries: number) =>
  Math.min(50 * 2 ** retries, longestPauseMs) * (0.5 + Math.random() / 2);

/**
 * No command waits for a connection, none is sent twice, and one whose connection ends is rejected: only its
 * caller can know whether it may be repeated. Pings detect a silent connection, which is then replaced.
 */
function createClientOptions({ tls, username, password, database }: Login) {
  return {
    disableOfflineQueue: true,
    pingInterval: 1000,
    username,
    password,
    database,
    socket: {
      connectTimeout: commandMs,
      socketTimeout: commandMs * 2,
      reconnectStrategy: pickPauseMs,
      ...(tls && { tls }),
    },
  } satisfies RedisClientOptions;
}

/** Rejects if a promise does not settle within `ms` milliseconds. */
export function withinTime<T>(promise: Promise<T>, ms = commandMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => setTimeout(reject, lastMs, new Error('no answer in time'));
    const timer = setTimeout(late, ms - lastMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A client of a cluster. It connects to a node at its first use, so that one that is away holds up no other. */
export function createClusterClient(address: StoreAddress) {
  return createCluster({
    rootNodes: address.nodes.map((socket) => ({ socket })),
    defaults: createClientOptions(address),
    minimizeConnections: true,
  });
}

export type NodeClient = Awaited<ReturnType<typeof connectOnce>>;
type ClusterClient = ReturnType<typeof createClusterClient>;
export type RedisClient = NodeClient | ClusterClient;

export const isCluster = (client: RedisClient): client is ClusterClient => 'masters' in client;

/** The nodes of a cluster that have slots, as far as it was seen. */
export const listMasters = (client: RedisClient | undefined): ServerNode[] =>
  client && isCluster(client) ? client.masters.map(({ host, port }) => ({ host, port })) : [];

async function connectOnce(login: Login, node: ServerNode, connectTimeout = commandMs) {
  const options = createClientOptions(login);
  const socket = { ...options.socket, ...node, connectTimeout, reconnectStrategy: false as const };
  const client = createClient({ ...options, socket }).on('error', () => {});
  return withinTime(client.connect(), connectTimeout).catch((error) => {
    client.destroy();
    throw error;
  });
}

async function askOnce(login: Login, node: ServerNode): Promise<ServerNode> {
  const sentinel = await connectOnce(login, node, sentinelMs);
  try {
    const question = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', login.master!];
    const master = (await withinTime(sentinel.sendCommand(question), sentinelMs)) as [string, string] | null;
    if (!master) throw new Error(`no master of the sentinels is named ${login.master}`);
    return { host: master[0], port: Number(master[1]) };
  } finally {
    sentinel.destroy();
  }
}

/** Asks a sentinel for the master: without a login, and again with that of the URL if it wants one. */
async function askSentinel(
  { tls, master, username, password }: StoreAddress,
  node: ServerNode,
): Promise<ServerNode> {
  try {
    return await askOnce({ tls, master }, node);
  } catch (error) {
    const wantsLogin = /^(NOAUTH|WRONGPASS|NOPERM) /.test((error as Error).message);
    if (password === undefined || !wantsLogin) throw error;
    return askOnce({ tls, master, username, password }, node);
  }
}

/**
 * A client of the server that the first sentinel to answer calls the master, and that says so itself. Made of plain
 * clients: the client for sentinels sends a command again whose connection ended, which may do it twice.
 */
async function connectToMaster(address: StoreAddress): Promise<NodeClient> {
  const asked = address.nodes.map((one) => askSentinel(address, one));
  const node = await Promise.any(asked).catch(({ errors }: AggregateError) => {
    throw errors.find(({ message }) => /named/.test(message)) ?? errors[0];
  });
  const client = await connectOnce(address, node);
  const reply = await withinTime(client.role());
  if (reply?.role === 'master') return client;
  client.destroy();
  throw new Error('READONLY the sentinels still name a server that is a replica');
}

/**
 * A client of the server at an address, or of one of several, another at each attempt. It connects once: when that ends
 * it is `terminated`, since another server may have its part by then.
 */
export function connectToServer(address: StoreAddress, attempt = 0): Promise<NodeClient> {
  const { shape, nodes } = address;
  return shape === 'sentinel'
    ? connectToMaster(address)
    : connectOnce(address, nodes[attempt % nodes.length]!);
}
