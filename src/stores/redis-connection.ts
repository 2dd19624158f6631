import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  isCluster,
  isOfCluster,
  longestPauseMs,
  type Node,
  type NodeClient,
  toClient,
  toClusterClient,
  toMasters,
  toPauseMs,
  withinTime,
} from './redis-client.ts';
import { isOffline, toMoves, toRedisFault } from './redis-fault.ts';
import { createReplicaWait } from './redis-replicas.ts';
import type { Script } from './redis-script.ts';
import { connectToMaster } from './redis-sentinel.ts';
import type { StoreFault } from './store-fault.ts';
import { parseStoreUrl } from './store-url.ts';

/** What the driver needs of a server. Every promise settles within two seconds, or rejects with a StoreFault. */
interface RedisServer {
  /**
   * Runs a script by its digest, or by its text where the server does not know it yet. One that keeps what must not be
   * lost waits for the replicas.
   */
  run(script: Script, keys: string[], values: string[]): Promise<unknown>;
  /**
   * Writes a value on the server that has the key's slot; it is forgotten after `ms` milliseconds. Once it is done the
   * replicas have it, and all that was written there before, by whomever.
   */
  writeFor(key: string, value: string, ms: number): Promise<void>;
  /** How many replicas a write waits for. */
  replicas: number;
  close(): Promise<void>;
}

/** Milliseconds until a command is tried again that found its slot on its way to another node, and was not run. */
const slotPauseMs = 25;
const isOnItsWay = ({ message }: Error) => /^TRYAGAIN |access a non local key/.test(message);

/**
 * Connects in the background, again and again until it is closed. After a fault that another server could be
 * without, a new client is made beside the one in use and takes its place once it is connected; what is under
 * way on the old one is finished there.
 */
export function connect(url: string, replicas: number): RedisServer {
  const address = parseStoreUrl(url);
  const renewing = toMoves(address.shape);
  const acknowledged = createReplicaWait(replicas);
  let client: Client | undefined;
  let next: Client | undefined;
  let isRenewing = false;
  let isClosed = false;
  let isToRenew = false;
  /** Whether one server was named that is a node of a cluster. */
  let isAstray = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let trouble: { error: unknown; at: number } | undefined;
  /** How many connections ended: what was written over one cannot be waited for over the next. */
  let ended = 0;

  /** Keeps why there is no connection: a command is only told that there is none. */
  const note = (error: unknown) => {
    ended += 1;
    if (!isOffline(error)) trouble = { error, at: performance.now() };
  };

  function toSingle(): NodeClient {
    const made = toClient(address).on('error', note);
    return made.on('ready', async () => {
      isAstray = await isOfCluster(made);
    });
  }

  async function open(): Promise<Client> {
    if (address.shape === 'sentinel') {
      return connectToMaster(address, (error) => {
        note(error);
        void renew();
      });
    }
    const isGiven = (one: Node) =>
      address.nodes.some(({ host, port }) => host === one.host && port === one.port);
    const nodes = [...address.nodes, ...toMasters(client).filter((one) => !isGiven(one))];
    next =
      address.shape === 'single'
        ? toSingle()
        : toClusterClient({ ...address, nodes })
            .on('error', note)
            .on('node-error', note);
    await next.connect();
    if (isCluster(next) && toMasters(next).length === 0) throw new Error('CLUSTERDOWN no slot is assigned');
    return next;
  }

  const end = (old: Client) =>
    withinTime(Promise.resolve(old.close()))
      .catch(() => old.destroy())
      .catch(() => {});

  /** One that sentinels told of does not come back by itself. */
  const isOver = () => client !== undefined && !isCluster(client) && !client.isReady;

  function renewLater(ms: number): void {
    if (isToRenew || address.shape !== 'sentinel') return;
    isToRenew = true;
    setTimeout(() => {
      isToRenew = false;
      if (isOver()) void renew();
    }, ms).unref();
  }

  async function renew(): Promise<void> {
    if (isRenewing || isClosed) return;
    const rest = renewedAt + longestPauseMs - performance.now();
    if (rest > 0) return renewLater(rest);
    isRenewing = true;
    for (let retries = 0; !isClosed; retries += 1) {
      try {
        const opened = await open();
        if (client) void end(client);
        client = opened;
        break;
      } catch (error) {
        note(error);
        next?.destroy();
        await pause(toPauseMs(retries));
      }
    }
    if (isClosed && client) void end(client);
    next = undefined;
    isRenewing = false;
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
    let isLate = false;
    const tryIt = async (): Promise<T> => {
      if (!client) throw new Error('The client is offline');
      if (isAstray) throw new Error('cluster_enabled:1, it is a node of a cluster');
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
      if (renewing.includes(fault.word)) void renew();
      throw fault;
    }
  }

  /** Has the replicas acknowledge what `write` does. */
  const askToKeep = <T>(key: string, write: (server: Client) => Promise<T>) =>
    ask(async (server) => {
      const before = ended;
      const answer = await write(server);
      if (replicas === 0) return answer;
      if (before !== ended) throw new Error('closed unexpectedly');
      await acknowledged(server, key);
      return answer;
    });

  const evaluate = (server: Client, { sha, text }: Script, keys: string[], values: string[]) =>
    server.evalSha(sha, { keys, arguments: values }).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return server.eval(text, { keys, arguments: values });
    });

  void renew();
  return {
    run: (script, keys, values) =>
      script.isKept
        ? askToKeep(keys[0]!, (server) => evaluate(server, script, keys, values))
        : ask((server) => evaluate(server, script, keys, values)),
    writeFor: async (key, value, ms) => {
      await askToKeep(key, (server) => server.set(key, value, { expiration: { type: 'PX', value: ms } }));
    },
    replicas,
    async close() {
      isClosed = true;
      next?.destroy();
      if (client) await end(client);
    },
  };
}
