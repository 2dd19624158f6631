import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modern, passed, refused, sendLegacy, sendModern, toMeta } from '../support/rpc.ts';
import { useServer } from '../support/server.ts';

const protocol = suite('the revision of /mcp without a handshake');
const legacy = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const call = { name: 'getPricing', arguments: {} };
const { port } = await useServer();

protocol('without a handshake, results are signed, and what may be kept says how long', async () => {
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
  refused(await sendLegacy(port, 'tools/list', {}, { 'MCP-Protocol-Version': '1999-01-01' }), 400, -32602);
  refused(await sendLegacy(port, 'server/discover'), 400, -32602);
  for (const _meta of [{}, null, [], toMeta(modern, null), toMeta(modern, []), toMeta(7)]) {
    refused(await sendModern(port, 'tools/list', { _meta }), 400, -32602);
  }
});

protocol('headers mirror the body: the revision, the method and the name', async () => {
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

protocol('a name that no header can hold comes as base64', async () => {
  const encode = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;
  const { structuredContent } = passed(
    await sendModern(port, 'tools/call', call, { 'Mcp-Name': encode('getPricing') }),
  );
  assert.is(structuredContent.type, 'OK');
  const name = 'prix·é 日本';
  refused(await sendModern(port, 'tools/call', { name }, { 'Mcp-Name': encode(name) }), 200, -32602);
});

protocol('an unsupported revision is told which ones are', async () => {
  for (const requested of ['1999-01-01', '2099-01-01', '2025-11-25']) {
    const headers = { 'MCP-Protocol-Version': requested, 'Mcp-Method': 'nonesuch' };
    const answer = await sendModern(port, 'tools/list', { _meta: toMeta(requested) }, headers);
    refused(answer, 400, -32022);
    assert.equal(answer.error.data.supported, [modern, ...legacy]);
    assert.is(answer.error.data.requested, requested);
  }
});

protocol.run();
