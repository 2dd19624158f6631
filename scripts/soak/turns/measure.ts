import { once } from 'node:events';
import { Agent } from 'node:http';
import { Worker } from 'node:worker_threads';
import { readPeakMemory } from '../../../tests/support/bystander.ts';
import { readMetrics } from '../../../tests/support/metrics.ts';
import type { RunningServer } from '../../../tests/support/server.ts';
import { send } from '../../../tests/support/wire.ts';
import type { Attack, Statuses } from './attacker.ts';
import { serial } from './largest.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Times of answers in milliseconds. */
interface Times {
  p95: number;
  slowest: number;
}

function summarise(times: number[]): Times {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    p95: sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))]!,
    slowest: sorted.at(-1)!,
  };
}

export interface Watched {
  origin: string;
  path: string;
  /** Returns the headers of each call. */
  makeHeaders?: () => object;
  everyMs: number;
}

/** Reads a path again and again on one connection, each time with another `serial`. Returns what stops it. */
function poll({ origin, path, makeHeaders = () => ({}), everyMs }: Watched): () => Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let isOver = false;
  const run = async () => {
    do {
      const start = performance.now();
      const own = path.replace(serial, String(Math.random()).slice(2, 10));
      const { status } = await send(origin, own, { headers: makeHeaders(), agent });
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      times.push(performance.now() - start);
      await pause(everyMs);
    } while (!isOver);
  };
  const ended = run();
  ended.catch(() => {});
  return async () => {
    isOver = true;
    await ended;
    agent.destroy();
    return summarise(times);
  };
}

const longestStep = /^careers_longest_step_seconds\{.*?operation="(\w+)"/;

/** Returns the longest step of each operation so far, in milliseconds. */
async function readLongestSteps(server: RunningServer): Promise<Map<string, number>> {
  const samples = [...(await readMetrics(server))];
  return new Map(
    samples.flatMap(([name, seconds]) => {
      const [, operation] = longestStep.exec(name) ?? [];
      return operation === undefined ? [] : [[operation, seconds * 1000] as const];
    }),
  );
}

/** Waits until the calls of an attack that were cut off have ended, for half a minute at most. */
async function waitForQuiet(server: RunningServer): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const open = (await readMetrics(server)).get('careers_requests_in_flight') ?? 0;
    if (open <= 1) return;
    await pause(100);
  }
}

export interface Measured {
  statuses: Statuses;
  /** How long a small call of another client took. */
  other: Times;
  /** How long the event loop took to answer /healthz. */
  health: Times;
  /** The longest step of the operation if it grew. Undefined if the host does not say it. */
  stepMs: number | undefined;
  peakMb: number;
}

/** Starts the thread that attacks. */
export const startAttacker = ({ origin }: RunningServer): Worker =>
  new Worker(new URL('./attacker.ts', import.meta.url), { workerData: { origin } });

/** Measures another client and the event loop during an attack. */
export async function measureAttack(
  { server, worker, other }: { server: RunningServer; worker: Worker; other: Watched },
  attack: Attack,
  names: readonly string[],
): Promise<Measured> {
  const before = await readLongestSteps(server);
  const stopHealth = poll({ origin: server.origin, path: '/healthz', everyMs: 5 });
  const stopOther = poll(other);
  worker.postMessage(attack);
  const [statuses] = (await once(worker, 'message')) as [Statuses];
  const [health, felt] = await Promise.all([stopHealth(), stopOther()]);
  await waitForQuiet(server);
  const after = await readLongestSteps(server);
  const grown = names.flatMap((name) => {
    const ms = after.get(name);
    return ms !== undefined && ms > (before.get(name) ?? 0) ? [ms] : [];
  });
  const stepMs = grown.length > 0 ? Math.max(...grown) : undefined;
  return { statuses, other: felt, health, stepMs, peakMb: readPeakMemory(server) ?? 0 };
}
