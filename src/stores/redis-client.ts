import { createClient, createCluster, type RedisClientOptions } from '@redis/client';
import type { StoreAddress } from './store-url.ts';

/** Milliseconds for a command, and for a connection attempt. A sentinel has half of it to answer. */
export const commandMs = 2000;
const sentinelMs = 1000;
/** The last milliseconds of each. They start late, so that a process that was paused first reads what has arrived. */
const lastMs = 100;
/** Maximum milliseconds between two attempts, and minimum milliseconds between two new clients. */
export const longestPauseMs = 1000;

type ServerNode = StoreAddress['nodes'][number];
type Login = Omit<StoreAddress, 'nodes' | 'shape'>;

export const pickPauseMs = (retries: number) =>
  Math.min(50 * 2 ** retries, longestPauseMs) * (0.5 + Math.random() / 2);

/**
 * No command waits for a connection, and none is sent twice. A command is rejected if its connection ends, because only
 * its caller knows whether it may be repeated. Pings detect a silent connection, which is then replaced.
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

/**
 * Creates a client of a cluster. It connects to a node at its first use, so that a node that is down delays no other.
 */
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

/** Finds the node of a key. */
export const findNode = async (client: RedisClient, key: string): Promise<NodeClient> =>
  isCluster(client) ? client.getNodeClientForKey(key) : client;

/** Lists the known nodes of a cluster that have slots. */
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

/** Asks a sentinel for the master, first without a login, and then with the login of the URL if it wants one. */
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
 * Connects to the server that the first sentinel to answer calls the master, and that says so itself. It uses plain
 * clients: the library's client for sentinels repeats a command whose connection ended, which may run it twice.
 */
async function connectToMaster(address: StoreAddress): Promise<NodeClient> {
  const answers = address.nodes.map((sentinel) => askSentinel(address, sentinel));
  const node = await Promise.any(answers).catch(({ errors }: AggregateError) => {
    throw errors.find(({ message }) => /named/.test(message)) ?? errors[0];
  });
  const client = await connectOnce(address, node);
  const reply = await withinTime(client.role());
  if (reply?.role === 'master') return client;
  client.destroy();
  throw new Error('READONLY the sentinels still name a server that is a replica');
}

/**
 * Connects to the server at an address, or to one of several, a different one at each attempt. It connects once. When
 * the connection ends, the client is `terminated`, because another server may be the master by then.
 */
export function connectToServer(address: StoreAddress, attempt = 0): Promise<NodeClient> {
  const { shape, nodes } = address;
  return shape === 'sentinel'
    ? connectToMaster(address)
    : connectOnce(address, nodes[attempt % nodes.length]!);
}
