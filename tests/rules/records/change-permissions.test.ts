import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operations } from '../../../src/table.ts';
import { inside } from '../../support/doors.ts';
import { type Reply, unknownWorkspace } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { buildSampledCall } from '../../support/sampled-calls.ts';
import { makeSandbox, refused, refusedTool, toBody, unchanged } from '../../support/sandbox.ts';

const doors = suite('permission to change records');

const seeds = [
  ['/candidates/cand_001', { name: 'Mine now' }],
  ['/job-orders/job_001', { title: 'Mine now' }],
  ['/placements/plc_001', { feeModel: 'mine' }],
] as const;

doors('no caller can change the seed, with a workspace or without', async () => {
  const sandbox = await makeSandbox(client, { candidates: [toBody.candidate()] });
  await unchanged(client, sandbox, async () => {
    for (const [path, body] of seeds) {
      const before = (await client.get(path)).text;
      for (const headers of [{}, sandbox.mine]) {
        for (const sent of [body, { status: 'withdrawn' }, {}]) {
          const { reason } = refused(await client.patch(path, sent, headers), 403, 'read_only');
          assert.match(reason, 'Create your own');
        }
        refused(await client.delete(path, headers), 403, 'read_only');
        refused(await client.delete(path, { ...headers, 'If-Match': '"x"' }), 403, 'read_only');
      }
      assert.is((await client.get(path)).text, before);
    }
  });
  for (const [path, body] of seeds)
    refused(await client.patch(path, body, inside(unknownWorkspace)), 401, 'unknown_workspace');
});

/** The operations that work in a workspace. */
const rows = operations.filter(({ access }) => access.workspace);

/** Sends the sample of an operation, or another body, to a record that does not exist. */
function send(row: (typeof rows)[number], headers: object, other?: string): Promise<Reply> {
  const { method, target, body, headers: own } = buildSampledCall(row);
  const path = target.replace(/(cand|job|plc)_\w+/, '$1_nonesuch');
  return client.ask(method, path, other ?? body, { ...own, ...headers });
}

for (const row of rows.filter(({ access }) => access.workspace === 'required'))
  doors(`${row.operationId} needs a workspace, and says how to name one`, async () => {
    for (const wrong of [undefined, '{']) {
      const answer = await send(row, {}, row.method === 'GET' ? undefined : wrong);
      const { reason } = refused(answer, 401, 'unknown_workspace');
      assert.match(reason, 'X-Workspace');
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Workspace /);
    }
  });

doors('an erased workspace is unknown to every operation but the same erasure with its key', async () => {
  const { workspace, mine } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const key = { 'Idempotency-Key': 'once' };
  const made = await client.post('/candidates', toBody.candidate(), { ...mine, ...key });
  assert.is(made.status, 201);
  const erased = await client.delete('/workspace', { ...mine, ...key });
  assert.is(erased.status, 200);
  assert.equal(erased.body, { type: 'OK', deleted: { candidates: 2, jobOrders: 0, placements: 0 } });

  const unknown = (await client.get('/candidates', inside(unknownWorkspace))).text;
  for (const row of rows) {
    const answer = await send(row, mine);
    refused(answer, 401, 'unknown_workspace');
    assert.is(answer.headers.get('cache-control'), 'no-store', row.operationId);
    assert.is(answer.text, unknown, `${row.operationId}, as if it had never existed`);
  }
  refused(
    await client.post('/candidates', toBody.candidate(), { ...mine, ...key }),
    401,
    'unknown_workspace',
  );
  refusedTool(await client.tool('listCandidates', { workspace }), 'unknown_workspace');

  const repeated = await client.delete('/workspace', { ...mine, ...key });
  assert.equal(repeated.body, erased.body);
  assert.is(repeated.headers.get('idempotency-replayed'), 'true');
});

doors.run();
