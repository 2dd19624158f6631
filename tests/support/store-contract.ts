import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/records/store.ts';
import { idsOf, readWhole, toAddition, toHash } from './additions.ts';
import { testReads } from './store-reads.ts';

const hour = 3_600_000;

const toKey = (name = toHash(), fingerprint = toHash('same'), reply = `{"of": "${randomUUID()}"}`) => ({
  name,
  fingerprint,
  reply,
});

/**
 * Holds a driver to what src/records/store.ts promises. `open` gives a store; several calls give stores over
 * the same data where `shared` is true, otherwise it is called once.
 */
export function testStore(name: string, open: () => Store | Promise<Store>, { shared = false } = {}): void {
  const test = suite<{ store: Store }>(name);

  test.before(async (context) => {
    context.store = await open();
  });
  test.after(async ({ store }) => {
    await store.close();
  });

  test('reads its own writes at once, oldest first, counted from 1', async ({ store }) => {
    const first = toAddition();
    assert.equal(await store.add(first), { result: 'added' });
    const second = toAddition({ workspace: first.workspace, mint: false });
    assert.equal(await store.add(second), { result: 'added' });
    const found = (await readWhole(store, first.workspace, Date.now()))!;
    assert.equal(found.records, [
      { ...first.record, seq: 1 },
      { ...second.record, seq: 2 },
    ]);
    assert.is(found.expiresAt, second.expiresAt);
  });

  test('keeps every character of a fact', async ({ store }) => {
    const fact = {
      id: 'cand_x',
      name: 'Zoë "\\\u0000\u2028 🧑‍💻 \ud800',
      onetCode: '15-1252.00',
      skills: ['', '{}'],
    };
    const addition = toAddition({ record: { kind: 'candidate', fact } });
    await store.add(addition);
    assert.equal((await readWhole(store, addition.workspace, Date.now()))?.records[0]?.fact, fact);
  });

  test('knows no workspace that was never made', async ({ store }) => {
    assert.is(await readWhole(store, toHash(), Date.now()), undefined);
    assert.equal(await store.add(toAddition({ mint: false })), { result: 'unknown' });
  });

  test('keeps the expiry to the millisecond, and never shortens it', async ({ store }) => {
    const now = Date.now();
    const { workspace } = toAddition();
    await store.add(toAddition({ workspace, now, expiresAt: now + hour }));
    await store.add(toAddition({ workspace, mint: false, now, expiresAt: now + 500 }));
    assert.is((await idsOf(store, workspace, now + hour - 1))?.length, 2);
    assert.is(await idsOf(store, workspace, now + hour), undefined);
    const late = toAddition({ workspace, mint: false, now: now + hour, expiresAt: now + 2 * hour });
    assert.equal(await store.add(late), { result: 'unknown' });
  });

  test('stops at the ceiling and loses nothing there', async ({ store }) => {
    const first = toAddition({ ceiling: { records: 3, bytes: 4_096_000 } });
    await store.add(first);
    const rest = await Promise.all(
      Array.from({ length: 9 }, () =>
        store.add(
          toAddition({ workspace: first.workspace, mint: false, ceiling: { records: 3, bytes: 4_096_000 } }),
        ),
      ),
    );
    assert.equal(rest.map(({ result }) => result).sort(), [
      ...Array(2).fill('added'),
      ...Array(7).fill('full'),
    ]);
    assert.is((await idsOf(store, first.workspace))?.length, 3);
  });

  testReads(test);

  for (const where of ['a fresh workspace', 'a workspace']) {
    const prepare = async (store: Store) => {
      if (where === 'a fresh workspace') return { mint: true };
      const { workspace } = toAddition();
      await store.add(toAddition({ workspace }));
      return { mint: false, workspace };
    };

    test(`under one key in ${where}, adds once and replays the first reply`, async ({ store }) => {
      const { name } = toKey();
      const place = await prepare(store);
      const additions = Array.from({ length: 20 }, () => toAddition({ ...place, key: toKey(name) }));
      const answers = await Promise.all(additions.map((addition) => store.add(addition)));
      const winner = answers.findIndex(({ result }) => result === 'added');
      const { reply } = additions[winner]!.key!;
      answers.forEach((answer, index) => {
        assert.equal(answer, index === winner ? { result: 'added' } : { result: 'replay', reply });
      });
      const counts = await Promise.all(additions.map(({ workspace }) => idsOf(store, workspace)));
      if (place.mint) assert.is(counts.filter((ids) => ids !== undefined).length, 1);
      else assert.is(counts[0]?.length, 2);
    });

    test(`under a key used for another request in ${where}, changes nothing`, async ({ store }) => {
      const { name } = toKey();
      const place = await prepare(store);
      await store.add(toAddition({ ...place, key: toKey(name) }));
      const other = toAddition({ ...place, key: toKey(name, toHash('other')) });
      assert.equal(await store.add(other), { result: 'mismatch' });
      assert.is((await idsOf(store, other.workspace))?.length, place.mint ? undefined : 2);
    });

    test(`forgets a key in ${where} when its create would expire`, async ({ store }) => {
      const now = Date.now();
      const { name } = toKey();
      const place = await prepare(store);
      await store.add(toAddition({ ...place, now, expiresAt: now + 1000, key: toKey(name) }));
      const early = toAddition({ ...place, now: now + 999, key: toKey(name) });
      assert.is((await store.add(early)).result, 'replay');
      const late = toAddition({ ...place, now: now + 1000, key: toKey(name) });
      assert.equal(await store.add(late), { result: 'added' });
      assert.is((await store.add(late)).result, 'replay');
    });
  }

  test('looks at the key before the ceiling', async ({ store }) => {
    const first = toAddition({ ceiling: { records: 2, bytes: 4_096_000 } });
    await store.add(first);
    const second = toAddition({
      workspace: first.workspace,
      mint: false,
      ceiling: { records: 2, bytes: 4_096_000 },
      key: toKey(),
    });
    await store.add(second);
    assert.equal(await store.add(second), { result: 'replay', reply: second.key!.reply });
  });

  test('does not keep a key for what it turned down', async ({ store }) => {
    const key = toKey();
    assert.equal(await store.add(toAddition({ mint: false, key })), { result: 'unknown' });
    assert.equal(await store.add(toAddition({ key })), { result: 'added' });
  });

  test('counts the creates that it made durable', async ({ store }) => {
    const before = store.stats?.().creates ?? 0;
    await Promise.all(Array.from({ length: 5 }, () => store.add(toAddition())));
    if (store.stats) assert.is(store.stats().creates, before + 5);
    await store.check?.();
  });

  if (shared) {
    test('is one store for several instances', async ({ store }) => {
      const other = await open();
      const first = toAddition({ key: toKey() });
      await store.add(first);
      assert.equal(await idsOf(other, first.workspace), [first.record.fact.id]);
      assert.equal(await other.add(first), { result: 'replay', reply: first.key!.reply });
      await other.close();
    });
  }

  test.run();
}
