import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTable } from '../../../../src/hosts/node/describe-table.ts';
import { createAnswerCache, createKeepReplies } from '../../../../src/hosts/node/reply-cache.ts';
import { createAnswer } from '../../../../src/kernel/answer.ts';
import { World } from '../../../support/world.ts';

const kept = suite('the reply cache');

const ada = { name: 'Ada', onetCode: '15-1252.00' };

/** Makes a core with the reply cache of the host in front. */
function makeWorld() {
  const answers = createAnswerCache();
  const world = new World({ cache: answers });
  const answer = createAnswer(world.service);
  const keepReplies = createKeepReplies(describeTable(world.service.operations), answers);
  const ask = async (method: string, address: string, headers: object = {}, sent?: object) => {
    const [path = '', query = ''] = address.split('?');
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const request = { method, url: address, headers: Object.fromEntries(lower) } as IncomingMessage;
    let isKept = true;
    const reply = await keepReplies(request, { path, query }, () => {
      isKept = false;
      const body = new TextEncoder().encode(sent && JSON.stringify(sent));
      return answer({ method, path, query, headers: { host: 'localhost', ...headers }, body });
    });
    return { ...reply, isKept };
  };
  const make = async () => {
    const { workspace, candidate } = JSON.parse((await ask('POST', '/candidates', {}, ada)).body);
    return { mine: { 'x-workspace': workspace }, candidate };
  };
  const rpc = (method: string, params: object) =>
    ask('POST', '/mcp', { 'content-type': 'application/json' }, { jsonrpc: '2.0', id: 1, method, params });
  const tool = async (name: string, args: object) =>
    JSON.parse((await rpc('tools/call', { name, arguments: args })).body).result.structuredContent;
  return { ask, make, tool, clock: world.clock, service: world.service };
}

kept('caches a frozen answer with a query at its second request, and then repeats it', async () => {
  const { ask } = makeWorld();
  for (const address of [
    '/placements?status=completed',
    '/candidates?occupation=15-1252.00&limit=3',
    '/occupations?q=nurse&limit=2',
    '/job-orders/job_001/matches?limit=2',
    '/candidates?nonsense=1',
  ]) {
    const first = await ask('GET', address);
    const second = await ask('GET', address);
    const third = await ask('GET', address);
    assert.is(first.status, 200, address);
    assert.is(first.isKept, false, address);
    assert.is(second.isKept, false, address);
    assert.is(third.isKept, true, address);
    assert.equal(third.body, first.body, address);
    assert.equal(third.headers, first.headers, address);
  }
});

kept('answers HEAD from the reply to GET', async () => {
  const { ask } = makeWorld();
  for (let count = 0; count < 2; count += 1) await ask('GET', '/candidates?limit=5');
  const head = await ask('HEAD', '/candidates?limit=5');
  assert.ok(head.isKept);
});

kept('does not cache replies to one caller or workspace, refusals or conditional reads', async () => {
  const { ask, make } = makeWorld();
  const { mine } = await make();
  const address = '/candidates?scope=workspace';
  for (const headers of [
    mine,
    mine,
    { prefer: 'handling=strict' },
    { 'if-none-match': '"x"' },
    { 'x-workspace': 'ws_no' },
  ])
    assert.not.ok((await ask('GET', address, headers)).isKept, JSON.stringify(headers));
  for (let count = 0; count < 2; count += 1) await ask('GET', '/candidates?limit=5');
  const own = await ask('GET', '/candidates?limit=5', mine);
  assert.is(own.isKept, false);
  assert.is(JSON.parse(own.body).candidates[0].name, 'Ada');
  for (const [method, refused] of [
    ['GET', '/candidates?limit=0'],
    ['GET', '/candidates?scope=admin'],
    ['GET', '/placements?spend=26'],
    ['GET', '/offer?x=1'],
    ['GET', '/?x=1'],
    ['GET', '/readyz?x=1'],
  ] as const) {
    for (let count = 0; count < 2; count += 1) await ask(method, refused);
    assert.not.ok((await ask(method, refused)).isKept, refused);
  }
});

kept('a tool shows its own workspace, as it is now', async () => {
  const { tool } = makeWorld();
  const { workspace } = await tool('createCandidate', ada);
  const list = async (of: string) => {
    const { candidates = [] } = await tool('listCandidates', { occupation: ada.onetCode, workspace: of });
    return candidates.map(({ name }: { name: string }) => name);
  };
  const lists = [await list(workspace), await list(workspace)];
  assert.equal(lists[0], lists[1]);
  assert.is(lists[0][0], 'Ada');
  await tool('createCandidate', { ...ada, name: 'Eve', workspace });
  assert.equal((await list(workspace)).slice(0, 2), ['Eve', 'Ada']);
  const other = await tool('createCandidate', { name: 'Bo', onetCode: '29-1141.00' });
  assert.not.ok((await list(other.workspace)).some((name: string) => ['Ada', 'Eve'].includes(name)));
});

kept('shows nothing of a workspace after it was erased', async () => {
  const { ask, make } = makeWorld();
  const { mine } = await make();
  for (const address of ['/candidates?limit=5', '/candidates', '/job-orders/job_001/matches?limit=2']) {
    const [first, second] = [await ask('GET', address, mine), await ask('GET', address, mine)];
    assert.is(first.status, 200, address);
    assert.equal(second.body, first.body, address);
  }
  assert.is((await ask('DELETE', '/workspace', mine)).status, 200);
  assert.is((await ask('GET', '/candidates?limit=5', mine)).status, 401);
});

kept('shows a change whose revision was issued before, as after a failover', async () => {
  const { ask, make, clock, service } = makeWorld();
  const { mine, candidate } = await make();
  const address = '/candidates?scope=workspace';
  const list = async () => {
    const { headers, body } = await ask('GET', address, mine);
    return { ETag: headers.ETag!, name: JSON.parse(body).candidates[0].name };
  };
  const before = await list();
  const { store } = service;
  const open = store.open.bind(store);
  store.open = async (...of) => {
    const head = await open(...of);
    return head && { ...head, revision: 1 };
  };
  clock.now += 1;
  await ask('PATCH', `/candidates/${candidate.id}`, mine, { name: 'Eve' });
  assert.is(before.name, 'Ada');
  assert.is((await list()).name, 'Eve');
  const again = await ask('GET', address, { ...mine, 'if-none-match': before.ETag });
  assert.is(again.status, 200);
});

kept('is limited in bytes, and drops the reply that was used least recently', () => {
  const answers = createAnswerCache();
  const body = 'x'.repeat(100_000);
  for (let count = 0; count < 300; count += 1) answers.set(`/a?${count}`, { body }, body.length);
  const left = Array.from({ length: 300 }, (_, count) => answers.get(`/a?${count}`)).filter(Boolean).length;
  assert.ok(left >= 35 && left <= 45, String(left));
  answers.set('/large', { body }, 8_000_000);
  assert.is(answers.get('/large'), undefined);
});

kept.run();
