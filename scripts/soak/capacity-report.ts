import * as v from 'valibot';
import { Environment } from '../../src/hosts/node/settings.ts';
import { formatBytes } from '../../src/stores/backup-file.ts';
import { hasNginx } from '../../tests/support/balancers.ts';
import { redisBinary } from '../../tests/support/redis.ts';
import { clusterSize, measureMisses, measureRedis, measureSqlite, type Sample } from './capacity.ts';
import {
  type Ceiling,
  type Costs,
  type KindCost,
  type Load,
  planCapacity,
  predictVisit,
  type RedisCosts,
  type RedisPlan,
} from './capacity-model.ts';
import type { Averages } from './capacity-setup.ts';
import { type KindName, kinds, visit } from './capacity-visit.ts';
import { requireProcessorTime } from './processor-time.ts';

/** How far the prediction for two instances on a cluster may be from what they take. */
const mostDeviation = 0.25;

/** What is assumed of the agents and of the machines: everything of a load but the number of agents. */
type Assumed = Omit<Load, 'agents' | 'storeBytes'>;

const storeBytes = Number(v.parse(Environment.entries.STORE_BYTES, undefined));

/** Formats a figure with three digits. */
const formatFigure = (figure: number) =>
  figure.toLocaleString('en', { maximumSignificantDigits: 3, maximumFractionDigits: 0 });

/** Formats a count that may be Infinity. */
const formatCount = (count: number) =>
  Number.isFinite(count) ? count.toLocaleString('en') : 'no number is enough';

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!);
  for (const row of rows) console.log(`| ${row.map(pad).join(' | ')} |`);
}

/** Prints what each kind of request takes. */
function printKinds(onSqlite: Averages, onRedis: Averages | undefined): void {
  const title = [
    'requests',
    'a visit',
    'a second a core, SQLite',
    'Redis',
    'commands',
    'µs of Redis',
    'bytes',
  ];
  const rows = Object.entries(onSqlite).map(([name, { instance, bytes }]) => {
    const other = onRedis?.[name as KindName];
    const ofRedis = other
      ? [formatFigure(1 / other.instance), other.commands.toFixed(1), formatFigure(other.server * 1e6)]
      : ['', '', ''];
    const times = visit.filter((one) => one === name).length;
    return [name, `${times}`, formatFigure(1 / instance), ...ofRedis, formatFigure(bytes)];
  });
  const line = title.map((cell, at) =>
    at === 0 ? '-'.repeat(cell.length) : `${'-'.repeat(cell.length - 1)}:`,
  );
  printTable([title, line, ...rows]);
}

/** What was measured. Redis is undefined if it is not on this machine. */
interface Measured {
  sqlite: Awaited<ReturnType<typeof measureSqlite>>;
  redis?: Awaited<ReturnType<typeof measureRedis>> | undefined;
  missShare: number;
}

async function measure(sample: Sample): Promise<Measured> {
  if (!redisBinary) console.log('There is no redis-server on this machine: SQLite is measured alone.');
  if (!hasNginx) console.log('There is no nginx on this machine: all requests reach the instances.');
  const sqlite = await measureSqlite(sample);
  const redis = redisBinary ? await measureRedis(sample) : undefined;
  return { sqlite, redis, missShare: hasNginx ? await measureMisses() : 1 };
}

function toCosts({ sqlite, redis, missShare }: Measured): Costs {
  const names = Object.keys(sqlite.kinds) as KindName[];
  return {
    kinds: names.map((name) => ({
      times: visit.filter((one) => one === name).length,
      onSqlite: sqlite.kinds[name].instance,
      onRedis: redis?.kinds[name],
      bytes: sqlite.kinds[name].bytes,
      isShared: kinds[name].isShared,
    })),
    workspaceBytes: sqlite.workspaceBytes,
    instanceBytes: sqlite.instanceBytes,
    missShare,
    redis: redis?.costs,
  };
}

/** Prints what a workspace, an instance and a published change take. */
function printOthers({ kinds: kindCosts, workspaceBytes, instanceBytes, redis }: Costs): void {
  const ofRedis = redis ? `, ${formatBytes(redis.workspaceBytes)} of memory in Redis` : '';
  console.log(`\nThe workspace of a visit: ${formatBytes(workspaceBytes)} on disk in SQLite${ofRedis}.`);
  console.log(`An instance: ${formatBytes(instanceBytes)} of memory.`);
  if (!redis) return;
  const toMicros = (seconds: number) => `${(seconds * 1e6).toFixed(1)} µs`;
  const toMillis = (seconds: number) => `${(seconds * 1e3).toFixed(1)} ms`;
  const toVisit = (toTime: (kind: KindCost) => number) =>
    kindCosts.reduce((sum, kind) => sum + kind.times * toTime(kind), 0);
  console.log(
    `A visit: ${toMillis(toVisit(({ onSqlite }) => onSqlite))} of an instance on SQLite; with Redis ` +
      `${toMillis(toVisit(({ onRedis }) => onRedis!.instance))}, and ${toMillis(redis.spread.instance)} more if its ` +
      `requests go to different instances; ${toMillis(toVisit(({ onRedis }) => onRedis!.server))} of Redis, and ` +
      `${toMillis(redis.spread.server)} more.`,
  );
  console.log(
    `A change, ${redis.published.toFixed(1)} in a visit, is published: ${toMicros(redis.receive)} of each other ` +
      `instance, ${toMicros(redis.notify)} of a master for each instance, ${toMicros(redis.forward)} to forward it to ` +
      `another node, ${toMicros(redis.accept)} to accept it from one.`,
  );
}

/** Prints how far the model is from what two instances on a cluster took. Returns whether it is near enough. */
function printCheck(
  costs: Costs,
  redis: RedisCosts,
  check: NonNullable<Measured['redis']>['check'],
): boolean {
  // The visits of the check pass no CDN.
  const { instances, masters } = clusterSize;
  const predicted = predictVisit({ ...costs, missShare: 1 }, redis, instances, masters);
  const toRate = (seconds: number) => `${formatFigure(visit.length / seconds)} requests a second a core`;
  const facts: [what: string, predicted: number, measured: number, toText: (figure: number) => string][] = [
    ['instances', predicted.instances, check.instances, toRate],
    ['masters', predicted.masters, check.servers, toRate],
    ['a workspace', redis.workspaceBytes, check.workspaceBytes, formatBytes],
  ];
  console.log('\nTwo instances on a Redis Cluster of three masters, predicted from one server:');
  const deviations = facts.map(([what, expected, figure, toText]) => {
    const deviation = figure / expected - 1;
    console.log(
      `  ${what}: predicted ${toText(expected)}, measured ${toText(figure)}; it takes ` +
        `${(Math.abs(deviation) * 100).toFixed(0)} % ${deviation < 0 ? 'less' : 'more'} than predicted`,
    );
    return Math.abs(deviation);
  });
  return deviations.every((deviation) => deviation <= mostDeviation);
}

/** Says whether a setup is enough, and what breaks in it, in order. */
function formatBreaks(agents: number, ceilings: readonly Ceiling[]): string {
  const breaks = ceilings
    .map((ceiling) => `${ceiling.what}, at ${formatFigure(ceiling.agents)}`)
    .join('; then ');
  return `${agents > ceilings[0]!.agents ? 'NOT enough' : 'enough'}. Breaks first: ${breaks} agents a day`;
}

/** Prints what a number of agents needs, with a CDN in front and without. */
function printPlan(costs: Costs, load: Load): void {
  const plan = planCapacity(costs, load);
  const bare = planCapacity({ ...costs, missShare: 1 }, load);
  const { sqlite, redis } = plan;
  const agents = load.agents.toLocaleString('en');
  console.log(`\n${agents} agents a day: ${formatFigure(plan.requests)} requests a second at the peak`);
  console.log(
    `  CDN: answers ${formatFigure(plan.cdnRequests)} a second at the peak and ${formatBytes(plan.cdnBytes)} a day. ` +
      `The instances answer with ${formatBytes(plan.instancesBytes)} a day`,
  );
  console.log(`  one instance on SQLite: ${formatBreaks(load.agents, sqlite.ceilings)}`);
  console.log(
    `    takes ${formatFigure(sqlite.processors)} processors at the peak (${formatFigure(bare.sqlite.processors)} without a ` +
      `CDN) and ${formatBytes(sqlite.diskBytes)} of disk`,
  );
  if (redis && bare.redis) printRedisPlan(redis, bare.redis, load.agents);
}

function printRedisPlan(redis: RedisPlan, bare: RedisPlan, agents: number): void {
  console.log(`  one master of Redis: ${formatBreaks(agents, redis.ofOne)}`);
  console.log(`  a Redis Cluster: ${formatBreaks(agents, redis.ofCluster)}`);
  console.log(
    `  with Redis: instances: ${formatCount(redis.instances)} (${formatCount(bare.instances)} without a CDN) with ` +
      `${formatBytes(redis.instancesBytes)} of memory; masters: ${formatCount(redis.masters)} with ` +
      `${formatBytes(redis.workspacesBytes)} of data in memory and ${formatBytes(redis.diskBytes)} of disk, and as many replicas`,
  );
}

/**
 * Measures what a visit takes under so many agents, and prints what each size needs: agents a day. Returns whether
 * the model is within a quarter of what two instances on a cluster took. It is, if there is no Redis here.
 */
export async function reportCapacity(
  sample: Sample,
  sizes: readonly number[],
  assumed: Assumed,
): Promise<boolean> {
  requireProcessorTime();
  const measured = await measure(sample);
  const costs = toCosts(measured);
  const { redis } = measured;
  printKinds(measured.sqlite.kinds, redis?.kinds);
  printOthers(costs);
  const isNear = redis && costs.redis ? printCheck(costs, costs.redis, redis.check) : true;
  console.log(
    `\nAssumed: an agent makes ${assumed.visits} visits a day (--visits) of ${visit.length} requests. The peak has ` +
      `${assumed.peak} times the mean (--peak). A workspace is kept for ${assumed.days} days (--days). Processors ` +
      `are ${assumed.busy * 100} % busy at the peak (--busy). A master of Redis holds ${formatBytes(assumed.masterBytes)} ` +
      `(--gigabytes). Of what a CDN may keep, ${(costs.missShare * 100).toFixed(1)} % reaches the instances.`,
  );
  for (const size of sizes) printPlan(costs, { ...assumed, agents: size, storeBytes });
  if (!isNear) console.log(`\nThe model is off by more than ${mostDeviation * 100} %.`);
  return isNear;
}
