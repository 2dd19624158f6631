import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { address, mint, toRevisions } from '../../support/activity.ts';
import { openClaimed } from '../../support/claims.ts';
import type { Body } from '../../support/http.ts';
import { confirm, openPlacementOn45, yearLong } from '../../support/outcomes.ts';
import { pluck } from '../../support/rows.ts';
import { modern, toMeta } from '../../support/rpc.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const entries = suite('an entry of the activity');
const world = new World();

/** Sends a tool call in the current revision of MCP, as a client with a name. */
function callNamed(name: string, given: object, clientName: string) {
  const clientInfo = { 'io.modelcontextprotocol/clientInfo': { name: clientName, version: '1' } };
  const params = { name, arguments: given, _meta: { ...toMeta(), ...clientInfo } };
  const headers = { 'mcp-protocol-version': modern, 'mcp-method': 'tools/call', 'mcp-name': name };
  return world.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
}

entries('names the members that a change was sent, unchanged ones included', async () => {
  const { patch, newest } = await mint(world);
  await patch({ name: 'Ann Sample', skills: ['Go'], note: null });
  assert.equal((await newest()).members, ['name', 'skills', 'note']);
});

entries('names the members that a tool was asked to clear', async () => {
  const { id, workspace, newest } = await mint(world);
  await world.tool('updateCandidate', { workspace, id, metro: 'Reno, NV', note: null, clear: ['skills'] });
  assert.equal((await newest()).members.sort(), ['metro', 'skills']);
});

entries('names no member that a record does not have', async () => {
  const { patch, newest } = await mint(world);
  await patch({ metro: 'Reno, NV', 'private remark': 'x' });
  assert.equal((await newest()).members, ['metro']);
});

entries('says from which status to which a record moved', async () => {
  const { patch, newest } = await mint(world);
  await patch({ status: 'withdrawn', reason: 'private reason' });
  const { from, to } = await newest();
  assert.is(`${from} ${to}`, 'available withdrawn');
});

entries('shows no status if a change moved none', async () => {
  const { patch, newest } = await mint(world);
  await patch({ status: 'withdrawn' });
  await patch({ metro: 'Reno, NV' });
  const entry = await newest();
  assert.not('from' in entry);
  assert.equal(entry.members, ['metro']);
});

entries('names the members of an outcome that is stated', async () => {
  const world = new World(yearLong);
  const placed = await openPlacementOn45(world);
  await placed.state('retained', { note: 'private' });
  const [entry] = (await placed.get(address)).body.activity;
  assert.equal(entry.members, ['result', 'note']);
});

entries('lists at most 20 records of an entry, and counts the others', async () => {
  const candidates = Array.from({ length: 23 }, (_, at) => toBody.candidate({ name: `Person ${at}` }));
  const { body } = await world.post('/batch', { candidates });
  const mine = { 'x-workspace': body.workspace };
  const [entry] = (await world.get(address, mine)).body.activity;
  assert.is(entry.records.length, 20);
  assert.is(entry.records[0].name, 'Person 0');
  assert.is(entry.more, 3);
});

entries('counts what a change of several records created, by kind', async () => {
  const { id, post, newest } = await mint(world);
  const candidates = [toBody.candidate({ name: 'Bo Sample' }), toBody.candidate({ name: 'Cy Sample' })];
  await post('/batch', { candidates, changes: [{ kind: 'candidate', id, metro: 'Reno, NV' }] });
  assert.equal((await newest()).created, { candidate: 2 });
});

entries('counts nothing as created if a change of several records created none', async () => {
  const { id, workspace, post, newest } = await mint(world);
  const mine = { 'x-workspace': workspace };
  const other = (await world.post('/candidates', toBody.candidate({ name: 'Bo Sample' }), mine)).body;
  const changes = [id, other.candidate.id].map((one) => ({ kind: 'candidate', id: one, metro: 'Reno, NV' }));
  await post('/batch', { changes });
  assert.equal((await newest()).created, {});
});

entries('is not repeated for a request that is repeated under its key', async () => {
  const { patch, read } = await mint(world);
  const key = { 'idempotency-key': randomUUID() };
  await patch({ metro: 'Reno, NV' }, key);
  await patch({ metro: 'Reno, NV' }, key);
  assert.equal(toRevisions((await read()).body), [2, 1]);
});

const agents: [agent: string, client: string | undefined][] = [
  ['acme-recruiter/2.1 (linux)', 'acme-recruiter'],
  ['curl/8.14.1', 'curl'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'browser'],
  [`${'long'.repeat(15)}/1`, 'long'.repeat(10)],
  ['node', 'node'],
  ['/', undefined],
];
for (const [agent, expected] of agents)
  entries(`names the program of User-Agent ${agent.slice(0, 20)} ${expected}`, async () => {
    const { newest } = await mint(world, { 'user-agent': agent });
    assert.is((await newest()).client, expected);
  });

const clientNames: [name: string, client: string | undefined][] = [
  ['acme desk', 'acme desk'],
  [' a\u0000b\n\tc ', 'a b c'],
  ['é'.repeat(60), 'é'.repeat(40)],
  ['😀'.repeat(60), '😀'.repeat(40)],
  ['\ud83d', '\ufffd'],
  ['', undefined],
];
for (const [name, expected] of clientNames)
  entries(`names the MCP client that calls itself ${JSON.stringify(name.slice(0, 12))}`, async () => {
    const { newest, workspace, id } = await mint(world);
    const answer = await callNamed('updateCandidate', { workspace, id, metro: 'Reno, NV' }, name);
    assert.is(answer.body.result.structuredContent.type, 'OK', answer.text);
    const { via, client, members } = await newest();
    assert.is(via, 'mcp');
    assert.is(client, expected);
    assert.equal(members, ['metro']);
  });

entries('names an MCP client of earlier revisions by its User-Agent', async () => {
  const { workspace, id, newest } = await mint(world);
  const params = { name: 'updateCandidate', arguments: { workspace, id, metro: 'Reno, NV' } };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  await world.post('/mcp', message, { 'user-agent': 'desk-agent/1.0' });
  const { via, client } = await newest();
  assert.is(`${via} ${client}`, 'mcp desk-agent');
});

/** Proposes a candidate for an order, and makes the link to decide on them. */
async function share() {
  const sandbox = await mint(world);
  const order = (await sandbox.post('/job-orders', toBody.jobOrder())).body.jobOrder;
  const proposed = { candidateId: sandbox.id, jobOrderId: order.id, status: 'proposed' };
  const { placement } = (await sandbox.post('/placements', toBody.placement(proposed))).body;
  const { shortlist } = (await sandbox.post(`${order.links.self}/shortlist`, {})).body;
  return { ...sandbox, placement, token: shortlist.token as string };
}

entries('says that a link was made for an order, without the link', async () => {
  const { newest, read, token } = await share();
  const { operation, records, members } = await newest();
  assert.is(operation, 'createShortlist');
  assert.is(records[0].kind, 'jobOrder');
  assert.is(members, undefined);
  assert.not.match((await read()).text, token);
});

entries('says that a link of a shortlist moved a placement, and why, and believes no header', async () => {
  const { newest, read, token, placement } = await share();
  const held = { 'x-shortlist': token, 'user-agent': 'Mozilla/5.0', 'x-actor': 'Somebody%20Else' };
  const { tag } = (await world.get('/shortlist', held)).body.shortlist.placements[0];
  const sent = { placementId: placement.id, decision: 'decline', reason: 'Too far', tag };
  assert.is((await world.post('/shortlist', sent, held)).status, 200);
  const { at, revision, records, changes, ...entry } = await newest();
  const moved = { operation: 'decideShortlist', from: 'proposed', to: 'declined', reason: 'Too far' };
  assert.equal(entry, { via: 'shortlist', client: 'browser', ...moved });
  assert.equal(pluck(records, 'id'), [placement.id]);
  assert.equal(pluck(changes, 'member'), ['declineReason', 'status']);
  assert.not.match((await read()).text, token);
});

entries('says that a party answered, without the answer', async () => {
  const world = new World(yearLong);
  const placed = await openPlacementOn45(world);
  await placed.state('retained');
  const token = await placed.token();
  const claimed = { 'x-actor': 'Somebody%20Else' };
  assert.is((await confirm(world, token, true, { comment: 'secret-comment' }, claimed)).status, 200);
  const { body, text } = await placed.get(address);
  const { at, revision, records, changes, ...entry } = body.activity[0];
  assert.equal(entry, { via: 'confirmation', operation: 'answerConfirmation' });
  assert.equal(changes, [{ id: placed.id, member: 'outcome.validated', from: false, to: true }]);
  assert.equal(pluck(records, 'id'), [placed.id]);
  assert.not.match(text, 'secret-comment');
  assert.not.match(text, token);
});

entries('shows a claim and the actions of an owner, without a record, to agents and owners', async () => {
  const world = new World();
  const claimed = await openClaimed(world);
  const authorized = await claimed.asOwner('POST', '/workspace/authorization', { ceiling: 50 });
  assert.is(authorized.status, 200, authorized.text);
  const { body } = await claimed.get(address);
  const told = body.activity.map(({ operation, via, records }: Body) => [operation, via, records.length]);
  assert.equal(told, [
    ['authorizeSpend', 'owner', 0],
    ['answerClaim', 'owner', 0],
    ['startClaim', 'http', 0],
    ['createCandidate', 'http', 1],
  ]);
  assert.equal(toRevisions(body), [4, 3, 2, 1]);
  assert.not.match(JSON.stringify(body), /clm_|wsh_|ceiling/);
  assert.equal((await claimed.asOwner('GET', address)).body, body);
});

entries('continues under the new id of the workspace', async () => {
  const world = new World();
  const claimed = await openClaimed(world);
  const { workspace } = (await claimed.asOwner('POST', '/workspace/rotation')).body;
  const { body, text } = await world.get(address, { 'x-workspace': workspace });
  assert.is(body.activity[0].operation, 'rotateWorkspace');
  assert.is(body.activity[0].via, 'owner');
  assert.not.match(text, workspace);
});

entries('shows the start of a brief and its grade as such', async () => {
  const { body } = await world.post('/briefs/messy-titles/start', {});
  const mine = { 'x-workspace': body.workspace };
  await world.get('/grade', { 'x-grader': body.grader });
  const told = await world.get(address, mine);
  const ways = told.body.activity.map(({ operation, via }: Body) => `${operation} ${via}`);
  assert.equal(ways, ['gradeBrief brief', 'startBrief brief']);
  assert.not.match(told.text, body.grader);
});

entries.run();
