import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../../support/front.ts';
import { connect } from '../../../support/http.ts';
import { modern, toMeta } from '../../../support/rpc.ts';
import { onetCode } from '../../../support/sandbox.ts';
import { findPort } from '../../../support/server.ts';
import { type StdioHost, startStdio } from '../../../support/stdio.ts';

const stdio = suite('MCP over stdio');

const call = (host: StdioHost, name: string, args: object) =>
  host.ask('tools/call', { name, arguments: args });

const shared = startStdio();
stdio.after(async () => void (await shared.end()));

stdio('opens with a handshake', async () => {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const { result } = await shared.ask('initialize', params);
  assert.is(result.protocolVersion, '2025-06-18');
});

stdio('lists the same tools as over HTTP', async () => {
  const overHttp = await client.rpc('tools/list');
  const { result } = await shared.ask('tools/list');
  assert.equal(result, overHttp.body.result);
});

stdio('reads back a record that the same client created', async () => {
  const created = await call(shared, 'createCandidate', { name: 'Ann Sample', onetCode });
  const { candidate, workspace } = created.result.structuredContent;
  const read = await call(shared, 'getCandidate', { id: candidate.id, workspace });
  assert.is(read.result.structuredContent.candidate.name, 'Ann Sample');
});

stdio('answers the revision without a handshake', async () => {
  const { result } = await shared.ask('server/discover', { _meta: toMeta() });
  assert.is(result.supportedVersions[0], modern);
});

stdio('calls a tool in the revision without a handshake', async () => {
  const params = { name: 'listOccupations', arguments: { q: 'nurse', limit: 1 }, _meta: toMeta() };
  const { result } = await shared.ask('tools/call', params);
  assert.is(result.resultType, 'complete');
});

stdio('refuses an unknown revision with those that it knows', async () => {
  const { error } = await shared.ask('tools/list', { _meta: toMeta('2031-01-01') });
  assert.is(error.code, -32022);
});

stdio('reads a resource', async () => {
  const { result } = await shared.ask('resources/list');
  const [{ uri }] = result.resources;
  const read = await shared.ask('resources/read', { uri, _meta: toMeta() });
  assert.is(read.result.contents[0].uri, uri);
});

/** Lines that are no request: what is wrong with them, the line, and the code of the error. */
const badLines: [what: string, line: string, code: number][] = [
  ['no JSON', 'nonsense', -32700],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
  ['no JSON-RPC 2.0', '{"id":1,"method":"ping"}', -32600],
  ['longer than 16 MiB', `"${'x'.repeat(16_777_216)}"`, -32600],
];
for (const [what, line, code] of badLines)
  stdio(`refuses a line that is ${what}, and answers the next`, async () => {
    const before = shared.lines().length;
    shared.write(line);
    const { error } = await shared.receive(({ id }) => id === null, before);
    assert.is(error.code, code);
    assert.is(error.data.type, 'BLOCKED');
    assert.equal((await shared.ask('ping')).result, {});
  });

stdio('refuses a message that is too large with its id', async () => {
  const { error } = await call(shared, 'createCandidate', { name: 'x'.repeat(70_000), onetCode });
  assert.is(error.data.code, 'body_too_large');
});

stdio('does not answer a notification', async () => {
  const before = shared.lines().length;
  shared.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  shared.write({ jsonrpc: '2.0', method: 'notifications/of-another-kind', params: [] });
  await shared.ask('ping');
  assert.is(shared.lines().length, before + 1);
});

stdio('ignores empty lines and carriage returns', async () => {
  const before = shared.lines().length;
  shared.write('\n\r\n{"jsonrpc":"2.0","id":"first","method":"ping"}\r');
  await shared.receive(({ id }) => id === 'first');
  assert.is(shared.lines().length, before + 1);
});

/** Settings that limit a caller of HTTP to one call. */
const limits = { RATE_LIMIT_MINT: '1', RATE_LIMIT_LIVE: '1', BYTES_PER_CLIENT: '1000' };
const limited = ['0', '1'].map((TRUST_PROXY) => startStdio({ env: { ...limits, TRUST_PROXY } }));

for (const [TRUST_PROXY, host] of limited.entries())
  stdio(`the client has no limits with TRUST_PROXY=${TRUST_PROXY}`, async () => {
    for (let count = 0; count < 3; count += 1) {
      const args = { name: 'Ann Sample', onetCode, note: 'x'.repeat(900) };
      const { result } = await call(host, 'createCandidate', args);
      assert.is(result.structuredContent.type, 'OK', JSON.stringify(result.structuredContent));
    }
  });

stdio('stops on SIGTERM with exit code 0', async () => {
  const [host] = limited;
  await host!.ask('ping');
  const before = host!.lines().length;
  host!.process.kill('SIGTERM');
  assert.is(await host!.exited, 0);
  assert.is(host!.lines().length, before);
});

stdio('stops without a fault if the client no longer reads stdout', async () => {
  const [, host] = limited;
  await host!.ask('ping');
  host!.process.stdout!.destroy();
  host!.write({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  assert.is(await host!.exited, 0);
  assert.not.match(host!.stderr(), /"level":"error"/);
});

const core = startStdio({ args: ['--tools=core'] });

stdio('--tools=core lists the tools that place a person', async () => {
  const { result } = await core.ask('tools/list');
  const overHttp = await client.rpc('tools/list');
  assert.ok(result.tools.length < overHttp.body.result.tools.length / 2);
  assert.ok(result.tools.some((tool: { name: string }) => tool.name === 'createCandidate'));
});

stdio('answers every request before the end of stdin, also in a last line without a newline', async () => {
  const count = 200;
  const create = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'createCandidate', arguments: { name: `Ann Sample ${id}`, onetCode } },
  });
  await core.ask('ping');
  const before = core.lines().length;
  for (let id = 1; id < count; id++) core.write(create(id));
  core.process.stdin!.write(JSON.stringify(create(count)));
  assert.is(await core.end(), 0);
  const answers = core.lines().slice(before);
  assert.is(answers.length, count);
  for (const line of answers) assert.is(JSON.parse(line).result.isError, undefined, line);
});

const port = String(await findPort());
/** A host that listens on a port as well, and writes warnings at its start. */
const listening = startStdio({
  env: {
    PORT: port,
    LOG: 'all',
    METRICS: 'on',
    MAX_CONNECTIONS: '1000000',
    BASE_URLS: 'https://careers.example',
  },
});

stdio('serves the same records over HTTP if PORT is set', async () => {
  const created = await call(listening, 'createCandidate', { name: 'Ann Sample', onetCode });
  const { candidate, workspace } = created.result.structuredContent;
  const overHttp = await connect(`http://localhost:${port}`);
  const { status } = await overHttp.get(`/candidates/${candidate.id}`, { 'X-Workspace': workspace });
  assert.is(status, 200);
});

stdio('says nothing of a missing web address if PORT is set', async () => {
  const { result } = await listening.ask('server/discover', { _meta: toMeta() });
  assert.not.match(result.instructions, 'no web address');
});

stdio('writes its log, its warnings and its start to stderr', async () => {
  const overHttp = await connect(`http://localhost:${port}`);
  await overHttp.get('/occupations?q=nurse');
  await listening.ask('ping');
  assert.is(await listening.end(), 0, listening.stderr());
  for (const line of listening.lines()) assert.is(JSON.parse(line).jsonrpc, '2.0');
  assert.match(listening.stderr(), '"path":"/mcp"');
  assert.match(listening.stderr(), '"path":"/occupations"');
  assert.match(listening.stderr(), '"level":"warning"');
  assert.match(listening.stderr(), '"event":"stop","reason":"stdin was closed"');
});

stdio('says in one sentence that another process has its data folder, and exits with 1', async () => {
  await shared.ask('ping');
  const second = startStdio({ folder: shared.folder });
  assert.is(await second.exited, 1);
  assert.equal(second.lines(), []);
  assert.match(
    second.stderr(),
    /^DATA_DIR is .*: it is in use by .* Stop that one, give this one a DATA_DIR of its own/,
  );
  assert.is(second.stderr().trim().split('\n').length, 1, second.stderr());
});

stdio('keeps its data in the home of the user, whatever folder it starts in', async () => {
  await shared.ask('ping');
  assert.ok(existsSync(join(shared.folder, '.careers-placement-service', 'workspaces.sqlite')));
  assert.equal(readdirSync(shared.folder), ['.careers-placement-service']);
});

stdio('opens no port, and says that links do not open', async () => {
  const { result } = await shared.ask('server/discover', { _meta: toMeta() });
  assert.match(result.instructions, 'This server has no web address');
  assert.not.match(shared.stderr(), 'http://');
});

stdio('refuses an unknown list of tools on the command line', async () => {
  const host = startStdio({ args: ['--tools=all'] });
  assert.is(await host.exited, 2);
  assert.equal(host.lines(), []);
  assert.match(host.stderr(), 'Unknown list of tools: all. Write --tools=core');
});

stdio.run();
