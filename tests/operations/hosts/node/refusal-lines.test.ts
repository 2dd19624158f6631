import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { linesOf } from '../../../support/log-lines.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { openFor, withOpenServer } from '../../../support/open-host.ts';
import { send, sendRaw } from '../../../support/wire.ts';

const refused = suite('the log line of a refusal');
const server = await openFor(refused, { METRICS: 'on', HEADER_TIMEOUT_SECONDS: '1' });
const client = await connect(server.origin);
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };

/** Returns the only line that the host logs for a call. */
async function lineOf(call: () => Promise<unknown>) {
  const lines = await linesOf(server, call);
  assert.is(lines.length, 1);
  return lines[0]!;
}

/** Bytes that are refused before the core sees a request. */
const notRequests: [what: string, bytes: string, code: string][] = [
  ['text that is not HTTP', 'hello\r\n\r\n', 'invalid_http'],
  [
    'a head that is too large',
    `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
    'headers_too_large',
  ],
  ['a head that never ends', 'GET / HTTP/1.1\r\nHost: a\r\n', 'request_timeout'],
  ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'invalid_http'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 'invalid_http'],
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 'invalid_http'],
  [
    'two lengths',
    'POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'invalid_http',
  ],
  [
    'another transfer coding',
    'POST /candidates HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'invalid_http',
  ],
  ['another version', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 'http_version'],
  [
    'another method at /metrics',
    'DELETE /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'method_not_allowed',
  ],
];

for (const [what, bytes, code] of notRequests) {
  refused(`has the code of ${what}`, async () => {
    const line = await lineOf(() => sendRaw(server.port, bytes));
    assert.is(line.code, code);
  });

  refused(`counts ${what} in the metrics`, async () => {
    const count = async () => {
      const samples = [...(await readMetrics(server))];
      const ofCode = samples.filter(
        ([name]) => name.startsWith('careers_requests_total') && name.includes(`"${code}"`),
      );
      return ofCode.reduce((sum, [, value]) => sum + value, 0);
    };
    const before = await count();
    await sendRaw(server.port, bytes);
    assert.is(await count(), before + 1);
  });
}

refused('names the member at fault', async () => {
  const line = await lineOf(() => client.post('/candidates', { ...candidate, onetCode: 'x' }));
  assert.is(line.code, 'invalid_request');
  assert.is(line.issue, 'onetCode');
});

refused('names the member of the record at fault in a batch', async () => {
  const batch = { candidates: [candidate, { ...candidate, salaryUsdYear: 'x' }] };
  const line = await lineOf(() => client.post('/batch', batch));
  assert.match(line.issue, /^candidates\W1\W+salaryUsdYear$/);
});

refused('names the argument of the query at fault', async () => {
  const line = await lineOf(() => client.get('/candidates?limit=x'));
  assert.is(line.issue, 'limit');
});

refused('names the argument of a tool at fault', async () => {
  const line = await lineOf(() => client.tool('createCandidate', { name: 'Ann Sample', onetCode: 'x' }));
  assert.is(line.issue, 'onetCode');
});

refused('repeats no text that was sent as a name', async () => {
  const line = await lineOf(() =>
    client.tool('createCandidate', { ...candidate, strict: true, 'Ann Sample, 555-0100': 1 }),
  );
  assert.is(line.code, 'invalid_request');
  assert.is(line.issue, undefined);
});

refused('hides what may be a capability in a name', async () => {
  const name = 'a'.repeat(40);
  const line = await lineOf(() => client.tool('createCandidate', { ...candidate, strict: true, [name]: 1 }));
  assert.is(line.code, 'invalid_request');
  assert.not.match(JSON.stringify(line), name);
});

refused('an answer without issues has none', async () => {
  const line = await lineOf(() => client.get('/candidates?limit=1'));
  assert.not('issue' in line);
});

/** Sends a call twice as one client behind a proxy. Returns the limit that the line of the second one names. */
async function findLimit(env: Record<string, string>, call: (origin: string) => Promise<unknown>) {
  let limit: string | undefined;
  await withOpenServer({ TRUST_PROXY: '1', ...env }, async (host) => {
    const lines = await linesOf(host, async () => {
      await call(host.origin);
      await call(host.origin);
    });
    limit = lines.at(-1)!.limit;
  });
  return limit;
}

const from = { 'X-Forwarded-For': '192.0.2.1', 'Content-Type': 'application/json' };
const create = (origin: string) =>
  send(origin, '/candidates', { method: 'POST', headers: from, body: JSON.stringify(candidate) });
const list = (origin: string) => send(origin, '/candidates?limit=1', { headers: from });
const callTool = (origin: string) => {
  const params = { name: 'createCandidate', arguments: candidate };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return send(origin, '/mcp', { method: 'POST', headers: from, body });
};

const limits: [what: string, env: Record<string, string>, call: typeof list, limit: string][] = [
  ['live requests', { RATE_LIMIT_LIVE: '1' }, list, 'live'],
  ['live requests to /mcp', { RATE_LIMIT_LIVE: '1' }, callTool, 'live'],
  ['new workspaces', { RATE_LIMIT_MINT: '1' }, create, 'mint'],
  ['new workspaces by a tool', { RATE_LIMIT_MINT: '1' }, callTool, 'mint'],
  ['bytes', { BYTES_PER_CLIENT: '1' }, create, 'bytes'],
];

for (const [what, env, call, limit] of limits)
  refused(`says that the limit on ${what} was reached`, async () => {
    assert.is(await findLimit(env, call), limit);
  });

const agents: [sent: string, logged: string | undefined][] = [
  ['curl/8.5.0', 'curl/8.5.0'],
  ['claude-code/2.1 (external, cli)', 'claude-code/2.1'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Mozilla/5.0'],
  ['python-httpx', 'python-httpx'],
  ['(a comment) agent/1', undefined],
  ['x'.repeat(100), undefined],
];

for (const [sent, logged] of agents)
  refused(`the User-Agent ${sent.slice(0, 20)} is logged as ${logged}`, async () => {
    const line = await lineOf(() =>
      send(server.origin, '/candidates?limit=1', { headers: { 'User-Agent': sent } }),
    );
    assert.is(line.agent, logged);
  });

refused('a capability that was sent as a User-Agent is hidden', async () => {
  const line = await lineOf(() =>
    send(server.origin, '/candidates?limit=1', { headers: { 'User-Agent': `a/${'b'.repeat(40)}` } }),
  );
  assert.is(line.agent, 'a/ws_***');
});

refused.run();
