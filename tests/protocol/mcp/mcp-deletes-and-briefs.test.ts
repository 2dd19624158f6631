import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collections, kinds } from '../../support/doors.ts';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import { makeSandbox, refusedTool, toBody, unchanged } from '../../support/sandbox.ts';

const tools = suite('deletes and briefs by tool');

const makeAll = () =>
  makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'one' })],
    jobOrders: [toBody.jobOrder({ ref: 'one' })],
    placements: [toBody.placement({ ref: 'one' })],
  });

for (const kind of kinds) {
  const name = `delete${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const collection = collections[kind] as 'candidates';

  tools(`${name} deletes one record, by its id or its ref`, async () => {
    for (const toId of [({ id }: Body) => id, () => '#one']) {
      const made = await makeAll();
      const { workspace, mine } = made;
      const record = made[collection][0];
      const { structuredContent } = await client.tool(name, { id: toId(record), workspace });
      assert.equal(structuredContent, { type: 'OK', deleted: record.id });
      assert.is((await client.get(record.links.self, mine)).status, 404);
    }
  });

  tools(`${name} of a missing record is an error`, async () => {
    const { workspace } = await makeAll();
    const { isError, structuredContent } = await client.tool(name, { id: 'none', workspace });
    assert.is(isError, true);
    assert.is(structuredContent.type, 'EMPTY');
  });

  tools(`${name} refuses a record of the seed and a call without a workspace`, async () => {
    const made = await makeAll();
    const id = { candidate: 'cand_001', jobOrder: 'job_001', placement: 'plc_001' }[kind];
    await unchanged(client, made, async () => {
      const { workspace } = made;
      refusedTool(await client.tool(name, { id, workspace }), 'read_only');
      const { id: own } = made[collection][0];
      for (const missing of [undefined, null, ''])
        refusedTool(await client.tool(name, { id: own, workspace: missing }), 'unknown_workspace');
    });
  });
}

const start = async (args: object): Promise<Body> =>
  (await client.tool('startBrief', args)).structuredContent;

tools('startBrief returns the workspace, the text and the rules', async () => {
  const { brief, workspace, grader, retention } = await start({ id: 'messy-titles', variant: '7' });
  assert.match(brief.text, /\S/);
  assert.ok(brief.rules.length > 0);
  assert.match(grader, /^grd_/);
  assert.ok(retention.seconds > 0);
  const { structuredContent } = await client.tool('getWorkspace', { workspace });
  assert.is(structuredContent.type, 'OK');
});

tools('startBrief lists the briefs if the id is unknown', async () => {
  const { type, message } = await start({ id: 'nonesuch' });
  assert.is(type, 'EMPTY');
  assert.match(message, 'messy-titles');
});

tools('gradeBrief takes the token, and the first grade is final', async () => {
  const { grader, workspace } = await start({ id: 'messy-titles' });
  const first = (await client.tool('gradeBrief', { grader })).structuredContent;
  assert.is(first.grade.passed, false);
  await client.tool('createCandidate', { ...toBody.candidate(), workspace });
  const again = (await client.tool('gradeBrief', { grader })).structuredContent;
  assert.equal(again, first);
});

tools('gradeBrief refuses an unknown token, and names the argument that it needs', async () => {
  refusedTool(await client.tool('gradeBrief', { grader: `grd_${'0'.repeat(32)}` }), 'unknown_grader');
  const { reason } = refusedTool(await client.tool('gradeBrief', { grader: null }), 'unknown_grader');
  assert.match(reason, 'the argument grader');
});

tools.run();
