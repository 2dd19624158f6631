import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fuzz, type Send, toCore, toHttp } from '../support/fuzz/run.ts';
import { startServer } from '../support/server.ts';

const test = suite('requests made from the contract');

/** One seed, so that the same tree is judged alike each time; `npm run soak -- fuzz` draws others. */
const seed = 20_261_122;

async function hold(where: string, send: Send, runs: number): Promise<void> {
  console.log(`\nfigure: ${where}: ${runs} requests under seed ${seed}`);
  const contract = JSON.parse((await send('GET', '/openapi.json', {}, undefined)).text);
  const { requests, compared, byStatus } = await fuzz(contract, send, runs, seed);
  assert.is(requests, runs);
  assert.ok(compared > runs / 5, `${compared} were compared with their tool`);
  for (const status of [200, 201, 400, 401, 402, 403, 404, 405])
    assert.ok(byStatus[status], `none was answered ${status}`);
}

test('15,000 to the core break no rule, and tools answer alike', () => hold('core', toCore(), 15_000));

test('12,000 over HTTP break no rule, and tools answer alike', async () => {
  const server = await startServer({ LOG: 'off', RATE_LIMIT: 'off', RECORD_CEILING: '20' });
  try {
    await hold('HTTP', toHttp(server.port), 12_000);
  } finally {
    await server.stop();
  }
});

test.run();
