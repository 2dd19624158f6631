import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { pluck, words } from '../../support/rows.ts';

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
const toCursor = (text: string) => Buffer.from(text).toString('base64').replaceAll('=', '');

async function refuses(address: string, at: string, message: RegExp): Promise<void> {
  const { status, body, text } = await client.get(address);
  assert.is(status, 400, `${address}: ${text.slice(0, 300)}`);
  assert.is(body.type, 'BLOCKED', `${address}: ${text.slice(0, 300)}`);
  const places = pluck(body.issues, 'path');
  assert.equal(places, [at], address);
  assert.match(body.issues[0].message, message, address);
}

queries('limit is a whole number from 1 to 200', async () => {
  for (const path of lists) {
    await refuses(`${path}?limit=0`, 'limit', /at least 1/);
    await refuses(`${path}?limit=-1`, 'limit', /at least 1/);
    await refuses(`${path}?limit=201`, 'limit', /at most 200/);
    for (const text of ['1.5', 'x', '', '%20', '0x10', 'NaN', '1e-1', '5%2C5', '%00', '1_0'])
      await refuses(`${path}?limit=${text}`, 'limit', /whole number/);
    await refuses(`${path}?limit=1e999`, 'limit', /whole number|at most 200/);
    for (const text of ['1', '200', '5.0', '1e1'])
      assert.is((await client.get(`${path}?limit=${text}`)).body.type, 'OK', text);
  }
});

queries('refuses a cursor of another collection and says to send nextCursor unchanged', async () => {
  const { nextCursor: candidates } = (await client.get('/candidates?limit=1')).body;
  const { nextCursor: occupations } = (await client.get('/occupations?limit=1')).body;
  const looksRight = ['x', '1.5', '1e3', ' 1', '1:2', '-0', '9'.repeat(30)].map((one) => `candidates:${one}`);
  const garbage = ['', 'x', '!!!', '%00', '%F0%9F%98%80', '1', 'null', occupations];
  for (const cursor of [...garbage, ...['candidates', ':1', ...looksRight].map(toCursor)])
    await refuses(`/candidates?cursor=${cursor}`, 'cursor', /send nextCursor unchanged/);
  for (const path of ['/placements', '/job-orders', '/occupations'])
    await refuses(`${path}?cursor=${candidates}`, 'cursor', /not a cursor of this collection/);
  await refuses(`/candidates?cursor=${'A'.repeat(201)}`, 'cursor', /at most 200 characters/);
  assert.is((await client.get(`/candidates?cursor=${candidates}`)).body.candidates.length, 47);
  const past = await client.get(`/candidates?cursor=${toCursor('candidates:99999')}`);
  assert.is(past.status, 200);
  assert.is(past.body.type, 'EMPTY');
  assert.is(past.body.total, 48);
});

queries('spend is a finite number of at least 0', async () => {
  for (const text of ['NaN', 'Infinity', '', 'abc', '1e999', '%20', '0x19', '25%20usd', '1,000', 'null'])
    await refuses(`/placements?spend=${text}`, 'spend', /must be a (finite )?number/);
  for (const text of ['-Infinity', '-1e999'])
    await refuses(`/placements?spend=${text}`, 'spend', /must be (a (finite )?number|at least 0)/);
  await refuses('/placements?spend=-1', 'spend', /at least 0/);
  for (const text of ['0', '25', '-0', '2.5e1', '00025'])
    assert.is((await client.get(`/placements?spend=${text}`)).body.type, 'OK', text);
});

queries('text ends at 200 characters', async () => {
  for (const [path, name] of Object.entries({
    '/placements': 'scope',
    '/candidates': 'status',
    '/job-orders': 'occupation',
    '/occupations': 'q',
  })) {
    await refuses(`${path}?${name}=${'x'.repeat(201)}`, name, /at most 200 characters/);
    assert.is((await client.get(`${path}?${name}=${'x'.repeat(200)}`)).status, 200);
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

/** Every parameter of a query in the contract, at an address that reads it. */
const parameters = Object.entries(client.contract.paths).flatMap(([path, methods]) => {
  const address = path.replace('{id}', path.startsWith('/occ') ? '15-1252.00' : 'cand_001');
  const sent = methods.get?.parameters ?? [];
  return sent.flatMap((one) => (one.in === 'query' ? [{ address, name: one.name }] : []));
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
  const { structuredContent } = await client.tool('listCandidates', { workspaceId: workspace });
  assert.match(structuredContent.reason, /did you mean workspace\?/);
});

queries('words in place of a code are referred to the search, over HTTP and MCP', async () => {
  for (const list of ['/candidates', '/job-orders', '/placements']) {
    const { body } = await client.get(`${list}?occupation=scrum%20master%26co`);
    assert.is(body.type, 'EMPTY');
    assert.is(body.total, 0);
    const [, address] = /Find one with listOccupations, at (\S+)$/.exec(body.message)!;
    const found = (await client.get(address!)).body;
    assert.is(found.type, 'OK');
    assert.is(address, '/occupations?q=scrum%20master%26co');
  }
  const { structuredContent } = await client.tool('listJobOrders', { occupation: 'nurse' });
  assert.match(structuredContent.message, /with listOccupations, at \/occupations\?q=nurse$/);
  for (const odd of ['%F0%9F%98%80aa', 'ab%00', 'x'.repeat(200), '%E3%83%8A%E3%83%BC%E3%82%B9', '/a?b=%25FF'])
    assert.is((await client.get(`/candidates?occupation=${odd}`)).body.type, 'EMPTY', odd);
  const hostile = await client.tool('listCandidates', { occupation: '\ud800 /occupations?q=%FF' });
  assert.is(hostile.structuredContent.type, 'EMPTY');
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

queries('a POST does not read its query, and says so', async () => {
  const sent = { name: 'A', onetCode: '15-1252.00' };
  const { status, body } = await client.post('/candidates?name=B&limit=1', sent);
  assert.is(status, 201);
  assert.is(body.candidate.name, 'A');
  assert.equal(pluck(body.warnings, 'path').sort(), ['?limit', '?name']);
  for (const { message } of body.warnings) assert.match(message, /not read on a POST/);
});

queries('percent-encoding that is not UTF-8 breaks nothing', async () => {
  for (const query of words('status=%E0%A4%A status=% %FF=1 &&& = =1&b=2 status=a%00b ?a=1')) {
    const { status, body } = await client.get(`/candidates?${query}`);
    assert.ok(status === 200 || status === 400, `${query} ${status}`);
    assert.ok(['OK', 'EMPTY', 'BLOCKED'].includes(body.type));
  }
});

queries.run();
