import { readMetrics } from '../../tests/support/metrics.ts';
import { until } from '../../tests/support/redis.ts';
import { type RunningServer, startServer } from '../../tests/support/server.ts';
import { send } from '../../tests/support/wire.ts';

const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
/** How many calls wait in each workspace. Each workspace has another client. */
const each = 20;

/** Returns the 99th percentile of another client's replies in ms, and the share of a processor that the host took. */
async function observe(server: RunningServer, seconds: number) {
  const times: number[] = [];
  const readCpu = async () => (await readMetrics(server)).get('process_cpu_seconds_total')!;
  const [from, cpu] = [performance.now(), await readCpu()];
  while (performance.now() - from < seconds * 1000) {
    const start = performance.now();
    await send(server.origin, '/occupations?q=nurse&limit=2');
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const share = ((await readCpu()) - cpu) / ((performance.now() - from) / 1000);
  const p99 = times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
  return `p99 ${p99.toFixed(2)} ms, ${(share * 100).toFixed(1)} % of a processor`;
}

/**
 * Prints how `count` waiting calls delay another client and load the processor, and how fast a change wakes 20 calls.
 */
export async function measureWaits(count: number, seconds: number): Promise<void> {
  const server = await startServer({ TRUST_PROXY: '1', RATE_LIMIT: 'off', LOG: 'off', METRICS: 'on' });
  const create = (headers: object) =>
    send(server.origin, '/candidates', { method: 'POST', body: candidate, headers });
  await observe(server, 2);
  console.log(`no waits: ${await observe(server, seconds)}`);
  const answers: Promise<number>[] = [];
  let mine = {};
  for (let made = 0; made < count / each; made += 1) {
    const from = { 'X-Forwarded-For': `192.0.${made >> 8}.${made & 255}` };
    const { headers } = await create(from);
    mine = { ...from, 'X-Workspace': String(headers['x-workspace']) };
    const { etag = '' } = (await send(server.origin, '/workspace', { headers: mine })).headers;
    const waiting = { ...mine, Prefer: 'wait=25', 'If-None-Match': etag };
    for (let one = 0; one < each; one += 1)
      answers.push(fetch(`${server.origin}/workspace`, { headers: waiting }).then(({ status }) => status));
  }
  const countWaiting = async () => (await readMetrics(server)).get('careers_waiting_calls');
  await until(async () => (await countWaiting()) === count, `${count} wait`, 20_000);
  console.log(`${count} waits: ${await observe(server, seconds)}`);
  const start = performance.now();
  await create(mine);
  const woken = (await Promise.all(answers.slice(-each))).filter((status) => status === 200);
  console.log(`${woken.length} woken in ${(performance.now() - start).toFixed(1)} ms`);
  await Promise.all(answers);
  await server.stop();
}
