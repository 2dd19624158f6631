import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { toNames } from '../../src/records/record.ts';
import type { Store, StoreEntry, Writing } from '../../src/records/store.ts';
import { readKind, readWhole, toChange, toCreate, toFact, toHash, toWrite } from './changes.ts';

/** Holds a driver to what it says of pages, and of single records by their names. */
export function testReads(test: Test<{ store: Store }>): void {
  const make = async (store: Store, ...facts: StoreEntry['fact'][]) => {
    const change = toWrite({ puts: facts.map((fact) => ({ kind: 'candidate', fact })) });
    await store.change(change);
    const { key, records } = (await readWhole(store, change.workspace))!;
    const write = (writing: Parameters<typeof toWrite>[0]) =>
      store.change(toWrite(writing, { workspace: change.workspace, mint: false }));
    return { key, records, write };
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
    const { key, write } = await make(store, ...facts);
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
    assert.equal(await led(), ['b', 'c', 'd', nobody, nobody]);
    await write({ removes: [await now('b')], puts: [await put('a', 'x')] });
    assert.equal(await led(), ['a', 'c', 'd', nobody, nobody]);
    await write({
      removes: [await now('a')],
      puts: [{ kind: 'candidate', fact: toFact({ id: 'e', ref: 'x' }) }],
    });
    assert.equal(await led(), ['e', 'c', 'd', nobody, nobody]);
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

const steps = 150;
const kinds = ['candidate', 'jobOrder', 'placement'];
const held = ['cand_001', 'job_001', 'cand_002'];
const toSize = (text: string) => Buffer.byteLength(text);

/** Numbers that are the same in every run: a linear congruential generator. */
function toDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** Holds a driver to a plain recount, after each of many changes. */
export function testSeries(test: Test<{ store: Store }>): void {
  test('after any series of changes, says of a workspace what a recount says', async ({ store }) => {
    const roll = toDice(7);
    let hash = toHash();
    let records: StoreEntry[] = [];
    let [seq, revision, replies] = [0, 0, 0];
    const holds = new Map<string, number>();
    const toText = () => 'ë"🧑‍💻x'.repeat(roll(30));
    const toNew = () => ({
      kind: kinds[roll(3)]!,
      fact: toFact({ name: toText(), ...(roll(2) === 0 && { ref: toHash() }) }),
    });

    for (let step = 0; step < steps; step += 1) {
      const fresh = Array.from({ length: roll(3) }, toNew);
      const changed = records.filter(() => roll(8) === 0);
      const removes = records.filter((one) => !changed.includes(one) && roll(8) === 0);
      const replaced = changed.map((was) => {
        const { ref, ...fact } = { ...was.fact, name: toText() };
        return { kind: was.kind, fact: roll(2) === 0 ? fact : { ...fact, ref: toHash() }, was };
      });
      const names = [...held, ...records.map(({ fact }) => fact.id)];
      const [held1, held2] = [names[roll(names.length)]!, names[roll(names.length)]!];
      const added = { [held1]: 1, [held2]: roll(2) === 0 ? 1 : -(holds.get(held2) ?? 0) };
      const reply = roll(3) === 0 ? toText() : undefined;
      const rename = step > 0 && roll(10) === 0 ? toHash() : undefined;
      const writing: Writing = {
        puts: [...replaced, ...fresh],
        removes,
        occupies: added,
        ...(reply !== undefined && { reply }),
        ...(rename !== undefined && { rename }),
      };
      const change = toChange(() => ({ writing, answer: step }), {
        workspace: hash,
        mint: step === 0,
        key: { name: toHash(), fingerprint: toHash() },
      });
      assert.equal(await store.change(change), { result: 'done', answer: step });
      for (const [name, count] of Object.entries(added)) holds.set(name, (holds.get(name) ?? 0) + count);
      revision += 1;
      replies += toSize(reply ?? '');
      hash = rename ?? hash;
      records = records
        .filter((one) => !removes.includes(one))
        .map((one) => {
          const put = replaced.find(({ was }) => was === one);
          return put ? { kind: put.kind, fact: put.fact, seq: one.seq } : one;
        });
      for (const one of fresh) {
        seq += 1;
        records.push({ ...one, seq });
      }
      if (step % 10 !== 0) continue;
      const whole = (await readWhole(store, hash))!;
      assert.equal(whole.records, records);
      const sizes = records.map(({ fact }) => toSize(JSON.stringify(fact)));
      assert.is(
        whole.bytes,
        sizes.reduce((sum, size) => sum + size, replies),
      );
      assert.is(whole.revision, revision);
      for (const kind of kinds) {
        assert.is(whole.counts[kind] ?? 0, records.filter((one) => one.kind === kind).length);
      }
      const byName = records.flatMap((record) => toNames(record).map((name) => ({ name, record })));
      const found = await store.find(
        whole.key,
        byName.map(({ name }) => name),
      );
      assert.equal(
        found,
        byName.map(({ record }) => ({ record, occupants: holds.get(record.fact.id) ?? 0 })),
      );
      const all = [...holds.keys()];
      assert.equal(
        (await store.find(whole.key, all)).map((one) => one.occupants),
        all.map((name) => holds.get(name)),
      );
    }
  });
}
