import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';

const accepting = suite('a placement that is sent without a status');
const onetCode = '15-1252.00';
const pair = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode };
const sentence =
  'Accepted, because no status was sent. Send status "proposed" to leave the decision to people.';

const batchOf = (...placements: object[]) => client.post('/batch', { placements });
const other = { ...pair, candidateId: 'cand_035' };
const proposed = { status: 'proposed' };

accepting('is accepted, and the reply of the create says so', async () => {
  const { body } = await client.post('/placements', pair);
  assert.is(body.placement.status, 'scheduled');
  assert.is(body.statement, sentence);
});

accepting('is accepted in a batch, and the reply says so', async () => {
  const { body } = await batchOf(pair);
  assert.is(body.statement, sentence);
});

accepting('is counted in the reply if the batch proposes others', async () => {
  const { body } = await batchOf(pair, { ...other, ...proposed });
  assert.match(body.statement, /^1 of the 2 placements: accepted, because no status was sent\./);
});

accepting('has no statement if it was proposed', async () => {
  const { body } = await client.post('/placements', { ...pair, ...proposed });
  assert.not('statement' in body);
});

accepting('has no statement if a batch proposes each', async () => {
  const { body } = await batchOf({ ...pair, ...proposed });
  assert.not('statement' in body);
});

accepting('has no statement if a batch sends the status of an accepted placement', async () => {
  const { body } = await batchOf({ ...pair, status: 'scheduled' });
  assert.is(body.placements[0].status, 'scheduled');
  assert.not('statement' in body);
});

accepting('has no statement if an export is imported', async () => {
  const made = await client.post('/placements', pair);
  const page = await client.get('/workspace/export', { 'X-Workspace': made.body.workspace });
  const { body } = await client.post('/batch', page.body);
  assert.is(body.placements[0].status, 'scheduled');
  assert.not('statement' in body);
});

accepting('keeps the sentence out of the record', async () => {
  const { body } = await client.post('/placements', pair);
  assert.not('statement' in body.placement);
});

accepting.run();
