import { askRedis, type RedisProcess } from '../../tests/support/redis.ts';
import { type Server, startOurs } from '../bench/servers.ts';
import { type Agent, createAgents, type KindName, kindNames, sendStep, visit } from './capacity-visit.ts';
import { toMainSeconds, toProcessSeconds } from './processor-time.ts';

/**
 * How many agents visit at once, for each instance and each master of its store. Requests that are under way together
 * share wake-ups, so all measurements need the same number.
 */
const atOnce = 10;
const idleSeconds = 3;
/** How many agents a group has at most. All of them send their first request, then all send their second, and so on. */
const groupSize = 100;

/** What a request of a kind took on average. Seconds are of the processor. */
interface Average {
  instance: number;
  /** Of the main thread of Redis. NaN on SQLite. */
  server: number;
  /** Commands of Redis, those of scripts included. NaN on SQLite. */
  commands: number;
  bytes: number;
}

export type Averages = Record<KindName, Average>;

/** How an instance runs for this soak: with its limits, behind a proxy. */
export const startInstance = (env: Record<string, string>): Promise<Server> =>
  startOurs({ RATE_LIMIT: 'on', METER: 'on', TRUST_PROXY: '1', ...env });

const toOrigin = ({ port }: Server) => `http://127.0.0.1:${port}`;
export const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0);

let agents = 0;

/** Returns how many agents have visited. */
export const countAgents = () => agents;

/** Creates agents that did not visit before. */
function createNextAgents(count: number): Agent[] {
  agents += count;
  return createAgents(agents - count, count);
}

/** Calls `work` for each item, `width` of them at once. */
async function doAll<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Has agents visit the instances. Each request of a visit goes to the next instance, as with the proxies of the examples. */
async function visitAll({ instances, servers }: Setup, count: number): Promise<void> {
  const width = atOnce * instances.length * Math.max(1, servers.length);
  await doAll(createNextAgents(count), width, async (agent) => {
    for (const [at, name] of visit.entries())
      await sendStep(toOrigin(instances[(agent.number + at) % instances.length]!), agent, name);
  });
}

/** Processor seconds of all instances together, and of the main threads of all masters together. */
export interface Times {
  instances: number;
  servers: number;
}

/** Instances, and the masters of their store: none on SQLite. */
export interface Setup {
  instances: readonly Server[];
  servers: readonly RedisProcess[];
  /** What they take in a second without any request. */
  idle: Times;
}

const readTimes = ({ instances, servers }: Setup): Times => ({
  instances: sum(instances.map(({ pid }) => toProcessSeconds(pid))),
  servers: sum(servers.map(({ process }) => toMainSeconds(process.pid!))),
});

/** Returns what work takes, without what is taken while idle. */
async function measureTimes(setup: Setup, work: () => Promise<unknown>): Promise<Times> {
  const [before, from] = [readTimes(setup), performance.now()];
  await work();
  const [after, seconds] = [readTimes(setup), (performance.now() - from) / 1000];
  return {
    instances: after.instances - before.instances - setup.idle.instances * seconds,
    servers: after.servers - before.servers - setup.idle.servers * seconds,
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Has `count` agents visit each instance, so that its code is compiled. Then measures what it takes while idle. */
export async function warm(
  instances: readonly Server[],
  servers: readonly RedisProcess[],
  count: number,
): Promise<Setup> {
  const setup = { instances, servers, idle: { instances: 0, servers: 0 } };
  await visitAll(setup, count * instances.length);
  await pause(1000);
  const ofIdle = await measureTimes(setup, () => pause(idleSeconds * 1000));
  return {
    ...setup,
    idle: { instances: ofIdle.instances / idleSeconds, servers: ofIdle.servers / idleSeconds },
  };
}

/** Returns what a visit takes while other agents send other requests. */
export async function measureVisits(setup: Setup, count: number): Promise<Times> {
  const { instances, servers } = await measureTimes(setup, () => visitAll(setup, count));
  return { instances: instances / count, servers: servers / count };
}

const toCommands = ({ port }: RedisProcess) =>
  Number(/total_commands_processed:(\d+)/.exec(askRedis(port, 'INFO', 'stats'))![1]);

/** Has a group of agents visit an instance, step by step, and calls `note` with the size of the answers of each step. */
async function visitByStep(
  instance: Server,
  size: number,
  note: (name: KindName, bytes: number, count: number) => void,
): Promise<void> {
  const group = createNextAgents(size);
  for (const name of visit) {
    let bytes = 0;
    await doAll(group, atOnce, async (agent) => {
      const received = await sendStep(toOrigin(instance), agent, name);
      bytes += received;
    });
    note(name, bytes, group.length);
  }
}

/** What all requests of a kind took, and how many Redis commands a separate group of them. */
interface Total extends Times {
  requests: number;
  bytes: number;
  commands: number;
  counted: number;
}

/** Adds what each kind takes while all agents send requests of that kind. */
async function addTimes(setup: Setup, count: number, totals: Map<KindName, Total>): Promise<void> {
  const size = Math.min(count, groupSize);
  let before = readTimes(setup);
  for (let done = 0; done < count; done += size)
    await visitByStep(setup.instances[0]!, size, (name, bytes, requests) => {
      const now = readTimes(setup);
      const total = totals.get(name)!;
      total.instances += now.instances - before.instances;
      total.servers += now.servers - before.servers;
      total.bytes += bytes;
      total.requests += requests;
      before = now;
    });
}

/** Adds how many commands each kind sends. Asking for their number takes time of the server, so no time is measured. */
async function addCommands({ instances, servers }: Setup, totals: Map<KindName, Total>): Promise<void> {
  const [server] = servers;
  if (!server) return;
  let before = toCommands(server);
  await visitByStep(instances[0]!, groupSize, (name, _, requests) => {
    const now = toCommands(server);
    const total = totals.get(name)!;
    // One of them is the question.
    total.commands += now - before - 1;
    total.counted += requests;
    before = now;
  });
}

/** Measures what each kind takes on one instance, alone among requests of its kind. */
export async function measureKinds(setup: Setup, count: number): Promise<Averages> {
  const none = (): Total => ({ requests: 0, bytes: 0, instances: 0, servers: 0, commands: 0, counted: 0 });
  const totals = new Map(kindNames.map((name) => [name, none()]));
  await addTimes(setup, count, totals);
  await addCommands(setup, totals);
  const toAverage = (total: Total): Average => ({
    instance: total.instances / total.requests,
    server: total.servers / total.requests,
    commands: total.commands / total.counted,
    bytes: total.bytes / total.requests,
  });
  return Object.fromEntries([...totals].map(([name, total]) => [name, toAverage(total)])) as Averages;
}

/**
 * Scales what was measured for each kind alone, so that a visit takes `whole`. A request takes more among others, and
 * all kinds are scaled by the same factor.
 */
export function scaleKinds(kinds: Averages, whole: Times): Averages {
  const instance = whole.instances / sum(visit.map((name) => kinds[name].instance));
  const server = whole.servers / sum(visit.map((name) => kinds[name].server));
  const scale = (average: Average): Average => ({
    ...average,
    instance: average.instance * instance,
    server: average.server * server,
  });
  return Object.fromEntries(kindNames.map((name) => [name, scale(kinds[name])])) as Averages;
}
