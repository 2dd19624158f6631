import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { sendModern } from '../../support/rpc.ts';
import { countWorkspaces, makeSandbox, onetCode, refused, toBody, unchanged } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const bad = suite('bad batches');

const people = (count: number, more: object = {}): Body[] =>
  Array.from({ length: count }, (_, index) => toBody.candidate({ name: `P${index}`, ...more }));
const orders = (count: number): Body[] => Array.from({ length: count }, () => toBody.jobOrder());
const withRef = (ref: string) => [toBody.candidate({ ref })];
const placed = (...all: object[]) => ({ placements: all.map((one) => toBody.placement(one)) });
const asked = { status: 'ended-early' };
const ending = { ...asked, endDate: '2026-01-09', endReason: 'other' };

/** Batches by their mistake: the places that are named, and the message for the first. */
const cases: Record<string, [batch: Body, paths: string[], says?: RegExp][]> = {
  'that hold no record': [
    [{}, [''], /no record/],
    [{ candidates: [] }, ['']],
    [{ candidates: [], jobOrders: [], placements: [] }, ['']],
  ],
  'of more than 200, however they are spread': [
    [{ candidates: people(201) }, ['candidates'], /200/],
    [{ candidates: people(100), jobOrders: orders(100), ...placed({}) }, [''], /200/],
  ],
  'that are no lists of objects': [
    [{ candidates: toBody.candidate() }, ['candidates']],
    [{ candidates: 'all' }, ['candidates']],
    [{ candidates: null, jobOrders: orders(1) }, ['candidates']],
    [{ candidates: [...people(2), 'Ann'] }, ['candidates[2]']],
    [{ jobOrders: [null, ...orders(1)] }, ['jobOrders[0]']],
    [{ candidates: people(1), placements: [7] }, ['placements[0]']],
  ],
  'with a bad record among many': [
    [
      { candidates: people(150).with(137, { name: 'A', onetCode: '15-1252.99' }) },
      ['candidates[137].onetCode'],
    ],
    [
      {
        candidates: people(150).with(137, toBody.candidate({ skills: ['Go', ''] })),
        jobOrders: orders(50).with(49, toBody.jobOrder({ openings: 0 })),
      },
      ['candidates[137].skills[1]', 'jobOrders[49].openings'],
    ],
    [{ candidates: people(150).with(3, { name: 'A' }) }, ['candidates[3].onetCode'], /is missing/],
  ],
  'with a ref that names nothing': [
    [
      placed({ candidateId: '#nobody' }),
      ['placements[0].candidateId'],
      /no candidate sent with it or in its workspace has that ref/,
    ],
    [
      { candidates: withRef('ann'), ...placed({}, { candidateId: '#ann', jobOrderId: '#ann' }) },
      ['placements[1].jobOrderId'],
    ],
    [{ jobOrders: orders(1), ...placed({ jobOrderId: '#' }) }, ['placements[0].jobOrderId']],
  ],
  'with two equal refs of a kind': [
    [{ candidates: [...withRef('ann'), ...people(1), ...withRef('ann')] }, ['candidates[2].ref']],
  ],
  'with an early end that is not as it has to be': [
    [placed({}, asked), ['placements[1].endDate', 'placements[1].endReason']],
    [placed({ ...ending, startDate: '2026-01-10' }), ['placements[0].endDate']],
    [placed({ ...ending, endDate: '2126-01-01' }), ['placements[0].endDate']],
  ],
};

for (const [what, rows] of Object.entries(cases)) {
  bad(`${what} are refused, and nothing is created`, async () => {
    const sandbox = await makeSandbox(client, { candidates: people(1) });
    const before = countWorkspaces(server);
    await unchanged(client, sandbox, async () => {
      for (const [batch, paths, says] of rows) {
        for (const mine of [sandbox.mine, {}]) {
          const answer = await client.post('/batch', batch, mine);
          const { issues } = refused(answer, 400, 'invalid_request');
          assert.is(answer.headers.get('x-workspace'), null);
          // A mistake in the whole batch may be named beside the places.
          const places = pluck(issues, 'path');
          assert.equal(
            places.filter((path) => path !== '' || paths.includes('')),
            paths,
            answer.text,
          );
          if (says) assert.match(issues[0].message, says);
        }
      }
    });
    assert.is(countWorkspaces(server), before, 'no workspace is made');
  });
}

bad('a batch of 200 is created in order, with unique refs per kind', async () => {
  const { body } = await client.post('/batch', { candidates: people(100), jobOrders: orders(100) });
  assert.equal(pluck(body.candidates, 'name'), pluck(people(100), 'name'));
  assert.is(body.jobOrders.length, 100);
  assert.is(body.placements, undefined);
  const sandbox = await makeSandbox(client, {
    candidates: withRef('ann'),
    jobOrders: [toBody.jobOrder({ ref: 'ann' })],
    ...placed({ ref: 'ann', candidateId: '#ann', jobOrderId: '#ann' }),
  });
  await unchanged(client, sandbox, async () => {
    const batch = { candidates: [...people(3), ...withRef('ann')] };
    refused(await client.post('/batch', batch, sandbox.mine), 409, 'duplicate_ref', ['candidates[3].ref']);
  });
});

bad('a batch that would not fit is an offer, and nothing of it is created', async () => {
  const { ask } = new World({ settings: { recordCeiling: 10 } });
  const send = (count: number, headers = {}) => ask('POST', '/batch', { candidates: people(count) }, headers);
  const mine = { 'x-workspace': (await send(8)).body.workspace };
  for (const { status, body } of [await send(3, mine), await send(11)]) {
    assert.is(status, 402);
    assert.is(body.type, 'OFFER');
  }
  assert.is((await send(2, mine)).status, 201);
});

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

bad('a batch may have up to 1 MiB, over /mcp too, and all of it is stored', async () => {
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

bad('a larger batch is refused, and any other body above 64 KiB, and nothing is created', async () => {
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

bad.run();
