import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  answerWith,
  createArguments,
  findRow,
  listTexts,
  listTools,
  makeSampleWorkspace,
} from '../../support/tool-samples.ts';
import { World } from '../../support/world.ts';

const names = suite('ids, refs and codes as clients write them');
const world = new World();
const { tool } = world;
const tools = await listTools(world);

/** Arguments that name something, and a name of each that exists. */
const known: Record<string, string> = {
  occupation: '15-1252.00',
  onetCode: '15-1252.00',
  majorGroup: '15',
  candidateId: '#candidate',
  jobOrderId: '#jobOrder',
  ref: 'candidate',
  id: '#candidate',
};

for (const one of tools)
  for (const path of listTexts(one.inputSchema).filter((to) => Object.hasOwn(known, to.at(-1)!)))
    names(`${one.name} ignores white space around ${path.join('.')}`, async () => {
      const usual = path.length === 1 ? createArguments(one, '')[path[0]!] : undefined;
      const name = String(usual ?? known[path.at(-1)!]);
      assert.is(await answerWith(world, one, path, ` ${name}\t`), await answerWith(world, one, path, name));
    });

names('white space around the id of a workspace, and of a record in a filter, does not count', async () => {
  const workspace = await makeSampleWorkspace(world);
  const { structuredContent } = await tool('listCandidates', { workspace: ` ${workspace} ` });
  assert.is(structuredContent.type, 'OK');
  const [{ id }] = structuredContent.candidates;
  assert.is((await tool('getActivity', { workspace, record: ` ${id} ` })).structuredContent.type, 'OK');
});

names('a ref of a batch is stored and found without white space', async () => {
  const [candidate] = findRow('createBatch').contract.sample!.candidates as object[];
  const sent = { candidates: [{ ...candidate, ref: ' padded ' }], changes: [{ id: ' #padded ', note: 'x' }] };
  const { structuredContent } = await tool('createBatch', sent);
  assert.is(structuredContent.candidates[0].ref, 'padded');
  assert.is(structuredContent.changes[0].candidate.note, 'x');
});

names.run();
