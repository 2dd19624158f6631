import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { makeSandbox, refused, toBody } from '../../support/sandbox.ts';

const missing = suite('a POST without a body');

/** Sends a POST with neither a body nor a Content-Type. */
const post = (path: string, headers: Record<string, string> = {}) => client.post(path, undefined, headers);

missing('makes a shortlist', async () => {
  const { jobOrders, candidates, mine } = await makeSandbox(client, {
    candidates: [toBody.candidate()],
    jobOrders: [toBody.jobOrder()],
  });
  const [candidateId, jobOrderId] = [candidates[0].id, jobOrders[0].id];
  await client.post('/placements', toBody.placement({ candidateId, jobOrderId, status: 'proposed' }), mine);

  const answer = await post(`${jobOrders[0].links.self}/shortlist`, mine);

  assert.is(answer.status, 201, answer.text);
});

missing('starts a brief', async () => {
  const { briefs } = (await client.get('/briefs')).body;
  const answer = await post(`/briefs/${briefs[0].id}/start`);
  assert.is(answer.status, 201, answer.text);
});

missing('is {} with a Content-Type too', async () => {
  const { briefs } = (await client.get('/briefs')).body;
  const answer = await post(`/briefs/${briefs[0].id}/start`, { 'Content-Type': 'application/json' });
  assert.is(answer.status, 201, answer.text);
});

const required: Record<string, string[]> = {
  '/candidates': ['name', 'onetCode'],
  '/job-orders': ['client', 'title', 'onetCode'],
  '/placements': ['candidateId', 'jobOrderId', 'onetCode'],
  '/titles': ['titles'],
};
for (const [path, members] of Object.entries(required)) {
  missing(`is refused at ${path}, and the refusal names what is missing`, async () => {
    refused(await post(path), 400, 'invalid_request', members);
  });
}

missing('to every operation is no body that is not JSON', async () => {
  const rows = Object.entries(client.contract.paths ?? {}) as [string, Record<string, object>][];
  const paths = rows.filter(([path, row]) => row.post && path !== '/mcp').map(([path]) => path);
  const wrong: string[] = [];
  for (const path of paths) {
    const { body } = await post(path.replace('{id}', 'job_001'));
    if (body.code === 'invalid_json') wrong.push(path);
  }
  assert.equal(wrong, []);
});

for (const path of ['/job-orders/{id}/shortlist', '/briefs/{id}/start']) {
  missing(`is in the contract of ${path}, where nothing is required`, () => {
    const paths = client.contract.paths as Record<string, Record<string, { requestBody: object }>>;
    const { requestBody } = paths[path]!.post!;
    assert.is((requestBody as { required: boolean }).required, false);
  });
}

missing('is still an error for a PATCH', async () => {
  const { candidates, mine } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const answer = await client.patch(candidates[0].links.self, undefined, mine);
  refused(answer, 400, 'invalid_json');
});

missing.run();
