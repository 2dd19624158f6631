/**
 * Puts the caches of scripts/deploy before a host: counts answers of one workspace to another in interleaved pairs, and
 * the share of an agent's mix that reaches the host: `node scripts/cdn.ts [--pairs 10000] [--requests 3000]`. Needs a build.
 */
import { parseArgs } from 'node:util';
import { measureShare } from '../tests/support/agent-mix.ts';
import { caches } from '../tests/support/caches.ts';
import { interleave } from '../tests/support/interleaved.ts';
import { startServer } from '../tests/support/server.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '10000' }, requests: { type: 'string', default: '3000' } },
});
const [pairs, requests] = [Number(values.pairs), Number(values.requests)];
const settings = { TRUST_PROXY: '1', RATE_LIMIT: 'off', METER: 'count', LOG: 'off', CDN_BYPASS: 'on' };
process.setMaxListeners(0);

for (const [name, start] of Object.entries(caches)) {
  const host = await startServer(settings);
  const cache = await start(host.port);
  const told = await interleave(cache.origin, pairs);
  console.log(`${name}: ${told.pairs} interleaved pairs, ${told.mixed.length} answers of another`);
  for (const fault of told.mixed.slice(0, 10)) console.log(`  ${fault}`);
  if (told.mixed.length > 0) process.exitCode = 1;
  cache.stop();
  await host.stop();
  for (const bypass of ['off', 'on'] as const) {
    const share = await measureShare(start, bypass, requests);
    console.log(
      `${name}, CDN_BYPASS=${bypass}: ${(share * 100).toFixed(1)} % of ${requests} requests reach the host`,
    );
  }
}
