/**
 * Long tests of one kind each: `npm run soak -- NAME [OPTION …]`. They need a build and print what they count; the
 * exit code is 1 where something is lost, doubled, mixed up or broken. The names, with the options' defaults:
 * - `torture [--rounds 50] [--store sqlite|redis]`: kill -9 under creates, changes, batches and deletes
 * - `fuzz [--runs 20000] [--seed N] [--http]`: requests made from the contract; `--http` adds the costliest attacks
 * - `model [--runs 10000] [--seed N] [--store sqlite|redis|indexeddb]`: random sequences of calls beside a plain model
 * - `agreement [--runs 100000] [--seed N]`: stating, disagreeing, restating and answering in random order
 * - `rolling [--rounds 10]`: restarts behind nginx and HAProxy, under reads and creates
 * - `failover [--only PART]`: servers of Redis are killed, stopped, promoted and moved under creates
 * - `cdn [--pairs 10000] [--runs 3000]`: the caches of scripts/deploy, before workspaces in interleaved pairs
 * - `meter-race [--runs 100000]`: metered calls over two instances and one Redis
 * - `growth [--store sqlite|redis] [--small 1000] [--large 1000000] [--rounds 5] [--seconds 2]`: see soak/growth.ts
 * - `wait [--runs 2000] [--seconds 8]`: so many waiting calls, and what a bystander and the processor feel of them
 */
import { parseArgs } from 'node:util';

const text = { type: 'string' } as const;
const countOptions = {
  rounds: text,
  runs: text,
  pairs: text,
  small: text,
  large: text,
  seconds: text,
  seed: text,
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...countOptions, store: text, only: text, http: { type: 'boolean', default: false } },
});

function toCount(name: keyof typeof countOptions, fallback: number): number {
  const count = Number(values[name] ?? fallback);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name} must be a whole number from 1`);
  return count;
}

function toStores<T extends string>(names: readonly T[]): T[] {
  const chosen = names.filter((name) => name === (values.store ?? name));
  if (chosen.length === 0) throw new Error(`--store must be one of ${names.join(', ')}`);
  return chosen;
}

const secondsSince = (from: number) => ((performance.now() - from) / 1000).toFixed(0);

function fail(): void {
  process.exitCode = 1;
}

async function torture(): Promise<void> {
  const { redisBinary, startRedis } = await import('../tests/support/redis.ts');
  const { tortureChanges } = await import('../tests/support/torture-changes.ts');
  const rounds = toCount('rounds', 50);
  const harmless = ['acknowledged', 'repeated', 'unheard'];
  for (const store of toStores(['sqlite', 'redis'])) {
    if (store === 'redis' && !redisBinary) {
      console.log('skipped: no redis-server on this machine');
      continue;
    }
    const redis = store === 'redis' ? await startRedis() : undefined;
    const env: Record<string, string> = redis ? { STORE_URL: `redis://127.0.0.1:${redis.port}` } : {};
    const from = performance.now();
    const toll = await tortureChanges(env, rounds, (round, { acknowledged, lost }) => {
      if (round % 10 !== 0) return;
      console.log(`  ${store}, round ${round}: acknowledged ${acknowledged}, lost ${lost}`);
    });
    const counts = Object.entries(toll).map(([what, count]) => `${what} ${count}`);
    console.log(`${store}, ${rounds} rounds in ${secondsSince(from)} s: ${counts.join(', ')}`);
    if (Object.entries(toll).some(([what, count]) => count > 0 && !harmless.includes(what))) fail();
    await redis?.stop();
  }
}

/** Ends at the first reply that breaks a rule, with the seed that shows it again. */
async function fuzzContract(): Promise<void> {
  const { fuzz } = await import('../tests/support/fuzz/run.ts');
  const { toCore, toHttp } = await import('../tests/support/fuzz/run.ts');
  const { attacks, soak } = await import('../tests/support/hostile.ts');
  const { startServer } = await import('../tests/support/server.ts');
  const [runs, first, chunk] = [toCount('runs', 20_000), toCount('seed', 1 + (Date.now() % 1e9)), 20_000];
  const server = values.http ? await startServer({ LOG: 'off', RATE_LIMIT: 'off' }) : undefined;
  const send = server ? toHttp(server.port) : toCore();
  const contract = JSON.parse((await send('GET', '/openapi.json', {}, undefined)).text);
  const byStatus: Record<string, number> = {};
  let [requests, compared] = [0, 0];
  for (let done = 0; done < runs; done += chunk) {
    const seed = first + done / chunk;
    const tally = await fuzz(contract, send, Math.min(chunk, runs - done), seed);
    requests += tally.requests;
    compared += tally.compared;
    for (const [status, count] of Object.entries(tally.byStatus))
      byStatus[status] = (byStatus[status] ?? 0) + count;
    console.log(`seed ${seed}: ${requests} requests, ${compared} of them compared with their tool`);
  }
  console.log(`by status: ${JSON.stringify(byStatus)}\n${requests} requests, 0 broken`);
  for (const [name, attack] of Object.entries(server ? attacks : {})) {
    const { answers, slowestMs, peakMb } = await soak(server!, attack, 5);
    const figures = `${answers} answers to a bystander, the slowest in ${slowestMs.toFixed(0)} ms`;
    console.log(`${name}: ${figures}; peak memory ${peakMb?.toFixed(0)} MB`);
  }
  await server?.stop();
}

/** Redis and IndexedDB take a tenth and a fiftieth of the sequences, unless one store is named. */
async function model(): Promise<void> {
  const { runModel } = await import('../tests/support/model/run.ts');
  const { openEmpty } = await import('../tests/support/model/run.ts');
  const { redisBinary } = await import('../tests/support/redis.ts');
  const shares = { sqlite: 1, redis: 10, indexeddb: 50 };
  const [sequences, first, chunk] = [toCount('runs', 10_000), toCount('seed', 1 + (Date.now() % 1e9)), 1000];
  for (const name of toStores(['sqlite', 'redis', 'indexeddb'])) {
    if (name === 'redis' && !redisBinary) {
      console.log('skipped: no redis-server on this machine');
      continue;
    }
    const count = values.store ? sequences : Math.ceil(sequences / shares[name]);
    const sum: Record<string, number> = {};
    const from = performance.now();
    for (let done = 0; done < count; done += chunk) {
      const seed = first + done / chunk;
      const { store, end } = await openEmpty[name]();
      const tally = await runModel(store, Math.min(chunk, count - done), seed);
      await end();
      for (const [what, times] of Object.entries(tally)) sum[what] = (sum[what] ?? 0) + times;
      console.log(`  ${name} seed ${seed}: ${Math.min(done + chunk, count)} sequences`);
    }
    console.log(`${name}: ${count} sequences in ${secondsSince(from)} s, 0 differ: ${JSON.stringify(sum)}`);
  }
}

async function rolling(): Promise<void> {
  const { roll } = await import('../tests/support/rolling.ts');
  for (const name of ['nginx', 'haproxy'] as const) {
    const { gets, posts, restarts, failed, lost } = await roll(name, toCount('rounds', 10));
    const counts = `${restarts} restarts, ${gets} reads, ${posts} creates`;
    console.log(`${name}: ${counts}, ${failed.length} failed, ${lost} lost`);
    for (const failure of failed.slice(0, 10)) console.log(`  ${failure}`);
    if (failed.length + lost > 0) fail();
  }
}

async function failover(): Promise<void> {
  const { cases } = await import('../tests/support/failover.ts');
  for (const [name, run] of Object.entries(cases)) {
    if (!name.includes(values.only ?? '')) continue;
    const result = await run();
    const isGood = result.lost === 0 && result.doubled === 0 && result.backMs <= 5000;
    if (!isGood) fail();
    console.log(`${isGood ? 'good' : 'BAD '} ${name}: ${JSON.stringify(result)}`);
  }
}

async function cdn(): Promise<void> {
  const { measureShare } = await import('../tests/support/agent-mix.ts');
  const { caches } = await import('../tests/support/balancers.ts');
  const { interleave } = await import('../tests/support/agent-mix.ts');
  const { startServer } = await import('../tests/support/server.ts');
  const requests = toCount('runs', 3000);
  const settings = {
    TRUST_PROXY: '1',
    RATE_LIMIT: 'off',
    BYTES_PER_CLIENT: 'off',
    METER: 'count',
    LOG: 'off',
    CDN_BYPASS: 'on',
  };
  for (const [name, start] of Object.entries(caches)) {
    const host = await startServer(settings);
    const cache = await start(host.port);
    const { pairs, mixed } = await interleave(cache.origin, toCount('pairs', 10_000));
    console.log(`${name}: ${pairs} interleaved pairs, ${mixed.length} answers of another`);
    for (const fault of mixed.slice(0, 10)) console.log(`  ${fault}`);
    if (mixed.length > 0) fail();
    cache.stop();
    await host.stop();
    for (const bypass of ['off', 'on'] as const) {
      const share = ((await measureShare(start, bypass, requests)) * 100).toFixed(1);
      console.log(`${name}, CDN_BYPASS=${bypass}: ${share} % of ${requests} requests reach the host`);
    }
  }
}

/** Throws at the first reading above what is authorised, and where a meter does not count what was answered. */
async function meterRace(): Promise<void> {
  const { raceMeter } = await import('../tests/support/meter-race.ts');
  const { skipsRedis, startRedis } = await import('../tests/support/redis.ts');
  if (skipsRedis()) return;
  const from = performance.now();
  const redis = await startRedis(['--appendfsync', 'everysec']);
  const env = { STORE_URL: `redis://127.0.0.1:${redis.port}`, STORE_DURABILITY: 'second' };
  const race = await raceMeter(toCount('runs', 100_000), env);
  await redis.stop();
  console.log(`${race.calls} calls in ${secondsSince(from)} s: ${JSON.stringify(race)}`);
}

async function agreement(): Promise<void> {
  const { breakAgreement } = await import('../tests/support/agreement-model.ts');
  const runs = toCount('runs', 100_000);
  const from = performance.now();
  const broken = await breakAgreement({ runs, ...(values.seed && { seed: toCount('seed', 1) }) });
  console.log(broken ?? `${runs} sequences in ${secondsSince(from)} s, none broken`);
  if (broken) fail();
}

async function growth(): Promise<void> {
  const { measureGrowth, storeNames } = await import('./soak/growth.ts');
  const [store] = values.store ? toStores(storeNames) : storeNames;
  const sizes = [toCount('small', 1000), toCount('large', 1_000_000)] as const;
  await measureGrowth(store!, sizes, toCount('rounds', 5), toCount('seconds', 2));
}

async function wait(): Promise<void> {
  const { measureWaits } = await import('./soak/wait.ts');
  await measureWaits(toCount('runs', 2000), toCount('seconds', 8));
}

const soaks = {
  ...{ torture, fuzz: fuzzContract, model, rolling, failover, cdn },
  ...{ 'meter-race': meterRace, agreement, growth, wait },
};
const [name = ''] = positionals;
if (!Object.hasOwn(soaks, name)) throw new Error(`npm run soak -- one of ${Object.keys(soaks).join(', ')}`);
process.setMaxListeners(0);
try {
  await soaks[name as keyof typeof soaks]();
} catch (error) {
  console.error((error as Error).message, (error as Error).cause ?? '');
  fail();
}
process.exit();
