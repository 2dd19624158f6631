import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, type Client, connect } from '../support/http.ts';
import { type SharedServer, useServer } from '../support/server.ts';

let server: SharedServer;
let client: Client;
const names = suite('names in a query');
names.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

const lists = ['/placements', '/candidates', '/job-orders', '/occupations'];

async function refusesTwice(address: string, at: string): Promise<void> {
  const { status, body } = await client.get(address);
  assert.equal([status, body.type], [400, 'BLOCKED'], address);
  assert.equal(body.issues, [{ path: at, message: 'is given more than once; give it once' }], address);
}

names('a name given twice is 400, known or not, on every kind of address', async () => {
  const addresses = [
    ...lists,
    '/pricing',
    '/offer',
    '/candidates/cand_001',
    '/occupations/15-1252.00',
    '/verify',
  ];
  for (const path of addresses) {
    await refusesTwice(`${path}?a=1&a=1`, 'a');
    await refusesTwice(`${path}?%61=1&b=2&a=1`, 'a');
  }
  await refusesTwice('/candidates?limit=5&limit=5', 'limit');
});

names('a name that is not known is ignored with a warning', async () => {
  for (const path of [
    ...lists,
    '/pricing',
    '/offer',
    '/candidates/cand_001',
    '/occupations/15-1252.00',
    '/verify',
  ]) {
    const plain = await client.get(path);
    const { status, body } = await client.get(`${path}?nonsense=1&constructor=2&__proto__=3`);
    assert.is(status, plain.status, path);
    const { warnings, ...rest } = body;
    assert.equal(
      warnings?.map((one: Body) => one.path).sort(),
      ['__proto__', 'constructor', 'nonsense'],
      path,
    );
    for (const { message } of warnings) assert.match(message, /not known here and is not read/);
    assert.equal(rest, plain.body, path);
  }
  for (const path of ['/candidates', '/job-orders']) {
    const { body } = await client.get(`${path}?spend=99`);
    assert.equal([body.type, body.warnings.length], ['OK', 1], 'spend belongs to placements');
    assert.is((await client.get(`${path}?scope=admin`)).status, 403, path);
  }
});

/** What the first warning of an answer says, which stands before its rows. */
async function firstWarning(address: string): Promise<string> {
  const { body, text } = await client.get(address);
  assert.is(Object.keys(body)[1], 'warnings', text.slice(0, 200));
  return body.warnings[0].message;
}

names('a name that is guessed is told the one that is meant', async () => {
  for (const name of ['query', 'title', 'search', 'name', 'keyword', 'code'])
    assert.match(await firstWarning(`/occupations?${name}=nurse`), /did you mean q\?/);
  for (const list of ['/candidates', '/job-orders', '/placements']) {
    for (const name of ['q', 'query', 'title', 'search', 'name', 'onetCode']) {
      const message = await firstWarning(`${list}?${name}=nurse`);
      assert.match(message, /did you mean occupation \(a code: find it at \/occupations\?q=\)\?/);
      assert.match(message, /is not read/);
    }
    assert.match(await firstWarning(`${list}?offset=50`), /did you mean cursor\?/);
    assert.match(await firstWarning(`${list}?per_page=50`), /did you mean limit\?/);
    assert.match(await firstWarning(`${list}?state=open`), /did you mean status\?/);
  }
  for (const list of ['/candidates', '/job-orders'])
    assert.match(await firstWarning(`${list}?skills=sql`), /did you mean skill\?/);
  assert.not.match(await firstWarning('/placements?skills=sql'), /did you mean/);
  const { structuredContent } = await client.tool('listCandidates', { query: 'nurse' });
  assert.match(
    structuredContent.reason,
    /did you mean occupation \(a code: find it at the tool listOccupations/,
  );
});

names('a workspace in a query or a body is told its header, and opens nothing', async () => {
  const { workspace } = (await client.post('/candidates', { name: 'A', onetCode: '15-1252.00' })).body;
  for (const name of ['workspace', 'workspaceId', 'workspace_id', 'X-Workspace', 'ws']) {
    const message = await firstWarning(`/candidates?${name}=${workspace}`);
    assert.match(message, /is not read; send the header X-Workspace$/, name);
    assert.not.match(message, /ws_/);
  }
  const { body } = await client.get(`/candidates?workspace=${workspace}`);
  assert.is(body.total, 48);
  const made = await client.post('/candidates', { name: 'A', onetCode: '15-1252.00', workspace });
  assert.match(made.body.warnings[0].message, /send the header X-Workspace$/);
  assert.is.not(made.body.workspace, workspace);
  assert.not.match(await firstWarning('/pricing?workspace=ws_'), /X-Workspace/);
  const { structuredContent } = await client.tool('listCandidates', { workspaceId: workspace });
  assert.match(structuredContent.reason, /did you mean workspace\?/);
});

names('words in the place of a code are sent to the search, over both doors', async () => {
  for (const list of ['/candidates', '/job-orders', '/placements']) {
    const { body } = await client.get(`${list}?occupation=scrum%20master%26co`);
    assert.equal([body.type, body.total], ['EMPTY', 0]);
    const [, address] = /Find one with listOccupations, at (\S+)$/.exec(body.message)!;
    const found = (await client.get(address!)).body;
    assert.equal([found.type, address], ['OK', '/occupations?q=scrum%20master%26co']);
  }
  const { structuredContent } = await client.tool('listJobOrders', { occupation: 'nurse' });
  assert.match(structuredContent.message, /with listOccupations, at \/occupations\?q=nurse$/);
  for (const odd of ['%F0%9F%98%80aa', 'ab%00', 'x'.repeat(200), '%E3%83%8A%E3%83%BC%E3%82%B9', '/a?b=%25FF'])
    assert.is((await client.get(`/candidates?occupation=${odd}`)).body.type, 'EMPTY', odd);
  const hostile = await client.tool('listCandidates', { occupation: '\ud800 /occupations?q=%FF' });
  assert.is(hostile.structuredContent.type, 'EMPTY');
  assert.match((await client.get('/candidates?occupation=99')).body.message, /Known status values/);
});

names('a slash too many at the end is told the address without it', async () => {
  for (const path of [
    '/candidates',
    '/job-orders',
    '/placements',
    '/occupations',
    '/pricing',
    '/workspace',
  ]) {
    const { status, body } = await client.get(`${path}/`);
    assert.equal([status, body.type, body.links.list], [404, 'EMPTY', path]);
    assert.match(body.message, new RegExp(`slash.*: ${path}\\. `));
  }
  const { body } = await client.get('/candidates/cand_001/');
  assert.is(body.links.list, '/candidates');
  assert.is((await client.post('/candidates/', {})).body.links.list, '/candidates');
  for (const path of ['/nothing/', '//', '/candidates//', '/%2F/'])
    assert.is((await client.get(path)).status, 404, path);
});

names('a list of a workspace that was not sent says so', async () => {
  const { body } = await client.get('/placements?scope=workspace');
  assert.is(body.type, 'EMPTY');
  assert.match(body.message, 'was not sent');
});

names('a scope that is not known is ignored with a warning that names those that are', async () => {
  const plain = await client.get('/placements');
  for (const scope of ['', 'mine', 'Public', 'all']) {
    const { body } = await client.get(`/placements?scope=${scope}`);
    assert.equal(body.placements, plain.body.placements);
    assert.equal([body.warnings.length, body.warnings[0].path], [1, 'scope'], scope);
    assert.match(body.warnings[0].message, /public or workspace/);
  }
});

names('queries are not read on a POST, and the answer says so', async () => {
  const { status, body } = await client.post('/candidates?name=B&limit=1', {
    name: 'A',
    onetCode: '15-1252.00',
  });
  assert.equal([status, body.candidate.name], [201, 'A']);
  assert.equal(body.warnings.map(({ path }: Body) => path).sort(), ['?limit', '?name']);
  for (const { message } of body.warnings) assert.match(message, /not read on a POST/);
});

names('percent-encoding that is no UTF-8 in a query fails nothing', async () => {
  for (const query of [
    'status=%E0%A4%A',
    'status=%',
    '%FF=1',
    '&&&',
    '=',
    '=1&b=2',
    'status=a%00b',
    '?a=1',
  ]) {
    const { status, body } = await client.get(`/candidates?${query}`);
    assert.ok(status === 200 || status === 400, `${query} ${status}`);
    assert.ok(['OK', 'EMPTY', 'BLOCKED'].includes(body.type));
  }
});

names.run();
