import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Charge, Store } from '../../src/records/store.ts';
import { readWhole, toChange, toCreate, toFact, toHash, toWrite } from './changes.ts';

const hour = 3_600_000;
const done = { result: 'done', answer: null };
const period = '2026-11';
const rates = { read: { price: 2, included: 3 }, make: { price: 20, included: 0 } };
const toCharge = (
  calls: Record<string, number>,
  authorised?: number,
  more: Partial<Charge> = {},
): Charge => ({
  period,
  calls,
  ...(authorised !== undefined && { limit: { rates, authorised } }),
  ...more,
});

/** Holds a driver to what it says of what a workspace is charged. */
export function testCharges(test: Test<{ store: Store; other: Store }>): void {
  const make = async (store: Store) => {
    const change = toCreate();
    await store.change(change);
    const { key } = (await store.open(change.workspace, change.now))!;
    const write = (charge: Charge | undefined, more: Parameters<typeof toChange>[1] = {}) => {
      const writing = { puts: [{ kind: 'candidate', fact: toFact() }] };
      return store.change(
        toChange(() => ({ writing, answer: null, charge }), {
          workspace: change.workspace,
          mint: false,
          ...more,
        }),
      );
    };
    const used = async (from = store) => (await from.open(change.workspace, change.now))!.used;
    return { ...change, key, write, used };
  };

  test('charges reads and writes together, in one sum that every reader sees', async ({ store, other }) => {
    const { key, used, write, workspace, now } = await make(store);
    assert.ok(await store.charge(key, toCharge({ read: 2 })));
    assert.equal(await write(toCharge({ make: 3, read: 1 })), done);
    assert.ok(await other.charge(key, toCharge({ read: 1 })));
    assert.equal(await write(undefined), done);
    const sum = { period, calls: { read: 4, make: 3 } };
    assert.equal([await used(), await used(other)], [sum, sum]);
    const name = toHash();
    const points = { [name]: { to: 'plc_1', expiresAt: now + hour } };
    await store.change(toWrite({ points }, { workspace, mint: false }));
    assert.equal((await store.follow(name, now))!.used, sum);
  });

  test('charges the change that makes a workspace, or makes none', async ({ store }) => {
    const writing = { puts: [{ kind: 'candidate', fact: toFact() }] };
    const mint = (charge: Charge) => toChange(() => ({ writing, answer: null, charge }));
    const over = mint(toCharge({ make: 2 }, 39));
    assert.equal(await store.change(over), { result: 'over' });
    assert.is(await store.open(over.workspace, over.now), undefined);
    const fits = mint(toCharge({ make: 2 }, 40));
    assert.equal(await store.change(fits), done);
    assert.equal((await store.open(fits.workspace, fits.now))!.used, { period, calls: { make: 2 } });
  });

  test('stops at what is authorised, and goes on with what adds nothing', async ({ store }) => {
    const { key, used, write, workspace, now } = await make(store);
    assert.ok(await store.charge(key, toCharge({ read: 3 }, 0)), 'those included cost nothing');
    assert.not(await store.charge(key, toCharge({ read: 1 }, 1)));
    assert.ok(await store.charge(key, toCharge({ read: 1 }, 2)));
    const before = await readWhole(store, workspace);
    assert.equal(await write(toCharge({ make: 1 }, 21)), { result: 'over' });
    assert.not(await store.charge(key, toCharge({ read: 1 }, 3)));
    assert.equal(await readWhole(store, workspace), before, 'nothing is changed');
    assert.equal(await write(toCharge({ make: 1 }, 22)), done);
    assert.ok(await store.charge(key, toCharge({ unnamed: 5 }, 1)), 'what has no rate costs nothing');
    assert.ok(await store.charge(key, toCharge({ read: 1 })), 'no limit, no refusal');
    assert.equal(await used(), { period, calls: { read: 5, make: 1, unnamed: 5 } });
    assert.equal(await write(undefined), done);
    assert.ok(now);
  });

  test('charges nothing by what held at another revision', async ({ store, other }) => {
    const { key, used, write, workspace, now } = await make(store);
    const { revision } = (await store.open(workspace, now))!;
    const limit = { rates, authorised: 100, revision };
    assert.ok(await other.charge(key, toCharge({ read: 1 }, 0, { limit })));
    assert.equal(await write(undefined), done);
    assert.not(await other.charge(key, toCharge({ read: 1 }, 0, { limit })));
    assert.ok(
      await store.charge(key, toCharge({ read: 1 }, 0, { limit: { ...limit, revision: revision + 1 } })),
    );
    assert.equal((await used()).calls, { read: 2 });
  });

  test('begins anew with a month, and never goes back to one before', async ({ store }) => {
    const { key, used, write } = await make(store);
    await store.charge(key, toCharge({ read: 13 }, 20));
    assert.not(await store.charge(key, toCharge({ read: 1 }, 20)));
    const next = { period: '2026-12' };
    assert.ok(await store.charge(key, toCharge({ read: 13 }, 20, next)));
    assert.equal(await used(), { period: '2026-12', calls: { read: 13 } });
    assert.not(await store.charge(key, toCharge({ read: 1 }, 20)), 'a clock that is behind');
    assert.ok(await store.charge(key, toCharge({ read: 1 }, 22)));
    assert.equal(await write(toCharge({ make: 1 }, 20, { period: '2027-01' })), done);
    assert.equal(await used(), { period: '2027-01', calls: { make: 1 } });
  });

  test('a repetition, a refusal and what is thrown are charged nothing', async ({ store }) => {
    const { workspace, used, write } = await make(store);
    const key = { name: toHash(), fingerprint: toHash() };
    const charge = toCharge({ make: 1 }, 20);
    const keyed = toChange(() => ({ writing: { reply: '{}' }, answer: null, charge }), {
      workspace,
      mint: false,
      key,
    });
    assert.equal(await store.change(keyed), done);
    assert.equal(await store.change(keyed), { result: 'replay', reply: '{}' }, 'at the ceiling too');
    const other = { ...keyed, key: { ...key, fingerprint: toHash() } };
    assert.equal(await store.change(other), { result: 'mismatch' });
    assert.equal(await write(charge, { ceiling: { records: 1, bytes: 1 } }), { result: 'full' });
    const thrown = new Error('no');
    const throws = toChange(
      () => {
        throw thrown;
      },
      { workspace, mint: false },
    );
    try {
      await store.change(throws);
      assert.unreachable();
    } catch (error) {
      assert.is(error, thrown);
    }
    assert.equal(await write(charge), { result: 'over' });
    assert.equal(await used(), { period, calls: { make: 1 } });
  });

  test('charges exactly, and never past what is authorised, whatever races', async ({ store, other }) => {
    const { key, write, used } = await make(store);
    const authorised = 500;
    const reads = Array.from({ length: 150 }, (_, index) =>
      (index % 2 ? store : other).charge(key, toCharge({ read: 1 }, authorised)),
    );
    const writes = Array.from({ length: 20 }, () => write(toCharge({ make: 1 }, authorised)));
    const [taken, made] = [await Promise.all(reads), await Promise.all(writes)];
    const [read, makes] = [
      taken.filter(Boolean).length,
      made.filter(({ result }) => result === 'done').length,
    ];
    assert.equal((await used()).calls, { read, make: makes });
    const total = (read - 3) * 2 + makes * 20;
    assert.ok(total <= authorised && total > authorised - 20, `${total}`);
  });

  test('what is renamed keeps what it was charged, and what is gone is charged nothing', async ({
    store,
  }) => {
    const { workspace, key, now } = await make(store);
    await store.charge(key, toCharge({ read: 1 }));
    const rename = toHash();
    await store.change(toWrite({ rename }, { workspace, mint: false }));
    await store.charge(key, toCharge({ read: 1 }));
    assert.equal((await store.open(rename, now))!.used, { period, calls: { read: 2 } });
    await store.change(toWrite({ forget: true }, { workspace: rename, mint: false }));
    assert.ok(await store.charge(key, toCharge({ read: 1 }, 0)));
    assert.is(await store.open(rename, now), undefined);
  });
}
