import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  commandMs,
  connectToServer,
  isCluster,
  longestPauseMs,
  type NodeClient,
  toClusterClient,
  toMasters,
  toPauseMs,
  withinTime,
} from './redis-client.ts';
import type { Script } from './redis-scripts.ts';
import { type FaultWord, StoreFault, toRedisFault } from './store-fault.ts';
import type { StoreAddress } from './store-url.ts';

/** Milliseconds until a command is tried again that found its slot on its way to another node, and was not run. */
const slotPauseMs = 25;
const isOnItsWay = ({ message }: Error) => /^TRYAGAIN |access a non local key/.test(message);
/** Milliseconds that replicas may take; the connection does nothing else meanwhile. */
const replicasMs = 1000;
/** Keys of earlier formats, and how many rounds of 1,000 keys look for one. */
const earlierKeys = 'careers:[2{]*';
const mostRounds = 100;
const earlierAdvice =
  'the server has workspaces of an earlier format, which is not read; name another database or server in STORE_URL, or wait until they have expired';
/** After these another server may have the part of the one that was asked, or the map of a cluster may be old. */
const moves: FaultWord[] = ['read_only', 'master_down', 'cluster_down', 'too_few_replicas', 'timeout'];
const losses: FaultWord[] = ['refused', 'unknown_host', 'unreachable', 'closed', 'not_connected'];

/**
 * Waits until so many replicas have all that was written over the connection of a key, so that a failover to any of
 * them loses none of it. Those who wait at once share one WAIT. What is written where a slot is on its way to another
 * node is waited for at the node that it leaves.
 */
function createReplicaWait(replicas: number) {
  const waiting = new WeakMap<NodeClient, Promise<void>>();

  async function wait(node: NodeClient): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    waiting.delete(node);
    const count = await node.wait(replicas, replicasMs);
    if (count < replicas)
      throw new Error(`NOREPLICAS ${count} of ${replicas} replicas have the write in time`);
  }

  return async function acknowledged(client: Client, key: string): Promise<void> {
    const node = isCluster(client) ? await client.getNodeClientForKey(key) : client;
    const shared = waiting.get(node) ?? wait(node);
    waiting.set(node, shared);
    return shared;
  };
}

/** Rejects where a server is a node of a cluster: it may take a check, and refuse most of what is written. */
async function refuseNode(client: NodeClient): Promise<void> {
  const facts = await client.info('cluster').catch(() => '');
  if (/^cluster_enabled:1/m.test(facts)) throw new Error('cluster_enabled:1, it is a node of a cluster');
}

/** Rejects where a bounded look at a server finds a key of an earlier format. */
async function refuseEarlier(client: NodeClient): Promise<void> {
  let cursor = '0';
  for (let round = 0; round < mostRounds; round += 1) {
    const found = await withinTime(client.scan(cursor, { MATCH: earlierKeys, COUNT: 1000 }));
    const [key] = found.keys;
    if (key) throw new StoreFault('earlier_format', earlierAdvice, `${key.slice(0, 12)}… is there`);
    if (found.cursor === '0') return;
    cursor = found.cursor;
  }
}

/** Rejects with the first fault that a look finds at a master. Those that do not answer are left out. */
async function lookAt(client: Client, look: (node: NodeClient) => Promise<void>): Promise<void> {
  const nodes = isCluster(client) ? client.masters.map((one) => client.nodeClient(one)) : [client];
  const looks = nodes.map(async (node) => look(await withinTime(Promise.resolve(node))));
  for (const one of await Promise.allSettled(looks))
    if (one.status === 'rejected' && one.reason instanceof StoreFault) throw one.reason;
}

/**
 * Connects in the background, again and again until it is closed. After a fault that another server could be
 * without, a new client is made beside the one in use and takes its place once it is connected; what is under
 * way on the old one is finished there. What is asked settles within two seconds, or rejects with a StoreFault.
 */
export function connect(address: StoreAddress, replicas: number) {
  const acknowledged = createReplicaWait(replicas);
  let client: Client | undefined;
  let next: Client | undefined;
  let isClosed = false;
  let isKnown = false;
  /** Asks for a new client. */
  let renew = () => {};
  let trouble: { error: unknown; at: number } | undefined;
  /** How many connections ended: what was written over one cannot be waited for over the next. */
  let ended = 0;

  /** Keeps why there is no connection: a command only says that there is none. */
  const note = (error: unknown) => {
    ended += 1;
    if (toRedisFault(error).word !== 'not_connected') trouble = { error, at: performance.now() };
  };

  async function open(): Promise<Client> {
    if (address.shape !== 'cluster') {
      const server = await connectToServer(address);
      next = server.on('error', note).on('terminated', () => renew());
      await refuseNode(server);
      return server;
    }
    const cluster = toClusterClient({ ...address, nodes: [...address.nodes, ...toMasters(client)] })
      .on('error', note)
      .on('node-error', note);
    next = cluster;
    await cluster.connect();
    if (toMasters(cluster).length === 0) throw new Error('CLUSTERDOWN no slot is assigned');
    return cluster;
  }

  const end = (old: Client) => withinTime(Promise.resolve(old.close())).catch(() => old.destroy());

  /** Opens one client after the other: the first at once, the next when it is asked for, and after a pause. */
  async function keepOpen(): Promise<void> {
    for (let retries = 0; !isClosed; ) {
      try {
        next = await open();
        if (!isKnown) await lookAt(next, refuseEarlier);
        isKnown = true;
      } catch (error) {
        note(error);
        next?.destroy();
        await pause(toPauseMs(retries));
        retries += 1;
        continue;
      }
      if (isClosed) return end(next);
      if (client) setTimeout(end, commandMs, client);
      [client, next, retries] = [next, undefined, 0];
      const asked = Promise.withResolvers<void>();
      renew = asked.resolve;
      await pause(longestPauseMs, undefined, { ref: false });
      await asked.promise;
    }
  }

  function toFault(error: unknown, from: number): StoreFault {
    const fault = toRedisFault(error);
    if (!trouble) return fault;
    const isTroubled = fault.word === 'not_connected' || (fault.word === 'timeout' && trouble.at >= from);
    return isTroubled ? toRedisFault(trouble.error) : fault;
  }

  async function ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    const from = performance.now();
    let isLate = false;
    const tryIt = async (): Promise<T> => {
      if (!client) throw new Error('The client is offline');
      return command(client).catch(async (error: Error) => {
        if (!isOnItsWay(error) || isLate) throw error;
        await pause(slotPauseMs);
        return tryIt();
      });
    };
    try {
      return await withinTime(tryIt());
    } catch (error) {
      isLate = true;
      const fault = toFault(error, from);
      if (!client?.isReady || [...moves, ...losses].includes(fault.word)) renew();
      throw fault;
    }
  }

  /** Has the replicas acknowledge what `write` does. */
  const askToKeep = <T>(keys: readonly string[], write: (server: Client) => Promise<T>) =>
    ask(async (server) => {
      const before = ended;
      const answer = await write(server);
      if (replicas === 0) return answer;
      if (before !== ended) throw new Error('closed unexpectedly');
      await Promise.all(keys.map((key) => acknowledged(server, key)));
      return answer;
    });

  const evaluate = (server: Client, { sha, text }: Script, keys: string[], values: string[]) =>
    server.evalSha(sha, { keys, arguments: values }).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return server.eval(text, { keys, arguments: values });
    });

  void keepOpen();
  return {
    /**
     * Runs a script by its digest, or by its text where the server does not know it yet. One that keeps what must not be
     * lost waits for the replicas.
     */
    run: (script: Script, keys: string[], values: string[]): Promise<unknown> =>
      script.isKept
        ? askToKeep(keys.slice(0, 1), (server) => evaluate(server, script, keys, values))
        : ask((server) => evaluate(server, script, keys, values)),
    /**
     * Writes keys that are forgotten after `ms` milliseconds. Once it is done the replicas have them, and all that was
     * written before on the servers of their slots, by whomever.
     */
    async writeFor(keys: readonly string[], ms: number): Promise<void> {
      const expiration = { type: 'PX', value: ms } as const;
      await askToKeep(keys, (server) => Promise.all(keys.map((key) => server.set(key, '', { expiration }))));
    },
    /** Has a look at every master; rejects with the first StoreFault. */
    look: (at: (node: NodeClient) => Promise<void>) => ask((server) => lookAt(server, at)),
    async close(): Promise<void> {
      isClosed = true;
      renew();
      next?.destroy();
      if (client) await end(client);
    },
  };
}
