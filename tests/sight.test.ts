import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from './support/http.ts';
import { type RunningServer, withServer } from './support/server.ts';

const sight = suite('health and metrics');
const candidate = { name: 'A', onetCode: '15-1252.00' };

/** The samples of a Prometheus text, by name and labels. Fails on a line that is neither sample nor comment. */
function toSamples(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n').filter((one) => one && !/^# (HELP|TYPE) \w+ \S/.test(one))) {
    const [, name, value] =
      /^([a-zA-Z_:]\w*(?:\{\w+="[^"\n\\]*"(?:,\w+="[^"\n\\]*")*\})?) ([0-9.e+-]+)$/.exec(line) ?? [];
    assert.ok(name !== undefined, `not a sample: ${line}`);
    assert.not.ok(samples.has(name), `twice: ${name}`);
    samples.set(name, Number(value));
  }
  return samples;
}

async function readMetrics({ origin }: RunningServer): Promise<Map<string, number>> {
  const response = await fetch(`${origin}/metrics`);
  const { status, headers } = response;
  assert.is(status, 200);
  assert.is(headers.get('access-control-allow-origin'), null, 'for no page of another origin');
  assert.is(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.is(headers.get('cache-control'), 'no-store');
  return toSamples(await response.text());
}

sight('/metrics is not there unless it is asked for', async () => {
  await withServer({}, async (server) => {
    const { status, body } = await (await connect(server.origin)).get('/metrics');
    assert.equal([status, body.type], [404, 'EMPTY']);
  });
});

sight('/metrics takes GET and HEAD, and says so', async () => {
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
      'careers_requests_total{operation="listCandidates",status="2xx"}': 3,
      'careers_requests_total{operation="getCandidate",status="4xx"}': 1,
      'careers_requests_total{operation="createCandidate",status="2xx"}': 2,
      'careers_requests_total{operation="createCandidate",status="4xx"}': 1,
      'careers_requests_total{operation="callMcp",status="2xx"}': 1,
      'careers_requests_total{operation="none",status="4xx"}': 2,
      'careers_request_seconds_count{operation="listCandidates"}': 3,
      'careers_request_seconds_bucket{operation="listCandidates",le="+Inf"}': 3,
    };
    assert.equal(Object.fromEntries(Object.keys(expected).map((name) => [name, grown(name)])), expected);
    assert.ok(after.get('careers_request_seconds_sum{operation="listCandidates"}')! > 0);
    assert.ok(after.get('process_resident_memory_bytes')! > 10_000_000);
    assert.ok(after.get('careers_connections')! >= 1);
  });
});

sight('/metrics counts what the limits turned down', async () => {
  await withServer(
    {
      METRICS: 'on',
      TRUST_PROXY: '1',
      RATE_LIMIT_LIVE: '5',
      RATE_LIMIT_MINT: '2',
    },
    async (server) => {
      const client = await connect(server.origin);
      for (let n = 0; n < 9; n++)
        await client.post('/candidates', candidate, { 'X-Forwarded-For': '203.0.113.7' });
      const samples = await readMetrics(server);
      assert.is(samples.get('careers_rate_limited_total{limit="live"}'), 4);
      assert.is(samples.get('careers_rate_limited_total{limit="mint"}'), 3);
      assert.is(samples.get('careers_workspaces_minted_total'), 2);
    },
  );
});

sight.run();
