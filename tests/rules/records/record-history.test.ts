import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { address, mint, toRevisions } from '../../support/activity.ts';
import { openRedisStore } from '../../support/changes.ts';
import { skipsRedis, startRedis } from '../../support/redis.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const history = suite('the history of a record');
const world = new World();

/** Makes a workspace in which changes of one candidate, at revisions 1, 3 and 5, are among those of another. */
async function makeTwo(service = world) {
  const made = await mint(service);
  const { body } = await made.post('/candidates', toBody.candidate({ name: 'Bob Sample' }));
  const other = body.candidate.links.self as string;
  const patchOther = (metro: string) => service.patch(other, { metro }, made.mine);
  await made.patch({ metro: 'Reno, NV' });
  await patchOther('Boise, ID');
  await made.patch({ metro: 'Austin, TX' });
  return { ...made, patchOther };
}

history('has only the entries that wrote it, newest first', async () => {
  const { id, read } = await makeTwo();
  const { body } = await read(`?record=${id}`);
  assert.equal(toRevisions(body), [5, 3, 1]);
  assert.is(body.total, 3);
});

history('is oldest first with since', async () => {
  const { id, read } = await makeTwo();
  const { body } = await read(`?record=${id}&since=1`);
  assert.equal(toRevisions(body), [3, 5]);
  assert.is(body.total, 2);
});

for (const query of ['', '&since=0'])
  history(`comes in pages that join, with "${query}"`, async () => {
    const { id, read } = await makeTwo();
    const whole = toRevisions((await read(`?record=${id}${query}`)).body);
    const paged: number[] = [];
    for (let next: string | undefined = `${address}?record=${id}${query}&limit=1`; next; ) {
      const { body, headers } = await read(next.slice(address.length));
      assert.is(body.total, 3);
      paged.push(...toRevisions(body));
      next = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.equal(paged, whole);
  });

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

history('is kept when the record is deleted', async () => {
  const { id, path, mine, read } = await makeTwo();
  await world.delete(path, mine);
  assert.equal(toRevisions((await read(`?record=${id}`)).body), [6, 5, 3, 1]);
});

history('has the batch that made the record, even if its entry does not list it', async () => {
  const own = new World();
  const candidates = Array.from({ length: 23 }, (_, at) => toBody.candidate({ name: `Person ${at}` }));
  const { body } = await own.post('/batch', { candidates });
  const mine = { 'x-workspace': body.workspace };
  const { id } = body.candidates[22];
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

history('is read from IndexedDB', async () => {
  const { id, read } = await makeTwo(new World({ store: new IndexedDbStore(`careers-${randomUUID()}`) }));
  assert.equal(toRevisions((await read(`?record=${id}`)).body), [5, 3, 1]);
});

if (!skipsRedis())
  history('is read from Redis', async () => {
    const redis = await startRedis();
    const store = await openRedisStore(`redis://127.0.0.1:${redis.port}`);
    try {
      const { id, read } = await makeTwo(new World({ store }));
      assert.equal(toRevisions((await read(`?record=${id}`)).body), [5, 3, 1]);
    } finally {
      await store.close();
      await redis.stop();
    }
  });

history.run();
