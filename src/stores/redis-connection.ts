import { setTimeout as pause } from 'node:timers/promises';
import { RESP_TYPES, type RedisArgument } from '@redis/client';
import {
  commandMs,
  connectToServer,
  createClusterClient,
  findNode,
  isCluster,
  listMasters,
  longestPauseMs,
  type NodeClient,
  pickPauseMs,
  type RedisClient,
  withinTime,
} from './redis-client.ts';
import { earlierKeys } from './redis-fields.ts';
import { shareProbes } from './redis-probe.ts';
import { createReplicaWait } from './redis-replicas.ts';
import type { Script } from './redis-scripts.ts';
import { type FaultWord, StoreFault, toRedisFault } from './store-fault.ts';
import type { StoreAddress } from './store-url.ts';

/** Milliseconds until a command is tried again that did not run because its slot moves to another node. */
const slotPauseMs = 25;
const isSlotMoving = ({ message }: Error) => /^TRYAGAIN |access a non local key/.test(message);
/** How many rounds of 1,000 keys are scanned for a key of an earlier format. */
const mostRounds = 100;
const earlierAdvice =
  'the server has workspaces of an earlier format, which is not read; name another database or server in STORE_URL, or wait until they have expired';
/** Faults after which another server may be the master, or the map of a cluster may be outdated. */
const moves: FaultWord[] = ['read_only', 'master_down', 'cluster_down', 'too_few_replicas', 'timeout'];
const losses: FaultWord[] = ['refused', 'unknown_host', 'unreachable', 'closed', 'not_connected'];

/** Rejects if a server is a node of a cluster. Such a node may accept a check and refuse most writes. */
async function refuseClusterNode(client: NodeClient): Promise<void> {
  const facts = await client.info('cluster').catch(() => '');
  if (/^cluster_enabled:1/m.test(facts)) throw new Error('cluster_enabled:1, it is a node of a cluster');
}

/** Rejects if a bounded scan of a server finds a key of an earlier format. */
async function refuseEarlierFormat(client: NodeClient): Promise<void> {
  let cursor = '0';
  for (let round = 0; round < mostRounds; round += 1) {
    const page = await withinTime(client.scan(cursor, { MATCH: earlierKeys, COUNT: 1000 }));
    const [key] = page.keys;
    if (key) throw new StoreFault('earlier_format', earlierAdvice, `${key.slice(0, 12)}… is there`);
    if (page.cursor === '0') return;
    cursor = page.cursor;
  }
}

const toNodes = (client: RedisClient) =>
  isCluster(client) ? client.masters.map((master) => client.nodeClient(master)) : [client];

/** Looks at every master. Rejects with the first StoreFault. Skips a master that does not answer. */
async function lookAt(client: RedisClient, look: (node: NodeClient) => Promise<void>): Promise<void> {
  const looks = toNodes(client).map(async (node) => look(await withinTime(Promise.resolve(node))));
  for (const outcome of await Promise.allSettled(looks))
    if (outcome.status === 'rejected' && outcome.reason instanceof StoreFault) throw outcome.reason;
}

/** The key that a check writes, and the lifetime of such keys in milliseconds. */
const probeKey = 'careers:check';
const probeMs = 10_000;

const end = (client: RedisClient) =>
  withinTime(Promise.resolve(client.close())).catch(() => client.destroy());

/**
 * A connection to a Redis server that is opened again in the background until it is closed. Each method settles within
 * two seconds, or rejects with a StoreFault.
 *
 * After a fault that another server may not have, a new client is made. It replaces the old one when it is connected.
 * Commands in progress finish on the old client.
 */
export class RedisConnection {
  readonly #address: StoreAddress;
  readonly #replicas: number;
  readonly #waitForReplicas;
  readonly #probes = shareProbes((key) => this.writeFor([key]));
  #client: RedisClient | undefined;
  #next: RedisClient | undefined;
  #isClosed = false;
  /** Whether the server was found to have no keys of an earlier format. */
  #isKnown = false;
  /** Requests a new client. */
  #renew = () => {};
  /** Why there is no connection. A command only reports that there is none. */
  #trouble: { error: unknown; at: number } | undefined;
  /** How many connections have ended. Replicas cannot be asked over a new connection for what an old one wrote. */
  #ended = 0;

  constructor(address: StoreAddress, replicas: number) {
    this.#address = address;
    this.#replicas = replicas;
    this.#waitForReplicas = createReplicaWait(replicas);
    void this.#keepOpen();
  }

  /**
   * Runs a script by its digest, or by its text if the server does not know it yet. If the script writes what must not
   * be lost, waits for the replicas.
   */
  run(script: Script, keys: string[], values: RedisArgument[]): Promise<unknown> {
    const write = (client: RedisClient) => evaluate(client, script, keys, values);
    return script.isKept ? this.#askToKeep(keys.slice(0, 1), write) : this.#ask(write);
  }

  /** Reads fields of a hash. A missing one is null. */
  readFields(key: string, names: string[]): Promise<(string | null)[]> {
    return this.#ask((client) => client.hmGet(key, names));
  }

  /** Reads a field of a hash that is not text. */
  readBytes(key: string, name: string): Promise<Buffer | null> {
    return this.#ask((client) =>
      client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer }).hGet(key, name),
    );
  }

  /** Lists the names of all fields of a hash. */
  listFields(key: string): Promise<string[]> {
    return this.#ask((client) => client.hKeys(key));
  }

  readText(key: string): Promise<string | null> {
    return this.#ask((client) => client.get(key));
  }

  /**
   * Writes a key that expires soon to the server of a key. Resolves when the replicas have it. Callers at the same time
   * share one write, which begins after their calls.
   */
  async probe(key = probeKey): Promise<void> {
    const node = await this.#ask((client) => findNode(client, key));
    await this.#probes(node, key);
  }

  readProbe(): Promise<string | null> {
    return this.readText(probeKey);
  }

  /**
   * Writes keys that expire soon. Resolves when the replicas have them. They then also have all that
   * any client wrote before to the servers of their slots.
   */
  async writeFor(keys: readonly string[]): Promise<void> {
    const expiration = { type: 'PX', value: probeMs } as const;
    await this.#askToKeep(keys, (client) =>
      Promise.all(keys.map((key) => client.set(key, '', { expiration }))),
    );
  }

  /** Lists the keys that match a pattern, master by master. A key may be listed twice. */
  async *listKeys(match: string): AsyncGenerator<string[]> {
    const masters = await this.#ask(async (client) => toNodes(client).length);
    for (let at = 0; at < masters; at += 1) {
      let cursor = '0';
      do {
        const scan = async (client: RedisClient) =>
          (await toNodes(client)[at]!).scan(cursor, { MATCH: match, COUNT: 500 });
        const page = await this.#ask(scan);
        yield page.keys;
        cursor = page.cursor;
      } while (cursor !== '0');
    }
  }

  /** Looks at every master. Rejects with the first StoreFault. */
  look(at: (node: NodeClient) => Promise<void>): Promise<void> {
    return this.#ask((client) => lookAt(client, at));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#renew();
    this.#next?.destroy();
    if (this.#client) await end(this.#client);
  }

  #noteTrouble = (error: unknown): void => {
    this.#ended += 1;
    if (toRedisFault(error).word !== 'not_connected') this.#trouble = { error, at: performance.now() };
  };

  async #open(): Promise<RedisClient> {
    if (this.#address.shape !== 'cluster') {
      const server = await connectToServer(this.#address);
      this.#next = server.on('error', this.#noteTrouble).on('terminated', () => this.#renew());
      await refuseClusterNode(server);
      return server;
    }
    const nodes = [...this.#address.nodes, ...listMasters(this.#client)];
    const cluster = createClusterClient({ ...this.#address, nodes })
      .on('error', this.#noteTrouble)
      .on('node-error', this.#noteTrouble);
    this.#next = cluster;
    await cluster.connect();
    if (listMasters(cluster).length === 0) throw new Error('CLUSTERDOWN no slot is assigned');
    return cluster;
  }

  /** Opens one client after the other: the first at once, the next when it is requested and after a pause. */
  async #keepOpen(): Promise<void> {
    for (let retries = 0; !this.#isClosed; ) {
      const opened = await this.#tryOpen();
      if (!opened) {
        await pause(pickPauseMs(retries));
        retries += 1;
        continue;
      }
      if (this.#isClosed) return end(opened);
      if (this.#client) setTimeout(end, commandMs, this.#client);
      [this.#client, this.#next, retries] = [opened, undefined, 0];
      const requested = Promise.withResolvers<void>();
      this.#renew = requested.resolve;
      await pause(longestPauseMs, undefined, { ref: false });
      await requested.promise;
    }
  }

  /** Opens a client of a server that can be used. Returns undefined if there is none. */
  async #tryOpen(): Promise<RedisClient | undefined> {
    try {
      const opened = await this.#open();
      this.#next = opened;
      if (!this.#isKnown) await lookAt(opened, refuseEarlierFormat);
      this.#isKnown = true;
      return opened;
    } catch (error) {
      this.#noteTrouble(error);
      this.#next?.destroy();
      return undefined;
    }
  }

  /** Finds the fault behind the error of a command that began at `from`. */
  #findFault(error: unknown, from: number): StoreFault {
    const fault = toRedisFault(error);
    if (!this.#trouble) return fault;
    const isTroubled =
      fault.word === 'not_connected' || (fault.word === 'timeout' && this.#trouble.at >= from);
    return isTroubled ? toRedisFault(this.#trouble.error) : fault;
  }

  async #ask<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    const from = performance.now();
    let isLate = false;
    const tryIt = async (): Promise<T> => {
      if (!this.#client) throw new Error('The client is offline');
      return command(this.#client).catch(async (error: Error) => {
        if (!isSlotMoving(error) || isLate) throw error;
        await pause(slotPauseMs);
        return tryIt();
      });
    };
    try {
      return await withinTime(tryIt());
    } catch (error) {
      isLate = true;
      const fault = this.#findFault(error, from);
      if (!this.#client?.isReady || [...moves, ...losses].includes(fault.word)) this.#renew();
      throw fault;
    }
  }

  /** Writes, and waits until the replicas acknowledge the write. */
  #askToKeep<T>(keys: readonly string[], write: (client: RedisClient) => Promise<T>): Promise<T> {
    return this.#ask(async (client) => {
      const before = this.#ended;
      const answer = await write(client);
      if (this.#replicas === 0) return answer;
      if (before !== this.#ended) throw new Error('closed unexpectedly');
      await Promise.all(keys.map((key) => this.#waitForReplicas(client, key)));
      return answer;
    });
  }
}

async function evaluate(client: RedisClient, { sha, text }: Script, keys: string[], values: RedisArgument[]) {
  return client.evalSha(sha, { keys, arguments: values }).catch((error: Error) => {
    if (!error.message.startsWith('NOSCRIPT')) throw error;
    return client.eval(text, { keys, arguments: values });
  });
}
