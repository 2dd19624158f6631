import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../support/front.ts';
import { type Body, connect } from '../support/http.ts';
import { pluck } from '../support/rows.ts';
import { sendModern } from '../support/rpc.ts';
import {
  countWorkspaces,
  makeSandbox,
  onetCode,
  refused,
  refusedTool,
  toBody,
  unchanged,
} from '../support/sandbox.ts';
import { startServer } from '../support/server.ts';

const bad = suite('bad batches');
const most = 200;

const people = (count: number, more: object = {}): Body[] =>
  Array.from({ length: count }, (_, index) => toBody.candidate({ name: `P${index}`, ...more }));
const orders = (count: number): Body[] => Array.from({ length: count }, () => toBody.jobOrder());
const withRef = (ref: string) => [toBody.candidate({ ref })];

const placesOf = ({ issues }: Body): string[] => pluck(issues, 'path');

/**
 * Sends what is to be refused, by HTTP and by tool, to nobody's workspace and to one that there is. What is amiss in the
 * whole may stand beside the places.
 */
async function refuses(batch: Body, paths: string[], status = 400, code = 'invalid_request'): Promise<Body> {
  const sandbox = await makeSandbox(client, { candidates: withRef('taken'), jobOrders: orders(1) });
  const before = countWorkspaces(server);
  let told: Body;
  await unchanged(client, sandbox, async () => {
    const args = { ...batch, workspace: sandbox.workspace };
    told = refused(await client.post('/batch', batch, sandbox.mine), status, code);
    const paths = placesOf(told);
    refusedTool(await client.tool('createBatch', args), code, paths);
    if (status !== 400) return;
    const answer = await client.post('/batch', batch);
    refused(answer, status, code, paths);
    assert.is(answer.headers.get('x-workspace'), null);
    refusedTool(await client.tool('createBatch', batch), code, paths);
  });
  assert.is(countWorkspaces(server), before, 'nothing is minted');
  const others = placesOf(told).filter((path) => path !== '' || paths.includes(''));
  assert.equal(others, paths, JSON.stringify(told));
  const members = new Set(told.issues.flatMap((issue: Body) => Object.keys(issue)));
  members.delete('code');
  assert.equal([...members], ['path', 'message'], JSON.stringify(told));
  return told;
}

bad('one that holds no record is refused', async () => {
  for (const batch of [{}, { candidates: [] }, { candidates: [], jobOrders: [], placements: [] }]) {
    const { issues } = await refuses(batch, ['']);
    assert.match(issues[0].message, 'no record');
  }
});

bad(`one of more than ${most} is refused, however they are spread, and one of ${most} is made`, async () => {
  assert.match(
    (await refuses({ candidates: people(most + 1) }, ['candidates'])).issues[0].message,
    `${most}`,
  );
  const spread = { candidates: people(100), jobOrders: orders(100), placements: [toBody.placement()] };
  assert.match((await refuses(spread, [''])).issues[0].message, `${most}`);
  const { status, body } = await client.post('/batch', { candidates: people(100), jobOrders: orders(100) });
  assert.is(status, 201);
  assert.equal(
    pluck(body.candidates, 'name'),
    people(100).map(({ name }) => name),
    'in their order',
  );
  assert.is(body.jobOrders.length, 100);
  assert.is(body.placements, undefined);
});

bad('what is no list of objects is refused at its place', async () => {
  await refuses({ candidates: toBody.candidate() }, ['candidates']);
  await refuses({ candidates: 'all' }, ['candidates']);
  await refuses({ candidates: null, jobOrders: orders(1) }, ['candidates']);
  await refuses({ candidates: [...people(2), 'Ann'] }, ['candidates[2]']);
  await refuses({ jobOrders: [null, ...orders(1)] }, ['jobOrders[0]']);
  await refuses({ candidates: people(1), placements: [7] }, ['placements[0]']);
});

bad('a bad record among 200 is told at its place, and nothing is made', async () => {
  const candidates = people(150);
  candidates[137] = { ...candidates[137], onetCode: '15-1252.99' };
  await refuses({ candidates, jobOrders: orders(50) }, ['candidates[137].onetCode']);
  candidates[137] = toBody.candidate({ skills: ['Go', ''] });
  const jobOrders = orders(50);
  jobOrders[49] = toBody.jobOrder({ openings: 0 });
  await refuses({ candidates, jobOrders }, ['candidates[137].skills[1]', 'jobOrders[49].openings']);
  delete candidates[3].onetCode;
  candidates[137] = toBody.candidate();
  const { issues } = await refuses({ candidates, jobOrders: orders(50) }, ['candidates[3].onetCode']);
  assert.match(issues[0].message, 'is missing');
});

bad('a ref that names nothing is told at its place', async () => {
  const placements = [toBody.placement({ candidateId: '#nobody' })];
  const { issues } = await refuses({ placements }, ['placements[0].candidateId']);
  assert.match(issues[0].message, 'no candidate sent with it or in its workspace has that ref');
  assert.not.match(issues[0].message, 'link is null');
  const both = [toBody.placement(), toBody.placement({ candidateId: '#ann', jobOrderId: '#ann' })];
  await refuses({ candidates: withRef('ann'), placements: both }, ['placements[1].jobOrderId']);
  await refuses({ jobOrders: orders(1), placements: [toBody.placement({ jobOrderId: '#' })] }, [
    'placements[0].jobOrderId',
  ]);
});

bad('two equal refs of a kind are refused, and one that is taken conflicts', async () => {
  const two = [...withRef('ann'), ...people(1), ...withRef('ann')];
  await refuses({ candidates: two }, ['candidates[2].ref']);
  const taken = [...people(3), ...withRef('taken')];
  await refuses({ candidates: taken }, ['candidates[3].ref'], 409, 'duplicate_ref');
  const { status } = await client.post('/batch', {
    candidates: withRef('ann'),
    jobOrders: [toBody.jobOrder({ ref: 'ann' })],
    placements: [toBody.placement({ ref: 'ann', candidateId: '#ann', jobOrderId: '#ann' })],
  });
  assert.is(status, 201, 'the same ref in each kind');
});

bad('an early end that is not as it has to be is told at its place', async () => {
  const asked = { status: 'ended-early' };
  await refuses({ placements: [toBody.placement(), toBody.placement(asked)] }, [
    'placements[1].endDate',
    'placements[1].endReason',
  ]);
  const ending = { endDate: '2026-01-09', endReason: 'other' };
  const early = toBody.placement({ ...asked, ...ending, startDate: '2026-01-10' });
  await refuses({ placements: [early] }, ['placements[0].endDate']);
  await refuses({ placements: [toBody.placement({ ...asked, ...ending, endDate: '2126-01-01' })] }, [
    'placements[0].endDate',
  ]);
});

bad('one that would not fit is an offer, and nothing of it is made', async () => {
  const small = await startServer({ RECORD_CEILING: '10' });
  const narrow = await connect(small.origin);
  const sandbox = await makeSandbox(narrow, { candidates: people(8) });
  await unchanged(narrow, sandbox, async () => {
    for (const headers of [sandbox.mine, {}]) {
      const count = 'X-Workspace' in headers ? 3 : 11;
      const { status, body } = await narrow.post('/batch', { candidates: people(count) }, headers);
      assert.equal([status, body.type], [402, 'OFFER']);
    }
    assert.is(countWorkspaces(small), 1);
  });
  assert.is((await narrow.post('/batch', { candidates: people(2) }, sandbox.mine)).status, 201);
  await small.stop();
});

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

bad('a batch may be of up to 1 MiB, and all of it is kept', async () => {
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

bad('a batch of more is refused, and nothing is made', async () => {
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

bad('any other body may be of 64 KiB at most', async () => {
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

bad('over /mcp createBatch may be as large, by either kind of revision', async () => {
  const args = { candidates: heavy };
  const { body, text } = await ask(toCall('createBatch', args, large));
  assert.is(body.result?.structuredContent.candidates?.length, heavy.length, text.slice(0, 300));
  const modern = await sendModern(server.port, 'tools/call', { name: 'createBatch', arguments: args });
  assert.is(modern.body.result?.structuredContent.candidates.length, heavy.length);
});

bad('over /mcp nothing else may be over 64 KiB, and createBatch not over 1 MiB', async () => {
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

bad.run();
