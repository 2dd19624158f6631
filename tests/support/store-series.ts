import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { toNames } from '../../src/records/record.ts';
import type { Store, StoreEntry, Writing } from '../../src/records/store.ts';
import { readWhole, toChange, toFact, toHash } from './changes.ts';

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
