import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswer } from '../src/kernel/answer.ts';
import { makeWorld } from './support/outcome-world.ts';

const test = suite('searches that come at once');
const many = 60;
const { service } = await makeWorld();
const answer = createAnswer(service);
const json = { 'content-type': 'application/json' };
const toBytes = (body: object) => new TextEncoder().encode(JSON.stringify(body));
const toTitle = (door: number, one: number) =>
  `zursing telemmetry technician ${door} charge ${one} oncollogy`;

const doors = {
  'GET /occupations': (one: number) => ({
    method: 'GET',
    path: '/occupations',
    query: `q=${encodeURIComponent(toTitle(1, one))}`,
    body: new Uint8Array(),
  }),
  'POST /titles': (one: number) => ({
    method: 'POST',
    path: '/titles',
    query: '',
    body: toBytes({ titles: [toTitle(2, one)] }),
  }),
  'completion/complete': (one: number) => ({
    method: 'POST',
    path: '/mcp',
    query: '',
    body: toBytes({
      jsonrpc: '2.0',
      id: one,
      method: 'completion/complete',
      params: {
        ref: { type: 'ref/resource', uri: `${service.settings.baseUrl}/occupations/{code}` },
        argument: { name: 'code', value: toTitle(3, one) },
      },
    }),
  }),
};

for (const [door, toCall] of Object.entries(doors)) {
  test(`${door}: one a turn, the first at once, and all of them in the end`, async () => {
    let done = 0;
    const before: number[] = [];
    const all = Array.from({ length: many }, async (_, one) => {
      const { status } = await answer({ ...toCall(one), headers: json });
      done += 1;
      return status;
    });
    while (done < many) {
      await turn();
      before.push(done);
    }
    const most = Math.max(...before.map((one, index) => one - (before[index - 1] ?? 0)));
    assert.ok(most <= 3, `${most} in one turn`);
    assert.equal(await Promise.all(all), Array(many).fill(200));
  });
}

test.run();
