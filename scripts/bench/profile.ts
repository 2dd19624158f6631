import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Case } from './cases.ts';
import { startOurs } from './field.ts';
import { load } from './load.ts';

/** The parts that are read of a profile as V8 writes it: times in microseconds. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

const shown = 40;
const idle = ['(idle)', '(program)'];

/** Microseconds that each function spent in itself. */
function toSelfTimes({ nodes, samples, timeDeltas }: CpuProfile): Map<string, number> {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url && !url.startsWith('node:') ? basename(url) : url;
      return [id, `${functionName || '(anonymous)'}${place && ` ${place}:${lineNumber + 1}`}`];
    }),
  );
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const name = names.get(id)!;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[index]!);
  }
  return times;
}

/** Loads our server alone in one case under V8's profiler; answers the functions that took the most time. */
export async function profile(
  { title, requests, connections = 32 }: Case,
  { seconds, folder }: { seconds: number; folder: string },
): Promise<string> {
  const into = mkdtempSync(join(folder, 'profile-'));
  const server = await startOurs(folder, {}, ['--cpu-prof', `--cpu-prof-dir=${into}`]);
  const { count, cpuRate } = await load(server, { requests, seconds, connections, folder });
  await server.stop();
  const read = (name: string): CpuProfile => JSON.parse(readFileSync(join(into, name), 'utf8'));
  const [times] = readdirSync(into)
    .map((name) => toSelfTimes(read(name)))
    .sort((a, b) => b.size - a.size);
  const busy = [...times!].filter(([name]) => !idle.includes(name)).sort(([, a], [, b]) => b - a);
  const total = busy.reduce((sum, [, time]) => sum + time, 0);
  const lines = busy
    .slice(0, shown)
    .map(([name, time]) => `${((time / total) * 100).toFixed(1).padStart(6)} %  ${name}`);
  const each = (total / count).toFixed(1);
  return `${title}: ${Math.round(cpuRate)} answers a second of processor time, ${each} microseconds each\n${lines.join('\n')}\n`;
}
