import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { done, make, type TestedStore, toCreate, toHash, toRecord, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

const full = { result: 'full' };

/** Makes a workspace of two records, and changes to it under a ceiling that it is above. */
async function makeAboveCeiling(first: TestedStore) {
  const { hash, record } = await make(first);
  await first.change(toCreate({ hash, mint: false }));
  const request = { hash, mint: false, ceiling: { records: 1, bytes: 1 } };
  return {
    create: () => first.change(toCreate(request)),
    rename: (name: string) =>
      first.change(
        toWrite({}, request, (draft) =>
          draft.put('candidate', { ...record, name }, draft.findOwn('candidate', record.id)),
        ),
      ),
    remove: () =>
      first.change(toWrite({}, request, (draft) => draft.remove(draft.findOwn('candidate', record.id)!))),
  };
}

/** Tests the most that a workspace may hold. */
export function testCeilings(test: Test<Instances>): void {
  test('creates records up to the ceiling, also if many are created at once', async ({ first, other }) => {
    const ceiling = { records: 3, bytes: 4_096_000 };
    const { hash } = await make(first, { ceiling });
    const creates = Array.from({ length: 9 }, (_, at) =>
      (at % 2 ? other : first).change(toCreate({ hash, mint: false, ceiling })),
    );

    const results = (await Promise.all(creates)).map(({ result }) => result);

    assert.is(results.filter((result) => result === 'done').length, 2);
    assert.is(results.filter((result) => result === 'full').length, 7);
    assert.is((await first.listIds(hash))?.length, 3);
  });

  test('refuses a create above a ceiling that was lowered', async ({ first }) => {
    const { create } = await makeAboveCeiling(first);
    assert.equal(await create(), full);
  });

  test('refuses a change that adds bytes above a ceiling that was lowered', async ({ first }) => {
    const { rename } = await makeAboveCeiling(first);
    assert.equal(await rename('Eve Sample the second'), full);
  });

  test('makes a change that adds no bytes above a ceiling that was lowered', async ({ first }) => {
    const { rename } = await makeAboveCeiling(first);
    assert.equal(await rename('Eve'), done);
  });

  test('removes a record above a ceiling that was lowered', async ({ first }) => {
    const { remove } = await makeAboveCeiling(first);
    assert.equal(await remove(), done);
  });

  const zoe = toRecord({ id: 'cand_1', name: 'Zoë 🧑‍💻' });
  const size = Buffer.byteLength(JSON.stringify(zoe));

  test('counts the bytes of records in UTF-8', async ({ first }) => {
    const { hash } = await make(first, { record: zoe });
    assert.is((await first.readWhole(hash))!.bytes, size);
  });

  for (const [bytes, result] of [
    [2 * size, 'done'],
    [2 * size - 1, 'full'],
  ] as const) {
    test(`answers ${result} to a record that brings a workspace to ${2 * size} of ${bytes} bytes`, async ({
      first,
    }) => {
      const { hash } = await make(first, { record: zoe });
      const record = { ...zoe, id: 'cand_2' };
      const change = toCreate({ hash, mint: false, record, ceiling: { records: 9, bytes } });
      assert.is((await first.change(change)).result, result);
    });
  }

  test('makes a workspace whose first records are larger than the ceiling of bytes', async ({ first }) => {
    const change = toCreate({ hash: toHash(), ceiling: { records: 9, bytes: 1 } });
    assert.equal(await first.change(change), done);
  });
}
