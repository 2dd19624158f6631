import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { readMetrics, toCounted } from '../../support/metrics.ts';
import { findPort, withServer } from '../../support/server.ts';

const sight = suite('metrics');
const candidate = { name: 'A', onetCode: '15-1252.00' };

sight('/metrics is there where it is asked for alone, and takes GET and HEAD', async () => {
  await withServer({}, async (server) => {
    const { status, body } = await (await connect(server.origin)).get('/metrics');
    assert.equal([status, body.type], [404, 'EMPTY']);
  });
  await withServer({ METRICS: 'on' }, async (server) => {
    const client = await connect(server.origin);
    const head = await fetch(`${server.origin}/metrics`, { method: 'HEAD' });
    assert.equal([head.status, await head.text()], [200, '']);
    const { status, headers, body } = await client.post('/metrics', {});
    assert.equal([status, body.code, headers.get('allow')], [405, 'method_not_allowed', 'GET, HEAD']);
  });
});

sight('/metrics counts what happened, by operation', async () => {
  await withServer({ METRICS: 'on' }, async (server) => {
    const client = await connect(server.origin);
    const before = await readMetrics(server);
    for (let n = 0; n < 7; n++) await client.get('/candidates');
    for (let n = 0; n < 3; n++) await client.get('/candidates?limit=1');
    await client.get('/candidates/cand_none');
    await client.get(`/nothing/${encodeURIComponent('"}\n')}`);
    await client.get('/%ff');
    const { workspace } = (await client.post('/candidates', candidate)).body;
    await client.post('/candidates', candidate, { 'X-Workspace': workspace });
    await client.post('/candidates', {});
    await client.tool('createCandidate', candidate);
    const after = await readMetrics(server);
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    const expected = {
      careers_frozen_answers_total: 7,
      careers_workspaces_minted_total: 2,
      'careers_requests_total{operation="listCandidates",door="http",status="2xx"}': 3,
      'careers_requests_total{operation="getCandidate",door="http",status="4xx"}': 1,
      'careers_requests_total{operation="createCandidate",door="http",status="2xx"}': 2,
      'careers_requests_total{operation="createCandidate",door="http",status="4xx",code="invalid_request"}': 1,
      'careers_requests_total{operation="createCandidate",door="mcp",status="2xx"}': 1,
      'careers_requests_total{operation="none",door="http",status="4xx"}': 1,
      'careers_requests_total{operation="none",door="http",status="4xx",code="invalid_path"}': 1,
      'careers_request_seconds_count{operation="listCandidates",door="http"}': 3,
      'careers_request_seconds_bucket{operation="listCandidates",door="http",le="+Inf"}': 3,
      'careers_store_seconds_count{verb="change"}': 3,
      'careers_metered_calls_total{operation="createCandidate"}': 3,
      'careers_refused_bytes_total{code="invalid_request"}': 2,
    };
    assert.equal(Object.fromEntries(Object.keys(expected).map((name) => [name, grown(name)])), expected);
    assert.ok(after.get('careers_request_seconds_sum{operation="listCandidates",door="http"}')! > 0);
    assert.ok(after.get('process_resident_memory_bytes')! > 10_000_000);
    assert.ok(after.get('careers_connections')! >= 1);
  });
});

sight('promtool has nothing to say about /metrics', async () => {
  if (spawnSync('promtool', ['--version']).error) {
    console.log('\nskipped: no promtool on this machine');
    assert.not(process.env.CI, 'under CI there must be one');
    return;
  }
  await withServer({ METRICS: 'on' }, async ({ origin }) => {
    const check = async () => {
      const input = await (await fetch(`${origin}/metrics`)).text();
      const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
        input,
        encoding: 'utf8',
      });
      assert.equal([status, stdout + stderr], [0, '']);
      return input;
    };
    await check();
    const client = await connect(origin);
    await client.get('/candidates');
    for (const path of ['/candidates?limit=1', '/candidates/none', '/offer', '/%ff']) await client.get(path);
    for (const body of [candidate, {}]) await client.post('/candidates', body);
    await client.tool('createCandidate', candidate);
    const { service, commit } = JSON.parse(readFileSync('dist/host/catalogue.json', 'utf8'));
    const text = await check();
    assert.ok(text.includes(`careers_build_info{version="${service.version}",commit="${commit}"} 1\n`));
    assert.match(
      text,
      /^careers_request_seconds_bucket\{operation="listCandidates",door="http",le="10"\} 1$/m,
    );
    assert.match(text, /^process_cpu_seconds_total [0-9.]+$/m);
  });
});

sight('a refusal is counted and logged by its operation and code, whichever door it came by', async () => {
  const env = { METRICS: 'on', STORE_URL: `redis://127.0.0.1:${await findPort()}` };
  let counted = {};
  const printed = await withServer(env, async (server) => {
    const client = await connect(server.origin);
    await client.post('/candidates', candidate);
    assert.is((await client.tool('createCandidate', candidate)).structuredContent.code, 'store_unavailable');
    await client.tool('listPlacements', { spend: 26 });
    await client.tool('getOffer');
    await client.get('/offer');
    await client.rpc('tools/list');
    await client.rpc('tools/call', { name: 'no"\n tool' });
    await client.rpc('nothing"\n');
    await client.post('/mcp', '[');
    await client.get('/pricing.md?a=b');
    await client.post('/pricing', {});
    await client.request('OPTIONS', '/mcp');
    counted = toCounted(await readMetrics(server));
  });
  const lines = printed.split('\n').filter((line) => line.startsWith('{"time"') && !line.includes('"level"'));
  const logged: Record<string, number> = {};
  for (const line of lines) {
    const { operation, path, status, code } = JSON.parse(line);
    const door = path === '/mcp' && operation !== 'preflight' ? 'mcp' : 'http';
    const kind = `${String(status)[0]}xx${code === undefined ? '' : `,code=${code}`}`;
    const name = `operation=${operation},door=${door},status=${kind}`;
    logged[name] = (logged[name] ?? 0) + 1;
  }
  assert.equal(counted, logged);
  assert.equal(counted, {
    'operation=createCandidate,door=http,status=5xx,code=store_unavailable': 1,
    'operation=createCandidate,door=mcp,status=2xx,code=store_unavailable': 1,
    'operation=listPlacements,door=mcp,status=2xx,code=offer-spend-ceiling': 1,
    'operation=getOffer,door=mcp,status=2xx,code=offer-ladder': 1,
    'operation=getOffer,door=http,status=4xx,code=offer-ladder': 1,
    'operation=callMcp,door=mcp,status=2xx': 1,
    'operation=callMcp,door=mcp,status=2xx,code=invalid_request': 2,
    'operation=callMcp,door=mcp,status=4xx,code=invalid_json': 1,
    'operation=getPricing,door=http,status=2xx': 1,
    'operation=none,door=http,status=4xx,code=method_not_allowed': 1,
    'operation=preflight,door=http,status=2xx': 1,
  });
});

sight('what a limit turns down is counted by its code', async () => {
  await withServer({ METRICS: 'on', TRUST_PROXY: '1', RATE_LIMIT_LIVE: '1' }, async (server) => {
    const client = await connect(server.origin);
    const headers = { 'X-Forwarded-For': '203.0.113.7' };
    for (let n = 0; n < 2; n++) await client.get('/offer', headers);
    await client.rpc('tools/list', {}, headers);
    assert.equal(toCounted(await readMetrics(server)), {
      'operation=getOffer,door=http,status=4xx,code=offer-ladder': 1,
      'operation=getOffer,door=http,status=4xx,code=rate_limited': 1,
      'operation=callMcp,door=mcp,status=4xx,code=rate_limited': 1,
    });
  });
});

sight.run();
