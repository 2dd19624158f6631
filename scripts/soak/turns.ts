import type { Worker } from 'node:worker_threads';
import type { Operation } from '../../src/kernel/operation.ts';
import { operations } from '../../src/table.ts';
import { readPeakMemory } from '../../tests/support/bystander.ts';
import { type RunningServer, startServer } from '../../tests/support/server.ts';
import { WrongCall } from '../command.ts';
import { containerCommand, containerEnv } from './container.ts';
import { InputFinder, type Run } from './turns/inputs.ts';
import { serial } from './turns/largest.ts';
import { type Measured, measureAttack, startAttacker, type Watched } from './turns/measure.ts';
import { bystander, fill } from './turns/world.ts';

const unlimited = { RATE_LIMIT: 'off', BYTES_PER_CLIENT: 'off' };
const env = {
  ...containerEnv,
  TRUST_PROXY: '1',
  RECORD_CEILING: '10000',
  METER: 'count',
  METRICS: 'on',
  LOG: 'off',
};
/** How many calls of one client are open at once. */
const width = 8;
const mostP95 = 50;
const mostStep = 20;
const mostMb = 450;

interface Walk {
  /** Candidates of the workspace that reads go through. */
  large: number;
  /** How long each run takes. Its calls that are open at the end are answered too. */
  seconds: number;
  /** A part of the names of the operations to walk over. Each format and coding is then a run of its own. */
  only?: string | undefined;
  /** Whether the host has its usual limits for each client. The client of each run then has an address of its own. */
  isLimited?: boolean;
  /** Whether all runs of an operation are made as one. */
  isShort?: boolean;
}

/** What one client did, and what others felt. */
export interface Row extends Measured {
  operation: string;
  what: string;
}

/** Puts all calls of an operation into one run. */
const joinRuns = ([first, ...rest]: Run[]): Run[] => {
  const runs = [first!, ...rest];
  const longest = Math.max(...runs.map(({ calls }) => calls.length));
  const calls = Array.from({ length: longest }, (_, at) => runs.flatMap((run) => run.calls[at] ?? [])).flat();
  return [{ operation: first!.operation, what: 'all', calls }];
};

/** Returns calls as a client with this address makes them. */
const sendFrom = <T extends { headers?: object }>(address: string, calls: readonly T[]): T[] =>
  calls.map((call) => ({ ...call, headers: { ...call.headers, 'X-Forwarded-For': address } }));

/** A workspace that is deleted is not there for the operations after it. */
const deletesWhole = ({ effect, path }: Operation) => effect === 'delete' && !path.includes('{id}');

/** Calls each operation of the table on a server, and measures others meanwhile. Reports each row once it is there. */
async function walkOn(
  server: RunningServer,
  worker: Worker,
  { large, seconds, only, isLimited, isShort }: Walk,
  report: (row: Row) => void,
): Promise<void> {
  const { origin } = server;
  const workspace = await fill(origin, large, bystander);
  const own = await fill(origin, 10, bystander);
  let watchedCalls = 0;
  // Each call has another address, because one address may not make so many.
  const makeHeaders = () => {
    watchedCalls += 1;
    return { 'X-Forwarded-For': `192.0.2.${watchedCalls % 256}`, 'X-Workspace': own };
  };
  const other: Watched = { origin, path: `/candidates?skill=ward+${serial}`, makeHeaders, everyMs: 10 };
  const finder = new InputFinder(origin, { workspace, count: large }, operations);
  let measured = 0;
  const measure = async ({ operation, what, calls }: Run) => {
    measured += 1;
    const host = measured % 256;
    const attack = { calls: isLimited ? sendFrom(`198.51.100.${host}`, calls) : calls, seconds, width };
    const felt = await measureAttack({ server, worker, other }, attack, [operation, 'callMcp']);
    report({ operation, what, ...felt });
  };
  const rest = { method: 'GET', target: '/healthz', headers: {} };
  await measure({ operation: 'nothing', what: 'eight of /healthz', calls: [rest] });
  const rows = operations.toSorted((a, b) => Number(deletesWhole(a)) - Number(deletesWhole(b)));
  for (const row of rows) {
    const isWanted = row.operationId.toLowerCase().includes((only ?? '').toLowerCase());
    // The replies of some writes have the tokens that other operations need.
    if (!isWanted && row.effect === 'read') continue;
    const runs = await finder.listRuns(row, only !== undefined);
    if (!isWanted) continue;
    for (const run of isShort ? joinRuns(runs) : runs) await measure(run);
  }
}

/** Walks over the table of operations on a new host. Returns the peak memory of the host in MB. */
export async function walkTable(walk: Walk, report: (row: Row) => void): Promise<number> {
  const settings = walk.isLimited ? env : { ...env, ...unlimited };
  const server = await startServer(settings, containerCommand);
  const worker = startAttacker(server);
  try {
    await walkOn(server, worker, walk, report);
    return readPeakMemory(server) ?? 0;
  } finally {
    await worker.terminate();
    await server.stop();
  }
}

const formatMs = (ms: number | undefined) => (ms === undefined ? '-' : ms.toFixed(1)).padStart(8);

/** Formats the cells of a table. What was answered is last, because it has no fixed width. */
function formatRow({ operation, what, statuses, other, health, stepMs, peakMb }: Row): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${status} ×${count}`);
  const times = [other.p95, health.p95, health.slowest, stepMs].map(formatMs);
  const cells = [...times, peakMb.toFixed(0).padStart(5), ` ${operation} (${what}):`];
  return `${cells.join(' ')} ${counts.join(', ')}`;
}

const header = '  others  healthz  healthz     step  peak\n p95, ms      p95  slowest  longest    MB';

/**
 * Prints how calls of one client with the largest inputs delay another, the worst last, and the peak memory of the host.
 * Returns whether the 95th percentiles and memory are below their limits.
 */
export async function measureTurns(walk: Walk): Promise<boolean> {
  const rows: Row[] = [];
  const peakMb = await walkTable(walk, (row) => {
    rows.push(row);
    console.log(formatRow(row));
  });
  if (rows.length < 2) throw new WrongCall(`--only names no operation: ${walk.only}.`);
  console.log(`\n${header}`);
  for (const row of rows.toSorted((a, b) => b.other.p95 - a.other.p95)) console.log(formatRow(row));
  const late = rows.filter(({ other }) => other.p95 >= mostP95);
  const long = rows.filter(({ stepMs = 0 }) => stepMs >= mostStep);
  console.log(
    `\n${rows.length} rows: others waited ${mostP95} ms or more in ${late.length}; a step took ${mostStep} ms or more in ${long.length}; peak memory ${peakMb.toFixed(0)} MB, at most ${mostMb}.`,
  );
  return late.length === 0 && peakMb < mostMb;
}
