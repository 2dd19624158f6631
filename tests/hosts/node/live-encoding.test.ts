import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBystander } from '../../support/bystander.ts';
import { type SharedServer, useServer } from '../../support/server.ts';
import { decode, send, type WireReply } from '../../support/wire.ts';

const live = suite('what is answered live, compressed and asked again');
let server: SharedServer;
let mine: { 'X-Workspace': string };
let record: string;

const get = (path: string, headers: object = {}, method = 'GET') =>
  send(server.origin, path, { method, headers });
const post = (path: string, body: object, headers: object = {}) =>
  send(server.origin, path, { method: 'POST', headers, body: JSON.stringify(body) });
const toJson = (reply: WireReply) => JSON.parse(decode(reply).toString());

live.before(async () => {
  server = await useServer();
  const candidates = Array.from({ length: 40 }, (_, n) => ({
    name: `Zoë ${n}`,
    onetCode: '15-1252.00',
    skills: Array.from({ length: 50 }, (_, one) => `skill ${n} ${one}`),
  }));
  const made = JSON.parse((await post('/batch', { candidates })).bytes.toString());
  mine = { 'X-Workspace': made.workspace };
  record = made.candidates[0].links.self;
});

const lists: [path: string, isOwn: boolean][] = [
  ['/candidates?limit=20', false],
  ['/occupations?q=nurse&limit=50', false],
  ['/candidates.json?status=available', false],
  ['/job-orders/job_001/matches?limit=20', false],
  ['/pricing?x=1', false],
  ['/candidates?scope=workspace', true],
  ['/candidates', true],
  ['/workspace/export', true],
];

live('a long answer to a read goes out as its caller takes it, and is the same', async () => {
  for (const [path, isOwn] of lists) {
    const ask = (accept?: string, method?: string) =>
      get(path, { ...(isOwn && mine), ...(accept !== undefined && { 'Accept-Encoding': accept }) }, method);
    const plain = await ask();
    const { exportedAt: _, ...body } = JSON.parse(plain.bytes.toString());
    assert.ok(plain.bytes.length > 1024, path);
    for (const [accept, coding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.1', 'gzip'],
      ['deflate', undefined],
      ['identity, *;q=0', undefined],
    ] as const) {
      const reply = await ask(accept);
      const { headers, bytes } = reply;
      assert.is(headers['content-encoding'], coding, `${path} ${accept}`);
      assert.is(headers['content-length'], String(bytes.length));
      const { exportedAt: __, ...same } = toJson(reply);
      assert.equal(same, body, path);
      if (coding) assert.ok(bytes.length < plain.bytes.length / 2, `${path} ${bytes.length}`);
      for (const one of ['cache-control', 'vary', 'link', 'etag', 'content-type'])
        assert.is(headers[one], plain.headers[one], `${path} ${one}`);
      assert.match(headers.vary ?? '', /Accept-Encoding$/);
      const head = await ask(accept, 'HEAD');
      assert.equal([head.headers['content-encoding'], head.bytes.length], [coding, 0], path);
    }
  }
});

live('what is short, was made for a write, or is told by its bytes goes out as it is', async () => {
  const accept = { 'Accept-Encoding': 'br, gzip' };
  const { name, onetCode } = { name: 'Ada', onetCode: '15-1252.00' };
  const skills = Array.from({ length: 50 }, (_, n) => `a skill of some length, ${n}`);
  for (const reply of [
    await get('/candidates?limit=1', accept),
    await get('/placements?status=nothing', accept),
    await post('/candidates', { name, onetCode, skills }, { ...accept, ...mine }),
    await post('/titles', { titles: Array(50).fill('nurse') }, accept),
    await get(record, { ...accept, ...mine }),
    await get('/offer', accept),
  ])
    assert.is(reply.headers['content-encoding'], undefined, reply.bytes.toString().slice(0, 100));
  const { etag } = (await get(record, { ...accept, ...mine })).headers;
  assert.match(etag ?? '', /^"/, 'one that If-Match takes');
});

live('a list has a weak tag, and who has it is told so by 304, in any coding', async () => {
  for (const [path, isOwn] of lists.filter(([path]) => !/pricing|export/.test(path))) {
    const own = isOwn ? mine : {};
    const first = await get(path, own);
    const { etag } = first.headers;
    assert.match(etag ?? '', /^W\/"\w+"$/, path);
    assert.is((await get(path, { ...own, 'Accept-Encoding': 'br' })).headers.etag, etag);
    for (const named of [etag, etag!.slice(2), `"other", ${etag}`]) {
      for (const more of [{}, { 'Accept-Encoding': 'gzip' }]) {
        const again = await get(path, { ...own, ...more, 'If-None-Match': named });
        assert.equal([again.status, again.bytes.length, again.headers.etag], [304, 0, etag], path);
        for (const one of ['content-length', 'content-encoding', 'content-type'])
          assert.is(again.headers[one], undefined, one);
        for (const one of ['cache-control', 'vary'])
          assert.is(again.headers[one], first.headers[one], `${path} ${one}`);
      }
    }
    assert.is((await get(path, { ...own, 'If-None-Match': 'W/"other"' })).status, 200);
  }
});

live('a tag is of one address, and of nothing but an answer', async () => {
  const tagOf = async (path: string, headers = {}) => (await get(path, headers)).headers.etag;
  const paths = [
    '/candidates?limit=2',
    '/candidates?limit=3',
    '/job-orders?limit=2',
    '/candidates.json?limit=2',
  ];
  const tags = await Promise.all(paths.map((path) => tagOf(path)));
  assert.is(new Set(tags).size, paths.length);
  assert.is.not(await tagOf('/candidates?limit=2', mine), tags[0], 'nor of a workspace');
  for (const [path, status] of [
    ['/candidates?limit=0', 400],
    ['/placements?scope=admin', 403],
    ['/placements?spend=26', 402],
    ['/candidates/cand_nope/matches', 404],
  ] as const) {
    for (const named of ['*', '*, *', '"a", *', tags.join(', ')]) {
      const reply = await get(path, { 'If-None-Match': named });
      assert.equal([reply.status, reply.headers.etag], [status, undefined], path);
    }
  }
  for (const [at, path] of paths.entries()) {
    const reply = await get(path, { 'If-None-Match': '*' });
    assert.equal([reply.status, reply.headers.etag], [304, tags[at]], `any of ${path}`);
  }
  for (const path of ['/candidates/cand_001?x=1', '/pricing?x=1', '/occupations/29-1141.00?x=1'])
    assert.is((await get(path, { 'If-None-Match': '*' })).status, 304, path);
  const strict = { Prefer: 'handling=strict', 'If-None-Match': (await tagOf('/candidates?x=1'))! };
  assert.is((await get('/candidates?x=1', strict)).status, 400, 'lenient answers stand for no strict one');
  assert.is((await get('/candidates?x=1', { 'If-None-Match': strict['If-None-Match'] })).status, 304);
});

live('others are answered while long pages are compressed', async () => {
  const bystander = startBystander(server);
  for (let round = 0; round < 10; round += 1) {
    const asked = Array.from({ length: 20 }, () =>
      get('/candidates?limit=200', { ...mine, 'Accept-Encoding': 'br' }),
    );
    for (const reply of await Promise.all(asked)) assert.is(toJson(reply).total, 40 + 1 + 48);
  }
  const { answers, slowestMs } = bystander.stop();
  console.log(
    `figure: ${answers} answers to a bystander of 200 pages, the slowest in ${slowestMs.toFixed(0)} ms`,
  );
  assert.ok(answers >= 5);
});

live.run();
