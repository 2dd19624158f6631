import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store, StoreEntry } from '../../src/records/store.ts';
import { readKind, readWhole, toCreate, toFact, toHash, toWrite } from './changes.ts';

/** Holds a driver to what it says of pages, and of single records by their names. */
export function testReads(test: Test<{ store: Store }>): void {
  const make = async (store: Store, ...facts: StoreEntry['fact'][]) => {
    const change = toWrite({ puts: facts.map((fact) => ({ kind: 'candidate', fact })) });
    await store.change(change);
    const { key, records } = (await readWhole(store, change.workspace))!;
    const write = (writing: Parameters<typeof toWrite>[0]) =>
      store.change(toWrite(writing, { workspace: change.workspace, mint: false }));
    /** The bytes of a workspace are those of its facts, whatever became of them. */
    const recount = async () => {
      const whole = (await readWhole(store, change.workspace))!;
      const sizes = whole.records.map(({ fact }) => Buffer.byteLength(JSON.stringify(fact)));
      assert.is(
        whole.bytes,
        sizes.reduce((sum, size) => sum + size, 0),
      );
    };
    return { key, records, write, recount };
  };
  const toSeqs = (records: StoreEntry[]) => records.map(({ seq }) => seq);

  test('pages through one kind in both directions, over what was removed', async ({ store }) => {
    const puts = Array.from({ length: 120 }, (_, number) => ({
      kind: number % 3 === 0 ? 'placement' : 'candidate',
      fact: toFact({ id: `rec_${number}` }),
    }));
    const change = toWrite({ puts });
    const { workspace } = change;
    await store.change(change);
    const { key, records } = (await readWhole(store, workspace))!;
    assert.equal(
      toSeqs(records),
      puts.map((_, number) => number + 1),
    );
    const gone = new Set([1, 2, 5, 60, 61, 62, 63, 64, 65, 66, 119, 120]);
    const removes = records.filter(({ seq }) => gone.has(seq));
    await store.change(toWrite({ removes }, { workspace, mint: false }));
    await store.change(toCreate({ workspace, mint: false }));
    const left = [...records.filter(({ seq }) => !gone.has(seq))];
    for (const kind of ['placement', 'candidate']) {
      const expected = [
        ...toSeqs(left.filter((record) => record.kind === kind)),
        ...(kind === 'candidate' ? [121] : []),
      ];
      assert.equal(toSeqs(await readKind(store, key, kind)), expected);
      assert.equal(toSeqs(await readKind(store, key, kind, 'newest')), expected.toReversed());
      for (const after of [0, 1, 4, 61, 64, 119, 121, 500]) {
        const read = async (order: 'newest' | 'oldest') =>
          toSeqs(await store.read(key, { kind, order, after, limit: 3 }));
        assert.equal(await read('oldest'), expected.filter((seq) => seq > after).slice(0, 3), `${after}`);
        const below = expected.filter((seq) => seq < after);
        assert.equal(await read('newest'), below.toReversed().slice(0, 3), `${after}`);
      }
    }
    assert.equal(await store.read(key, { kind: 'jobOrder', order: 'newest', limit: 9 }), []);
    assert.equal(await store.read(key, { kind: 'candidate', order: 'newest', limit: 1, after: 2 }), []);
  });

  test('finds a record by its ref within its kind, which may be changed, dropped and given again', async ({
    store,
  }) => {
    const facts = [toFact({ id: 'a', ref: 'x' }), toFact({ id: 'b', ref: 'y' }), toFact({ id: 'c' })];
    const { key, write, recount } = await make(store, ...facts);
    const names = ['candidate#x', 'candidate#y', 'placement#x', 'x', 'candidate#'];
    const led = async () => (await store.find(key, names)).map(({ record }) => record?.fact.id);
    const now = async (id: string) => (await store.find(key, [id]))[0]!.record!;
    const put = async (id: string, ref?: string) => {
      const was = await now(id);
      const { ref: _, ...rest } = was.fact;
      return { kind: was.kind, fact: ref === undefined ? rest : { ...rest, ref }, was };
    };
    const nobody = undefined;
    assert.equal(await led(), ['a', 'b', nobody, nobody, nobody]);
    await write({ puts: [await put('a', 'y'), await put('b', 'x')] });
    assert.equal(await led(), ['b', 'a', nobody, nobody, nobody]);
    const placement = { kind: 'placement', fact: toFact({ id: 'd', ref: 'x' }) };
    await write({ puts: [await put('a'), await put('c', 'y'), placement] });
    await recount();
    assert.equal(await led(), ['b', 'c', 'd', nobody, nobody]);
    await write({ removes: [await now('b')], puts: [await put('a', 'x')] });
    assert.equal(await led(), ['a', 'c', 'd', nobody, nobody]);
    await write({
      removes: [await now('a')],
      puts: [{ kind: 'candidate', fact: toFact({ id: 'e', ref: 'x' }) }],
    });
    assert.equal(await led(), ['e', 'c', 'd', nobody, nobody]);
    await recount();
    assert.equal(await store.find(key, ['a', 'b']), [{ occupants: 0 }, { occupants: 0 }]);
  });

  test('counts how many hold a name, whether a record has it or not', async ({ store }) => {
    const { key, records, write } = await make(store, toFact({ id: 'a', ref: 'x' }));
    const [record] = records as [StoreEntry];
    const holds = async (...names: string[]) =>
      (await store.find(key, names)).map(({ occupants }) => occupants);
    await write({ occupies: { a: 2, cand_036: 1 } });
    assert.equal(await holds('a', 'candidate#x', 'cand_036', 'b'), [2, 2, 1, 0]);
    await write({
      occupies: { a: -1, cand_036: -1, b: 3 },
      puts: [{ kind: 'candidate', fact: toFact({ id: 'b' }) }],
    });
    assert.equal(await holds('a', 'candidate#x', 'cand_036', 'b'), [1, 1, 0, 3]);
    const renamed = { ...record, fact: { ...record.fact, ref: 'y' } };
    await write({ puts: [{ ...renamed, was: record }] });
    assert.equal(await holds('a', 'candidate#x', 'candidate#y'), [1, 0, 1]);
    await write({ removes: [renamed] });
    assert.equal(await store.find(key, ['a', 'candidate#y']), [{ occupants: 1 }, { occupants: 0 }]);
    await write({ puts: [{ kind: 'placement', fact: toFact({ id: 'a' }) }], occupies: { b: 0 } });
    const [found] = await store.find(key, ['a']);
    assert.equal([found?.record?.kind, found?.occupants], ['placement', 1]);
    await write({ occupies: { a: -1 } });
    assert.equal(await holds('a'), [0]);
  });

  test('shows one workspace nothing of another', async ({ store }) => {
    const [one, other] = [await make(store, toFact({ id: 'a' })), await make(store, toFact({ id: 'b' }))];
    assert.is.not(one.key, other.key);
    assert.equal(await store.find(one.key, ['b']), [{ occupants: 0 }]);
    await one.write({ occupies: { b: 1 } });
    assert.equal((await store.find(other.key, ['b']))[0]?.occupants, 0);
    assert.is((await readKind(store, other.key, 'candidate')).length, 1);
    assert.is(await store.open(toHash(), 0), undefined);
  });
}
