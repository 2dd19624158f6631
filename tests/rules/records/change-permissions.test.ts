import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside, paths } from '../../support/doors.ts';
import { type Reply, unknownWorkspace } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { makeSandbox, refused, refusedTool, toBody, unchanged } from '../../support/sandbox.ts';

const doors = suite('permission to change records');

const seeds = [
  ['/candidates/cand_001', { name: 'Mine now' }],
  ['/job-orders/job_001', { title: 'Mine now' }],
  ['/placements/plc_001', { feeModel: 'mine' }],
] as const;
const idOf = (path: string) => path.split('/').at(-1)!;

doors('nobody can change the seed, with a workspace or without', async () => {
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

/** Every call that needs a workspace, or works in the one that it names. */
function toCalls(self: string): [name: string, send: (mine: Record<string, string>) => Promise<Reply>][] {
  const placed = paths.placement;
  return [
    ['PATCH', (mine) => client.patch(self, { name: 'B' }, mine)],
    ['PATCH of nothing', (mine) => client.patch(`${placed}/plc_nonesuch`, { feeModel: 'x' }, mine)],
    ['PATCH of no JSON', (mine) => client.patch(self, '{', mine)],
    ['PATCH, strict', (mine) => client.patch(self, { nmae: 'B' }, { ...mine, Prefer: 'handling=strict' })],
    ['DELETE', (mine) => client.delete(self, mine)],
    ['DELETE of nothing', (mine) => client.delete(`${paths.jobOrder}/job_nonesuch`, mine)],
    ['GET /workspace', (mine) => client.get('/workspace', mine)],
    ['GET /workspace/export', (mine) => client.get('/workspace/export', mine)],
    ['GET /workspace/export, wrong', (mine) => client.get('/workspace/export?limit=0', mine)],
    ['DELETE /workspace', (mine) => client.delete('/workspace', mine)],
  ];
}

/** Every call that accepts a workspace but does not need one. */
function toOthers(self: string): ReturnType<typeof toCalls> {
  return [
    ['POST /candidates', (mine) => client.post('/candidates', toBody.candidate(), mine)],
    ['POST /job-orders', (mine) => client.post('/job-orders', toBody.jobOrder(), mine)],
    ['POST /placements', (mine) => client.post('/placements', toBody.placement(), mine)],
    ['POST /batch', (mine) => client.post('/batch', { candidates: [toBody.candidate()] }, mine)],
    ['POST /batch, wrong', (mine) => client.post('/batch', {}, mine)],
    ['GET', (mine) => client.get(self, mine)],
    ['GET of the seed', (mine) => client.get('/candidates/cand_001', mine)],
    ['a list', (mine) => client.get('/candidates', mine)],
    ['a list, filtered', (mine) => client.get('/placements?status=active&limit=1', mine)],
    ['a list of mine', (mine) => client.get('/job-orders?scope=workspace', mine)],
  ];
}

const tools = (id: string): [tool: string, args: object][] => [
  ['updateCandidate', { id, name: 'B' }],
  ['updateJobOrder', { id: 'job_nonesuch', title: 'B' }],
  ['updatePlacement', { id: 'plc_nonesuch', feeModel: 'B' }],
  ['getWorkspace', {}],
];

doors('a call that needs a workspace says how to name one', async () => {
  const { candidates } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  for (const [name, send] of toCalls(candidates[0].links.self)) {
    const answer = await send({});
    const { reason } = refused(answer, 401, 'unknown_workspace');
    assert.match(reason, 'X-Workspace', name);
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Workspace /, name);
  }
  for (const [tool, args] of tools(candidates[0].id)) {
    const { code, reason, issues } = (await client.tool(tool, args)).structuredContent;
    assert.ok(['unknown_workspace', 'invalid_request'].includes(code), `${tool} ${code}`);
    assert.match(JSON.stringify({ reason, issues }), 'workspace', tool);
  }
});

/** Asserts that every call in a workspace gets the same 401, whether it ever existed or not. */
async function holdGone(workspace: string, self: string): Promise<void> {
  const calls = [...toCalls(self), ...toOthers(self)];
  const texts = new Set<string>();
  for (const [name, send] of calls) {
    const answer = await send(inside(workspace));
    refused(answer, 401, 'unknown_workspace');
    assert.is(answer.headers.get('cache-control'), 'no-store', name);
    texts.add(answer.text);
  }
  texts.add((await client.get('/candidates', inside(unknownWorkspace))).text);
  assert.is(texts.size, 1, [...texts].join('\n'));
  const creates: [string, object][] = [
    ['createCandidate', toBody.candidate()],
    ['createBatch', { candidates: [toBody.candidate()] }],
    ['listCandidates', {}],
  ];
  for (const [tool, args] of [...tools(idOf(self)), ...creates])
    refusedTool(await client.tool(tool, { ...args, workspace }), 'unknown_workspace');
}

doors('an erased workspace is unknown to every call but the same erasure with its key', async () => {
  const { workspace, candidates, mine } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const key = { 'Idempotency-Key': 'once' };
  const made = await client.post('/candidates', toBody.candidate(), { ...mine, ...key });
  assert.is(made.status, 201);
  const erased = await client.delete('/workspace', { ...mine, ...key });
  const deleted = { candidates: 2, jobOrders: 0, placements: 0 };
  assert.is(erased.status, 200);
  assert.equal(erased.body, { type: 'OK', deleted });
  for (const headers of [mine, { ...mine, ...key }])
    refused(await client.post('/candidates', toBody.candidate(), headers), 401, 'unknown_workspace');
  refused(await client.delete('/workspace', mine), 401, 'unknown_workspace');
  const repeated = await client.delete('/workspace', { ...mine, ...key });
  assert.equal(repeated.body, erased.body);
  assert.is(repeated.headers.get('idempotency-replayed'), 'true');
  await holdGone(workspace, candidates[0].links.self);
});

doors.run();
