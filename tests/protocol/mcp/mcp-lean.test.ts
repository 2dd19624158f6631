import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import { dayFromNow, nurseCode as onetCode } from '../../support/sandbox.ts';

const results = suite('results of tools');

const call = async (name: string, args: object = {}): Promise<Body> =>
  (await client.tool(name, args)).structuredContent;

/** Creates an accepted placement on its tenth day, in a workspace of its own. */
async function place() {
  const pair = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode, startDate: dayFromNow(-10) };
  const { workspace, placement } = await call('createPlacement', pair);
  return { workspace, id: placement.id as string };
}

/** States the outcome of a new placement, and asks its client to confirm it. */
async function requestConfirmation() {
  const { workspace, id } = await place();
  await call('stateOutcome', { workspace, id, result: 'retained' });
  const { confirmation } = await call('requestConfirmation', { workspace, id, party: 'client' });
  return { workspace, id, confirmation };
}

async function answerConfirmation() {
  const { workspace, id, confirmation } = await requestConfirmation();
  const { tag } = await call('getConfirmation', { confirmation: confirmation.token });
  const answered = await call('answerConfirmation', { confirmation: confirmation.token, agrees: true, tag });
  return { workspace, id, answered };
}

results('a row of a list has no links', async () => {
  const { candidates } = await call('listCandidates', { limit: 3 });
  assert.is(candidates.length, 3);
  for (const row of candidates) assert.not('links' in row);
});

results('an EMPTY has no links', async () => {
  const body = await call('getCandidate', { id: 'never' });
  assert.is(body.type, 'EMPTY');
  assert.not('links' in body);
});

results('a match has no links of a candidate', async () => {
  const { matches } = await call('matchCandidates', { id: 'job_001', limit: 1 });
  assert.not('links' in matches[0].candidate);
});

results('a match keeps the id of its candidate', async () => {
  const { matches } = await call('matchCandidates', { id: 'job_001', limit: 1 });
  assert.match(matches[0].candidate.id, /^cand_/);
});

results('a record has no empty lists', async () => {
  const { placement } = await call('getPlacement', { id: 'plc_001' });
  assert.not('confirmations' in placement.outcome);
});

results('the meter has no rows without a call', async () => {
  const { workspace } = await place();
  const { usage } = (await call('getWorkspace', { workspace })).workspace;
  assert.equal(
    usage.operations.map(({ operation }: Body) => operation),
    ['createPlacement'],
  );
});

results('a placement keeps its links to its candidate and its order', async () => {
  const { placement } = await call('getPlacement', { id: 'plc_001' });
  assert.equal(Object.keys(placement.links), ['candidate', 'jobOrder']);
});

results('a placement keeps links.candidate: null if the candidate is gone', async () => {
  const { workspace, candidates } = await call('createBatch', {
    candidates: [{ ref: 'ann', name: 'Ann Example', onetCode }],
    placements: [{ ref: 'p', candidateId: '#ann', jobOrderId: 'job_034', onetCode, status: 'proposed' }],
  });
  await call('deleteCandidate', { workspace, id: candidates[0].id });
  const { placement } = await call('getPlacement', { workspace, id: '#p' });
  assert.is(placement.links.candidate, null);
});

results('a list keeps nextCursor', async () => {
  const { nextCursor } = await call('listCandidates', { limit: 3 });
  const { candidates } = await call('listCandidates', { limit: 3, cursor: nextCursor });
  assert.is(candidates.length, 3);
});

results('a confirmation keeps its url', async () => {
  const { confirmation } = await requestConfirmation();
  assert.match(confirmation.url, /#cnf_/);
});

results('an answer to a confirmation keeps the link to the receipt', async () => {
  const { id, answered } = await answerConfirmation();
  assert.equal(answered.links, { receipt: `/placements/${id}/receipt` });
});

results('a receipt keeps the link to its keys', async () => {
  const { workspace, id } = await answerConfirmation();
  const receipt = await call('getReceipt', { workspace, id });
  assert.equal(receipt.links, { keys: '/.well-known/jwks.json' });
});

results('nothing is left out over HTTP', async () => {
  const { body } = await client.get('/placements/plc_001');
  assert.is(body.placement.links.self, '/placements/plc_001');
  assert.equal(body.placement.outcome.confirmations, []);
});

results('a list of candidates is a fifth smaller than over HTTP', async () => {
  const over = JSON.stringify(await call('listCandidates', { limit: 20 })).length;
  const { text } = await client.get('/candidates?limit=20');
  console.log(`\nfigure: 20 candidates over MCP ${over} bytes, over HTTP ${text.length}`);
  assert.ok(over <= text.length * 0.8, `${over} of ${text.length}`);
});

results.run();
