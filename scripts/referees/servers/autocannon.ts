/** The load where there is no wrk: `node autocannon.ts FILE`, which holds a Load and its port. Prints JSON. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Load } from '../../bench/load.ts';

/** It comes without types. */
const autocannon = createRequire(import.meta.url)('autocannon');

const { port, requests, seconds, connections }: Load & { port: number } = JSON.parse(
  readFileSync(process.argv[2]!, 'utf8'),
);
const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections,
  duration: seconds,
  requests: [...requests],
});
const { latency, non2xx, errors, timeouts, duration } = result;
const count = result.requests.total;
const refused = result['4xx'] + result['5xx'];
console.log(
  JSON.stringify({
    count,
    micros: duration * 1e6,
    p50: latency.p50 * 1000,
    p99: latency.p99 * 1000,
    broken: errors + timeouts,
    refused: Math.min(refused, non2xx),
  }),
);
