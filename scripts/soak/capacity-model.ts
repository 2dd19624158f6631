/** Computes what a number of agents needs, from measured costs. Times are processor seconds. */

/** What one kind of request takes. */
export interface KindCost {
  /** How many of them an agent sends in a visit. */
  times: number;
  /** Seconds of an instance for one of them. */
  onSqlite: number;
  /** Seconds of an instance, and of the main thread of Redis, for one of them. */
  onRedis?: { instance: number; server: number } | undefined;
  /** Bytes of an answer with its headers. */
  bytes: number;
  /** Whether a CDN may keep the answer. */
  isShared: boolean;
}

/** What Redis takes besides the requests. Each change is published: to every instance, and to all nodes of a cluster. */
export interface RedisCosts {
  /** Memory of the workspace that a visit leaves. */
  workspaceBytes: number;
  /** Changes that a visit publishes. */
  published: number;
  /** Seconds of all instances, and of all masters, that a visit adds if its requests go to different instances. */
  spread: { instance: number; server: number };
  /** Seconds of an instance to receive a change by another instance. */
  receive: number;
  /** Seconds of a master to notify one instance of a change. */
  notify: number;
  /** Seconds of a master to forward a change to one other node of the cluster. */
  forward: number;
  /** Seconds of a master to accept a change from another master. */
  accept: number;
}

export interface Costs {
  kinds: readonly KindCost[];
  /** Disk of the workspace that a visit leaves in SQLite. */
  workspaceBytes: number;
  /** Resident memory of an instance. */
  instanceBytes: number;
  /** The share of the requests for shared answers that reaches the instances through a CDN. 1 without a CDN. */
  missShare: number;
  /** Undefined if there was no Redis. */
  redis?: RedisCosts | undefined;
}

export interface Load {
  /** Agents a day. */
  agents: number;
  /** Visits of an agent a day. Each leaves a workspace. */
  visits: number;
  /** Requests a second in the busiest hour, as a multiple of the mean. */
  peak: number;
  /** How many days a workspace is kept. */
  days: number;
  /** The share of a processor that may be used at the peak. */
  busy: number;
  /** Bytes of workspaces that one master of Redis holds. */
  masterBytes: number;
  /** The setting STORE_BYTES. */
  storeBytes: number;
}

/** Something that is full with this many agents a day. */
export interface Ceiling {
  what: string;
  agents: number;
}

/** What a load needs. A number is Infinity if no number is enough. */
export interface Plan {
  /** Requests a second at the peak, and those of them that the CDN answers. */
  requests: number;
  cdnRequests: number;
  /** Bytes a day that the CDN answers with, and that the instances answer with. */
  cdnBytes: number;
  instancesBytes: number;
  /** One instance on SQLite: the processors that it would need at the peak, and its disk. */
  sqlite: { processors: number; diskBytes: number; ceilings: Ceiling[] };
  redis?: RedisPlan;
}

export interface RedisPlan {
  instances: number;
  masters: number;
  /** Memory of all instances, and of the workspaces in all masters. */
  instancesBytes: number;
  workspacesBytes: number;
  diskBytes: number;
  /** The ceilings of one server, and those that no more servers lift. */
  ofOne: Ceiling[];
  ofCluster: Ceiling[];
}

const secondsADay = 86_400;

/** An append-only file grows to twice its size before Redis rewrites it, and is there once more meanwhile. */
const copiesOnDisk = 3;

/** How many masters a cluster has at least. Each has a replica. */
const leastMasters = 3;

/** Rounds up. Rounding errors of the sums do not count as one more. */
const roundUp = (count: number) => Math.ceil(count - 1e-9);

/** Returns the sum over the requests of a visit that reach the instances. */
function sumVisit({ kinds, missShare }: Costs, toCost: (kind: KindCost) => number): number {
  return kinds.reduce((sum, kind) => sum + kind.times * (kind.isShared ? missShare : 1) * toCost(kind), 0);
}

/** Returns the sum over the requests of a visit that a CDN answers. */
function sumCached({ kinds, missShare }: Costs, toCost: (kind: KindCost) => number): number {
  const shared = kinds.filter(({ isShared }) => isShared);
  return shared.reduce((sum, kind) => sum + kind.times * (1 - missShare) * toCost(kind), 0);
}

const toInstance = ({ onRedis }: KindCost) => onRedis?.instance ?? Number.NaN;
const toServer = ({ onRedis }: KindCost) => onRedis?.server ?? Number.NaN;

/**
 * Returns the processor seconds of one visit with this many instances and masters: the sum over the instances, and the
 * sum over the masters.
 */
export function predictVisit(costs: Costs, redis: RedisCosts, instances: number, masters: number) {
  const others = instances - 1;
  const nodes = 2 * masters;
  const relayed = masters > 1 ? (nodes - 1) * redis.forward + (masters - 1) * redis.accept : 0;
  const spread = others > 0 ? redis.spread : { instance: 0, server: 0 };
  return {
    instances: sumVisit(costs, toInstance) + spread.instance + redis.published * others * redis.receive,
    masters: sumVisit(costs, toServer) + spread.server + redis.published * (others * redis.notify + relayed),
  };
}

/**
 * Returns how many instances are enough at a number of visits a second. They share the requests, and each receives the
 * changes by the others.
 */
function countInstances(costs: Costs, redis: RedisCosts, visits: number, { busy }: Load): number {
  if (visits * predictVisit(costs, redis, 1, 1).instances <= busy) return 1;
  const work = visits * (sumVisit(costs, toInstance) + redis.spread.instance);
  const received = visits * redis.published * redis.receive;
  return received >= busy ? Number.POSITIVE_INFINITY : roundUp((work - received) / (busy - received));
}

/** Returns how many masters are enough at a number of visits a second. */
function countMasters(costs: Costs, redis: RedisCosts, visits: number, load: Load): number {
  const bytes = countKept(load) * redis.workspaceBytes;
  const instances = countInstances(costs, redis, visits, load);
  const work = visits * predictVisit(costs, redis, instances, 1).masters;
  if (work <= load.busy && bytes <= load.masterBytes) return 1;
  const changes = visits * redis.published;
  // With one more master, each forwards to two more nodes, the new replica included, and accepts from one more.
  const more = changes * (2 * redis.forward + redis.accept);
  if (more >= load.busy) return Number.POSITIVE_INFINITY;
  const byProcessor = (work - changes * (redis.forward + redis.accept)) / (load.busy - more);
  return Math.max(leastMasters, roundUp(byProcessor), roundUp(bytes / load.masterBytes));
}

/** Returns how many workspaces are kept at a time. */
const countKept = ({ agents, visits, days }: Load) => agents * visits * days;

/** Returns the agents a day whose visits a second at the peak are these. */
const toAgents = (visitsASecond: number, { visits, peak }: Load) =>
  (visitsASecond * secondsADay) / (visits * peak);

const sortCeilings = (ceilings: Ceiling[]) => ceilings.sort((one, other) => one.agents - other.agents);

function planSqlite(costs: Costs, visits: number, load: Load): Plan['sqlite'] {
  const each = sumVisit(costs, ({ onSqlite }) => onSqlite);
  const kept = countKept(load);
  return {
    processors: visits * each,
    diskBytes: kept * costs.workspaceBytes,
    ceilings: sortCeilings([
      { what: 'the processor of the instance', agents: toAgents(load.busy / each, load) },
      {
        what: 'STORE_BYTES at its default',
        agents: load.storeBytes / (costs.workspaceBytes * load.visits * load.days),
      },
    ]),
  };
}

function planRedis(costs: Costs, redis: RedisCosts, visits: number, load: Load): RedisPlan {
  const workspacesBytes = countKept(load) * redis.workspaceBytes;
  const instances = countInstances(costs, redis, visits, load);
  const visitsOfOne = load.busy / (sumVisit(costs, toServer) + redis.spread.server);
  const relayed = redis.published * (2 * redis.forward + redis.accept);
  return {
    instances,
    masters: countMasters(costs, redis, visits, load),
    instancesBytes: instances * costs.instanceBytes,
    workspacesBytes,
    diskBytes: workspacesBytes * copiesOnDisk,
    ofOne: sortCeilings([
      {
        what: 'the memory of the master',
        agents: load.masterBytes / (redis.workspaceBytes * load.visits * load.days),
      },
      { what: 'the processor of the master', agents: toAgents(visitsOfOne, load) },
    ]),
    ofCluster: sortCeilings([
      {
        what: 'every instance receives every change',
        agents: toAgents(load.busy / (redis.published * redis.receive), load),
      },
      {
        what: 'every master accepts and forwards every change',
        agents: toAgents(load.busy / relayed, load),
      },
    ]),
  };
}

/** Returns what a load needs, and with how many agents a day each part is full. */
export function planCapacity(costs: Costs, load: Load): Plan {
  const daily = load.agents * load.visits;
  const visits = (daily * load.peak) / secondsADay;
  const { redis } = costs;
  const count = () => 1;
  const toBytes = ({ bytes }: KindCost) => bytes;
  return {
    requests: visits * (sumVisit(costs, count) + sumCached(costs, count)),
    cdnRequests: visits * sumCached(costs, count),
    cdnBytes: daily * sumCached(costs, toBytes),
    instancesBytes: daily * sumVisit(costs, toBytes),
    sqlite: planSqlite(costs, visits, load),
    ...(redis && { redis: planRedis(costs, redis, visits, load) }),
  };
}
