import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBystander } from '../../../support/bystander.ts';
import { useServer } from '../../../support/server.ts';
import { decode, send, type WireReply } from '../../../support/wire.ts';

const encoding = suite('content encodings and validators');
let mine: { 'X-Workspace': string };
let record: string;
const server = await useServer();
const get = (path: string, headers: object = {}, method = 'GET') =>
  send(server.origin, path, { method, headers });
const post = (path: string, body: object, headers: object = {}) =>
  send(server.origin, path, { method: 'POST', headers, body: JSON.stringify(body) });
const toJson = (reply: WireReply) => JSON.parse(decode(reply).toString());

encoding.before(async () => {
  const candidates = Array.from({ length: 40 }, (_, n) => ({
    name: `Zoë ${n}`,
    onetCode: '15-1252.00',
    skills: Array.from({ length: 50 }, (_, one) => `skill ${n} ${one}`),
  }));
  const made = JSON.parse((await post('/batch', { candidates })).bytes.toString());
  mine = { 'X-Workspace': made.workspace };
  record = made.candidates[0].links.self;
});

/** One address of each kind that the host answers from files. */
const frozen = [
  '/',
  '/pricing',
  '/llms.txt',
  '/occupations/15-1252.00.json',
  '/candidates',
  '/candidates.json',
];

/** Lists that are answered live, and whether they belong to a workspace. */
const lists: [path: string, isOwn: boolean][] = [
  ['/candidates?limit=20', false],
  ['/occupations?q=nurse&limit=50', false],
  ['/candidates.json?status=available', false],
  ['/job-orders/job_001/matches?limit=20', false],
  ['/candidates?scope=workspace', true],
  ['/candidates', true],
];

const asked: [acceptEncoding: string | undefined, encoding: string | undefined][] = [
  [undefined, undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['deflate, zstd', undefined],
  ['br;q=0, gzip;q=0.1', 'gzip'],
  ['br; q=0.0 , gzip;q=0', undefined],
  ['*', 'br'],
  ['gzip, *;q=0', 'gzip'],
  ['identity, *;q=0', undefined],
  [`${','.repeat(900)} gzip`, 'gzip'],
  [`${','.repeat(15_000)} gzip`, undefined],
];

encoding('a reply uses the encoding that the caller prefers, frozen or live', async () => {
  for (const [accept, expected] of asked) {
    const headers = accept === undefined ? {} : { 'Accept-Encoding': accept };
    for (const path of [
      '/candidates',
      '/openapi.json',
      '/candidates?limit=20',
      '/occupations?q=nurse&limit=50',
    ]) {
      const reply = await get(path, headers);
      const what = `${path} ${accept?.slice(-20)}`;
      assert.is(reply.status, 200, what);
      assert.equal(reply.headers['content-encoding'], expected, what);
      assert.is(reply.headers['content-length'], String(reply.bytes.length), what);
      assert.match(reply.headers.vary ?? '', /Accept-Encoding/, what);
    }
  }
});

encoding('a live reply below 14 KB goes out as it is, because it fits the first round trip', async () => {
  const reply = await get('/candidates?limit=3', { ...mine, 'Accept-Encoding': 'br' });
  assert.is(reply.headers['content-encoding'], undefined);
  assert.ok(reply.bytes.length > 1024 && reply.bytes.length < 14_336, `${reply.bytes.length} bytes`);
});

encoding('a live reply of 14 KB or more is compressed', async () => {
  const reply = await get('/candidates?limit=40', { ...mine, 'Accept-Encoding': 'br' });
  assert.is(reply.headers['content-encoding'], 'br');
  assert.ok(decode(reply).length >= 14_336);
});

encoding('a short reply, a reply to a write and one with a strong ETag are not compressed', async () => {
  const accept = { 'Accept-Encoding': 'br, gzip' };
  const skills = Array.from({ length: 50 }, (_, n) => `a skill of some length, ${n}`);
  for (const reply of [
    await get('/candidates?limit=1', accept),
    await get('/projection.json', accept),
    await post('/candidates', { name: 'Ada', onetCode: '15-1252.00', skills }, { ...accept, ...mine }),
    await post('/titles', { titles: Array(50).fill('nurse') }, accept),
    await get(record, { ...accept, ...mine }),
    await get('/offer', accept),
  ])
    assert.is(reply.headers['content-encoding'], undefined, reply.bytes.toString().slice(0, 100));
});

encoding('each variant of a file is the same document, shorter, with its own strong ETag', async () => {
  for (const path of frozen) {
    const names = ['identity', 'gzip', 'br'];
    const replies = await Promise.all(names.map((name) => get(path, { 'Accept-Encoding': name })));
    const [plain] = replies as [WireReply];
    for (const { headers, bytes } of replies) {
      assert.match(headers.etag ?? '', /^"[^"]+"$/, path);
      assert.ok(decode({ status: 200, headers, bytes }).equals(plain.bytes), path);
      assert.is(headers['content-type'], plain.headers['content-type'], path);
    }
    assert.is(new Set(replies.map(({ headers }) => headers.etag)).size, 3, `${path} has one tag per variant`);
    for (const { bytes } of replies.slice(1)) assert.ok(bytes.length < plain.bytes.length, path);
  }
  const tagOf = async (path: string) => (await get(path)).headers.etag;
  assert.is(await tagOf('/pricing'), await tagOf('/pricing.json'));
  assert.is.not(await tagOf('/candidates/cand_001'), await tagOf('/candidates/cand_002'));
});

encoding('a list has the same weak ETag and the same content in every encoding', async () => {
  for (const [path, isOwn] of lists) {
    const own = isOwn ? mine : {};
    const plain = await get(path, own);
    assert.match(plain.headers.etag ?? '', /^W\/"\w+"$/, path);
    for (const coding of ['br', 'gzip']) {
      const reply = await get(path, { ...own, 'Accept-Encoding': coding });
      assert.equal(toJson(reply), toJson(plain), path);
      assert.ok(reply.bytes.length < plain.bytes.length / 2, `${path} ${reply.bytes.length}`);
      for (const one of ['cache-control', 'vary', 'link', 'etag', 'content-type'])
        assert.is(reply.headers[one], plain.headers[one], `${path} ${one}`);
    }
  }
});

encoding('If-None-Match answers 304 to a tag, a weak one, a list and *, and 200 to another tag', async () => {
  for (const [path, isOwn] of [...frozen.map((one): [string, boolean] => [one, false]), ...lists]) {
    for (const coding of ['identity', 'gzip', 'br']) {
      const own = { ...(isOwn && mine), 'Accept-Encoding': coding };
      const full = await get(path, own);
      const tag = full.headers.etag!.replace('W/', '');
      for (const given of [tag, `W/${tag}`, `"other" ,W/${tag},"last"`, '*']) {
        const reply = await get(path, { ...own, 'If-None-Match': given });
        assert.is(reply.status, 304, `${path} ${given}`);
        assert.is(reply.bytes.length, 0, `${path} ${given}`);
        for (const name of ['etag', 'cache-control', 'cdn-cache-control', 'vary'])
          assert.is(reply.headers[name], full.headers[name], `${path} 304 ${name}`);
        assert.is(reply.headers['access-control-allow-origin'], '*');
      }
      for (const given of ['"other"', '""', 'other', ''])
        assert.is((await get(path, { ...own, 'If-None-Match': given })).status, 200, `${path} ${given}`);
    }
  }
  const { etag } = (await get('/candidates', { 'Accept-Encoding': 'br' })).headers;
  assert.is((await get('/candidates', { 'If-None-Match': etag })).status, 200, "another encoding's tag");
  const head = (await get('/pricing', {}, 'HEAD')).headers;
  assert.is((await get('/pricing', { 'If-None-Match': head.etag }, 'HEAD')).status, 304);
});

encoding('a tag belongs to one address, and refusals have none', async () => {
  const tagOf = async (path: string, headers = {}) => (await get(path, headers)).headers.etag!;
  const paths = [
    '/candidates?limit=2',
    '/candidates?limit=3',
    '/job-orders?limit=2',
    '/candidates.json?limit=2',
  ];
  const tags = await Promise.all(paths.map((path) => tagOf(path)));
  assert.is(new Set(tags).size, paths.length);
  assert.is.not(await tagOf(paths[0]!, mine), tags[0], 'a workspace has another tag');
  for (const [path, status] of [
    ['/candidates?limit=0', 400],
    ['/placements?scope=admin', 403],
    ['/placements?spend=26', 402],
    ['/candidates/cand_nope/matches', 404],
  ] as const) {
    for (const named of ['*', '"a", *', tags.join(', ')]) {
      const reply = await get(path, { 'If-None-Match': named });
      assert.equal(reply.status, status, path);
      assert.is(reply.headers.etag, undefined, path);
    }
  }
  const known = { 'If-None-Match': await tagOf('/candidates?x=1') };
  assert.is((await get('/candidates?x=1', known)).status, 304);
  assert.is((await get('/candidates?x=1', { ...known, Prefer: 'handling=strict' })).status, 400);
});

encoding('other callers are answered while long pages are compressed', async () => {
  const bystander = startBystander(server);
  for (let round = 0; round < 4; round += 1) {
    const pages = Array.from({ length: 20 }, () =>
      get('/candidates?limit=200&scope=all', { ...mine, 'Accept-Encoding': 'br' }),
    );
    for (const reply of await Promise.all(pages)) assert.is(toJson(reply).total, 40 + 1 + 48);
  }
  const { answers } = bystander.stop();
  assert.ok(answers >= 3, `${answers}`);
});

encoding.run();
