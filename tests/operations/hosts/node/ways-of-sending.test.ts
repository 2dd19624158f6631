import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operations } from '../../../../src/table.ts';
import { buildSampledCall, listRepeatableCalls } from '../../../support/sampled-calls.ts';
import { startServer } from '../../../support/server.ts';
import {
  type Answered,
  checkWay,
  FetchedStatuses,
  sendInWay,
  waysOfSending,
} from '../../../support/ways-of-sending.ts';

const ways = suite('every operation in every way of sending');

/** Idle connections end soon. A stop waits ten minutes for answers that are under way. */
const limits = {
  HEADER_TIMEOUT_SECONDS: '60',
  REQUEST_TIMEOUT_SECONDS: '60',
  KEEP_ALIVE_SECONDS: '1',
  DRAIN_SECONDS: '600',
};
const server = await startServer({
  RATE_LIMIT: 'off',
  LOG: 'off',
  CONNECTIONS_PER_CLIENT: '100000',
  ...limits,
});
const calls = listRepeatableCalls(server.origin);
const statuses = new FetchedStatuses(server.origin);
const answered: Answered[] = [];

for (const [name, way] of Object.entries(waysOfSending))
  ways(`answers a call ${name} as it answers the same call by fetch`, async () => {
    answered.push(...(await checkWay(way, calls, { port: server.port, statuses })));
  });

ways('ends each connection by its own limits', async () => {
  await Promise.all(answered.map(({ closed }) => closed));
});

/** Bytes that some clients leave in a path or a query. */
const oddities = ['%00', '%0A', '%FF', '%E2%80%83', '%', '%2', '%2F', '\xa0', '\xff', '\x7f', '"', '{', '\\'];

ways('answers odd bytes in every path and query with a status below 500', async () => {
  const targets = operations.flatMap((row) => {
    const call = buildSampledCall(row);
    return oddities.flatMap((odd) => [
      { ...call, target: `${call.target}${odd}` },
      { ...call, target: `${call.target}?q=${odd}&${odd}=1&limit=${odd}` },
    ]);
  });
  for (let from = 0; from < targets.length; from += 64)
    await Promise.all(
      targets.slice(from, from + 64).map(async (call) => {
        const { answers, close } = await sendInWay(server.port, waysOfSending['as it is']!(call)!);
        close();
        assert.ok(answers[0]!.status < 500, `${call.method} ${call.target} is ${answers[0]!.status}`);
      }),
    );
});

ways('stops while a connection of each way is open', async () => {
  const { make } = calls.find(({ what }) => what === 'createCandidate')!;
  for (const way of Object.values(waysOfSending)) {
    const sending = way(await make());
    if (sending) await sendInWay(server.port, sending);
  }
  assert.is(await server.stop(), 0);
});

ways.run();
