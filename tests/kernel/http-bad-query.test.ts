import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, type Client, connect } from '../support/http.ts';
import { type SharedServer, useServer } from '../support/server.ts';

let server: SharedServer;
let client: Client;
const bad = suite('bad queries');
bad.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

const lists = ['/placements', '/candidates', '/job-orders', '/occupations'];
const toCursor = (text: string) => Buffer.from(text).toString('base64').replaceAll('=', '');

async function refuses(address: string, at: string, message: RegExp): Promise<void> {
  const { status, body, text } = await client.get(address);
  assert.equal([status, body.type], [400, 'BLOCKED'], `${address}: ${text.slice(0, 300)}`);
  assert.equal(
    body.issues.map(({ path }: Body) => path),
    [at],
    address,
  );
  assert.match(body.issues[0].message, message, address);
}

bad('limit is a whole number from 1 to 200', async () => {
  for (const path of lists) {
    await refuses(`${path}?limit=0`, 'limit', /at least 1/);
    await refuses(`${path}?limit=-1`, 'limit', /at least 1/);
    await refuses(`${path}?limit=201`, 'limit', /at most 200/);
    for (const text of ['1.5', 'x', '', '%20', '0x10', 'NaN', '1e-1', '5%2C5', '%00', '1_0']) {
      await refuses(`${path}?limit=${text}`, 'limit', /whole number/);
    }
    await refuses(`${path}?limit=1e999`, 'limit', /whole number|at most 200/);
    for (const text of ['1', '200', '5.0', '1e1']) {
      assert.is((await client.get(`${path}?limit=${text}`)).body.type, 'OK', text);
    }
  }
});

bad('a cursor that is not of this collection says to send nextCursor unchanged', async () => {
  const { nextCursor: candidates } = (await client.get('/candidates?limit=1')).body;
  const { nextCursor: occupations } = (await client.get('/occupations?limit=1')).body;
  const garbage = [
    '',
    'x',
    '!!!',
    '%00',
    '%F0%9F%98%80',
    '1',
    'null',
    toCursor('candidates'),
    toCursor(':1'),
  ];
  const looksRight = [
    'candidates:x',
    'candidates:1.5',
    'candidates:1e3',
    'candidates: 1',
    'candidates:1:2',
    'candidates:-0',
  ];
  const wrong = [
    ...garbage,
    ...looksRight.map(toCursor),
    toCursor(`candidates:${'9'.repeat(30)}`),
    occupations,
  ];
  for (const cursor of wrong)
    await refuses(`/candidates?cursor=${cursor}`, 'cursor', /send nextCursor unchanged/);
  for (const path of ['/placements', '/job-orders', '/occupations']) {
    await refuses(`${path}?cursor=${candidates}`, 'cursor', /not a cursor of this collection/);
  }
  await refuses(`/candidates?cursor=${'A'.repeat(201)}`, 'cursor', /at most 200 characters/);
  assert.is((await client.get(`/candidates?cursor=${candidates}`)).body.candidates.length, 47);
});

bad('a cursor past the end answers EMPTY and does not fail', async () => {
  const { status, body } = await client.get(`/candidates?cursor=${toCursor('candidates:99999')}`);
  assert.equal([status, body.type, body.total], [200, 'EMPTY', 48]);
});

bad('spend is a finite number of at least 0', async () => {
  for (const text of ['NaN', 'Infinity', '', 'abc', '1e999', '%20', '0x19', '25%20usd', '1,000', 'null']) {
    await refuses(`/placements?spend=${text}`, 'spend', /must be a (finite )?number/);
  }
  for (const text of ['-Infinity', '-1e999']) {
    await refuses(`/placements?spend=${text}`, 'spend', /must be (a (finite )?number|at least 0)/);
  }
  await refuses('/placements?spend=-1', 'spend', /at least 0/);
  for (const text of ['0', '25', '-0', '2.5e1', '00025']) {
    assert.is((await client.get(`/placements?spend=${text}`)).body.type, 'OK', text);
  }
  for (const text of ['25.0001', '10349.477792624384', '1e3', '25.000000000000004']) {
    const { status, body } = await client.get(`/placements?spend=${text}`);
    assert.equal([status, body.type], [402, 'OFFER'], text);
    assert.match(body.alternatives[0].statement, /at or below the hardCeiling/);
  }
});

bad('text in a query ends at 200 characters', async () => {
  for (const [path, name] of [
    ['/placements', 'scope'],
    ['/candidates', 'status'],
    ['/job-orders', 'occupation'],
    ['/occupations', 'q'],
  ]) {
    await refuses(`${path}?${name}=${'x'.repeat(201)}`, name!, /at most 200 characters/);
    assert.is((await client.get(`${path}?${name}=${'x'.repeat(200)}`)).status, 200);
  }
});

bad('boundaries come in order: workspace, scope, query, spend, filters', async () => {
  const steps: [string, string, number][] = [
    ['scope', 'scope=admin', 403],
    ['limit', 'limit=0', 400],
    ['cursor', 'cursor=garbage', 400],
    ['twice', 'status=completed&status=completed', 400],
    ['spend that is none', 'spend=abc', 400],
    ['spend', 'spend=26', 402],
    ['filter', 'occupation=nothing', 200],
  ];
  const broken: string[] = [];
  for (const [index, [first, query, status]] of steps.entries()) {
    const blocked = await client.get(`/placements?${query}`, { 'X-Workspace': 'ws_nobody' });
    assert.is(blocked.status, 401, `workspace before ${first}`);
    for (const [second, other] of steps.slice(index + 1)) {
      if (query.split('=')[0] === other.split('=')[0]) continue;
      for (const both of [`${query}&${other}`, `${other}&${query}`]) {
        const answer = await client.get(`/placements?${both}`);
        if (answer.status !== status) broken.push(`${first} before ${second}: ?${both} ${answer.status}`);
      }
    }
  }
  assert.equal(broken, []);
  const posted = await client.post('/candidates', '{', { 'X-Workspace': 'ws_nobody' });
  assert.is(posted.status, 401, 'workspace before the body');
});

bad.run();
