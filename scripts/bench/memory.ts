import { startOurs } from './field.ts';
import { load } from './load.ts';
import { toResidentMb } from './processes.ts';
import { creates, legacyCall, modernCall, toSearches } from './requests.ts';
import { get, type Wire } from './wire.ts';

/** Resident megabytes of a server under a mix of requests. */
export interface MemoryUse {
  requests: number;
  atStart: number;
  /** At least 20 samples, evenly over the requests. */
  samples: { after: number; mb: number }[];
  peak: number;
  /** The peak of the last quarter as a ratio of the peak of the second. */
  growth: number;
}

const compressed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };

/** What a day of callers looks like: mostly documents and lists, some searches and tools, few creates. */
function toMix(): Wire[] {
  return toSearches(1000).flatMap((search, index) => [
    get('/pricing', compressed),
    get('/.well-known/agents.json'),
    get(`/occupations/${['15-1252.00', '29-1141.00', '47-2111.00', '53-3032.00'][index % 4]}`, compressed),
    get('/placements?status=completed'),
    get(`/candidates?occupation=${['15', '29-1141', '47-2111.00'][index % 3]}`),
    search,
    get('/candidates/cand_001'),
    get(`/nowhere/${index}`),
    get('/placements?scope=admin'),
    index % 2 ? modernCall : legacyCall,
    ...(index % 4 === 0 ? [creates[index % creates.length]!] : []),
  ]);
}

/** Sends about `wanted` requests to a fresh server, at 32 connections. */
export async function measureMemory(
  wanted: number,
  folder: string,
  progress: (line: string) => void,
): Promise<MemoryUse> {
  const server = await startOurs(folder);
  const requests = toMix();
  const atStart = toResidentMb(server.pid);
  const samples: MemoryUse['samples'] = [];
  let after = 0;
  let seconds = 1;
  try {
    while (after < wanted) {
      const { count, rate } = await load(server, {
        requests,
        seconds,
        connections: 32,
        folder,
        mayRefuse: true,
      });
      after += count;
      seconds = Math.max(1, Math.round(wanted / 20 / rate));
      samples.push({ after, mb: toResidentMb(server.pid) });
      progress(`Memory: ${after} of ${wanted} requests, ${samples.at(-1)!.mb.toFixed(0)} MB`);
    }
  } finally {
    await server.stop();
  }
  const peakOf = (from: number, to: number) =>
    Math.max(
      ...samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)).map(({ mb }) => mb),
    );
  return {
    requests: after,
    atStart,
    samples,
    peak: peakOf(0, 1),
    growth: peakOf(0.75, 1) / peakOf(0.25, 0.5),
  };
}
