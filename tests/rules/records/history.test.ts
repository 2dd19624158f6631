import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { address, mint, toRevisions } from '../../support/activity.ts';
import { dayAt } from '../../support/days.ts';
import { toBody } from '../../support/sandbox.ts';
import { openSmallDesk, place } from '../../support/small-desk.ts';
import { World } from '../../support/world.ts';

/** Which entries it has, in pages and after a revision, is in `history-law`. */
const history = suite('the history of a record');
const world = new World();

/** Makes a workspace in which changes of one candidate, at revisions 1, 3 and 5, are among those of another. */
async function makeTwo() {
  const made = await mint(world);
  const { body } = await made.post('/candidates', toBody.candidate({ name: 'Bob Sample' }));
  const other = body.candidate.links.self as string;
  const patchOther = (metro: string) => world.patch(other, { metro }, made.mine);
  await made.patch({ metro: 'Reno, NV' });
  await patchOther('Boise, ID');
  await made.patch({ metro: 'Austin, TX' });
  return { ...made, patchOther };
}

history('is EMPTY for an id that nothing has', async () => {
  const { read } = await makeTwo();
  for (const query of ['?record=cand_0000000000000000', '?record=nobody', '?record=cand_001&since=1']) {
    const { status, body } = await read(query);
    assert.is(status, 200, query);
    assert.is(body.type, 'EMPTY', query);
    assert.is(body.total, 0, query);
    assert.match(body.message, 'No kept change wrote a record with this id', query);
  }
});

history('has the batch that made the record, even if its entry does not list it', async () => {
  const own = new World();
  const candidates = Array.from({ length: 21 }, (_, at) => toBody.candidate({ name: `Person ${at}` }));
  const { body } = await own.post('/batch', { candidates });
  const mine = { 'x-workspace': body.workspace };
  const { id } = body.candidates[20];
  own.clock.now += 1000;
  await own.post('/batch', { candidates }, mine);
  own.clock.now += 1000;
  await own.patch(`/candidates/${id}`, { metro: 'Reno, NV' }, mine);
  const { body: shown } = await own.get(`${address}?record=${id}`, mine);
  assert.equal(toRevisions(shown), [3, 1]);
});

history('reaches back a thousand changes of the workspace', async () => {
  const { id, patch, patchOther, read } = await makeTwo();
  for (let revision = 6; revision <= 1003; revision += 1) await patchOther(`Place ${revision}`);
  const { body } = await read(`?record=${id}`);
  assert.equal(toRevisions(body), [5], 'revisions 1 to 3 are gone');
  assert.is(body.total, 1);
  await patch({ metro: 'Tampa, FL' });
  assert.equal(toRevisions((await read(`?record=${id}`)).body), [1004, 5]);
});

history('keeps its ETag while other records change', async () => {
  const { id, mine, patchOther, patch, read } = await makeTwo();
  const ETag = (await read(`?record=${id}`)).headers.get('etag');
  const again = () => world.get(`${address}?record=${id}`, { ...mine, 'if-none-match': ETag });
  await patchOther('Tampa, FL');
  assert.is((await again()).status, 304);
  await patch({ metro: 'Tampa, FL' });
  assert.is((await again()).status, 200);
});

history('is read by a tool that sends record, though the tool does not show it', async () => {
  const { id, readByTool } = await makeTwo();
  assert.equal(toRevisions(await readByTool({ record: id })), [5, 3, 1]);
  const { result } = (await world.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body;
  const tool = result.tools.find(({ name }: { name: string }) => name === 'getActivity');
  assert.not('record' in tool.inputSchema.properties);
});

/** Places a person, changes the placement, and reads the newest sentence of its history. */
async function readSentence(sent: object, headers: object = {}): Promise<string> {
  const desk = await openSmallDesk();
  const first = { ref: 'x', startDate: dayAt(0), plannedEndDate: '2027-01-31', billRateUsdHour: 75 };
  const { body } = await place(desk, first);
  await desk.patch('/placements/%23x', sent, headers);
  return (await desk.get(`${address}?record=${body.placement.id}`)).body.activity[0].sentence;
}

const sentences: [sent: object, sentence: string, headers?: object][] = [
  [
    { billRateUsdHour: 78, effectiveDate: '2026-12-01', reason: 'the client extended' },
    'Bill rate 75 to 78, from 1 December, because the client extended (Dana Example)',
    { 'x-actor': 'Dana%20Example' },
  ],
  [{ plannedEndDate: '2027-03-31' }, 'Extended from 31 January 2027 to 31 March 2027'],
  [{ note: 'private' }, 'Note changed'],
  [{}, 'Added'],
];
for (const [sent, sentence, headers] of sentences)
  history(`says: ${sentence}`, async () => {
    assert.is(await readSentence(sent, headers), sentence);
  });

history.run();
