import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../../../support/front.ts';
import type { Body } from '../../../support/http.ts';
import { sendModern } from '../../../support/rpc.ts';
import {
  countWorkspaces,
  makeSandbox,
  onetCode,
  refused,
  toBody,
  unchanged,
} from '../../../support/sandbox.ts';

const sizes = suite('the size of a body');

const people = (count: number, more: object = {}): Body[] =>
  Array.from({ length: count }, (_, index) => toBody.candidate({ name: `P${index}`, ...more }));

const usual = 65_536;
const large = 1_048_576;

/** Returns a JSON text of exactly this many bytes, padded with spaces. */
function toSized(body: object, bytes: number): string {
  const text = JSON.stringify(body);
  const missing = bytes - Buffer.byteLength(text);
  assert.ok(missing >= 0);
  return text + ' '.repeat(missing);
}

/** Candidates of more than 5,000 bytes each. */
const skills = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(80, 'é'));
const heavy = people(110, { skills });

sizes('a batch may have up to 1 MiB, over /mcp too, and all of it is stored', async () => {
  const { status, body } = await client.post('/batch', toSized({ candidates: heavy }, large));
  assert.is(status, 201);
  assert.equal(body.candidates?.length, heavy.length);
  assert.equal(body.candidates.at(-1).skills, skills);
  const args = { candidates: heavy };
  const legacy = await client.post('/mcp', toCall('createBatch', args, large));
  assert.is(legacy.body.result?.structuredContent.candidates?.length, heavy.length);
  const modern = await sendModern(server.port, 'tools/call', { name: 'createBatch', arguments: args });
  assert.is(modern.body.result?.structuredContent.candidates.length, heavy.length);
});

/** Returns a tool call as a message of this many bytes. */
const toCall = (name: string, args: object, bytes: number) =>
  toSized({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, bytes);

sizes('a larger batch is refused, and any other body above 64 KiB, and nothing is created', async () => {
  const sandbox = await makeSandbox(client, { candidates: people(1) });
  const { workspace, mine, candidates } = sandbox;
  const { id, links } = candidates[0];
  const others: [string, string, object][] = [
    ['POST', '/candidates', toBody.candidate()],
    ['POST', '/job-orders', toBody.jobOrder()],
    ['PATCH', links.self, { name: 'Bea' }],
  ];
  const send = ([method, path, body]: (typeof others)[number], bytes: number) =>
    client.ask(method, path, toSized(body, bytes), mine);
  const calls = {
    'one that creates one': toCall('createCandidate', { ...toBody.candidate(), workspace }, usual + 1),
    'one that is told createBatch': toCall('createCandidate', { name: 'createBatch', onetCode }, usual + 1),
    'one that changes': toCall('updateCandidate', { id, name: 'createBatch', workspace }, large - 1),
    'one that lists tools': toSized({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, usual + 1),
    'a notification': toSized({ jsonrpc: '2.0', method: 'createBatch' }, usual + 1),
    'a batch': toCall('createBatch', { candidates: people(1), workspace }, large + 1),
  };
  const before = countWorkspaces(server);
  await unchanged(client, sandbox, async () => {
    for (const headers of [mine, {}]) {
      const answer = await client.post('/batch', toSized({ candidates: people(1) }, large + 1), headers);
      assert.match(refused(answer, 413, 'body_too_large').reason, '1,048,576');
    }
    for (const one of others)
      for (const bytes of [usual + 1, large - 1])
        assert.match(refused(await send(one, bytes), 413, 'body_too_large').reason, '65,536');
    for (const [what, call] of Object.entries(calls)) {
      const { body, text } = await client.post('/mcp', call);
      assert.is(body?.result?.structuredContent?.type ?? 'BLOCKED', 'BLOCKED', what);
      assert.match(text, '"body_too_large"', what);
    }
  });
  assert.is(countWorkspaces(server), before);
  for (const one of others) assert.ok((await send(one, usual)).status < 300, one[1]);
  const small = toCall('createCandidate', { ...toBody.candidate(), workspace }, usual);
  assert.is((await client.post('/mcp', small)).body.result.structuredContent.type, 'OK');
});

sizes.run();
