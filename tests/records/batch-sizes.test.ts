import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../support/front.ts';
import type { Body } from '../support/http.ts';
import { sendModern } from '../support/rpc.ts';
import { countWorkspaces, makeSandbox, onetCode, refused, toBody, unchanged } from '../support/sandbox.ts';

const sizes = suite('sizes of batches');
const usual = 65_536;
const large = 1_048_576;

/** A JSON text of exactly so many bytes, with spaces at its end. */
function toSized(body: object, bytes: number): string {
  const text = JSON.stringify(body);
  const missing = bytes - Buffer.byteLength(text);
  assert.ok(missing >= 0);
  return text + ' '.repeat(missing);
}

/** 200 candidates of more than 5,000 bytes each. */
const skills = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(80, 'é'));
const heavy = Array.from({ length: 110 }, (_, index) => toBody.candidate({ name: `P${index}`, skills }));

sizes('a batch may be of up to 1 MiB, and all of it is kept', async () => {
  const text = JSON.stringify({ candidates: heavy });
  assert.ok(Buffer.byteLength(text) > 800_000);
  const { status, body } = await client.post('/batch', text);
  assert.equal([status, body.candidates?.length], [201, heavy.length]);
  assert.equal(body.candidates.at(-1).skills, skills);
  for (const bytes of [usual + 1, large]) {
    const answer = await client.post('/batch', toSized({ candidates: [toBody.candidate()] }, bytes));
    assert.is(answer.status, 201, `${bytes} bytes`);
  }
});

sizes('a batch of more is refused, and nothing is made', async () => {
  const sandbox = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const before = countWorkspaces(server);
  await unchanged(client, sandbox, async () => {
    const text = toSized({ candidates: [toBody.candidate()] }, large + 1);
    for (const headers of [sandbox.mine, {}]) {
      const { reason } = refused(await client.post('/batch', text, headers), 413, 'body_too_large');
      assert.match(reason, '1,048,576');
    }
  });
  assert.is(countWorkspaces(server), before);
});

sizes('any other body may be of 64 KiB at most', async () => {
  const sandbox = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const self = sandbox.candidates[0].links.self;
  const other: [string, string, object][] = [
    ['POST', '/candidates', toBody.candidate()],
    ['POST', '/job-orders', toBody.jobOrder()],
    ['POST', '/placements', toBody.placement()],
    ['PATCH', self, { name: 'Bea' }],
  ];
  await unchanged(client, sandbox, async () => {
    for (const [method, path, body] of other) {
      for (const bytes of [usual + 1, large - 1]) {
        const options = { body: toSized(body, bytes), headers: sandbox.mine };
        const answer = await client.request(method, path, options);
        assert.match(refused(answer, 413, 'body_too_large').reason, '65,536');
      }
    }
  });
  for (const [method, path, body] of other) {
    const options = { body: toSized(body, usual), headers: sandbox.mine };
    const { status, text } = await client.request(method, path, options);
    assert.ok(status < 300, `${method} ${path} ${status} ${text}`);
  }
});

/** A call of a tool as a message of so many bytes, padded by its `filler` or by spaces at its end. */
function toCall(name: string, args: object, bytes: number): string {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return toSized(message, bytes);
}

async function ask(text: string): Promise<{ status: number; body: Body; text: string }> {
  return client.post('/mcp', text);
}

sizes('over /mcp createBatch may be as large, by either kind of revision', async () => {
  const args = { candidates: heavy };
  const { body, text } = await ask(toCall('createBatch', args, large));
  assert.is(body.result?.structuredContent.candidates?.length, heavy.length, text.slice(0, 300));
  const modern = await sendModern(server.port, 'tools/call', { name: 'createBatch', arguments: args });
  assert.is(modern.body.result?.structuredContent.candidates.length, heavy.length);
});

sizes('over /mcp nothing else may be over 64 KiB, and createBatch not over 1 MiB', async () => {
  const sandbox = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const { workspace } = sandbox;
  const before = countWorkspaces(server);
  const { id } = sandbox.candidates[0];
  const calls: [string, string][] = [
    ['one that creates one', toCall('createCandidate', { ...toBody.candidate(), workspace }, usual + 1)],
    ['one that is told createBatch', toCall('createCandidate', { name: 'createBatch', onetCode }, usual + 1)],
    ['one that changes', toCall('updateCandidate', { id, name: 'createBatch', workspace }, large - 1)],
    ['one that reads', toCall('listCandidates', {}, usual + 1)],
    ['one that lists tools', toSized({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, usual + 1)],
    ['a notification', toSized({ jsonrpc: '2.0', method: 'createBatch' }, usual + 1)],
    ['a batch', toCall('createBatch', { candidates: [toBody.candidate()], workspace }, large + 1)],
  ];
  await unchanged(client, sandbox, async () => {
    for (const [what, call] of calls) {
      const { body, text } = await ask(call);
      assert.is(body?.result?.structuredContent?.type ?? 'BLOCKED', 'BLOCKED', what);
      assert.match(text, '"body_too_large"', what);
    }
  });
  assert.is(countWorkspaces(server), before);
  const small = await ask(toCall('createCandidate', { ...toBody.candidate(), workspace }, usual));
  assert.is(small.body.result.structuredContent.type, 'OK');
});

sizes.run();
