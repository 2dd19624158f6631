import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, type Client, connect } from './support/http.ts';
import { type RunningServer, startServer } from './support/server.ts';

let server: RunningServer;
let client: Client;
const names = suite('names in a query');
names.before(async () => {
  server = await startServer();
  client = await connect(server.origin);
});
names.after(async () => {
  await server.stop();
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
    for (const { message } of warnings) assert.match(message, /not known here and was ignored/);
    assert.equal(rest, plain.body, path);
  }
  for (const path of ['/candidates', '/job-orders']) {
    const { body } = await client.get(`${path}?spend=99`);
    assert.equal([body.type, body.warnings.length], ['OK', 1], 'spend belongs to placements');
    assert.is((await client.get(`${path}?scope=admin`)).status, 403, path);
  }
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
