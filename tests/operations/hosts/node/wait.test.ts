import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../../support/doors.ts';
import { connect, type Reply } from '../../../support/http.ts';
import { lean } from '../../../support/lean.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { withOpenServer } from '../../../support/open-host.ts';
import { until } from '../../../support/redis.ts';
import { dayFromNow, makeSandbox, refusedTool, toBody } from '../../../support/sandbox.ts';
import { type RunningServer, startFor } from '../../../support/server.ts';
import { openWire } from '../../../support/wire.ts';

const wait = suite('waiting for a change');
/** Gives each caller an address of its own, as behind a proxy. */
const env = { METRICS: 'on', TRUST_PROXY: '1', LOG: 'off' };
const server = await startFor(wait, env);
const client = await connect(server.origin);
const { get } = client;

type Origin = Pick<RunningServer, 'origin'>;
const countWaiting = async (of: Origin = server) => (await readMetrics(of)).get('careers_waiting_calls');
const waiting = (count: number, of: Origin = server) =>
  until(async () => (await countWaiting(of)) === count, `${count} wait`, 20_000);
const from = (address: string) => ({ 'X-Forwarded-For': address });
const prefer = (seconds: number | string, tag: string | null) => ({
  Prefer: `wait=${seconds}`,
  ...(tag !== null && { 'If-None-Match': tag }),
});
const applied = ({ headers }: Reply) => headers.get('Preference-Applied');

/** Makes a workspace with a placement that a party can confirm, and the four reads of it that can wait. */
async function makeWaitable() {
  const placements = [toBody.placement({ startDate: dayFromNow(-10) })];
  const { workspace, mine, placements: made } = await makeSandbox(client, { placements });
  const path = `/placements/${made[0].id}`;
  const state = (asOf: string) => client.post(`${path}/outcome`, { result: 'retained', asOf }, mine);
  assert.is((await state(dayFromNow(-2))).status, 200);
  const { body } = await client.post(`${path}/confirmations`, { party: 'client' }, mine);
  const party = { 'X-Confirmation': body.confirmation.token as string };
  const reads = [
    [path, mine],
    ['/confirmation', party],
    ['/workspace/activity', mine],
    // Read last, because the charge of the other reads changes it.
    ['/workspace', mine],
  ] as const;
  return { workspace, mine, path, reads, change: () => state(dayFromNow(-1)) };
}

wait('each read is answered as soon as another caller changes what it shows', async () => {
  const { reads, change } = await makeWaitable();
  const begin = async ([path, headers]: (typeof reads)[number]) => {
    const before = await get(path, headers);
    const tag = before.headers.get('ETag');
    return { tag, before, answer: get(path, { ...headers, ...prefer(25, tag) }) };
  };
  const begun = [];
  for (const read of reads) begun.push(await begin(read));
  await waiting(4);
  const since = performance.now();
  assert.is((await change()).status, 200);
  for (const { tag, before, answer } of begun) {
    const { status, headers, body } = await answer;
    assert.is(status, 200);
    assert.is(headers.get('Preference-Applied'), 'wait=25');
    assert.is.not(headers.get('ETag'), tag);
    assert.not.equal(body, before.body);
  }
  assert.ok(performance.now() - since < 15_000, 'long before its end');
  assert.is(await countWaiting(), 0);
});

wait('a reader of a shortlist gets each decision, and its end', async () => {
  const jobOrders = [toBody.jobOrder({ ref: 'job' })];
  const placements = [toBody.placement({ jobOrderId: '#job', status: 'proposed' })];
  const made = await makeSandbox(client, { jobOrders, placements });
  const [order] = made.jobOrders;
  const shared = await client.post(`/job-orders/${order.id}/shortlist`, {}, made.mine);
  const token = { 'X-Shortlist': shared.body.shortlist.token as string };
  const begin = async () => {
    const { headers, body } = await get('/shortlist', token);
    const answer = get('/shortlist', { ...token, ...prefer(25, headers.get('ETag')) });
    await waiting(1);
    return { row: body.shortlist.placements[0], answer };
  };
  const { row, answer } = await begin();
  const decision = { placementId: row.id, decision: 'interview', tag: row.tag };
  assert.is((await client.post('/shortlist', decision, token)).status, 200);
  assert.is((await answer).body.shortlist.placements[0].status, 'interviewing');
  const next = await begin();
  assert.is((await client.delete('/workspace', made.mine)).status, 200);
  assert.is((await next.answer).status, 401);
});

wait('without a change it is answered 304 at the end, and at once if the tag differs', async () => {
  const { path, mine } = await makeWaitable();
  const tag = (await get(path, mine)).headers.get('ETag');
  const since = performance.now();
  const unchanged = await get(path, { ...mine, ...prefer(1, tag) });
  assert.is(unchanged.status, 304);
  assert.is(applied(unchanged), 'wait=1');
  assert.is(unchanged.text, '');
  assert.is(unchanged.headers.get('ETag'), tag);
  assert.ok(performance.now() - since >= 995);
  const other = await get(path, { ...mine, ...prefer(25, '"other"') });
  assert.is(other.status, 200);
  assert.is(applied(other), 'wait=25');
  const both = { ...mine, 'If-None-Match': tag!, Prefer: 'handling=strict, wait=1' };
  assert.is(applied(await get(path, both)), 'wait=1, handling=strict');
});

wait('a read that does not ask to wait, or cannot, is answered at once', async () => {
  const { path, mine } = await makeWaitable();
  const tag = (await get(path, mine)).headers.get('ETag');
  const seed = (await get('/placements/plc_001', mine)).headers.get('ETag');
  const anonymous = (await get('/placements/plc_001?limit=1')).headers.get('ETag');
  const ignored: [string, object, number][] = [
    ...[0, 'x', '-1', '1.5', '', '25s'].map((bad): [string, object, number] => [
      path,
      { ...mine, ...prefer(bad, tag) },
      304,
    ]),
    [path, { ...mine, ...prefer(25, null) }, 200],
    [path, { ...mine, ...prefer(25, '*') }, 304],
    ['/placements/plc_001', { ...mine, ...prefer(25, seed) }, 304],
    ['/placements/plc_001?limit=1', prefer(25, anonymous ?? '"x"'), 200],
    ['/placements', { ...mine, ...prefer(25, (await get('/placements', mine)).headers.get('ETag')) }, 304],
  ];
  for (const [address, headers, status] of ignored) {
    const answer = await get(address, headers as Record<string, string>);
    const said = `${address} ${JSON.stringify(headers)}`;
    assert.equal(answer.status, status, said);
    assert.is(applied(answer), null, said);
    assert.is(answer.headers.get('Retry-After'), null, said);
  }
});

/** Starts to wait for a change of a workspace, as the client at an address. */
async function begin({ mine }: { mine: Record<string, string> }, address: string, signal?: AbortSignal) {
  const tag = (await get('/workspace', mine)).headers.get('ETag');
  const headers = { ...mine, ...prefer(25, tag), ...from(address) };
  return fetch(`${server.origin}/workspace`, { headers, signal: signal ?? null }).catch(() => undefined);
}

/** Asserts that a read was answered at once because there was no place to wait. */
async function holdToFull(answer: ReturnType<typeof begin>): Promise<void> {
  const { status, headers } = (await answer)!;
  assert.is(status, 304);
  assert.is(headers.get('Preference-Applied'), null);
  assert.is(headers.get('Retry-After'), '5');
}

/** Deletes workspaces, so that all reads that wait for them are answered. */
async function end(waits: ReturnType<typeof begin>[], ...made: { mine: Record<string, string> }[]) {
  for (const { mine } of made) assert.is((await client.delete('/workspace', mine)).status, 200);
  for (const answer of waits) assert.is((await answer)!.status, 401);
  assert.is(await countWaiting(), 0);
}

const times = (count: number, make: (at: number) => ReturnType<typeof begin>) =>
  Array.from({ length: count }, (_, at) => make(at));

wait('beyond 20 waits of a workspace a read is answered at once', async () => {
  const made = await makeWaitable();
  const waits = times(20, (at) => begin(made, `192.0.2.${at % 4}`));
  await waiting(20);
  await holdToFull(begin(made, '192.0.2.9'));
  await end(waits, made);
});

wait('beyond 20 waits of a client a read is answered at once', async () => {
  const made = [await makeWaitable(), await makeWaitable(), await makeWaitable()] as const;
  const waits = times(20, (at) => begin(made[at % 2]!, '192.0.2.1'));
  await waiting(20);
  await holdToFull(begin(made[2], '192.0.2.1'));
  await end(waits, ...made);
});

wait('a client has at most 10 of the waits of a workspace, and others have the rest', async () => {
  const made = await makeWaitable();
  const waits = times(10, () => begin(made, '192.0.2.1'));
  await waiting(10);
  await holdToFull(begin(made, '192.0.2.1'));
  waits.push(begin(made, '192.0.2.2'));
  await waiting(11);
  await end(waits, made);
});

wait('a caller who leaves frees a place', async () => {
  const made = await makeWaitable();
  const gone = new AbortController();
  const waits = times(9, () => begin(made, '192.0.2.1'));
  const leaving = begin(made, '192.0.2.1', gone.signal);
  await waiting(10);
  gone.abort();
  assert.is(await leaving, undefined);
  await waiting(9);
  waits.push(begin(made, '192.0.2.1'));
  await waiting(10);
  await end(waits, made);
});

wait('a caller that closes its half of the connection stops waiting', async () => {
  const { path, mine } = await makeWaitable();
  const tag = (await get(path, mine)).headers.get('ETag');
  const fields = Object.entries({ Host: 'a', ...mine, ...prefer(25, tag) }).map((field) => field.join(': '));
  const wire = await openWire(server, `GET ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`).opened;
  await waiting(1);
  wire.socket.end();
  await wire.closed;
  await waiting(0);
});

wait('a workspace that expires meanwhile is gone, and one that is written to lives on', async () => {
  await withOpenServer({ ...env, RETENTION_SECONDS: '2' }, async (short) => {
    const there = await connect(short.origin);
    const made = await there.post('/placements', toBody.placement());
    const mine = inside(made.body.workspace);
    const path = `/placements/${made.body.placement.id}`;
    const tag = (await there.get(path, mine)).headers.get('ETag');
    const answer = there.get(path, { ...mine, ...prefer(25, tag) });
    await waiting(1, short);
    const since = performance.now();
    await there.post('/candidates', toBody.candidate(), mine);
    assert.is((await answer).status, 401);
    const ms = performance.now() - since;
    assert.ok(ms > 1500 && ms < 20_000, `${ms}`);
  });
});

wait('over MCP a tag names what was read, and the reply says if that did not change', async () => {
  const { workspace, mine, path } = await makeWaitable();
  const id = path.slice('/placements/'.length);
  const addresses: Record<string, string> = {
    getWorkspace: '/workspace',
    getActivity: '/workspace/activity',
  };
  for (const [name, given] of [
    ['getWorkspace', { workspace }],
    ['getActivity', { workspace }],
    ['getPlacement', { workspace, id }],
  ] as const) {
    const { structuredContent: first } = await client.tool(name, given);
    const { tag, ...shown } = first;
    const address = addresses[name] ?? path;
    assert.equal(shown, lean((await get(address, mine)).body), 'the rest equals the reply over HTTP');
    const { body } = await get(address, { ...mine, 'If-None-Match': `"${tag}"` });
    assert.is(body, undefined);
    const unchanged = { ...first, changed: false };
    for (const seconds of [{}, { waitSeconds: 1 }])
      assert.equal((await client.tool(name, { ...given, tag, ...seconds })).structuredContent, unchanged);
    const answer = client.tool(name, { ...given, tag, waitSeconds: 25 });
    await waiting(1);
    assert.is((await client.patch(path, { note: `seen by ${name}` }, mine)).status, 200);
    const { structuredContent: after, isError } = await answer;
    assert.is(isError, undefined);
    assert.is(after.type, 'OK');
    assert.is(after.changed, undefined);
    assert.is.not(after.tag, tag);
    const alone = (await client.tool(name, { ...given, waitSeconds: 25 })).structuredContent;
    assert.is(alone.changed, undefined, 'without a tag it does not wait');
    for (const waitSeconds of [0, 26, 1.5, 'x']) {
      const refusal = await client.tool(name, { ...given, tag, waitSeconds });
      refusedTool(refusal, 'invalid_request', ['waitSeconds']);
    }
  }
  const seed = await client.tool('getPlacement', { id: 'plc_001', tag: 'any', waitSeconds: 25 });
  assert.is(seed.structuredContent.placement.id, 'plc_001');
  assert.is(seed.structuredContent.tag, undefined);
});

wait('a stop ends all waits at once', async () => {
  const { path, mine } = await makeWaitable();
  const tag = (await get(path, mine)).headers.get('ETag');
  const answers = [1, 2, 3].map(() => get(path, { ...mine, ...prefer(25, tag) }));
  await waiting(3);
  const since = performance.now();
  const stopped = server.stop();
  for (const answer of answers) assert.is((await answer).status, 304);
  assert.is(await stopped, 0);
  assert.ok(performance.now() - since < 20_000);
});

wait.run();
