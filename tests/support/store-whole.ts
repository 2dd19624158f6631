import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store, Writing } from '../../src/records/store.ts';
import { idsOf, readKind, readWhole, toCreate, toFact, toHash, toWrite } from './changes.ts';

const done = { result: 'done', answer: null };

/** Holds a driver to what it says of a workspace as a whole. */
export function testWhole(test: Test<{ store: Store; other: Store }>): void {
  const make = async (store: Store, more: Parameters<typeof toCreate>[0] = {}) => {
    const change = toCreate(more);
    assert.equal(await store.change(change), done);
    const write = (writing: Writing, workspace = change.workspace) =>
      store.change(toWrite(writing, { workspace, mint: false }));
    return { ...change, write };
  };

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
