import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { openTable } from '../../support/small-table.ts';
import { inWorkspace, ran, thingRows } from '../../support/thing-rows.ts';

const calls = suite('calls of a small table');

const table = openTable(thingRows);

/** Makes one call. Returns its status, and what it asked of the rest of the service. */
async function note(method: string, target: string, sent: Parameters<typeof table.ask>[2] = {}) {
  table.noted.length = 0;
  const reply = await table.ask(method, target, sent);
  return { ...reply, noted: [...table.noted] };
}
const opened = 'open ws_1 {"client":"192.0.2.1"}';

calls('a call opens the workspace that it names, as its owner if it has a bearer', async () => {
  const headers = { ...inWorkspace, Authorization: 'Bearer abc' };
  const { noted } = await note('GET', '/things/1', { headers });
  assert.is(noted[0], 'open ws_1 {"bearer":"abc","client":"192.0.2.1"}');
  assert.equal(
    (await note('POST', '/pass', { headers: { ...inWorkspace, 'X-Pass': 'pas_abcd' } })).noted,
    [],
  );
});

calls('the log of a call knows its workspace', async () => {
  const noted: { workspace?: string } = {};
  await table.ask('GET', '/things/1', { headers: inWorkspace, noted });
  assert.is(noted.workspace, 'b4a59687');
});

calls('an id is found in the workspace, and is the id itself without one', async () => {
  assert.is((await note('GET', '/things/7', { headers: inWorkspace })).json.input.id, '7 in ws_1');
  assert.is((await note('GET', '/things/7')).json.input.id, '7');
  assert.is(ran.contexts.at(-1)?.sentId, '7');
});

calls('a read in a workspace is counted and then charged, and one without is neither', async () => {
  assert.equal((await note('GET', '/things/1', { headers: inWorkspace })).noted, [opened, 'count', 'charge']);
  assert.equal((await note('GET', '/things/1')).noted, []);
});

calls('a change is counted and not charged', async () => {
  const sent = { headers: inWorkspace, body: { name: 'a' } };
  assert.equal((await note('POST', '/things', sent)).noted, [opened, 'count']);
});

calls('a refused call counts as refused, and a 404 does not', async () => {
  const sent = { headers: inWorkspace, body: { name: 'a' } };
  const expected = {
    200: 'count',
    201: 'count',
    400: 'count refused',
    402: 'count refused',
    404: 'count',
    409: 'count refused',
  };
  for (const [status, counts] of Object.entries(expected)) {
    ran.status = Number(status);
    const { noted } = await note('POST', '/things', sent);
    assert.equal(noted, [opened, counts], status);
    const read = await note('GET', '/things/1', { headers: inWorkspace });
    assert.is(read.noted.includes('charge'), status === '200', status);
  }
  ran.status = 200;
  assert.equal((await note('POST', '/things', { headers: inWorkspace, body: {} })).noted, [
    opened,
    'count refused',
  ]);
});

calls('a call without the workspace that it needs is refused, for a reason of its row first', async () => {
  assert.is((await note('PATCH', '/things/1', { body: {} })).json.code, 'unknown_workspace');
  assert.is((await note('PATCH', '/things/seed', { body: {} })).json.code, 'read_only');
  assert.is((await note('PATCH', '/things/seed', { headers: inWorkspace, body: {} })).status, 200);
  assert.is((await note('POST', '/things', { body: { name: 'a' } })).status, 200);
});

/** The same rows, where a client may make workspaces. */
function openMint(refuse = false) {
  const settled: boolean[] = [];
  const admitMint = async (client: string) => {
    if (refuse) throw new Refusal('rate_limited');
    return { headers: { 'X-Left': `1 for ${client}` }, settle: (made: boolean) => settled.push(made) };
  };
  return { settled, ...openTable(thingRows, { watch: { admitMint } }) };
}

calls('a create without a workspace is admitted, and counts if it made one', async () => {
  const mint = openMint();
  for (const [status, made] of [
    [201, true],
    [200, false],
    [409, false],
  ] as const) {
    ran.status = status;
    const { headers } = await mint.ask('POST', '/things', { body: { name: 'a' } });
    assert.is(mint.settled.at(-1), made, String(status));
    assert.is(headers['X-Left'], status === 409 ? undefined : '1 for 192.0.2.1');
  }
  ran.status = 200;
  await mint.ask('PATCH', '/mint', { body: {} });
  assert.is(mint.settled.length, 4);
});

calls('a client that may make no more workspaces is refused before its arguments are read', async () => {
  assert.is((await openMint(true).ask('POST', '/things', { body: 'no json' })).json.code, 'rate_limited');
});

calls('a capability has its shape, and its refusal says where to send it', async () => {
  assert.is((await note('POST', '/pass', { headers: { 'X-Pass': 'pas_abcd' } })).status, 200);
  const missing = await note('POST', '/pass');
  assert.is(missing.json.code, 'unknown_pass');
  assert.match(missing.json.reason, 'This needs the header X-Pass. Ask its owner.');
  const wrong = await note('POST', '/pass', { headers: { 'X-Pass': 'pas_1' } });
  assert.is(wrong.json.reason, 'No such pass.');
});

calls('an answer that can be large reserves its room', async () => {
  const reserved: number[] = [];
  const reserve = (bytes: number) => reserved.push(bytes);
  await table.ask('POST', '/pass', { headers: { 'X-Pass': 'pas_abcd' }, reserve });
  await table.ask('POST', '/things', { body: { name: 'a' }, reserve });
  assert.equal(reserved, [1234]);
});

/** Makes a call. Returns by how many calls it counts more than one, each time, and -1 if that is taken back. */
async function weigh(target: string, body: unknown, headers = {}): Promise<number[]> {
  const weighed: number[] = [];
  await table.ask('POST', target, {
    headers,
    body,
    weigh: (more) => void weighed.push(more),
    unweigh: () => void weighed.push(-1),
  });
  return weighed;
}
const weighThings = (count: number, padding = 0, name = 'a') => {
  const body = { things: Array.from({ length: count }, () => ({ name })), padding: 'a'.repeat(padding) };
  return weigh('/batch', body, inWorkspace);
};

calls('a bulk call counts as one call for each ten records or 64 KiB begun', async () => {
  assert.equal(await weighThings(0), []);
  assert.equal(await weighThings(10), []);
  assert.equal(await weighThings(11), [1]);
  assert.equal(await weighThings(50), [4]);
  assert.equal(await weighThings(1, 65_536), [1]);
  assert.equal(await weighThings(1, 200_000), [3]);
  assert.equal(await weighThings(30, 70_000), [1, 1]);
  assert.equal(await weighThings(11, 0, 'again'), [1, -1]);
});

calls('a body of exactly 64 KiB counts as one call', async () => {
  const body = JSON.stringify({ things: [] }).padEnd(65_536);
  assert.equal(await weigh('/batch', body, inWorkspace), []);
  assert.equal(await weigh('/batch', `${body} `, inWorkspace), [1]);
});

calls('a call that is not bulk counts as one, whatever its size', async () => {
  assert.equal(await weigh('/things', { name: 'a', note: 'a'.repeat(200_000) }), []);
});

calls.run();
