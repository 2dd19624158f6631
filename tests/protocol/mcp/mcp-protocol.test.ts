import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modern, passed, refused, send, sendLegacy, sendModern, toMeta } from '../../support/rpc.ts';
import { useServer } from '../../support/server.ts';

const protocol = suite('the protocol of /mcp');
const json = { 'Content-Type': 'application/json' };
const legacy = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const call = { name: 'getPricing', arguments: {} };
const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const { port } = await useServer();

protocol('refuses whatever is not one JSON-RPC 2.0 message', async () => {
  for (const body of ['', '{', '{"jsonrpc": "2.0",}', 'tools/list'])
    refused(await send(port, body, { headers: json }), 400, -32700, null);
  for (const body of [
    [],
    [list],
    [list, list],
    null,
    7,
    { ...list, jsonrpc: '1.0' },
    { id: 7, method: 'tools/list' },
    { jsonrpc: '2.0', id: 7 },
    { ...list, method: 5 },
    { ...list, id: null },
    { ...list, id: {} },
    { ...list, id: 2 ** 53 },
    { jsonrpc: '2.0', id: 7, result: {} },
  ]) {
    refused(await send(port, body, { headers: json }), 400, -32600, null);
  }
});

protocol('params and arguments must be objects', async () => {
  for (const params of [[], 'x', 7]) {
    const { status, error } = await send(port, { ...list, params }, { headers: json });
    assert.is(status, 400);
    assert.is(error.code, -32602);
    assert.is(error.data.type, 'BLOCKED');
  }
  refused(await sendLegacy(port, 'tools/call', { name: 'getPricing', arguments: [] }), 200, -32602);
});

protocol('an unknown method is 200 with a handshake and 404 without', async () => {
  for (const method of ['resources/subscribe', 'roots/list', 'logging/setLevel', 'TOOLS/LIST', ''])
    refused(await sendLegacy(port, method), 200, -32601);
  for (const method of ['roots/list', 'initialize', 'ping', 'logging/setLevel', 'subscriptions/listen'])
    refused(await sendModern(port, method), 404, -32601);
});

protocol('an unknown tool is a protocol error', async () => {
  for (const name of ['nonesuch', 'callMcp', 'getOpenApi', 'listcandidates', 'constructor']) {
    refused(await sendLegacy(port, 'tools/call', { name }), 200, -32602);
    refused(await sendModern(port, 'tools/call', { name }), 200, -32602);
  }
  refused(await sendLegacy(port, 'tools/call', {}), 200, -32602);
});

protocol('a notification is answered 202 without a body', async () => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/list']) {
    const { status, text } = await send(port, { jsonrpc: '2.0', method }, { headers: json });
    assert.is(status, 202);
    assert.is(text, '');
  }
});

protocol('accepts POST only: GET and DELETE are 405 with Allow', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const { status, headers, body } = await send(port, '', { method });
    assert.is(status, 405, method);
    const allow = String(headers.allow).split(/,\s*/);
    assert.ok(allow.includes('POST'));
    assert.not(allow.includes(method));
    assert.is(body.type, 'BLOCKED');
  }
});

protocol('refuses a body that is not declared as plain JSON with 415', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonl', 'x json'])
    refused(await send(port, list, { headers: { 'Content-Type': type } }), 415, -32600, null);
  refused(await send(port, list), 415, -32600, null);
  refused(await send(port, list, { headers: { ...json, 'Content-Encoding': 'gzip' } }), 415, -32600, null);
  passed(await send(port, list, { headers: { 'Content-Type': 'Application/JSON; charset=utf-8' } }));
});

protocol('initialize repeats a known revision, otherwise names the newest with a handshake', async () => {
  for (const protocolVersion of [...legacy, '1999-01-01', modern]) {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await sendLegacy(port, 'initialize', params, { 'Mcp-Session-Id': 'abc' });
    const result = passed(answer);
    assert.is(result.protocolVersion, legacy.includes(protocolVersion) ? protocolVersion : legacy[0]);
    assert.equal(result.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
    assert.type(result.serverInfo.version, 'string');
    assert.is(answer.headers['mcp-session-id'], undefined);
  }
  refused(await sendLegacy(port, 'initialize', {}), 200, -32602);
});

/** A first message as clients send it that know another revision, or none. */
const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

for (const version of ['1999-01-01', '2099-01-01', 'latest', '', ' ', '2025-06-18', modern])
  protocol(`initialize ignores the header MCP-Protocol-Version "${version}"`, async () => {
    const answer = await sendLegacy(port, 'initialize', hello, { 'MCP-Protocol-Version': version });
    assert.is(passed(answer).protocolVersion, '2025-06-18');
  });

protocol('initialize does not exist under a revision without a handshake', async () => {
  refused(await sendModern(port, 'initialize', hello), 404, -32601);
  refused(await sendModern(port, 'initialize', hello, { 'MCP-Protocol-Version': '1999-01-01' }), 404, -32601);
});

protocol('an empty header MCP-Protocol-Version counts as missing', async () => {
  passed(await sendLegacy(port, 'tools/list', {}, { 'MCP-Protocol-Version': '' }));
});

protocol('params that are null count as missing', async () => {
  for (const method of ['ping', 'tools/list', 'prompts/list', 'resources/list'])
    passed(await send(port, { jsonrpc: '2.0', id: 7, method, params: null }, { headers: json }));
  const message = { jsonrpc: '2.0', method: 'notifications/initialized', params: null };
  assert.is((await send(port, message, { headers: json })).status, 202);
});

protocol('a cursor that is null or empty counts as missing, in every list', async () => {
  const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
  for (const method of lists)
    for (const cursor of [null, '']) {
      passed(await sendLegacy(port, method, { cursor }));
      passed(await sendModern(port, method, { cursor }));
    }
});

protocol('/mcp/ answers as /mcp does', async () => {
  const path = '/mcp/';
  passed(await send(port, list, { headers: json, path }));
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: call };
  assert.is(passed(await send(port, message, { headers: json, path })).structuredContent.type, 'OK');
  const query = await send(port, list, { headers: json, path: '/mcp/?tools=core' });
  assert.ok(passed(query).tools.length < 20);
});

protocol('a refusal at /mcp/ is JSON-RPC', async () => {
  const path = '/mcp/';
  refused(await send(port, '{', { headers: json, path }), 400, -32700, null);
  refused(await send(port, list, { path }), 415, -32600, null);
  refused(
    await send(port, list, { headers: { ...json, Origin: 'https://evil.example' }, path }),
    403,
    -32600,
    null,
  );
  const long = JSON.stringify(list) + ' '.repeat(100_000);
  refused(await send(port, long, { headers: json, path }), 413, -32600);
});

protocol('/mcp/ accepts the other methods that /mcp accepts', async () => {
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await send(port, '', { method, path: '/mcp/' });
    assert.is(status, 405);
    assert.match(String(headers.allow), 'POST');
  }
});

protocol('with a handshake, no session is needed: each known revision lists, calls and pings', async () => {
  for (const version of ['', ...legacy]) {
    const headers: object = version ? { 'MCP-Protocol-Version': version, 'Mcp-Session-Id': 'made-up' } : {};
    const listed = passed(await sendLegacy(port, 'tools/list', undefined, headers));
    assert.ok(listed.tools.length > 30);
    assert.not('resultType' in listed);
    const called = await sendLegacy(port, 'tools/call', call, headers);
    assert.is(passed(called).structuredContent.type, 'OK');
    assert.is(called.headers['mcp-session-id'], undefined);
    assert.equal(passed(await sendLegacy(port, 'ping', undefined, headers)), {});
  }
});

protocol('refuses a cursor for the tools, because their list has one page', async () => {
  for (let count = 0; count < 3; count += 1) {
    passed(await sendLegacy(port, 'tools/list'));
    passed(await sendModern(port, 'tools/list'));
  }
  for (const cursor of ['x', 5]) {
    refused(await sendLegacy(port, 'tools/list', { cursor }), 200, -32602);
    refused(await sendModern(port, 'tools/list', { cursor }), 200, -32602);
  }
});

protocol('without a handshake, results name the server, and lists say how long they last', async () => {
  for (const [method, params] of [
    ['server/discover', {}],
    ['tools/list', {}],
    ['tools/call', call],
  ] as const) {
    const answer = await sendModern(port, method, params, { 'Mcp-Session-Id': 'made-up' });
    const result = passed(answer);
    assert.is(result.resultType, 'complete');
    assert.type(result._meta['io.modelcontextprotocol/serverInfo'].name, 'string');
    assert.is('ttlMs' in result, method !== 'tools/call');
    assert.is(result.cacheScope, method === 'tools/call' ? undefined : 'public');
    assert.is(answer.headers['mcp-session-id'], undefined);
  }
  const { supportedVersions } = passed(await sendModern(port, 'server/discover'));
  assert.equal(supportedVersions, [modern, ...legacy]);
});

protocol('without a handshake, _meta must name the revision and the capabilities', async () => {
  const version = { 'MCP-Protocol-Version': modern };
  refused(await sendLegacy(port, 'tools/list', {}, version), 400, -32602);
  refused(await sendLegacy(port, 'server/discover'), 400, -32602);
  for (const _meta of [{}, null, [], toMeta(modern, null), toMeta(modern, []), toMeta(7)])
    refused(await sendModern(port, 'tools/list', { _meta }), 400, -32602);
});

protocol('headers must match the body: the revision, the method and the name', async () => {
  for (const [method, params, headers] of [
    ['tools/list', {}, { 'MCP-Protocol-Version': '2025-11-25' }],
    ['tools/list', {}, { 'MCP-Protocol-Version': '1999-01-01' }],
    ['tools/list', {}, { 'MCP-Protocol-Version': '' }],
    ['tools/list', { _meta: toMeta('1999-01-01') }, {}],
    ['tools/list', {}, { 'Mcp-Method': '' }],
    ['tools/list', {}, { 'Mcp-Method': 'tools/call' }],
    ['tools/list', {}, { 'Mcp-Method': 'Tools/List' }],
    ['tools/call', call, { 'Mcp-Name': '' }],
    ['tools/call', call, { 'Mcp-Name': 'getOffer' }],
    ['tools/call', call, { 'Mcp-Name': `=?base64?${btoa('getOffer')}?=` }],
    ['tools/call', call, { 'Mcp-Name': '=?base64?=x?=' }],
    ['tools/call', call, { 'Mcp-Name': '=?base64?/w==?=' }],
    ['tools/call', { arguments: {} }, { 'Mcp-Name': 'getPricing' }],
  ] as [string, Record<string, unknown>, Record<string, string>][]) {
    refused(await sendModern(port, method, params, headers), 400, -32020);
  }
});

protocol('a name that a header cannot hold is sent in base64', async () => {
  const encode = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;
  const { structuredContent } = passed(
    await sendModern(port, 'tools/call', call, { 'Mcp-Name': encode('getPricing') }),
  );
  assert.is(structuredContent.type, 'OK');
  const name = 'prix·é 日本';
  refused(await sendModern(port, 'tools/call', { name }, { 'Mcp-Name': encode(name) }), 200, -32602);
});

/** Methods that an unknown header refuses: all but initialize, and those that do not exist too. */
const headedMethods = [
  ...['tools/list', 'tools/call', 'resources/list', 'resources/templates/list', 'resources/read'],
  ...['prompts/list', 'prompts/get', 'completion/complete', 'ping', 'server/discover', 'nonesuch'],
];

for (const requested of ['1999-01-01', '2099-01-01', 'latest'])
  protocol(`the header MCP-Protocol-Version "${requested}" is refused with the supported ones`, async () => {
    for (const method of headedMethods) {
      const answer = await sendLegacy(port, method, {}, { 'MCP-Protocol-Version': requested });
      refused(answer, 400, -32022);
      assert.equal(answer.error.data.supported, [modern, ...legacy], method);
      assert.is(answer.error.data.requested, requested);
    }
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const headers = { ...json, 'MCP-Protocol-Version': requested };
    refused(await send(port, notification, { headers }), 400, -32022, null);
  });

protocol(
  'an unknown header beside a known revision in _meta is refused with the supported ones',
  async () => {
    const answer = await sendModern(port, 'tools/list', {}, { 'MCP-Protocol-Version': '1999-01-01' });
    refused(answer, 400, -32020);
    assert.equal(answer.error.data.supported, [modern, ...legacy]);
  },
);

protocol('an unsupported revision is refused with the supported ones', async () => {
  for (const requested of ['1999-01-01', '2099-01-01', '2025-11-25']) {
    const headers = { 'MCP-Protocol-Version': requested, 'Mcp-Method': 'nonesuch' };
    const answer = await sendModern(port, 'tools/list', { _meta: toMeta(requested) }, headers);
    refused(answer, 400, -32022);
    assert.equal(answer.error.data.supported, [modern, ...legacy]);
    assert.is(answer.error.data.requested, requested);
  }
});

protocol.run();
