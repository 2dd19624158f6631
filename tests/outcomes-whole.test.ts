import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readReceipt } from '../src/outcomes/read-receipt.ts';
import { connect } from './support/http.ts';
import { makeKey, toPem } from './support/receipts.ts';
import { redisBinary, startRedis } from './support/redis.ts';
import { makeFolder, startServer, withServer } from './support/server.ts';

const whole = suite('an outcome from its statement to its receipt');
const startDate = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
const body = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00', startDate };

/** An official client of its own. */
async function joinAs(origin: string, name: string) {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
  return {
    close: () => client.close(),
    async call(tool: string, args: Record<string, unknown>) {
      const result = await client.callTool({ name: tool, arguments: args });
      // biome-ignore lint/suspicious/noExplicitAny: an envelope of any operation
      return result.structuredContent as any;
    },
  };
}

whole('two official clients that share nothing but the token; nothing secret is in the log', async () => {
  let token = '';
  let workspace = '';
  const printed = await withServer({ LOG: 'all' }, async ({ origin }) => {
    const [agency, client] = [await joinAs(origin, 'agency'), await joinAs(origin, 'client')];
    const made = await agency.call('createPlacement', body);
    workspace = made.workspace;
    const { id } = made.placement;
    const stated = await agency.call('stateOutcome', { id, workspace, result: 'retained' });
    assert.is(stated.placement.outcome.result, 'retained');
    const asked = await agency.call('requestConfirmation', { id, workspace, party: 'client' });
    token = asked.confirmation.token;
    const shown = await client.call('getConfirmation', { confirmation: token });
    assert.equal([shown.statement.result, shown.answer], ['retained', null]);
    const said = await client.call('answerConfirmation', { confirmation: token, agrees: true });
    assert.is(said.answer.agrees, true);
    const none = await client.call('getConfirmation', { confirmation: token.replace(/.$/, '!') });
    assert.is(none.code, 'unknown_confirmation');
    assert.is((await client.call('getConfirmation', {})).code, 'unknown_confirmation');
    const http = await connect(origin);
    const read = await http.get(`/placements/${id}/receipt`, { 'X-Workspace': workspace });
    const jwks = (await http.get('/.well-known/jwks.json')).body;
    const receipt = await readReceipt(read.body.receipt, jwks, { issuer: origin });
    assert.ok(receipt.holds, JSON.stringify(receipt));
    assert.equal([receipt.claims.day, receipt.claims.confirmedBy], [3, ['client']]);
    await Promise.all([agency.close(), client.close()]);
  });
  for (const secret of [token, workspace, token.slice(4)]) assert.not.ok(printed.includes(secret));
});

whole('a restart and a rotation of the key between the answer and the check', async () => {
  const DATA_DIR = makeFolder();
  const [old, next] = [toPem(makeKey()), toPem(makeKey())];
  let receipt = '';
  let self = '';
  let headers = {};
  await withServer({ DATA_DIR, SIGNING_KEY: old }, async ({ origin }) => {
    const http = await connect(origin);
    const made = (await http.post('/placements', body)).body;
    self = made.placement.links.self;
    headers = { 'X-Workspace': made.workspace };
    await http.post(`${self}/outcome`, { result: 'converted' }, headers);
    const asked = await http.post(`${self}/confirmations`, { party: 'candidate' }, headers);
    const party = { 'X-Confirmation': asked.body.confirmation.token };
    assert.is((await http.post('/confirmation', { agrees: true }, party)).status, 200);
    receipt = (await http.get(`${self}/receipt`, headers)).body.receipt;
    const kept = readFileSync(join(DATA_DIR, 'workspaces.sqlite-wal'), 'latin1');
    assert.not.ok(kept.includes(asked.body.confirmation.token));
  });
  await withServer({ DATA_DIR, SIGNING_KEY: `${next}\n${old}` }, async ({ origin }) => {
    const http = await connect(origin);
    assert.is((await http.get(`${self}/receipt`, headers)).body.receipt, receipt);
    const jwks = (await http.get('/.well-known/jwks.json')).body;
    assert.is(jwks.keys.length, 2);
    const read = await readReceipt(receipt, jwks);
    assert.ok(read.holds && read.kid === jwks.keys[1].kid);
  });
});

if (redisBinary) {
  whole('across two hosts on one Redis', async () => {
    const redis = await startRedis();
    const SIGNING_KEY = toPem(makeKey());
    const env = { STORE_URL: `redis://127.0.0.1:${redis.port}`, SIGNING_KEY };
    const hosts = [await startServer(env), await startServer(env)];
    const [one, other] = await Promise.all(hosts.map(({ origin }) => connect(origin)));
    try {
      const made = (await one!.post('/placements', body)).body;
      const { self } = made.placement.links;
      const headers = { 'X-Workspace': made.workspace };
      await other!.post(`${self}/outcome`, { result: 'retained' }, headers);
      const asked = await one!.post(`${self}/confirmations`, { party: 'client' }, headers);
      const party = { 'X-Confirmation': asked.body.confirmation.token };
      assert.is((await other!.get('/confirmation', party)).status, 200);
      assert.is((await other!.post('/confirmation', { agrees: true }, party)).status, 200);
      const read = await one!.get(`${self}/receipt`, headers);
      const jwks = (await one!.get('/.well-known/jwks.json')).body;
      assert.ok((await readReceipt(read.body.receipt, jwks)).holds);
    } finally {
      for (const host of hosts) await host.stop();
      await redis.stop();
    }
  });
} else console.log('skipped: no redis-server on this machine');

whole.run();
