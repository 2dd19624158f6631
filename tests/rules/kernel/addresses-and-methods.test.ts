import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listSuffixes } from '../../../src/kernel/router.ts';
import { operations } from '../../../src/table.ts';
import { client, server } from '../../support/front.ts';
import type { Reply } from '../../support/http.ts';
import { words } from '../../support/rows.ts';
import { sendRaw } from '../../support/wire.ts';

const addresses = suite('addresses and methods');

const getRaw = (target: string) =>
  sendRaw(server.port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });

addresses('an unknown address answers 404 EMPTY and points to discovery', async () => {
  const paths = words(`
    /nothing /candidates/ /candidates/cand_001/ // //candidates /candidates//cand_001
  `);
  const encoded = words(`
    /candidates%2Fcand_001 /candidates/a%2Fb /%2e%2e/etc/passwd /../package.json /%00 /..%2f..%2fpackage.json
    /candidates/..%2f..%2fmanifest.json /occupations/../../host/manifest.json /\\..\\..\\package.json
  `);
  const other = words('/Candidates /candidate /candidates.xml /pricing/ /index.php /.env /constructor');
  for (const path of [...paths, ...encoded, ...other, '/__proto__', '/candidates/cand_001.html']) {
    const { status, body, head } = await getRaw(path);
    assert.is(status, 404, path);
    assert.is(body?.type, 'EMPTY', path);
    assert.match(body.message, /\/api\.md|X-Workspace/, path);
    assert.ok(Object.values(body.links).length > 0);
    assert.match(head, /cache-control: no-store/i);
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.is((await client.ask(method, '/nothing')).status, 404, method);
});

addresses('a browser gets a page for an unknown address, and other clients get the envelope', async () => {
  for (const path of ['/nothing', '/jobs', '/nothing.html', '/candidates/cand_001/nothing']) {
    const page = await fetch(server.origin + path, { headers: { 'Sec-Fetch-Dest': 'document' } });
    assert.is(page.status, 404, path);
    assert.is(page.headers.get('cache-control'), 'no-store', path);
    assert.match(page.headers.get('content-type')!, /^text\/html/);
    assert.match(await page.text(), /Nothing is at this address/);
    const plain = await client.get(path, { 'Sec-Fetch-Dest': 'empty' });
    assert.is(plain.status, 404);
    assert.is(plain.body.type, 'EMPTY');
    for (const { headers } of [page, plain]) assert.match(headers.get('vary')!, /Sec-Fetch-Dest/);
  }
  assert.is((await client.get('/candidates/cand_none', { 'Sec-Fetch-Dest': 'document' })).body.type, 'EMPTY');
  assert.is((await client.post('/nothing', undefined, { 'Sec-Fetch-Dest': 'document' })).body.type, 'EMPTY');
});

addresses('a request of another version of HTTP is 505', async () => {
  for (const version of ['0.9', '2.0', '3.0']) {
    const { status, body } = await sendRaw(
      server.port,
      `GET /pricing HTTP/${version}\r\nHost: localhost\r\n\r\n`,
    );
    assert.ok(status === 505 || status === 400, `${version} ${status}`);
    if (version !== '3.0') {
      assert.is(status, 505, version);
      assert.is(body.code, 'http_version', version);
    }
  }
  const old = await sendRaw(server.port, 'GET /pricing HTTP/1.0\r\n\r\n');
  assert.is(old.status, 200);
});

addresses('a path that cannot be decoded is 400 and says to percent-encode it', async () => {
  for (const path of ['/%E0%A4%A', '/candidates/%E0%A4%A', '/occupations/%', '/%ff', '/candidates/%zz']) {
    const { status, body } = await getRaw(path);
    assert.is(status, 400, path);
    assert.is(body?.type, 'BLOCKED', path);
    assert.match(body.reason, /Percent-encode it as UTF-8/);
  }
});

addresses('an encoded path and an absolute target reach the same resource', async () => {
  const { text } = await client.get('/candidates/cand_001');
  for (const target of [
    '/candidates/cand%5F001',
    '/%63andidates/cand_001',
    'http://other/candidates/cand_001',
  ]) {
    assert.is((await getRaw(target)).text, text, target);
  }
});

/** The methods of each address in the contract. */
const taken = Object.entries(client.contract.paths).map(([path, methods]) => {
  const named = Object.keys(methods).map((name) => name.toUpperCase());
  const all = [...named, ...(named.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join();
  return { path: path.replace('{id}', path.startsWith('/occ') ? '15-1252.00' : 'cand_001'), named, all };
});
const allowOf = ({ headers }: Reply) => headers.get('allow')?.split(', ').sort().join();

addresses('a method that an address does not support is 405 with Allow', async () => {
  for (const { path, named, all } of taken) {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'POST', 'GET'].filter((one) => !named.includes(one))) {
      for (const content of method === 'GET' ? [undefined] : [undefined, '{}']) {
        const answer = await client.ask(method, path, content);
        assert.is(answer.status, 405, `${method} ${path}`);
        assert.is(answer.body.type, 'BLOCKED', `${method} ${path}`);
        assert.match(answer.body.reason, new RegExp(answer.headers.get('allow')!));
        assert.equal(allowOf(answer), all, `${method} ${path}`);
      }
    }
  }
});

/** The files of the table: each address that GET has with a suffix. */
const files = operations.flatMap((row) => {
  const path = row.path === '/' ? '/index' : row.path.replace('{id}', 'cand_001');
  return listSuffixes(row).map((suffix) => `${path}.${suffix}`);
});

addresses('a file can only be read: any other method is 405', async () => {
  for (const path of files)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await client.ask(method, path, '{}');
      assert.is(answer.status, 405, `${method} ${path}`);
      assert.is(allowOf(answer), 'GET,HEAD,OPTIONS', `${method} ${path}`);
      assert.is(allowOf(await client.ask('OPTIONS', path)), 'GET,HEAD,OPTIONS', path);
    }
});

addresses('OPTIONS lists the methods of an address', async () => {
  const ask = async (path: string) => {
    const answer = await client.ask('OPTIONS', path);
    assert.is(answer.status, 204, path);
    return allowOf(answer);
  };
  for (const { path, named, all } of taken) {
    assert.is(await ask(path), all, path);
    if (named.includes('GET') && !path.includes('.')) assert.is(await ask(`${path}?limit=1`), all, path);
  }
  assert.is(await ask('/candidates.json'), 'GET,HEAD,OPTIONS', 'the .json address accepts no POST');
  for (const path of ['/nothing', '/%ff', '/api.html'])
    assert.is(await ask(path), 'DELETE,GET,HEAD,OPTIONS,PATCH,POST', path);
});

addresses('HEAD answers as GET does, without the body', async () => {
  const addresses = Object.entries(client.contract.paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replace('{id}', path.startsWith('/occ') ? '15-1252.00' : 'never'));
  const more = words(`
    /candidates/cand_001 /candidates.json /candidates?limit=2 /occupations?q=nurse /nothing
  `);
  for (const address of [...addresses, ...more]) {
    // A repeated answer is cached, and then compressed too.
    for (let times = 0; times < 2; times += 1) await client.get(address);
    const get = await client.get(address);
    const head = await fetch(server.origin + address, { method: 'HEAD' });
    const toList = ({ headers }: { headers: Headers }) =>
      [...headers].filter(
        ([name]) => !['date', 'connection', 'keep-alive', 'ratelimit', 'x-request-id'].includes(name),
      );
    assert.is(head.status, get.status, address);
    assert.is(await head.text(), '');
    assert.equal(toList(head), toList(get), address);
  }
});

addresses('a preflight is answered everywhere, and any origin may read the answers', async () => {
  const asked = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' };
  for (const path of ['/candidates', '/mcp', '/occupations/15-1252.00', '/nothing']) {
    const { status, headers, text } = await client.ask('OPTIONS', path, undefined, asked);
    assert.is(status, 204);
    assert.is(text, '');
    assert.match(headers.get('access-control-allow-methods')!, /GET.*POST/);
    for (const name of ['Content-Type', 'X-Workspace'])
      assert.match(headers.get('access-control-allow-headers')!, name);
  }
  const { headers } = await client.post('/candidates', candidate, { Origin: 'https://a.example' });
  for (const name of ['Link', 'ETag', 'Location', 'X-Workspace', 'Retry-After'])
    assert.match(headers.get('access-control-expose-headers')!, name);
});

addresses.run();
