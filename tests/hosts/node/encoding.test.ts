import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../support/server.ts';
import { decode, send } from '../../support/wire.ts';

const encoding = suite('encodings and validators');
const server = await useServer();
const get = (path: string, headers: object = {}) => send(server.origin, path, { headers });
const head = (path: string, headers: object = {}) => send(server.origin, path, { method: 'HEAD', headers });

/** Headers that two answers to one request share. */
function toLasting({ date: _, ratelimit: __, 'x-request-id': ___, ...headers }: Record<string, unknown>) {
  return headers;
}

/** One address of each kind that is answered from memory. */
const paths = [
  '/',
  '/pricing',
  '/projection.json',
  '/llms.txt',
  '/occupations',
  '/occupations/15-1252.00.json',
  '/candidates',
  '/candidates.json',
  '/job-orders/job_001',
];

const asked: [acceptEncoding: string | undefined, encoding: string | undefined][] = [
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['deflate, zstd', undefined],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0 , gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['identity, *;q=0', undefined],
  [`${','.repeat(900)} gzip`, 'gzip'],
  [`${','.repeat(15_000)} gzip`, undefined],
];

for (const [accept, expected] of asked) {
  encoding(`Accept-Encoding ${accept?.slice(-20) ?? 'absent'} gets ${expected ?? 'identity'}`, async () => {
    const headers = accept === undefined ? {} : { 'Accept-Encoding': accept };
    for (const path of ['/candidates', '/occupations', '/openapi.json', '/projection.json']) {
      const reply = await get(path, headers);
      assert.is(reply.status, 200, path);
      const isSmall = decode(reply).length < 512;
      assert.is(reply.headers['content-encoding'], isSmall ? undefined : expected, path);
    }
  });
}

encoding('each variant is the same document, shorter, under a strong ETag of its own', async () => {
  for (const path of paths) {
    const [plain, gzip, br] = await Promise.all(
      ['identity', 'gzip', 'br'].map((name) => get(path, { 'Accept-Encoding': name })),
    );
    for (const reply of [plain!, gzip!, br!]) {
      assert.is(reply.headers['content-length'], String(reply.bytes.length), path);
      assert.match(reply.headers.etag ?? '', /^"[^"]+"$/, path);
      assert.ok(decode(reply).equals(plain!.bytes), path);
      assert.is(reply.headers['content-type'], plain!.headers['content-type'], path);
    }
    const replies = [plain!, ...[gzip!, br!].filter(({ headers }) => headers['content-encoding'])];
    const tags = replies.map(({ headers }) => headers.etag);
    assert.is(new Set(tags).size, tags.length, `${path} has a tag a variant`);
    for (const { bytes } of replies.slice(1)) assert.ok(bytes.length < plain!.bytes.length, path);
    if (replies.length === 1) continue;
    for (const { headers } of replies) assert.match(headers.vary ?? '', /accept-encoding/i, path);
  }
});

encoding('If-None-Match answers 304 to the exact tag, a weak one, a list and *', async () => {
  for (const path of paths) {
    for (const name of ['identity', 'gzip', 'br']) {
      const accept = { 'Accept-Encoding': name };
      const full = await get(path, accept);
      const { etag } = full.headers;
      for (const given of [etag, `W/${etag}`, `"other", ${etag}`, `"other" ,W/${etag},"last"`, '*']) {
        const reply = await get(path, { ...accept, 'If-None-Match': given });
        assert.is(reply.status, 304, `${path} ${given}`);
        assert.is(reply.bytes.length, 0);
        for (const header of ['etag', 'cache-control', 'cdn-cache-control', 'vary', 'link']) {
          assert.is(reply.headers[header], full.headers[header], `${path} 304 ${header}`);
        }
        assert.is(reply.headers['access-control-allow-origin'], '*');
        const length = reply.headers['content-length'];
        assert.ok(length === undefined || length === full.headers['content-length'], `${path} 304 length`);
      }
    }
  }
});

encoding('If-None-Match with another tag answers 200', async () => {
  const br = await get('/candidates', { 'Accept-Encoding': 'br' });
  const plain = await get('/candidates');
  for (const given of [br.headers.etag, `W/${br.headers.etag}`, '"other"', '""', 'other', '']) {
    const reply = await get('/candidates', { 'If-None-Match': given });
    assert.is(reply.status, 200, given);
    assert.ok(reply.bytes.equals(plain.bytes), given);
  }
  const other = await get('/candidates', {
    'Accept-Encoding': 'br',
    'If-None-Match': plain.headers.etag,
  });
  assert.is(other.status, 200, "another encoding's tag is another tag");
});

encoding('the tag is that of the content: another address has another, its twin the same', async () => {
  const tagOf = async (path: string) => (await get(path)).headers.etag;
  assert.is(await tagOf('/pricing'), await tagOf('/pricing.json'));
  assert.is(await tagOf('/candidates/cand_001'), await tagOf('/candidates/cand_001.json'));
  assert.is.not(await tagOf('/candidates/cand_001'), await tagOf('/candidates/cand_002'));
});

encoding('HEAD answers the headers of GET and no body', async () => {
  const live = ['/candidates?status=available', '/offer', '/nowhere', '/candidates/cand_none'];
  for (const path of [...paths, ...live]) {
    for (const name of ['identity', 'br']) {
      const accept = { 'Accept-Encoding': name };
      const [full, bare] = await Promise.all([get(path, accept), head(path, accept)]);
      assert.is(bare.status, full.status, path);
      assert.is(bare.bytes.length, 0, path);
      const expected = toLasting(full.headers);
      const headers = toLasting(bare.headers);
      assert.equal(headers, expected, path);
    }
  }
});

encoding('HEAD takes If-None-Match', async () => {
  const { etag } = (await head('/pricing')).headers;
  assert.is((await head('/pricing', { 'If-None-Match': etag })).status, 304);
});

encoding('a live answer says its length in bytes', async () => {
  for (const path of [
    '/occupations?q=nurse',
    '/candidates?status=available&limit=50',
    '/offer',
    '/nowhere',
  ]) {
    const reply = await get(path, { 'Accept-Encoding': 'gzip, br' });
    assert.is(reply.headers['content-length'], String(reply.bytes.length), path);
    assert.ok(JSON.parse(decode(reply).toString('utf8')).type, path);
  }
});

encoding.run();
