import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { longestCell } from '../../../src/imports/cell-text.ts';
import { readText } from '../../../src/kernel/input.ts';
import { unwrap } from '../../../src/kernel/shape.ts';
import { operations } from '../../../src/table.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';

const queries = suite('queries');

const lists = ['/placements', '/candidates', '/job-orders', '/occupations'];
const addresses = [
  ...lists,
  '/pricing',
  '/offer',
  '/candidates/cand_001',
  '/occupations/15-1252.00',
  '/verify',
];

async function refuses(address: string, at: string, message: RegExp): Promise<void> {
  const { status, body, text } = await client.get(address);
  assert.is(status, 400, `${address}: ${text.slice(0, 300)}`);
  assert.is(body.type, 'BLOCKED', `${address}: ${text.slice(0, 300)}`);
  const places = pluck(body.issues, 'path');
  assert.equal(places, [at], address);
  assert.match(body.issues[0].message, message, address);
}

/** Valid ids by the beginning of a path. */
const ids = { '/occupations': '15-1252.00', '/candidates': 'cand_001', '/job-orders': 'job_001' };

/** Every parameter of a query, at an address that reads it. */
const parameters = operations
  .filter(({ method, access }) => method === 'GET' && access.workspace !== 'required' && !access.capability)
  .flatMap(({ path, input }) => {
    const [, id = 'none'] = Object.entries(ids).find(([start]) => path.startsWith(start)) ?? [];
    const address = path.replace('{id}', id);
    return Object.entries(input.entries).map(([name, entry]) => {
      const schema = entry as v.GenericSchema;
      return { address, name, schema, type: unwrap(schema).type };
    });
  });

queries('a parameter is refused if it is no value of its schema, and the refusal names it', async () => {
  assert.ok(parameters.length > 40);
  const values = ['', 'x', '0', '-1', '1.5', '0x10', '1_0', '1e999', 'NaN', '2026-02-30', 'A\u202eB', '!!!'];
  for (const { address, name, schema } of parameters)
    for (const value of values)
      if (!v.is(schema, readText(schema, value)))
        await refuses(`${address}?${name}=${encodeURIComponent(value)}`, name, /./);
});

queries('a number is a decimal, a text has an end, and a cursor is of its own list', async () => {
  for (const { address, name, type } of parameters) {
    if (type === 'number') await refuses(`${address}?${name}=x`, name, /must be a (whole |finite )?number/);
    if (type === 'string') await refuses(`${address}?${name}=${'x'.repeat(longestCell + 1)}`, name, /./);
    if (name === 'cursor') await refuses(`${address}?cursor=x`, name, /send nextCursor unchanged/);
  }
});

queries('checks workspace, scope, query, spend and filters in this order', async () => {
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

queries('refuses a name that is sent twice, known or not, at every kind of address', async () => {
  for (const path of addresses) {
    await refuses(`${path}?a=1&a=1`, 'a', /^is given more than once; give it once$/);
    await refuses(`${path}?%61=1&b=2&a=1`, 'a', /^is given more than once; give it once$/);
  }
  await refuses('/candidates?limit=5&limit=5', 'limit', /more than once/);
});

queries('refuses a known name in brackets, in every query, and says how to send it', async () => {
  const made = await client.post('/candidates', { name: 'A', onetCode: '15-1252.00' });
  const headers = { 'X-Workspace': made.body.workspace };
  for (const { address, name } of parameters)
    for (const brackets of ['[]', '[0]', '%5B%5D', '[a]']) {
      const query = `${name}${brackets}=one&${name}${brackets}=two`;
      const { status, body } = await client.get(`${address}?${query}`, headers);
      assert.is(status, 400, `${address}?${query}`);
      assert.equal(pluck(body.issues, 'path'), [name], `${address}?${query}`);
      assert.match(
        body.issues[0].message,
        `is not read as ${name}[]; send ${name}=one,two`,
        `${address}?${query}`,
      );
    }
  assert.ok(parameters.length > 20);
  await refuses('/candidates?status[]=available', 'status', /send status=available,placed, with commas/);
  await refuses('/candidates?limit[]=5', 'limit', /send limit=5$/);
  const unknown = await client.get('/candidates?nonsense[]=1');
  assert.equal(pluck(unknown.body.warnings, 'path'), ['nonsense[]']);
});

queries('ignores an unknown name with a warning', async () => {
  for (const path of addresses) {
    const plain = await client.get(path);
    const { status, body } = await client.get(`${path}?nonsense=1&constructor=2&__proto__=3`);
    assert.is(status, plain.status, path);
    const { warnings, ...rest } = body;
    const names = pluck(warnings ?? [], 'path').sort();
    assert.equal(names, ['__proto__', 'constructor', 'nonsense'], path);
    for (const { message } of warnings) assert.match(message, /not known here and is not read/);
    assert.equal(rest, plain.body, path);
  }
  for (const path of ['/candidates', '/job-orders']) {
    const { body } = await client.get(`${path}?spend=99`);
    assert.equal([body.type, body.warnings.length], ['OK', 1], 'spend belongs to placements');
    assert.is((await client.get(`${path}?scope=admin`)).status, 403, path);
  }
});

/** Returns the message of the first warning, which comes before the rows. */
async function firstWarning(address: string): Promise<string> {
  const { body, text } = await client.get(address);
  assert.is(Object.keys(body)[1], 'warnings', text.slice(0, 200));
  return body.warnings[0].message;
}

queries('a workspace in a query or a body opens nothing, and the refusal names the header', async () => {
  const { workspace } = (await client.post('/candidates', { name: 'A', onetCode: '15-1252.00' })).body;
  for (const name of ['workspace', 'workspaceId', 'workspace_id', 'X-Workspace', 'ws']) {
    const message = await firstWarning(`/candidates?${name}=${workspace}`);
    assert.match(message, /is not read; send the header X-Workspace$/, name);
    assert.not.match(message, /ws_/);
  }
  assert.is((await client.get(`/candidates?workspace=${workspace}`)).body.total, 48);
  const made = await client.post('/candidates', { name: 'A', onetCode: '15-1252.00', workspace });
  assert.match(made.body.warnings[0].message, /send the header X-Workspace$/);
  assert.is.not(made.body.workspace, workspace);
  assert.not.match(await firstWarning('/pricing?workspace=ws_'), /X-Workspace/);
});

queries('words in place of a code are referred to the search', async () => {
  for (const list of ['/candidates', '/job-orders', '/placements']) {
    const { body } = await client.get(`${list}?occupation=scrum%20master%26co`);
    assert.is(body.type, 'EMPTY');
    assert.is(body.total, 0);
    const [, address] = /Find one with listOccupations, at (\S+)$/.exec(body.message)!;
    assert.is(address, '/occupations?q=scrum%20master%26co');
    assert.is((await client.get(address!)).body.type, 'OK');
  }
  for (const odd of ['%F0%9F%98%80aa', 'ab%00', '%E3%83%8A%E3%83%BC%E3%82%B9', '/a?b=%25FF'])
    assert.is((await client.get(`/candidates?occupation=${odd}`)).body.type, 'EMPTY', odd);
  assert.match((await client.get('/candidates?occupation=99')).body.message, /Known status values/);
});

queries('ignores an unknown scope with a warning, and names a workspace that is missing', async () => {
  const plain = await client.get('/placements');
  for (const scope of ['', 'mine', 'Public']) {
    const { body } = await client.get(`/placements?scope=${scope}`);
    assert.equal(body.placements, plain.body.placements);
    assert.is(body.warnings.length, 1, scope);
    assert.is(body.warnings[0].path, 'scope', scope);
    assert.match(body.warnings[0].message, /workspace, all or public/);
  }
  assert.equal((await client.get('/placements?scope=all')).body, plain.body);
  const { body } = await client.get('/placements?scope=workspace');
  assert.is(body.type, 'EMPTY');
  assert.match(body.message, 'was not sent');
});

queries.run();
