import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { connect } from '../../../support/http.ts';
import { readMetrics, toCounted } from '../../../support/metrics.ts';
import { openFor, withOpenServer } from '../../../support/open-host.ts';
import { findPort, useServer } from '../../../support/server.ts';
import { deployFolder, run, skipsWithout } from '../../../support/tools.ts';

const metrics = suite('metrics');
const candidate = { name: 'A', onetCode: '15-1252.00' };
const server = await openFor(metrics, { METRICS: 'on', LOG: 'off' });
const client = await connect(server.origin);

metrics('/metrics exists only if it is enabled, and accepts GET and HEAD', async () => {
  const without = await connect((await useServer()).origin);
  const { status: none, body: empty } = await without.get('/metrics');
  assert.is(none, 404);
  assert.is(empty.type, 'EMPTY');
  const head = await fetch(`${server.origin}/metrics`, { method: 'HEAD' });
  assert.is(head.status, 200);
  assert.is(await head.text(), '');
  const { status, headers, body } = await client.post('/metrics', {});
  assert.is(status, 405);
  assert.is(body.code, 'method_not_allowed');
  assert.is(headers.get('allow'), 'GET, HEAD');
});

metrics('/metrics counts what happened, by operation', async () => {
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
    'careers_request_seconds_bucket{le="+Inf",operation="listCandidates",door="http"}': 3,
    'careers_store_seconds_count{verb="write"}': 3,
    'careers_metered_calls_total{operation="createCandidate"}': 3,
    'careers_refused_bytes_total{code="invalid_request"}': 2,
  };
  assert.equal(Object.fromEntries(Object.keys(expected).map((name) => [name, grown(name)])), expected);
  assert.ok(after.get('careers_request_seconds_sum{operation="listCandidates",door="http"}')! > 0);
  assert.ok(after.get('process_resident_memory_bytes')! > 10_000_000);
  assert.ok(after.get('careers_connections')! >= 1);
});

metrics('/metrics has the longest step of an operation whose work is done in steps', async () => {
  const { workspace } = (await client.post('/candidates', candidate)).body;
  await client.get('/workspace/export', { 'X-Workspace': workspace });
  const longest = (await readMetrics(server)).get(
    'careers_longest_step_seconds{operation="exportWorkspace"}',
  )!;
  assert.ok(longest > 0 && longest < 10, `${longest} s`);
});

metrics('a refusal is counted and logged by its operation and code, over either protocol', async () => {
  const env = { METRICS: 'on', STORE_URL: `redis://127.0.0.1:${await findPort()}` };
  let counted = {};
  const printed = await withOpenServer(env, async (away) => {
    const caller = await connect(away.origin);
    await caller.post('/candidates', candidate);
    assert.is((await caller.tool('createCandidate', candidate)).structuredContent.code, 'store_unavailable');
    await caller.tool('listPlacements', { spend: 26 });
    await caller.tool('getOffer');
    await caller.get('/offer');
    await caller.rpc('tools/list');
    await caller.rpc('tools/call', { name: 'no"\n tool' });
    await caller.rpc('nothing"\n');
    await caller.post('/mcp', '[');
    await caller.get('/pricing.md?a=b');
    await caller.post('/pricing', {});
    await caller.ask('OPTIONS', '/mcp');
    const samples = [...(await readMetrics(away))].filter(([name]) => !name.includes('getReadiness'));
    counted = toCounted(new Map(samples));
  });
  const lines = printed
    .split('\n')
    .filter((line) => line.startsWith('{"time"') && !/"(level|event)":/.test(line));
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

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[];
}
const file = join(deployFolder, 'alerts.yml');
const rules = (parse(readFileSync(file, 'utf8')) as Rules).groups.flatMap((group) => group.rules);

metrics('every alert is tested, says what is wrong, and uses metrics that exist', async () => {
  await client.post('/candidates', candidate, { 'X-Workspace': 'ws_unknown' });
  const samples = await readMetrics(server);
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  const tested = readFileSync(join(deployFolder, 'alerts.test.yml'), 'utf8');
  assert.ok(rules.length >= 7);
  for (const { alert, annotations, expr } of rules) {
    assert.ok(annotations.summary, alert);
    assert.match(tested, new RegExp(`alertname: ${alert}\\n\\s+exp_alerts:`), `a test makes ${alert} fire`);
    assert.match(tested, `alertname: ${alert}, eval_time`, `a test keeps ${alert} silent`);
    for (const name of expr.match(/\b(?:careers|nodejs|process)_\w+/g) ?? [])
      assert.match(text, new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'), name);
  }
  assert.ok([...samples.keys()].some((name) => name.includes('code="unknown_workspace"')));
  assert.ok([...samples.keys()].some((name) => name.includes('operation="createCandidate"')));
  assert.is(samples.get('careers_store_expiry_overdue_seconds'), 0);
  const lag = samples.get('nodejs_eventloop_lag_p99_seconds')!;
  assert.ok(lag >= 0 && lag < 5, String(lag));
});

if (!skipsWithout('promtool')) {
  metrics('promtool accepts /metrics and the alerts, and their tests pass', async () => {
    const input = await (await fetch(`${server.origin}/metrics`)).text();
    const checked = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
    assert.is(checked.status, 0);
    assert.is(checked.stdout + checked.stderr, '');
    const { service, commit } = JSON.parse(readFileSync('dist/host/catalogue.json', 'utf8'));
    assert.ok(input.includes(`careers_build_info{version="${service.version}",commit="${commit}"} 1\n`));
    assert.match(input, /^process_cpu_seconds_total [0-9.]+$/m);
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ]) {
      const { code, said } = run('promtool', args);
      assert.is(code, 0, said);
      assert.match(said, 'SUCCESS');
    }
  });
}

metrics.run();
