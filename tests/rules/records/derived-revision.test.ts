import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';

const derived = suite('what follows from other records');
const onetCode = '15-1252.00';

/** Makes a candidate, accepts a placement of it, and returns how the candidate reads before and after. */
async function readAround() {
  const made = await client.post('/candidates', { name: 'Ada Example', onetCode });
  const headers = { 'X-Workspace': made.body.workspace };
  const at = made.body.candidate.links.self;
  const before = await client.get(at, headers);
  const pair = { candidateId: made.body.candidate.id, jobOrderId: 'job_034', onetCode };
  await client.post('/placements', pair, headers);
  return { before, after: await client.get(at, headers), headers };
}

derived('changes the status of a candidate at once', async () => {
  const { after } = await readAround();
  assert.is(after.body.candidate.status, 'placed');
});

derived('does not move the revision of the candidate', async () => {
  const { before, after } = await readAround();
  assert.is(after.body.candidate.revision, before.body.candidate.revision);
});

derived('does not move updatedAt of the candidate', async () => {
  const { before, after } = await readAround();
  assert.is(after.body.candidate.updatedAt, before.body.candidate.updatedAt);
});

derived('is said in the description of revision, for each kind', async () => {
  const { body } = await client.get('/openapi.json');
  for (const kind of ['Candidate', 'JobOrder', 'Placement']) {
    const { revision } = body.components.schemas[kind].properties;
    const { description } = revision.$ref
      ? body.components.schemas[revision.$ref.split('/').at(-1)]
      : revision;
    assert.match(description, /follows from other records.* does not move it/, kind);
  }
});

derived.run();
