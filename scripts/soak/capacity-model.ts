/** Computes what a number of agents needs, from what was measured. Times are processor seconds. */

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

/** What Redis takes besides the requests. Each change is published, to every instance and from master to master. */
export interface RedisCosts {
  /** Memory of the workspace that a visit leaves. */
  workspaceBytes: number;
  /** Changes that a visit publishes. */
  published: number;
  /** Seconds of all instances, and of all masters, that a visit takes more if its requests go to different instances. */
  apart: { instance: number; server: number };
  /** Seconds of an instance to hear of a change by another instance. */
  hear: number;
  /** Seconds of a master to tell one instance of a change. */
  tell: number;
  /** Seconds of a master to send a change to one other node of the cluster. */
  send: number;
  /** Seconds of a master to take a change from another master. */
  take: number;
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
function sumKept({ kinds, missShare }: Costs, toCost: (kind: KindCost) => number): number {
  const shared = kinds.filter(({ isShared }) => isShared);
  return shared.reduce((sum, kind) => sum + kind.times * (1 - missShare) * toCost(kind), 0);
}

const toInstance = ({ onRedis }: KindCost) => onRedis?.instance ?? Number.NaN;
const toServer = ({ onRedis }: KindCost) => onRedis?.server ?? Number.NaN;

/**
 * Returns the seconds that a visit takes on so many instances and masters: of all instances together, and of all
 * masters together.
 */
export function predictVisit(costs: Costs, redis: RedisCosts, instances: number, masters: number) {
  const others = instances - 1;
  const nodes = 2 * masters;
  const relayed = masters > 1 ? (nodes - 1) * redis.send + (masters - 1) * redis.take : 0;
  const apart = others > 0 ? redis.apart : { instance: 0, server: 0 };
  return {
    instances: sumVisit(costs, toInstance) + apart.instance + redis.published * others * redis.hear,
    masters: sumVisit(costs, toServer) + apart.server + redis.published * (others * redis.tell + relayed),
  };
}

/**
 * Returns how many instances are enough at a number of visits a second. Together they have the requests to do, and each
 * hears of the changes by the others.
 */
function countInstances(costs: Costs, redis: RedisCosts, visits: number, { busy }: Load): number {
  if (visits * predictVisit(costs, redis, 1, 1).instances <= busy) return 1;
  const work = visits * (sumVisit(costs, toInstance) + redis.apart.instance);
  const heard = visits * redis.published * redis.hear;
  return heard >= busy ? Number.POSITIVE_INFINITY : roundUp((work - heard) / (busy - heard));
}

/** Returns how many masters are enough at a number of visits a second. */
function countMasters(costs: Costs, redis: RedisCosts, visits: number, load: Load): number {
  const bytes = toKept(load) * redis.workspaceBytes;
  const instances = countInstances(costs, redis, visits, load);
  const work = visits * predictVisit(costs, redis, instances, 1).masters;
  if (work <= load.busy && bytes <= load.masterBytes) return 1;
  const changes = visits * redis.published;
  // One more master sends to two more nodes, its replica included, and takes from one more master.
  const more = changes * (2 * redis.send + redis.take);
  if (more >= load.busy) return Number.POSITIVE_INFINITY;
  const byProcessor = (work - changes * (redis.send + redis.take)) / (load.busy - more);
  return Math.max(leastMasters, roundUp(byProcessor), roundUp(bytes / load.masterBytes));
}

/** Returns how many workspaces are kept at a time. */
const toKept = ({ agents, visits, days }: Load) => agents * visits * days;

/** Returns the agents a day whose visits a second at the peak are these. */
const toAgents = (visitsASecond: number, { visits, peak }: Load) =>
  (visitsASecond * secondsADay) / (visits * peak);

const sortCeilings = (ceilings: Ceiling[]) => ceilings.sort((one, other) => one.agents - other.agents);

function planSqlite(costs: Costs, visits: number, load: Load): Plan['sqlite'] {
  const each = sumVisit(costs, ({ onSqlite }) => onSqlite);
  const kept = toKept(load);
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
  const workspacesBytes = toKept(load) * redis.workspaceBytes;
  const instances = countInstances(costs, redis, visits, load);
  const visitsOfOne = load.busy / (sumVisit(costs, toServer) + redis.apart.server);
  const relayed = redis.published * (2 * redis.send + redis.take);
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
        what: 'every instance hears of every change',
        agents: toAgents(load.busy / (redis.published * redis.hear), load),
      },
      {
        what: 'every master takes and sends every change',
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
    requests: visits * (sumVisit(costs, count) + sumKept(costs, count)),
    cdnRequests: visits * sumKept(costs, count),
    cdnBytes: daily * sumKept(costs, toBytes),
    instancesBytes: daily * sumVisit(costs, toBytes),
    sqlite: planSqlite(costs, visits, load),
    ...(redis && { redis: planRedis(costs, redis, visits, load) }),
  };
}
