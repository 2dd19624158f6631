import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Case } from './case.ts';
import { startOurs, toOwn } from './field.ts';
import { load } from './load.ts';

/** The parts that are read of a profile as V8 writes it: times in microseconds on the monotonic clock. */
interface CpuProfile {
  startTime: number;
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const shown = 30;
/** Seconds of load before what is counted. */
const warmUp = 3;
const idle = ['(idle)', '(program)'];

/**
 * How many samples fell in each function itself, from the time `since` on. Samples are counted and not
 * timed: on a shared machine a long one tells of the neighbours.
 */
function toSelfSamples(
  { nodes, samples, timeDeltas, startTime }: CpuProfile,
  since: number,
): Map<string, number> {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url && !url.startsWith('node:') ? basename(url) : url;
      return [id, `${functionName || '(anonymous)'}${place && ` ${place}:${lineNumber + 1}`}`];
    }),
  );
  const counts = new Map<string, number>();
  let time = startTime;
  for (const [index, id] of samples.entries()) {
    time += timeDeltas[index]!;
    const name = names.get(id)!;
    if (time >= since) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Loads our server alone in one case under V8's profiler; answers the functions that took the most time. */
export async function profile(
  one: Case,
  { seconds, folder }: { seconds: number; folder: string },
): Promise<string> {
  const { title, connections = 32 } = one;
  const into = mkdtempSync(join(folder, 'profile-'));
  const server = await startOurs(folder, {}, ['--cpu-prof', `--cpu-prof-dir=${into}`]);
  const requests = await toOwn(one, server, one.requests);
  const loadOf = (length: number) => load(server, { requests, seconds: length, connections, folder });
  await loadOf(warmUp);
  const since = Number(process.hrtime.bigint() / 1000n);
  const { cpuRate } = await loadOf(seconds);
  await server.stop();
  const read = (name: string): CpuProfile => JSON.parse(readFileSync(join(into, name), 'utf8'));
  const [counts] = readdirSync(into)
    .map((name) => toSelfSamples(read(name), since))
    .sort((a, b) => b.size - a.size);
  const busy = [...counts!].filter(([name]) => !idle.includes(name)).sort(([, a], [, b]) => b - a);
  const total = busy.reduce((sum, [, count]) => sum + count, 0);
  const lines = busy
    .slice(0, shown)
    .map(([name, count]) => `${((count / total) * 100).toFixed(1).padStart(6)} %  ${name}`);
  const each = (1e6 / cpuRate).toFixed(1);
  return `${title}: ${each} microseconds of processor time each, profiler included\n${lines.join('\n')}\n`;
}
