/**
 * Sends requests made from the contract and holds every reply to it:
 * `node scripts/fuzz.ts [--runs 20000] [--seed N] [--http]`. In this process unless `--http` is given, which
 * starts the built host, and then does to it what costs the most, beside a bystander whose answers are counted and
 * timed. Ends at the first reply that breaks a rule, with the seed that shows it again.
 */
import { parseArgs } from 'node:util';
import { type FuzzTally, fuzz } from '../tests/support/fuzz/run.ts';
import { toCore, toHttp } from '../tests/support/fuzz/senders.ts';
import { attacks, soak } from '../tests/support/hostile.ts';
import { startServer } from '../tests/support/server.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
    http: { type: 'boolean', default: false },
  },
});
const [runs, first] = [Number(values.runs), Number(values.seed)];
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a whole number from 1');
const chunk = 20_000;
const soakSeconds = 5;

const server = values.http ? await startServer({ LOG: 'off', RATE_LIMIT: 'off' }) : undefined;
const send = server ? toHttp(server.port) : toCore();
const contract = JSON.parse((await send('GET', '/openapi.json', {}, undefined)).text);
const sum: FuzzTally = { requests: 0, compared: 0, byStatus: {} };
try {
  for (let done = 0; done < runs; done += chunk) {
    const seed = first + done / chunk;
    const tally = await fuzz(contract, send, Math.min(chunk, runs - done), seed);
    sum.requests += tally.requests;
    sum.compared += tally.compared;
    for (const [status, count] of Object.entries(tally.byStatus))
      sum.byStatus[status] = (sum.byStatus[status] ?? 0) + count;
    console.log(`seed ${seed}: ${sum.requests} requests, ${sum.compared} of them compared with their tool`);
  }
  console.log(`by status: ${JSON.stringify(sum.byStatus)}`);
  console.log(`${sum.requests} requests, 0 broken`);
  for (const [name, attack] of Object.entries(server ? attacks : {})) {
    const { answers, slowestMs, peakMb } = await soak(server!, attack, soakSeconds);
    const figures = `${answers} answers to a bystander, the slowest in ${slowestMs.toFixed(0)} ms`;
    console.log(`${name}: ${figures}; peak memory ${peakMb?.toFixed(0)} MB`);
  }
} catch (error) {
  console.error((error as Error).message, (error as Error).cause);
  process.exitCode = 1;
}
await server?.stop();
process.exit();
