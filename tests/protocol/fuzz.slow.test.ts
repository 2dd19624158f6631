import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attackLimits } from '../../scripts/soak/fuzz/limits.ts';
import { fuzz, openCore } from '../../scripts/soak/fuzz/run.ts';
import { type Client, connect } from '../support/http.ts';
import { withOpenServer } from '../support/open-host.ts';

const test = suite('requests generated from the contract');

/** A fixed seed, so that the same code always gets the same result. `npm run soak -- fuzz` draws others, and more. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);

async function hold(client: Client, runs: number): Promise<void> {
  const byStatus = await fuzz(client, runs, seed);
  for (const status of [200, 201, 400, 401, 402, 403, 404, 405])
    assert.ok(byStatus[status], `none was answered ${status}`);
}

test('4,000 to the core break no rule', () => hold(openCore(), 4000));

test('1,000 over HTTP break no rule', async () => {
  await withOpenServer({ LOG: 'off', RATE_LIMIT: 'off', RECORD_CEILING: '20' }, async ({ port }) =>
    hold(await connect(`http://localhost:${port}`), 1000),
  );
});

test('60 attacks of each kind on the limits of one caller break no rule', () => attackLimits(60, seed));

test.run();
