import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { readMetrics, toCounted } from '../../support/metrics.ts';
import { findPort, withServer } from '../../support/server.ts';

const sight = suite('operations and codes in metrics and log');
const candidate = { name: 'A', onetCode: '15-1252.00' };

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
