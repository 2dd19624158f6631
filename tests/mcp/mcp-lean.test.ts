import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../support/front.ts';
import type { Body } from '../support/http.ts';
import { dayFromNow } from '../support/sandbox.ts';

const leaning = suite('what the result of a tool leaves out');
const onetCode = '29-1141.00';

const call = async (name: string, args: object = {}): Promise<Body> =>
  (await client.tool(name, args)).structuredContent;

/** Creates an accepted placement on its tenth day, in a workspace of its own. */
async function place() {
  const pair = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode, startDate: dayFromNow(-10) };
  const { workspace, placement } = await call('createPlacement', pair);
  return { workspace, id: placement.id as string };
}

leaning('is the addresses of records', async () => {
  const { candidates } = await call('listCandidates', { limit: 3 });
  assert.is(candidates.length, 3);
  for (const row of candidates) assert.not('links' in row);
});

leaning('is the addresses in an EMPTY', async () => {
  const body = await call('getCandidate', { id: 'never' });
  assert.is(body.type, 'EMPTY');
  assert.not('links' in body);
});

leaning('is the address of what a match is about, and not its id', async () => {
  const { matches } = await call('matchCandidates', { id: 'job_001', limit: 1 });
  assert.match(matches[0].candidate.id, /^cand_/);
  assert.not('links' in matches[0].candidate);
});

leaning('is empty lists', async () => {
  const { placement } = await call('getPlacement', { id: 'plc_001' });
  assert.not('confirmations' in placement.outcome);
});

leaning('is the rows of the meter without a call', async () => {
  const { workspace } = await place();
  const { usage } = (await call('getWorkspace', { workspace })).workspace;
  assert.equal(
    usage.operations.map(({ operation }: Body) => operation),
    ['createPlacement'],
  );
});

leaning('is not the link of a placement to its candidate and its order', async () => {
  const { placement } = await call('getPlacement', { id: 'plc_001' });
  assert.equal(Object.keys(placement.links), ['candidate', 'jobOrder']);
});

leaning('is not the null of a candidate that is gone', async () => {
  const { workspace, candidates } = await call('createBatch', {
    candidates: [{ ref: 'ann', name: 'Ann Example', onetCode }],
    placements: [{ ref: 'p', candidateId: '#ann', jobOrderId: 'job_034', onetCode, status: 'proposed' }],
  });
  await call('deleteCandidate', { workspace, id: candidates[0].id });
  const { placement } = await call('getPlacement', { workspace, id: '#p' });
  assert.is(placement.links.candidate, null);
});

leaning('is not the cursor of the next page', async () => {
  const { nextCursor } = await call('listCandidates', { limit: 3 });
  const { candidates } = await call('listCandidates', { limit: 3, cursor: nextCursor });
  assert.is(candidates.length, 3);
});

leaning('is not the address that a person is sent, nor where a receipt and its keys are', async () => {
  const { workspace, id } = await place();
  await call('stateOutcome', { workspace, id, result: 'retained' });
  const { confirmation } = await call('requestConfirmation', { workspace, id, party: 'client' });
  assert.match(confirmation.url, /#cnf_/);
  const { tag } = await call('getConfirmation', { confirmation: confirmation.token });
  const answered = await call('answerConfirmation', { confirmation: confirmation.token, agrees: true, tag });
  assert.equal(answered.links, { receipt: `/placements/${id}/receipt` });
  const receipt = await call('getReceipt', { workspace, id });
  assert.equal(receipt.links, { keys: '/.well-known/jwks.json' });
});

leaning('is left out of the text too, which is the same JSON', async () => {
  const { content, structuredContent } = await client.tool('getPlacement', { id: 'plc_001' });
  assert.equal(JSON.parse(content[0].text), structuredContent);
});

leaning('is part of the reply over HTTP', async () => {
  const { body } = await client.get('/placements/plc_001');
  assert.is(body.placement.links.self, '/placements/plc_001');
  assert.equal(body.placement.outcome.confirmations, []);
});

leaning('saves a fifth of a list of people', async () => {
  const over = JSON.stringify(await call('listCandidates', { limit: 20 })).length;
  const { text } = await client.get('/candidates?limit=20');
  console.log(`\nfigure: 20 candidates over MCP ${over} bytes, over HTTP ${text.length}`);
  assert.ok(over <= text.length * 0.8, `${over} of ${text.length}`);
});

leaning.run();
