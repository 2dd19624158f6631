import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { make, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

const period = '2026-11';
const rates = { read: { price: 10, included: 2 } };
const toLimit = (authorised: number, revision?: number) => ({
  rates,
  authorised,
  ...(revision !== undefined && { revision }),
});

/** Tests charges in a store. */
export function testCharges(test: Test<Instances>): void {
  test('counts charges of reads without a new revision', async ({ first, other }) => {
    const { hash } = await make(first);
    for (let count = 0; count < 5; count += 1)
      await (count % 2 ? other : first).charge(hash, { period, calls: { read: 1 } });
    const head = (await other.open(hash))!;
    assert.equal(head.used, { period, calls: { read: 5 } });
    assert.is(head.revision, 1);
  });

  test('charges nothing above the limit', async ({ first, other }) => {
    const { hash } = await make(first);
    const charge = { period, calls: { read: 1 }, limit: toLimit(20) };
    const answers = [];
    for (let count = 0; count < 6; count += 1) answers.push(await first.charge(hash, charge));
    assert.equal(answers, [true, true, true, true, false, false]);
    assert.equal((await other.open(hash))!.used.calls, { read: 4 });
  });

  test('lets no two instances charge more than the limit together', async ({ first, other }) => {
    const { hash } = await make(first);
    const charge = { period, calls: { read: 1 }, limit: toLimit(50) };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? other : first).charge(hash, charge)),
    );
    assert.is(answers.filter((isCharged) => isCharged).length, 7);
    assert.equal((await first.open(hash))!.used.calls, { read: 7 });
  });

  test('charges nothing if the limit is of another revision', async ({ first, other }) => {
    const { hash, write } = await make(first);
    await write({ state: { authorised: 1 } });
    assert.not(await other.charge(hash, { period, calls: { read: 1 }, limit: toLimit(50, 1) }));
    assert.ok(await other.charge(hash, { period, calls: { read: 1 }, limit: toLimit(50, 2) }));
  });

  test('counts a charge with the change that makes it, or refuses both', async ({ first, other }) => {
    const { hash } = await make(first);
    const place = { hash, mint: false };
    const charge = { period, calls: { read: 3 }, limit: toLimit(10) };
    assert.equal(await first.change(toWrite({ charge }, place)), { result: 'done', answer: null });
    assert.equal(await other.change(toWrite({ charge }, place)), { result: 'over' });
    const head = (await other.open(hash))!;
    assert.is(head.revision, 2);
    assert.equal(head.used.calls, { read: 3 });
  });

  test('keeps charges of reads through a change', async ({ first, other }) => {
    const { hash, write } = await make(first);
    await other.charge(hash, { period, calls: { read: 2 } });
    await write({ state: { changed: true } });
    assert.equal((await other.open(hash))!.used.calls, { read: 2 });
  });

  test('starts a new month at zero, and counts a charge of an earlier month in the latest', async ({
    first,
  }) => {
    const { hash } = await make(first);
    await first.charge(hash, { period, calls: { read: 2 } });
    await first.charge(hash, { period: '2026-12', calls: { read: 1 } });
    await first.charge(hash, { period, calls: { read: 1 } });
    assert.equal((await first.open(hash))!.used, { period: '2026-12', calls: { read: 2 } });
  });
}
