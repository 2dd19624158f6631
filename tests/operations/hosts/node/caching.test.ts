import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withOpenServer } from '../../../support/open-host.ts';
import { useServer } from '../../../support/server.ts';
import { send, type WireReply } from '../../../support/wire.ts';

interface Rule {
  'cache-control': string;
  'cdn-cache-control': string | undefined;
  /** What Vary names besides Accept-Encoding. */
  vary: string[];
}

const publicRule: Rule = {
  'cache-control': 'public, max-age=300, stale-while-revalidate=86400, stale-if-error=604800',
  'cdn-cache-control': 'max-age=3600, stale-while-revalidate=86400, stale-if-error=604800',
  vary: [],
};
const recordRule: Rule = {
  'cache-control': 'no-cache',
  'cdn-cache-control': 'no-store',
  vary: ['x-workspace'],
};
const queryRule: Rule = { 'cache-control': 'no-store', 'cdn-cache-control': undefined, vary: ['prefer'] };
/** A query may cause warnings, which a strict caller wants refused. */
const askedRule: Rule = { ...publicRule, vary: ['prefer'] };
const workspaceRule: Rule = {
  'cache-control': 'private, no-store',
  'cdn-cache-control': undefined,
  vary: ['x-workspace'],
};
const strongTag = /^"[0-9a-f]{32}(-br|-gzip)?"$/;
const ada = JSON.stringify({ name: 'Ada Example', onetCode: '15-1252.00' });

const caching = suite('caching');
const server = await useServer();
const get = (path: string, headers: object = {}) => send(server.origin, path, { headers });
const post = (path: string, body: string, headers: object = {}) =>
  send(server.origin, path, { method: 'POST', body, headers });

const minted = await post('/candidates', ada);
const workspace = String(minted.headers['x-workspace']);

function toVary({ headers }: WireReply): string[] {
  const names = (headers.vary ?? '').toLowerCase().split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'accept-encoding');
}

function holdTo(what: string, reply: WireReply, { vary, ...rule }: Rule): void {
  assert.is(reply.status, 200, what);
  assert.is(reply.headers['cache-control'], rule['cache-control'], what);
  assert.is(reply.headers['cdn-cache-control'], rule['cdn-cache-control'], what);
  assert.equal(toVary(reply).sort(), [...vary].sort(), `${what}: Vary`);
}

function holdToRefusal(what: string, { status, headers }: WireReply, expected: number): void {
  assert.is(status, expected, what);
  assert.is(headers['cache-control'], 'no-store', what);
  assert.is(headers['cdn-cache-control'], undefined, what);
  assert.is(headers.etag, undefined, what);
}

const frozenKinds: [kind: string, paths: string[], rule: Rule][] = [
  ['a document', ['/pricing', '/verify', '/family.json', '/icp.json', '/projection.json'], publicRule],
  ['a document of discovery', ['/openapi.json', '/.well-known/agents.json', '/llms.txt'], publicRule],
  ['a document with its suffix', ['/pricing.json', '/verify.json', '/index.json'], publicRule],
  ['occupations', ['/occupations', '/occupations.json', '/occupations/15-1252.00'], publicRule],
  ['a collection', ['/candidates', '/job-orders', '/placements'], recordRule],
  ['a record', ['/candidates/cand_001', '/job-orders/job_001', '/placements/plc_001'], recordRule],
  ['matches of a record', ['/candidates/cand_001/matches', '/job-orders/job_001/matches'], recordRule],
  ['a collection with its suffix', ['/candidates.json', '/job-orders.json', '/placements.json'], publicRule],
  ['a record with its suffix', ['/candidates/cand_001.json', '/placements/plc_001.json'], publicRule],
];

for (const [kind, paths, rule] of frozenKinds) {
  caching(`${kind} has its cache rule and a strong ETag`, async () => {
    for (const path of paths) {
      const reply = await get(path);
      holdTo(path, reply, rule);
      assert.match(reply.headers.etag ?? '', strongTag, path);
      assert.is(reply.headers['content-length'], String(reply.bytes.length), path);
    }
  });
}

caching('a query over records is not cached', async () => {
  for (const path of ['/candidates?status=available', '/placements?scope=public', '/job-orders?limit=2']) {
    holdTo(path, await get(path), queryRule);
  }
  holdTo('EMPTY', await get('/candidates?status=no-such-status'), queryRule);
});

caching('a query over occupations or documents is public', async () => {
  for (const path of ['/occupations?q=nurse', '/occupations?majorGroup=15&limit=3', '/pricing?x=1']) {
    holdTo(path, await get(path), askedRule);
  }
});

caching('a read in a workspace is cached by its caller alone', async () => {
  for (const path of ['/candidates', '/candidates?status=available', '/candidates/cand_001', '/placements']) {
    const vary = path.includes('?') ? [...workspaceRule.vary, 'prefer'] : workspaceRule.vary;
    holdTo(path, await get(path, { 'X-Workspace': workspace }), { ...workspaceRule, vary });
  }
});

caching('a refusal, an offer and a 404 are not cached', async () => {
  holdToRefusal('400', await get('/candidates?limit=0'), 400);
  holdToRefusal('400 body', await post('/candidates', '{}'), 400);
  holdToRefusal('401', await get('/candidates', { 'X-Workspace': 'ws_unknown' }), 401);
  holdToRefusal('402', await get('/placements?spend=26'), 402);
  holdToRefusal('402 offer', await get('/offer'), 402);
  holdToRefusal('403', await get('/placements?scope=admin'), 403);
  holdToRefusal('404 record', await get('/candidates/cand_none'), 404);
  holdToRefusal('404 twin', await get('/candidates/cand_none.json'), 404);
  holdToRefusal('404 code', await get('/occupations/00-0000.00'), 404);
  holdToRefusal('404 workspace', await get('/candidates/cand_none', { 'X-Workspace': workspace }), 404);
  holdToRefusal('404 address', await get('/nowhere'), 404);
  holdToRefusal('405', await send(server.origin, '/pricing', { method: 'DELETE' }), 405);
  const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const mcp = await post('/mcp', rpc, { 'Content-Type': 'application/json' });
  assert.is(mcp.headers['cache-control'], 'no-store');
});

caching('a created record is in the next read of the same address', async () => {
  const mine = { 'X-Workspace': workspace };
  const tag = (await get('/candidates')).headers.etag;
  const before = await get('/candidates', { ...mine, 'If-None-Match': tag });
  assert.is(before.status, 200, 'the tag of the public page does not hide the workspace');
  const { candidate } = JSON.parse((await post('/candidates', ada, mine)).bytes.toString());
  const own = { ...mine, 'If-None-Match': before.headers.etag };
  const after = JSON.parse((await get('/candidates', own)).bytes.toString());
  assert.is(after.total, JSON.parse(before.bytes.toString()).total + 1);
  assert.is(after.candidates[0].id, candidate.id);
  assert.is((await get('/candidates')).headers.etag, tag, 'the public page is unchanged');
});

caching('a reply that caches may keep does not mention its caller', async () => {
  const ofCaller = ['x-request-id', 'ratelimit', 'ratelimit-policy'];
  const caller = { 'X-Request-Id': 'of-one-caller', 'X-Forwarded-For': '203.0.113.1' };
  const paths = [
    ...['/occupations?q=nurse', '/pricing?x=1', '/candidates.json?limit=2', '/'],
    ...['/candidates?limit=2', '/candidates?x=1', '/placements?status=nothing', '/nothing', '/offer'],
  ];
  let kept = 0;
  await withOpenServer({ TRUST_PROXY: '1', LOG: 'off' }, async ({ origin }) => {
    for (const path of paths) {
      const { headers } = await send(origin, path, { headers: caller });
      const isKept = !headers['cache-control']!.includes('no-store');
      kept += Number(isKept);
      for (const name of ofCaller) assert.is(name in headers, !isKept, `${path} ${name}`);
    }
  });
  assert.ok(kept >= 4, `${kept} were kept`);
});

caching.run();
