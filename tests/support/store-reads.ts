import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/records/store.ts';
import { idsOf, toAddition, toHash } from './additions.ts';

/** Holds a driver to its ceilings, and to what it says of single records. */
export function testReads(test: Test<{ store: Store }>): void {
  test('takes what just fits the bytes of facts in UTF-8, and any first record', async ({ store }) => {
    const record = { kind: 'candidate', fact: { id: 'cand_x', name: 'Zoë 🧑‍💻', onetCode: '15-1252.00' } };
    const size = Buffer.byteLength(JSON.stringify(record.fact));
    const { workspace } = toAddition();
    const add = (bytes: number, mint = false) =>
      store.add(toAddition({ workspace, mint, record, ceiling: { records: 9, bytes } }));
    assert.equal(await add(1, true), { result: 'added' });
    for (const count of [2, 3]) {
      assert.equal(await add(count * size - 1), { result: 'full' });
      assert.equal(await add(count * size), { result: 'added' });
    }
    assert.is((await idsOf(store, workspace))?.length, 3);
  });

  test('finds records by id and one placement that holds each, and nothing else', async ({ store }) => {
    const { workspace, now } = toAddition();
    const held = toAddition({ workspace });
    await store.add(held);
    const candidateId = held.record.fact.id;
    const toPlacement = (number: number) => ({
      kind: 'placement' as const,
      fact: { id: `plc_${number}`, candidateId, jobOrderId: 'job_001', onetCode: '15-1252.00' },
    });
    for (let number = 0; number < 3; number += 1)
      await store.add(toAddition({ workspace, mint: false, record: toPlacement(number) }));
    for (let number = 0; number < 120; number += 1) await store.add(toAddition({ workspace, mint: false }));
    const find = async (...ids: string[]) =>
      (await store.find(workspace, now, ids)).map(({ fact, seq }) => `${seq} ${fact.id}`).sort();
    assert.equal(await find(candidateId), [`1 ${candidateId}`, '2 plc_0']);
    assert.equal(await find('plc_2'), ['4 plc_2']);
    assert.equal(await find('job_001', 'cand_none'), ['2 plc_0']);
    assert.equal(await find('size', 'bytes', '', '>', '>job_000', "'"), []);
    assert.equal(await find(), []);
    assert.equal(await store.find(workspace, now + 7_200_000, [candidateId]), []);
    assert.equal(await store.find(toHash(), now, [candidateId]), []);
    const whole = await store.readAll(workspace, now);
    assert.equal(
      whole.map(({ seq }) => seq),
      Array.from({ length: 124 }, (_, index) => index + 1),
    );
  });
}
