/**
 * Measures creates and reads over HTTP of a host with a small store and of one with a large store, in turns, so
 * that whatever else the machine does meets both alike: `npm run growth -- [--small 1000] [--large 1000000]
 * [--rounds 5] [--seconds 2]`. Each round is warmed up for a second, and starts a new small store, which grows by
 * what is created in it. Prints the median rates, their ratio, and what the hosts hold in memory. Needs a build.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nodePlatform } from '../src/hosts/node-platform.ts';
import { mintWorkspaceId, toWorkspaceHash } from '../src/records/workspace.ts';
import { openSqliteStore } from '../src/stores/sqlite.ts';
import { creates } from './bench/cases.ts';
import { startOurs } from './bench/field.ts';
import { load } from './bench/load.ts';
import { root, type Server, toResidentMb } from './bench/processes.ts';
import { toRatios, toSpread } from './bench/statistics.ts';
import { get, type Wire } from './bench/wire.ts';

const { values } = parseArgs({
  options: {
    small: { type: 'string', default: '1000' },
    large: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
});
const [small, large, rounds, seconds] = [values.small, values.large, values.rounds, values.seconds].map(
  Number,
) as [number, number, number, number];
const shelf = join(root, 'node_modules/.cache');
mkdirSync(shelf, { recursive: true });
const folder = mkdtempSync(join(shelf, 'growth-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const day = 86_400_000;
/** Workspaces that are asked for in one run: so many that the pages of a large store do not stay in memory. */
const asked = 50_000;
const toDigest = (text: string) => createHash('sha256').update(text).digest();
/** The id of a workspace that was made after the one before it: 10 share a millisecond. */
const toId = (number: number) =>
  mintWorkspaceId({
    platform: {
      now: () => Math.floor(number / 10),
      randomBytes: (count) => toDigest(`workspace ${number}`).subarray(0, count),
    },
  });
const platform = { ...nodePlatform, randomBytes, sha256: (text: string) => toDigest(text).toString('hex') };

/** A folder with a store of so many workspaces of one record each. */
async function makeStore(name: string, size: number): Promise<string> {
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const store = openSqliteStore(join(dataDir, 'workspaces.sqlite'));
  for (let from = 0; from < size; from += 1000) {
    const now = Date.now();
    const changes = Array.from({ length: Math.min(1000, size - from) }, async (_, index) => {
      const fact = {
        id: `cand_${from + index}`,
        ...JSON.parse(creates[index % creates.length]!.body!),
        createdAt: now,
      };
      const workspace = await toWorkspaceHash({ platform }, toId(from + index));
      const writing = { puts: [{ kind: 'candidate', fact }] };
      return store.change({
        workspace,
        mint: true,
        ceiling: { records: 1000, bytes: 4_096_000 },
        now,
        expiresAt: now + day,
        needs: [],
        decide: () => ({ writing, answer: undefined }),
      });
    });
    await Promise.all(changes);
  }
  await store.close();
  return dataDir;
}

function toReads(size: number): Wire[] {
  return Array.from({ length: Math.min(asked, size) }, () => {
    const id = toId(Math.floor(Math.random() * size));
    return get('/candidates?limit=1', { 'X-Workspace': id });
  });
}

async function measureOn(host: Server, size: number, seconds: number) {
  const reads = toReads(size);
  const rateOf = async (requests: Wire[]) => {
    return (await load(host, { requests, seconds, connections: 64, folder })).rate;
  };
  return { reads: await rateOf(reads), creates: await rateOf(creates), resident: toResidentMb(host.pid) };
}

const start = (dataDir: string) => startOurs(folder, { DATA_DIR: dataDir });
type Figures = Awaited<ReturnType<typeof measureOn>>;
const few: Figures[] = [];
const many: Figures[] = [];
const largeDir = await makeStore('large', large);
const megabytes = statSync(join(largeDir, 'workspaces.sqlite')).size / 1e6;
console.log(`filled with ${large.toLocaleString('en')} workspaces: ${Math.round(megabytes)} MB`);
const big = await start(largeDir);
for (let round = 1; round <= rounds; round += 1) {
  const little = await start(await makeStore(`small-${round}`, small));
  for (const [host, size, into] of [
    [little, small, few],
    [big, large, many],
  ] as const) {
    await measureOn(host, size, 1);
    into.push(await measureOn(host, size, seconds));
  }
  await little.stop();
  const held = [few, many].map((figures) => `${Math.round(figures.at(-1)!.resident)} MB`);
  console.log(`round ${round} of ${rounds}: resident ${held.join(' and ')}`);
}
await big.stop();
for (const what of ['creates', 'reads', 'resident'] as const) {
  const [one, other] = [few, many].map((figures) => figures.map((figure) => figure[what]));
  const [least, most] = [one!, other!].map((figures) =>
    Math.round(toSpread(figures).median).toLocaleString('en'),
  );
  const ratio = toRatios(one!, other!);
  const unit = what === 'resident' ? ' MB' : ' a second';
  console.log(
    `${what}: ${least}${unit} at ${small}, ${most}${unit} at ${large}, ratio ${ratio.median.toFixed(2)}`,
  );
}
process.exit();
