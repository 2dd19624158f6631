import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasId } from '../../../../src/kernel/operation.ts';
import { listSuffixes } from '../../../../src/kernel/router.ts';
import { operations } from '../../../../src/table.ts';
import { client, server } from '../../../support/front.ts';
import { words } from '../../../support/rows.ts';
import { sendRaw } from '../../../support/wire.ts';

const addresses = suite('addresses of a host');

const getRaw = (target: string) =>
  sendRaw(server.port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

addresses('no target reaches a file that is not served', async () => {
  const targets = words(`
    /%2e%2e/etc/passwd /../package.json /%00 /..%2f..%2fpackage.json /candidates/..%2f..%2fmanifest.json
    /occupations/../../host/manifest.json /\\..\\..\\package.json // //candidates /candidates/
  `);
  for (const target of targets) {
    const { status, body } = await getRaw(target);
    assert.is(status, 404, target);
    assert.is(body?.type, 'EMPTY', target);
  }
});

addresses('an absolute target reaches the same resource, whatever host it names', async () => {
  const { text } = await client.get('/candidates/cand_001');
  assert.is((await getRaw('http://other/candidates/cand_001')).text, text);
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
});

/** An id of each start of a path that has pages. */
const ids: Record<string, string> = {
  '/occupations/': '15-1252.00',
  '/briefs/': 'three-openings',
  '/guides/': 'operating',
};

addresses('a file is served at its address with white space around its id', async () => {
  const paths = operations
    .filter((row) => row.page && hasId(row))
    .flatMap((row) => {
      const [, id = ''] = Object.entries(ids).find(([start]) => row.path.startsWith(start))!;
      const path = row.path.replace('{id}', id);
      return ['', ...listSuffixes(row).map((suffix) => `.${suffix}`)].map((end) => path + end);
    });
  assert.ok(paths.length > 3);
  for (const path of paths) {
    const plain = await fetch(server.origin + path);
    for (const end of ['%0A', '%E2%80%83', '%C2%85']) {
      const spaced = path.replace(/(\.(json|md|html))?$/, `${end}$1`);
      const reply = await fetch(server.origin + spaced);
      assert.is(reply.status, plain.status, spaced);
      assert.is(reply.headers.get('content-type'), plain.headers.get('content-type'), spaced);
    }
  }
});

addresses('HEAD answers as GET does, without the body', async () => {
  const gets = Object.entries(client.contract.paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replace('{id}', path.startsWith('/occ') ? '15-1252.00' : 'never'));
  const more = words(
    '/candidates/cand_001 /candidates.json /candidates?limit=2 /occupations?q=nurse /nothing',
  );
  const ofCall = ['date', 'connection', 'keep-alive', 'ratelimit', 'x-request-id'];
  const listHeaders = ({ headers }: { headers: Headers }) =>
    [...headers].filter(([name]) => !ofCall.includes(name));
  for (const address of [...gets, ...more]) {
    // A repeated answer is cached, and then compressed too.
    for (let times = 0; times < 2; times += 1) await client.get(address);
    const get = await client.get(address);
    const head = await fetch(server.origin + address, { method: 'HEAD' });
    assert.is(head.status, get.status, address);
    assert.is(await head.text(), '');
    assert.equal(listHeaders(head), listHeaders(get), address);
  }
});

addresses.run();
