import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPeakMemory, startBystander } from '../../../support/bystander.ts';
import { client, server } from '../../../support/front.ts';
import { connect } from '../../../support/http.ts';
import { makeSandbox, toBody } from '../../../support/sandbox.ts';
import { startServer } from '../../../support/server.ts';

const cost = suite('matches beside other callers');

const letters = [...'bcdeghjklmpqruvwxyz0123456789'].join(' ');

/** Candidates with fifty skills each, all of them different: none is read twice. */
const makePeople = (first: number) =>
  Array.from({ length: 50 }, (_, at) =>
    toBody.candidate({ skills: Array.from({ length: 50 }, (_, n) => `${letters} é${first + at} ${n}`) }),
  );

cost('a filter that reads fifteen thousand skills does not delay other callers', async () => {
  const { jobOrders, mine } = await makeSandbox(client, {
    candidates: makePeople(0),
    jobOrders: [toBody.jobOrder()],
  });
  for (let made = 50; made < 300; made += 50)
    await client.post('/batch', { candidates: makePeople(made) }, mine);
  const path = `${jobOrders[0].links.self}/matches?skill=zzz`;
  await client.get(path, mine);
  const bystander = startBystander(server);
  const rounds = 3;
  for (let round = 0; round < rounds; round += 1)
    assert.is((await client.get(path, mine)).body.type, 'EMPTY');
  const { answers } = bystander.stop();
  // The machine decides how long a turn takes. We decide that there are many.
  assert.ok(answers > 8 * rounds, `${answers} answers`);
});

/** The options with which the container starts the host, and a heap that fits in its 512 MiB. */
const container = ['--max-semi-space-size=8', '--heap-growing-percent=30', '--max-old-space-size=384'];
const limits = { TRUST_PROXY: '1', RATE_LIMIT: 'off', BYTES_PER_CLIENT: 'off', METER: 'count' };

cost('eight matches at once over 5,000 candidates fit in the memory of a container', async () => {
  const env = { ...limits, RECORD_CEILING: '10000', LOG: 'off' };
  const host = await startServer(env, [process.execPath, ...container, 'dist/host/main.mjs']);
  const there = await connect(host.origin);
  const { jobOrders, mine } = await makeSandbox(there, {
    jobOrders: [toBody.jobOrder({ skills: ['ICU'], requires: ['ward 7'] })],
  });
  const toSkills = (first: number) =>
    Array.from({ length: 50 }, (_, at) => `skill ${first + at} of ward ${at}`);
  for (let count = 0; count < 5000; count += 200) {
    const candidates = Array.from({ length: 200 }, (_, at) =>
      toBody.candidate({ skills: toSkills(count + at) }),
    );
    assert.is((await there.post('/batch', { candidates }, mine)).status, 201);
  }
  const path = `${jobOrders[0].links.self}/matches`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      there.get(`${path}?limit=${at + 1}`, { ...mine, 'X-Forwarded-For': `203.0.113.${at}` }),
    ),
  );
  const peak = readPeakMemory(host);
  await host.stop();
  for (const { status } of answers) assert.is(status, 200);
  assert.ok(peak === undefined || peak < 320, `${peak} MB`);
});

cost.run();
