import { hash } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { nodePlatform } from '../../src/hosts/node-platform.ts';
import { hashWorkspaceId, mintWorkspaceId } from '../../src/records/account/workspace.ts';
import { openStore } from '../../src/stores/open-store.ts';
import type { Workspaces } from '../../src/workspace/workspaces.ts';
import { TestedStore } from '../../tests/support/changes.ts';
import { askRedis, startRedis } from '../../tests/support/redis.ts';
import { generator, load, toRatios, toSpread } from '../bench/load.ts';
import { folder, type Server, startOurs, toResidentMb } from '../bench/servers.ts';
import { creates, get, type Wire } from '../bench/wire.ts';

type StoreKind = 'sqlite' | 'redis';
const day = 86_400_000;
/**
 * How many workspaces one run reads. With 50,000 the pages of a large store do not stay in memory. autocannon prepares
 * all requests for each connection, and with that many some of its connections broke in trials.
 */
const asked = generator === 'wrk' ? 50_000 : 5_000;

/** Returns the id of a workspace by its number. Ten ids share a millisecond, and ids ascend. */
const toId = (number: number) =>
  mintWorkspaceId({
    platform: {
      now: () => Math.floor(number / 10),
      randomBytes: (count) => hash('sha256', `workspace ${number}`, 'buffer').subarray(0, count),
    },
  });

/** Creates a workspace by its number, with one record. */
async function create(workspaces: Workspaces, number: number): Promise<unknown> {
  const sent = JSON.parse(creates[number % creates.length]!.body!);
  const now = Date.now();
  const record = { id: `cand_${number}`, ...sent, createdAt: now };
  const request = {
    hash: await hashWorkspaceId({ platform: nodePlatform }, toId(number)),
    mint: true,
    ceiling: { records: 1000, bytes: 4_096_000 },
    now,
    expiresAt: now + day,
  };
  return workspaces.change(request, (change) => change.put('candidate', record));
}

/** Creates a store of `size` workspaces with one record each. Returns the settings of its host, and its megabytes. */
async function fill(kind: StoreKind, name: string, size: number) {
  const dataDir = join(folder, name);
  const redis = kind === 'redis' ? await startRedis() : undefined;
  const url = redis ? `redis://127.0.0.1:${redis.port}` : '';
  const env: Record<string, string> = redis ? { STORE_URL: url } : { DATA_DIR: dataDir };
  const store = await openStore({ url, dataDir });
  const { workspaces } = new TestedStore(store);
  for (let from = 0; from < size; from += 1000) {
    const numbers = Array.from({ length: Math.min(1000, size - from) }, (_, index) => from + index);
    await Promise.all(numbers.map((number) => create(workspaces, number)));
  }
  await store.close();
  if (redis) {
    const [, used] = /used_memory:(\d+)/.exec(askRedis(redis.port, 'INFO', 'memory'))!;
    return { env, megabytes: Number(used) / 1e6, stop: () => redis.stop() };
  }
  const { size: bytes } = statSync(join(dataDir, 'workspaces.sqlite'));
  const stop = async () => rmSync(dataDir, { recursive: true });
  return { env, megabytes: bytes / 1e6, stop };
}

function toReads(size: number): Wire[] {
  return Array.from({ length: Math.min(asked, size) }, () => {
    const number = Math.floor(Math.random() * size);
    return get(`/candidates/cand_${number}`, { 'X-Workspace': toId(number) });
  });
}

async function measureOn(host: Server, size: number, seconds: number) {
  const rateOf = async (requests: Wire[]) => (await load(host, { requests, seconds, connections: 64 })).rate;
  const reads = await rateOf(toReads(size));
  return { creates: await rateOf(creates), reads, resident: toResidentMb(host.pid) };
}

type Figures = Awaited<ReturnType<typeof measureOn>>;
const toText = (figure: number) => Math.round(figure).toLocaleString('en');

/**
 * Measures a host with `small` workspaces and one with `large` in turns, so that other work on the machine affects
 * both. Each round starts with a new small store, which grows during the round, and a second of warm-up. Prints the
 * median rates of creates and reads, memory, and the size of the store. One measurement takes `seconds`.
 */
export async function measureGrowth(
  kind: StoreKind,
  [small, large]: readonly [number, number],
  rounds: number,
  seconds: number,
): Promise<void> {
  const from = performance.now();
  const filled = await fill(kind, 'large', large);
  const took = toText((performance.now() - from) / 1000);
  const each = toText((filled.megabytes * 1e6) / large);
  const size = `${toText(filled.megabytes)} MB, ${each} bytes each`;
  console.log(`filled with ${toText(large)} workspaces in ${took} s: ${size}`);
  const big = await startOurs(filled.env);
  const [few, many]: [Figures[], Figures[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    const fresh = await fill(kind, `small-${round}`, small);
    const little = await startOurs(fresh.env);
    for (const [figures, host, size] of [[few, little, small] as const, [many, big, large] as const]) {
      await measureOn(host, size, 1);
      figures.push(await measureOn(host, size, seconds));
    }
    await little.stop();
    await fresh.stop();
    const [smallResident, largeResident] = [few.at(-1)!.resident, many.at(-1)!.resident].map(toText);
    console.log(`round ${round} of ${rounds}: resident ${smallResident} MB and ${largeResident} MB`);
  }
  await big.stop();
  await filled.stop();
  for (const what of ['creates', 'reads', 'resident'] as const) {
    const [smallFigures, largeFigures] = [
      few.map((figures) => figures[what]),
      many.map((figures) => figures[what]),
    ];
    const unit = what === 'resident' ? 'MB' : 'a second';
    const [low, high] = [smallFigures, largeFigures].map(
      (figures) => `${toText(toSpread(figures).median)} ${unit}`,
    );
    const ratio = toRatios(smallFigures, largeFigures).median.toFixed(2);
    console.log(`${what}: ${low} at ${small}, ${high} at ${large}, ratio ${ratio}`);
  }
}
