/** Long tests. The exit code is 1 if anything is lost, doubled, mixed up or broken. */
import 'fake-indexeddb/auto';
import type { RunningServer } from '../tests/support/server.ts';
import { Mistake, readCommand, WrongCall } from './command.ts';
import { toCount } from './count.ts';
import { sumChunks } from './soak/sum-chunks.ts';

const usage = `npm run soak -- NAME [OPTION ...]    long tests that need a build, and exit 1 if anything is lost or broken. By default:
briefs [--runs 100]                             the solutions of each brief, in so many variants
torture [--rounds 50] [--store sqlite|redis]    kill -9 under creates, changes, batches and deletes
fuzz [--runs 20000] [--seed N] [--http]         requests made from the contract; --http adds attacks
sequences [--runs 3000] [--store redis|indexeddb] [--seed N]    the same random calls on SQLite and another store
rolling [--rounds 10]                           restarts behind nginx and HAProxy, under reads and creates
failover [--only PART]                          servers of Redis are killed, stopped, promoted and moved
meter-race [--runs 100000]                      metered calls through several hosts, compared with the meter
cdn [--pairs 10000] [--runs 3000]               interleaved calls in two workspaces through a cache
growth [--store sqlite|redis] [--small 1000] [--large 1000000] [--rounds 5] [--seconds 2]    see soak/growth.ts
turns [--large 9800] [--seconds 1] [--only NAME] [--limited]    each operation with its largest inputs, and how it delays another client; with the usual limits if so said
answers                                         64 and 250 large answers at once in each coding, read slowly
wait [--runs 2000] [--seconds 8]                how many waiting calls delay another client
capacity [--agents 200] [--rounds 3] [--sizes 10000,1000000,100000000] [--visits 1] [--peak 3] [--days 1] [--busy 60] [--gigabytes 16]    what so many agents a day need, as in the guide Capacity`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const assumed = { agents: text, visits: text, peak: text, days: text, busy: text, gigabytes: text };
const measured = { rounds: text, runs: text, pairs: text, small: text, large: text, seconds: text };
const counts = { ...measured, ...assumed, seed: text };
const { values, positionals } = readCommand(usage, {
  allowPositionals: true,
  options: { ...counts, store: text, only: text, sizes: text, http: flag, limited: flag },
});

const count = (name: keyof typeof counts, unlessSaid: number) => toCount(name, values[name], unlessSaid);
const firstSeed = () => count('seed', 1 + (Date.now() % 1e9));

/** Returns the wanted stores that are available on this machine. */
async function toStores<T extends string>(names: readonly T[]): Promise<T[]> {
  const { skipsRedis } = await import('../tests/support/redis.ts');
  const chosen = names.filter((name) => name === (values.store ?? name));
  if (chosen.length === 0) throw new WrongCall(`--store must be one of ${names.join(', ')}.`);
  return chosen.filter((name) => name !== 'redis' || !skipsRedis());
}

/** Prints a result, and how long it took since `from`. */
const tell = (what: string, from: number, tally: object | string) =>
  console.log(`${what} in ${((performance.now() - from) / 1000).toFixed(0)} s: ${JSON.stringify(tally)}`);

/** Makes the exit code 1 if something is wrong. */
function failIf(isBad: boolean): void {
  if (isBad) process.exitCode = 1;
}

async function torture(): Promise<void> {
  const { startRedis } = await import('../tests/support/redis.ts');
  const { tortureChanges } = await import('./soak/torture-changes.ts');
  const rounds = count('rounds', 50);
  for (const store of await toStores(['sqlite', 'redis'])) {
    const redis = store === 'redis' ? await startRedis() : undefined;
    const env: Record<string, string> = redis ? { STORE_URL: `redis://127.0.0.1:${redis.port}` } : {};
    const from = performance.now();
    const toll = await tortureChanges(env, rounds, (round, { acknowledged, lost }) => {
      if (round % 10 !== 0) return;
      console.log(`  ${store}, round ${round}: acknowledged ${acknowledged}, lost ${lost}`);
    });
    tell(`${store}, ${rounds} rounds`, from, toll);
    const { acknowledged: _, repeated: __, ...harm } = toll;
    failIf(Object.values(harm).some((times) => times > 0));
    await redis?.stop();
  }
}

/** Runs each attack for five seconds, on a host or on the proxy in front of it. */
async function attackWith(where: string, server: RunningServer, front?: { origin: string }): Promise<void> {
  const { attacks, soak } = await import('./soak/hostile.ts');
  for (const [name, attack] of Object.entries(attacks)) {
    const { answers, slowestMs, recoveredMs, peakMb } = await soak(server, attack, 5, front);
    const figures = `${answers} answers to a bystander, the slowest in ${slowestMs.toFixed(0)} ms`;
    const after = `answered ${recoveredMs.toFixed(0)} ms after it; peak memory ${peakMb?.toFixed(0)} MB`;
    console.log(`${name}, ${where}: ${figures}; ${after}`);
    failIf(server.process.exitCode !== null || (peakMb ?? 0) >= 512);
  }
}

/** Attacks a host through the nginx of scripts/deploy. */
async function attackProxy(): Promise<void> {
  const { skipsWithout } = await import('../tests/support/tools.ts');
  const { startNginxBefore } = await import('../tests/support/balancers.ts');
  const { findPort, startServer } = await import('../tests/support/server.ts');
  if (skipsWithout('nginx')) return;
  const server = await startServer({ LOG: 'off', RATE_LIMIT: 'off', TRUST_PROXY: '1' });
  const front = await startNginxBefore([server.port, await findPort()]);
  await attackWith('through nginx', server, front);
  front.stop();
  await server.stop();
}

/** Stops at the first reply that breaks a rule, and prints the seed that reproduces it. */
async function fuzzContract(): Promise<void> {
  const { attackLimits } = await import('./soak/fuzz/limits.ts');
  const { fuzz, openCore } = await import('./soak/fuzz/run.ts');
  const { connect } = await import('../tests/support/http.ts');
  const { startServer } = await import('../tests/support/server.ts');
  const server = values.http ? await startServer({ LOG: 'off', RATE_LIMIT: 'off' }) : undefined;
  const client = server ? await connect(server.origin) : openCore();
  const from = performance.now();
  const sum = await sumChunks(
    'fuzz',
    { runs: count('runs', 20_000), chunk: 20_000, first: firstSeed() },
    (runs, seed) => fuzz(client, runs, seed),
  );
  tell('none broken', from, sum);
  if (server) await attackWith('directly', server);
  await server?.stop();
  if (server) await attackProxy();
  if (server)
    await attackLimits(Math.min(count('runs', 20_000), 2000), firstSeed(), (done) => console.log(done));
}

/** Compares SQLite with Redis and with IndexedDB, if they are wanted and available. */
async function sequences(): Promise<void> {
  const { IndexedDbStore } = await import('../src/stores/indexeddb.ts');
  const { SqliteStore } = await import('../src/stores/sqlite.ts');
  const { openRedisStore } = await import('../tests/support/changes.ts');
  const { startRedis } = await import('../tests/support/redis.ts');
  const { runSequences } = await import('./soak/sequences/run.ts');
  for (const name of await toStores(['redis', 'indexeddb'])) {
    const redis = name === 'redis' ? await startRedis(['--appendfsync', 'no']) : undefined;
    const from = performance.now();
    const sum = await sumChunks(
      `SQLite and ${name}`,
      { runs: count('runs', 3000), chunk: 500, first: firstSeed() },
      async (runs, seed) => {
        const other = redis
          ? await openRedisStore(`redis://127.0.0.1:${redis.port}`)
          : new IndexedDbStore(`sequences-${seed}`);
        const stores = [new SqliteStore(':memory:'), other];
        const tally = await runSequences(stores, runs, seed);
        for (const store of stores) await store.close();
        return tally;
      },
    );
    tell(`SQLite and ${name}: 0 differ,`, from, sum);
    await redis?.stop();
  }
}

async function rolling(): Promise<void> {
  const { roll } = await import('./soak/rolling.ts');
  for (const name of ['nginx', 'haproxy'] as const) {
    const { gets, posts, restarts, failed, lost } = await roll(name, count('rounds', 10));
    const done = `${restarts} restarts, ${gets} reads, ${posts} creates`;
    console.log(`${name}: ${done}, ${failed.length} failed, ${lost} lost`);
    for (const failure of failed.slice(0, 10)) console.log(`  ${failure}`);
    failIf(failed.length + lost > 0);
  }
}

async function failover(): Promise<void> {
  const { cases } = await import('./soak/failover.ts');
  for (const [name, run] of Object.entries(cases)) {
    if (!name.includes(values.only ?? '')) continue;
    const result = await run();
    const isGood = result.lost === 0 && result.doubled === 0 && result.backMs <= 5000;
    failIf(!isGood);
    console.log(`${isGood ? 'good' : 'BAD '} ${name}: ${JSON.stringify(result)}`);
  }
}

async function cdn(): Promise<void> {
  const { interleave, measureShare } = await import('../tests/support/agent-mix.ts');
  const { startNginxCacheBefore } = await import('../tests/support/balancers.ts');
  const { startServer } = await import('../tests/support/server.ts');
  const requests = count('runs', 3000);
  const unlimited = { RATE_LIMIT: 'off', BYTES_PER_CLIENT: 'off', METER: 'count', LOG: 'off' };
  const host = await startServer({ ...unlimited, TRUST_PROXY: '1', CDN_BYPASS: 'on' });
  const cache = await startNginxCacheBefore(host.port);
  const { pairs, mixed } = await interleave(cache.origin, count('pairs', 10_000));
  console.log(`${pairs} interleaved pairs, ${mixed.length} answers of another`);
  for (const fault of mixed.slice(0, 10)) console.log(`  ${fault}`);
  failIf(mixed.length > 0);
  cache.stop();
  await host.stop();
  for (const bypass of ['off', 'on'] as const) {
    const share = ((await measureShare(startNginxCacheBefore, bypass, requests)) * 100).toFixed(1);
    console.log(`CDN_BYPASS=${bypass}: ${share} % of ${requests} requests reach the host`);
  }
}

/** Throws if a meter exceeds what is authorised, or does not count what was answered. */
async function meterRace(): Promise<void> {
  const { raceMeter } = await import('../tests/support/meter-race.ts');
  const { skipsRedis, startRedis } = await import('../tests/support/redis.ts');
  if (skipsRedis()) return;
  const from = performance.now();
  const redis = await startRedis(['--appendfsync', 'everysec']);
  const env = { STORE_URL: `redis://127.0.0.1:${redis.port}`, STORE_DURABILITY: 'second' };
  const race = await raceMeter(count('runs', 100_000), env);
  await redis.stop();
  tell(`${race.calls} calls`, from, race);
}

async function growth(): Promise<void> {
  const { measureGrowth } = await import('./soak/growth.ts');
  const sizes = [count('small', 1000), count('large', 1_000_000)] as const;
  for (const store of (await toStores(['sqlite', 'redis'])).slice(0, 1))
    await measureGrowth(store, sizes, count('rounds', 5), count('seconds', 2));
}

/** Reads whole numbers with commas between. */
function toSizes(list = '10000,1000000,100000000'): number[] {
  const sizes = list.split(',').map(Number);
  if (sizes.every((size) => Number.isSafeInteger(size) && size > 0)) return sizes;
  throw new WrongCall('--sizes must be whole numbers from 1 with commas between, such as 10000,1000000.');
}

async function capacity(): Promise<void> {
  const sizes = toSizes(values.sizes);
  const busy = count('busy', 60);
  if (busy > 100) throw new WrongCall('--busy must be a whole number from 1 to 100: a share in percent.');
  const { reportCapacity } = await import('./soak/capacity-report.ts');
  const isNear = await reportCapacity({ agents: count('agents', 200), rounds: count('rounds', 3) }, sizes, {
    visits: count('visits', 1),
    peak: count('peak', 3),
    days: count('days', 1),
    busy: busy / 100,
    masterBytes: count('gigabytes', 16) * 1e9,
  });
  failIf(!isNear);
}

/** Takes the good ways and a bad one through each brief, in variants from 0 on. */
async function briefs(): Promise<void> {
  const { solutions } = await import('../tests/support/brief-solutions.ts');
  const { listWrongGrades } = await import('../tests/support/brief-variants.ts');
  const runs = count('runs', 100);
  for (const id of Object.keys(solutions)) {
    const from = performance.now();
    const wrong: string[] = [];
    for (let variant = 0; variant < runs; variant += 1) wrong.push(...(await listWrongGrades(id, variant)));
    for (const one of wrong) console.error(one);
    tell(id, from, { variants: runs, wrong: wrong.length });
    failIf(wrong.length > 0);
  }
}

/** Walks over the table of operations. Fails if another client waits too long, or the host takes too much memory. */
async function turns(): Promise<void> {
  const { measureTurns } = await import('./soak/turns.ts');
  const walk = {
    large: count('large', 9800),
    seconds: count('seconds', 1),
    only: values.only,
    isLimited: values.limited,
  };
  failIf(!(await measureTurns(walk)));
}

async function answers(): Promise<void> {
  const { isGoodWave, measureAnswers } = await import('./soak/answers.ts');
  failIf(!(await measureAnswers([64, 250], ['identity', 'gzip', 'br'])).every(isGoodWave));
}

async function wait(): Promise<void> {
  const { measureWaits } = await import('./soak/wait.ts');
  await measureWaits(count('runs', 2000), count('seconds', 8));
}

/** Each imports what it needs when it runs, so that the usage and a wrong call take no time. */
const soaks: Record<string, () => Promise<void>> = {
  briefs,
  torture,
  fuzz: fuzzContract,
  sequences,
  rolling,
  failover,
  cdn,
  'meter-race': meterRace,
  growth,
  answers,
  turns,
  wait,
  capacity,
};
const run = soaks[positionals[0] ?? ''];
if (!run) throw new WrongCall(`Name one of ${Object.keys(soaks).join(', ')}.`);
process.setMaxListeners(0);
try {
  await run();
} catch (error) {
  if (error instanceof Mistake) throw error;
  console.error((error as Error).message, (error as Error).cause ?? '');
  failIf(true);
}
process.exit();
