import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import { World } from '../../support/world.ts';

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const counts = suite('what a change counts');

/** Makes a workspace with a candidate over a store that two instances use. Watches what the first one counts. */
async function openWatched() {
  const store = new SqliteStore(':memory:');
  const counted = { bytes: 0, calls: 0 };
  const watch = {
    admitGrowth:
      ({ bytes }: { bytes: number }) =>
      () => {
        counted.bytes += bytes;
      },
    onCharge: (calls: Readonly<Record<string, number>>) => {
      for (const count of Object.values(calls)) counted.calls += count;
    },
  };
  const [first, other] = [new World({ store, watch }), new World({ store })];
  const { body } = await first.ask('POST', '/candidates', candidate);
  const mine = { 'x-workspace': body.workspace };
  const path = `/candidates/${body.candidate.id}`;
  counted.bytes = 0;
  counted.calls = 0;
  return {
    counted,
    path,
    ask: (method: string, target: string, sent?: object) => first.ask(method, target, sent, mine),
    /** Lets another instance send a call before the next change of the first one is written. */
    changeMeanwhile(method: string, target: string, sent?: object) {
      const write = store.write.bind(store);
      store.write = async (commit) => {
        store.write = write;
        await other.ask(method, target, sent, mine);
        return write(commit);
      };
    },
  };
}

counts('a change that was decided again and then wrote nothing counts nothing', async () => {
  const { ask, path, counted, changeMeanwhile } = await openWatched();
  changeMeanwhile('DELETE', path);
  const { status } = await ask('PATCH', path, { name: 'Ann Sample with a longer name' });
  assert.is(status, 404);
  assert.equal(counted, { bytes: 0, calls: 0 });
});

counts('a change that was decided again counts once', async () => {
  const { ask, counted, changeMeanwhile } = await openWatched();
  const { bytes: alone } = await (async () => {
    const watched = await openWatched();
    await watched.ask('POST', '/candidates', candidate);
    return watched.counted;
  })();
  changeMeanwhile('POST', '/candidates', candidate);
  assert.is((await ask('POST', '/candidates', candidate)).status, 201);
  assert.equal(counted, { bytes: alone, calls: 1 });
});

counts('a change that writes nothing counts nothing', async () => {
  const { ask, counted } = await openWatched();
  assert.is((await ask('PATCH', '/candidates/cand_zzzzzzzzzzzzzzzz', { name: 'Bea' })).status, 404);
  assert.equal(counted, { bytes: 0, calls: 0 });
});

counts.run();
