import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeAuthenticator } from '../support/authenticator.ts';
import { type Body, connect } from '../support/http.ts';
import { withServer } from '../support/server.ts';

const claim = suite('a claim, by an agent over MCP and its person over HTTP');

claim('the agent asks, its person answers, the agent sees it and goes on', async () => {
  await withServer({}, async ({ origin }) => {
    const http = await connect(origin);
    const agent = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
    const call = async (name: string, args: object = {}): Promise<Body> =>
      (await agent.callTool({ name, arguments: { ...args } })).structuredContent;
    const made = await call('createCandidate', { name: 'Ada', onetCode: '15-1252.00' });
    const { workspace } = made;
    const { claim: started } = await call('startClaim', { workspace });
    assert.is((await call('getWorkspace', { workspace })).workspace.claim, 'pending');
    const page = new URL(started.url);
    assert.is(page.origin, origin);
    const shown = { headers: { 'X-Claim': page.hash.slice(1) } };
    const { body: told } = await http.get('/claim', shown.headers);
    assert.is(told.claim.userCode, started.userCode);
    const credential = makeAuthenticator(origin).make(told.options.create.challenge);
    const { body: claimed } = await http.post('/claim', { credential }, shown.headers);
    assert.is(claimed.type, 'OK', JSON.stringify(claimed));
    const after = (await call('getWorkspace', { workspace })).workspace;
    assert.equal([after.claim, after.rung], ['claimed', 'claimed']);
    assert.is((await call('startClaim', { workspace })).code, 'already_claimed');
    // A handle is the owner's: a tool opens nothing by it.
    assert.is((await call('getWorkspace', { workspace: claimed.workspace })).code, 'unknown_owner');
    const asOwner = { Authorization: `Bearer ${claimed.owner.bearer}`, 'X-Workspace': claimed.workspace };
    const rotated = await http.request('POST', '/workspace/rotation', { headers: asOwner });
    assert.is((await call('getWorkspace', { workspace })).code, 'unknown_workspace');
    assert.is((await call('getWorkspace', { workspace: rotated.body.workspace })).workspace.claim, 'claimed');
    await agent.close();
  });
});

claim.run();
