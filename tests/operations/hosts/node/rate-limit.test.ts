import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Limits } from '../../../../src/hosts/node/limits.ts';
import { noMetrics } from '../../../../src/hosts/node/metrics.ts';
import { readSettings } from '../../../../src/hosts/node/settings.ts';
import { connect, type Reply } from '../../../support/http.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { openFor, withOpenServer } from '../../../support/open-host.ts';

const candidate = { name: 'A', onetCode: '15-1252.00' };
const limits = { TRUST_PROXY: '1', RATE_LIMIT_LIVE: '8', RATE_LIMIT_MINT: '3', LOG: 'off' };

let last = 0;
const rate = suite('rate limits');
const server = await openFor(rate, { ...limits, METRICS: 'on' });
const client = await connect(server.origin);

/** Returns the headers of a new caller. */
function makeCaller(): Record<string, string> {
  last += 1;
  return { 'X-Forwarded-For': `203.0.113.${last}` };
}

async function repeat(count: number, call: () => Promise<Reply>): Promise<Reply[]> {
  const answers: Reply[] = [];
  for (let n = 0; n < count; n++) answers.push(await call());
  return answers;
}

function holdToRefusal({ status, headers, body }: Reply): void {
  const envelope = body.error?.data ?? body;
  assert.is(status, 429);
  assert.is(envelope.type, 'BLOCKED');
  assert.is(envelope.code, 'rate_limited');
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 121, `Retry-After ${seconds}`);
  assert.match(envelope.reason, new RegExp(`Wait ${seconds} s`));
  assert.match(headers.get('ratelimit')!, new RegExp(`;r=0;t=${seconds}$`));
  assert.match(headers.get('access-control-expose-headers')!, /\bRateLimit\b/);
}

rate('live answers count down, then 429 says how long to wait', async () => {
  const caller = makeCaller();
  const answers = await repeat(8, () => client.get('/candidates?limit=1', caller));
  for (const [index, { status, headers }] of answers.entries()) {
    assert.is(status, 200);
    assert.is(headers.get('ratelimit-policy'), '"live";q=8;w=60');
    assert.match(headers.get('ratelimit')!, new RegExp(`^"live";r=${7 - index};t=\\d+$`));
  }
  holdToRefusal(await client.get('/candidates?limit=1', caller));
  holdToRefusal(await client.post('/candidates', candidate, caller));
  holdToRefusal(await client.get('/nothing-here', caller));
  assert.is(
    (await client.get('/candidates?limit=1', makeCaller())).status,
    200,
    'another caller is not limited',
  );
});

rate('frozen answers are never limited and have no rate headers', async () => {
  const caller = makeCaller();
  await repeat(9, () => client.get('/offer', caller));
  for (const path of ['/candidates', '/occupations/15-1252.00', '/pricing', '/', '/llms.txt']) {
    for (const { status, headers } of await repeat(5, () => client.get(path, caller))) {
      assert.is(status, 200, path);
      assert.is(headers.get('ratelimit'), null, path);
    }
  }
});

rate('an IPv6 /64 is one caller', async () => {
  const call = (address: string) => client.get('/offer', { 'X-Forwarded-For': address });
  for (let n = 0; n < 8; n++) assert.is((await call(`2001:db8:5:6:${n}::${n}`)).status, 402);
  holdToRefusal(await call('2001:db8:5:6:ffff::'));
  assert.is((await call('2001:db8:5:7::1')).status, 402);
});

rate('new workspaces have a limit of their own, and adding to one does not count', async () => {
  const caller = makeCaller();
  const made = await repeat(3, () => client.post('/candidates', candidate, caller));
  for (const [index, { status, headers }] of made.entries()) {
    assert.is(status, 201);
    assert.is(headers.get('ratelimit-policy'), '"live";q=8;w=60, "mint";q=3;w=60');
    assert.match(
      headers.get('ratelimit')!,
      new RegExp(`^"live";r=${7 - index};t=\\d+, "mint";r=${2 - index};`),
    );
  }
  const refused = await client.post('/candidates', candidate, caller);
  assert.match(refused.body.reason, /new workspaces.*X-Workspace/);
  holdToRefusal(refused);
  const named = { ...caller, 'X-Workspace': made[0]!.body.workspace };
  assert.is((await client.post('/candidates', candidate, named)).status, 201);
});

rate('a refused create makes no workspace and does not count as one', async () => {
  const caller = makeCaller();
  for (const body of [{}, { name: 'A', onetCode: '99-9999.99' }, 'no json']) {
    assert.is((await client.post('/candidates', body, caller)).status, 400);
  }
  const { status, headers } = await client.post('/candidates', candidate, caller);
  assert.is(status, 201);
  assert.match(headers.get('ratelimit')!, /"mint";r=2;/);
});

rate('creates that arrive together make no more workspaces than one by one', async () => {
  const caller = makeCaller();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client.post('/candidates', candidate, caller)),
  );
  assert.is(answers.filter(({ status }) => status === 201).length, 3);
  assert.is(answers.filter(({ status }) => status === 429).length, 5);
});

rate('/mcp reports the workspace limit in a tool result, the request limit in an error', async () => {
  const caller = makeCaller();
  const create = () => client.rpc('tools/call', { name: 'createCandidate', arguments: candidate }, caller);
  for (const { body } of await repeat(3, create)) assert.is(body.result.structuredContent.type, 'OK');
  const { status, body } = await create();
  assert.is(status, 200);
  assert.ok(body.result.isError);
  assert.is(body.result.structuredContent.code, 'rate_limited');
  assert.is(body.result.structuredContent.type, 'BLOCKED');
  await repeat(4, () => client.rpc('tools/list', {}, caller));
  const refused = await client.rpc('tools/list', {}, caller);
  holdToRefusal(refused);
  assert.is(refused.body.jsonrpc, '2.0');
  assert.is(refused.body.id, null);
  assert.is(refused.body.error.code, 429);
});

const toTitles = (count: number) => Array.from({ length: count }, (_, at) => `nurse ${at}`);
const toLeft = ({ headers }: Reply) => /"live";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];

rate('POST /titles counts as many live requests as it has titles', async () => {
  const caller = makeCaller();
  const answer = await client.post('/titles', { titles: toTitles(5) }, caller);
  assert.is(answer.status, 200);
  assert.is(toLeft(answer), '3');
  assert.is(toLeft(await client.get('/candidates?limit=1', caller)), '2');
});

rate('POST /titles with more titles than are left is answered, and the next call is refused', async () => {
  const caller = makeCaller();
  const answer = await client.post('/titles', { titles: toTitles(100) }, caller);
  assert.is(answer.status, 200);
  assert.is(answer.body.titles.length, 100);
  assert.is(toLeft(answer), '0');
  holdToRefusal(await client.post('/titles', { titles: toTitles(1) }, caller));
});

rate('the tool codeTitles counts as many live requests as it has titles', async () => {
  const caller = makeCaller();
  const code = (count: number) =>
    client.rpc('tools/call', { name: 'codeTitles', arguments: { titles: toTitles(count) } }, caller);
  assert.is(toLeft(await code(6)), '2');
  assert.is(toLeft(await code(6)), '0');
  holdToRefusal(await code(1));
});

rate('an invalid POST /titles counts as one', async () => {
  const caller = makeCaller();
  const { status } = await client.post('/titles', { titles: toTitles(101) }, caller);
  assert.is(status, 400);
  assert.is(toLeft(await client.get('/candidates?limit=1', caller)), '6');
});

rate('loopback without a proxy is exempt, and gets no rate headers', async () => {
  await withOpenServer({ ...limits, TRUST_PROXY: '0' }, async ({ origin }) => {
    const own = await connect(origin);
    for (const { status, headers } of await repeat(20, () => own.post('/candidates', candidate))) {
      assert.is(status, 201);
      assert.is(headers.get('ratelimit'), null);
      assert.is(headers.get('ratelimit-policy'), null);
    }
  });
});

rate('RATE_LIMIT=off removes both limits and their headers', async () => {
  await withOpenServer({ ...limits, RATE_LIMIT: 'off' }, async ({ origin }) => {
    const [own, caller] = [await connect(origin), makeCaller()];
    for (const { status, headers } of await repeat(12, () => own.post('/candidates', candidate, caller))) {
      assert.is(status, 201);
      assert.is(headers.get('ratelimit'), null);
      assert.is(headers.get('ratelimit-policy'), null);
    }
  });
});

rate('refusals are counted by the limit that refused', async () => {
  const read = async () => {
    const samples = await readMetrics(server);
    return ['live', 'mint'].map((limit) => samples.get(`careers_rate_limited_total{limit="${limit}"}`)!);
  };
  const [live, mint] = (await read()) as [number, number];
  const caller = makeCaller();
  await repeat(5, () => client.post('/candidates', candidate, caller));
  await repeat(4, () => client.get('/offer', caller));
  assert.equal(await read(), [live + 1, mint + 2]);
});

rate('an address may add a limited number of bytes a day, and any number if BYTES_PER_CLIENT is off', () => {
  const fill = (BYTES_PER_CLIENT?: string) => {
    const settings = readSettings({ TRUST_PROXY: '1', ...(BYTES_PER_CLIENT && { BYTES_PER_CLIENT }) });
    const limits = new Limits(settings, noMetrics);
    for (let count = 0; count < 3; count += 1) limits.admitBytes(40_000_000, '203.0.113.9')();
  };
  assert.throws(() => fill(), /bytes in a day/);
  fill('off');
});

rate.run();
