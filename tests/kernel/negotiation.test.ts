import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../support/server.ts';
import { send, type WireReply } from '../support/wire.ts';

const negotiation = suite('home negotiates');
const server = await useServer();
const get = (path: string, headers: object = {}) => send(server.origin, path, { headers });

const json = 'application/json; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';
const html = 'text/html; charset=utf-8';
const agent = { 'User-Agent': 'Claude-User/1.0' };
const navigation = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' };

function toVary({ headers }: WireReply): string[] {
  const names = (headers.vary ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== 'accept-encoding');
}

function holdToHome(what: string, reply: WireReply, type: string): void {
  assert.is(reply.status, 200, what);
  assert.is(reply.headers['content-type'], type, what);
  assert.is(reply.headers['cache-control'], 'no-cache', what);
  assert.is(reply.headers['cdn-cache-control'], 'no-store', what);
  for (const name of ['accept', 'user-agent', 'sec-fetch-dest']) {
    assert.ok(toVary(reply).includes(name), `${what}: Vary names ${name}`);
  }
}

const faces: [headers: Record<string, string>, type: string][] = [
  [{}, json],
  [{ Accept: '*/*' }, json],
  [{ Accept: 'application/json' }, json],
  [{ Accept: 'text/markdown' }, markdown],
  [{ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, html],
  [{ Accept: 'text/html;q=0.5, application/json' }, json],
  [{ Accept: 'text/html;q=0, */*' }, json],
  [{ Accept: '*/*', ...agent }, markdown],
  [{ Accept: 'application/json', ...agent }, json],
  [{ Accept: '*/*', ...navigation }, html],
];

for (const [headers, type] of faces) {
  const what = JSON.stringify(headers);
  negotiation(`${what} gets ${type}, not for shared caches, under a strong ETag`, async () => {
    const reply = await get('/', headers);
    holdToHome(what, reply, type);
    const { etag } = reply.headers;
    assert.match(etag ?? '', /^"[0-9a-f]{32}"$/);
    assert.is((await get('/', { ...headers, 'If-None-Match': etag })).status, 304);
  });

  negotiation(`${what} gets ${type} with a query too`, async () => {
    holdToHome(what, await get('/?from=somewhere', headers), type);
  });
}

negotiation('names in Vary every header that the face depends on', async () => {
  const plain = await get('/', { Accept: '*/*' });
  for (const [name, value] of [
    ['Accept', 'text/html'],
    ['User-Agent', 'Claude-User/1.0'],
    ['Sec-Fetch-Dest', 'document'],
    ['Sec-Fetch-Mode', 'navigate'],
  ] as const) {
    const other = await get('/', { Accept: '*/*', [name]: value });
    if (other.headers['content-type'] === plain.headers['content-type']) continue;
    assert.ok(toVary(plain).includes(name.toLowerCase()), `the face depends on ${name}`);
  }
});

negotiation('gives each face an address of its own, public, and names them all', async () => {
  for (const [path, type] of [
    ['/index.json', json],
    ['/index.md', markdown],
    ['/index.html', html],
  ] as const) {
    const reply = await get(path, { Accept: 'image/png' });
    assert.is(reply.status, 200, path);
    assert.is(reply.headers['content-type'], type);
    assert.match(reply.headers['cache-control'] ?? '', /^public, /);
    assert.ok(!/user-agent/i.test(reply.headers.vary ?? ''), path);
    const home = await get('/');
    assert.ok(home.headers.link?.includes(`<${path}>; rel="alternate"`), `/ links to ${path}`);
  }
});

negotiation('happens nowhere else: a suffix-less address is JSON for everybody', async () => {
  for (const path of ['/pricing', '/verify', '/occupations', '/candidates', '/candidates/cand_001']) {
    const plain = await get(path);
    for (const headers of [{ Accept: 'text/html' }, { Accept: 'text/markdown', ...agent }, navigation]) {
      const reply = await get(path, headers);
      assert.is(reply.headers['content-type'], json, path);
      assert.ok(reply.bytes.equals(plain.bytes), path);
    }
    assert.not.match(plain.headers.vary ?? '', /user-agent|sec-fetch|accept(,|$)/i, path);
  }
});

negotiation.run();
