/** Each address and method of the contract, and addresses and methods that it does not have. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listSuffixes } from '../../../src/kernel/router.ts';
import { operations } from '../../../src/table.ts';
import type { Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { words } from '../../support/rows.ts';

const addresses = suite('addresses and methods');

addresses('an unknown address answers 404 EMPTY and points to discovery', async () => {
  const paths = words(`
    /nothing /candidates/ /candidates/cand_001/ // //candidates /candidates//cand_001
    /candidates%2Fcand_001 /candidates/a%2Fb /%2e%2e/etc/passwd /../package.json /%00 /..%2f..%2fpackage.json
    /Candidates /candidate /candidates.xml /pricing/ /index.php /.env /constructor /__proto__
    /candidates/cand_001.html
  `);
  for (const path of paths) {
    const { status, body, headers } = await client.get(path);
    assert.is(status, 404, path);
    assert.is(body.type, 'EMPTY', path);
    assert.match(body.message, /\/api\.md|X-Workspace/, path);
    assert.ok(Object.values(body.links).length > 0);
    assert.is(headers.get('cache-control'), 'no-store', path);
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    assert.is((await client.ask(method, '/nothing')).status, 404, method);
});

addresses('a path that cannot be decoded is 400 and says to percent-encode it', async () => {
  for (const path of ['/%E0%A4%A', '/candidates/%E0%A4%A', '/occupations/%', '/%ff', '/candidates/%zz']) {
    const { status, body } = await client.get(path);
    assert.is(status, 400, path);
    assert.is(body.code, 'invalid_path', path);
    assert.match(body.reason, /Percent-encode it as UTF-8/);
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
  for (const path of files) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await client.ask(method, path, '{}');
      assert.is(answer.status, 405, `${method} ${path}`);
      assert.is(allowOf(answer), 'GET,HEAD,OPTIONS', `${method} ${path}`);
    }
    assert.is(allowOf(await client.ask('OPTIONS', path)), 'GET,HEAD,OPTIONS', path);
  }
});

addresses('OPTIONS lists the methods of an address, with a query too', async () => {
  const ask = async (path: string) => {
    const answer = await client.ask('OPTIONS', path);
    assert.is(answer.status, 204, path);
    return allowOf(answer);
  };
  for (const { path, all } of taken) {
    assert.is(await ask(path), all, path);
    assert.is(await ask(`${path}?limit=1`), all, path);
  }
  for (const path of ['/nothing', '/%ff', '/api.html'])
    assert.is(await ask(path), 'DELETE,GET,HEAD,OPTIONS,PATCH,POST', path);
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
  const candidate = { name: 'A', onetCode: '15-1252.00' };
  const { headers } = await client.post('/candidates', candidate, { Origin: 'https://a.example' });
  for (const name of ['Link', 'ETag', 'Location', 'X-Workspace', 'Retry-After'])
    assert.match(headers.get('access-control-expose-headers')!, name);
});

addresses.run();
