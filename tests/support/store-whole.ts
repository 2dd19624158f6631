import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Charge, Store } from '../../src/records/store.ts';
import { idsOf, make, readKind, readWhole, toChange, toCreate, toFact, toHash, toWrite } from './changes.ts';

const done = { result: 'done', answer: null };

/** Holds a driver to what it says of a workspace as a whole. */
export function testWhole(test: Test<{ store: Store; other: Store }>): void {
  test('makes no workspace where one stands, whoever asks first', async ({ store, other }) => {
    const workspace = toHash();
    const changes = Array.from({ length: 6 }, (_, at) => toCreate({ workspace, fact: toFact({ at }) }));
    const results = await Promise.all(changes.map((one, at) => (at % 2 ? other : store).change(one)));
    assert.is(results.filter(({ result }) => result === 'done').length, 1);
    assert.is(results.filter(({ result }) => result === 'unknown').length, 5);
    assert.is((await readWhole(store, workspace))!.records.length, 1);
    // Others in the same turn are not touched by it.
    const beside = toCreate();
    const [again, done_] = await Promise.all([store.change(changes[0]!), store.change(beside)]);
    assert.equal([again, done_], [{ result: 'unknown' }, done]);
  });

  test('lives until what is written says, where that says so, and never shorter', async ({
    store,
    other,
  }) => {
    const { workspace, expiresAt, write } = await make(store);
    assert.equal(await write({ expiresAt: expiresAt + 5000 }), done);
    assert.is((await other.open(workspace, expiresAt + 4999))!.expiresAt, expiresAt + 5000);
    assert.equal(await write({ expiresAt: expiresAt - 5000 }), done);
    assert.is((await other.open(workspace, 0))!.expiresAt, expiresAt + 5000);
    assert.is(await other.open(workspace, expiresAt + 5000), undefined);
  });

  test('opens a renamed workspace by its new hash alone, with all that is in it', async ({
    store,
    other,
  }) => {
    const key = { name: toHash(), fingerprint: toHash() };
    const { workspace, record, write } = await make(store, { fact: toFact({ ref: 'x' }) });
    const keyed = (hash: string) => toCreate({ workspace: hash, mint: false, key, reply: 'kept' });
    await store.change(keyed(workspace));
    const before = (await readWhole(other, workspace))!;
    const hashes = [workspace, toHash(), toHash(), toHash()];
    for (const [at, next] of hashes.slice(1).entries()) {
      const last = hashes[at]!;
      assert.equal(await write({ rename: next, state: { rotations: at + 1 } }, last), done);
      for (const gone of hashes.filter((one) => one !== next)) {
        assert.is(await other.open(gone, 0), undefined);
        assert.equal(await other.change(toCreate({ workspace: gone, mint: false })), { result: 'unknown' });
      }
      const { revision, state, ...rest } = (await readWhole(other, next))!;
      assert.equal([revision, state.rotations], [before.revision + at + 1, at + 1]);
      const { records, bytes, createdAt } = before;
      assert.equal(
        [rest.key, rest.records, rest.bytes, rest.createdAt],
        [before.key, records, bytes, createdAt],
      );
      const [found] = await store.find(rest.key, ['candidate#x']);
      assert.equal(found?.record, { ...record, seq: 1 });
      assert.equal(await other.change(keyed(next)), { result: 'replay', reply: 'kept' });
    }
    const current = hashes.at(-1)!;
    assert.equal(await store.change(toCreate({ workspace: current, mint: false })), done);
    assert.is((await idsOf(other, current))?.length, 3);
    const whole = (await store.open(current, 0))!;
    const late = toCreate({ workspace: current, mint: false, expiresAt: whole.expiresAt + 7_200_000 });
    assert.equal(await store.change(late), done);
    assert.is((await store.open(current, whole.expiresAt + 7_199_999))?.key, whole.key);
  });

  test('of two that rename at once, one finds the workspace gone', async ({ store, other }) => {
    const { workspace } = await make(store);
    const next = [toHash(), toHash()];
    const answers = await Promise.all(
      next.map((rename, at) =>
        (at === 0 ? store : other).change(toWrite({ rename }, { workspace, mint: false })),
      ),
    );
    const results = answers.map(({ result }) => result);
    assert.equal(results.toSorted(), ['done', 'unknown']);
    const open = await Promise.all(next.map(async (hash) => (await store.open(hash, 0)) !== undefined));
    assert.equal(
      open,
      results.map((result) => result === 'done'),
    );
  });

  test('forgets a workspace whole, with every reply kept in it', async ({ store, other }) => {
    const [minted, kept] = [0, 1].map(() => ({ name: toHash(), fingerprint: toHash() }));
    const fact = toFact({ id: 'a', ref: 'x' });
    const { workspace, write, ...first } = await make(store, { key: minted!, reply: 'minted', fact });
    const second = toCreate({ workspace, mint: false, key: kept!, reply: 'kept' });
    assert.equal(await store.change(second), done);
    await write({ occupies: { a: 1, cand_036: 1 } });
    const renamed = toHash();
    await write({ rename: renamed });
    const { key } = (await store.open(renamed, 0))!;
    const end = { name: toHash(), fingerprint: toHash() };
    const last = toWrite({ forget: true, reply: 'gone' }, { workspace: renamed, mint: false, key: end });
    assert.equal(await other.change(last), done);
    assert.equal(await store.change(last), { result: 'unknown' });
    for (const hash of [workspace, renamed]) {
      assert.is(await store.open(hash, 0), undefined);
      assert.equal(await store.change({ ...second, workspace: hash }), { result: 'unknown' });
    }
    const names = ['a', 'candidate#x', 'cand_036'];
    assert.equal(
      await store.find(key, names),
      names.map(() => ({ occupants: 0 })),
    );
    assert.equal(await readKind(store, key, 'candidate'), []);
    const again = { ...first, workspace: toHash() };
    assert.equal(await other.change(again), done);
    assert.is(await store.open(workspace, 0), undefined);
    assert.equal(await idsOf(store, again.workspace), ['a']);
    assert.equal(await store.change(again), { result: 'replay', reply: 'minted' });
  });
}

const hour = 3_600_000;
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
  const makeCharged = async (store: Store) => {
    const change = await make(store);
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
    const { key, used, write, workspace, now } = await makeCharged(store);
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
    const { key, used, write, workspace, now } = await makeCharged(store);
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
    const { key, used, write, workspace, now } = await makeCharged(store);
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
    const { key, used, write } = await makeCharged(store);
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
    const { workspace, used, write } = await makeCharged(store);
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
    assert.is(await store.change(throws).catch((reason) => reason), thrown);
    assert.equal(await write(charge), { result: 'over' });
    assert.equal(await used(), { period, calls: { make: 1 } });
  });

  test('charges exactly, and never past what is authorised, whatever races', async ({ store, other }) => {
    const { key, write, used } = await makeCharged(store);
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
    const { workspace, key, now } = await makeCharged(store);
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
