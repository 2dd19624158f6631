import { randomUUID } from 'node:crypto';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/records/store.ts';
import { idsOf, make, toCreate, toHash, toWrite } from './changes.ts';

const done = { result: 'done', answer: null };
const toKey = (name = toHash(), fingerprint = toHash('same')) => ({ name, fingerprint });
const toReply = () => `{"of": "${randomUUID()}"}`;

/** Holds a driver to what it says of changes under a key. */
export function testKeys(test: Test<{ store: Store; other: Store }>): void {
  for (const where of ['a fresh workspace', 'a workspace']) {
    const prepare = async (store: Store) => {
      if (where === 'a fresh workspace') return { mint: true };
      const { workspace } = await make(store);
      return { mint: false, workspace };
    };

    test(`under one key in ${where}, changes once and replays the first reply`, async ({ store, other }) => {
      const { name } = toKey();
      const place = await prepare(store);
      const changes = Array.from({ length: 20 }, () => {
        const reply = toReply();
        return { reply, ...toCreate({ ...place, key: toKey(name), reply }) };
      });
      const answers = await Promise.all(
        changes.map((change, at) => (at % 2 === 0 ? store : other).change(change)),
      );
      const winner = answers.findIndex(({ result }) => result === 'done');
      const { reply } = changes[winner]!;
      answers.forEach((answer, index) => {
        assert.equal(answer, index === winner ? done : { result: 'replay', reply });
      });
      const counts = await Promise.all(changes.map(({ workspace }) => idsOf(store, workspace)));
      if (place.mint) assert.is(counts.filter((ids) => ids !== undefined).length, 1);
      else assert.is(counts[0]?.length, 2);
    });

    test(`under a key used for another request in ${where}, changes nothing`, async ({ store }) => {
      const { name } = toKey();
      const place = await prepare(store);
      await store.change(toCreate({ ...place, key: toKey(name), reply: '' }));
      const other = toCreate({ ...place, key: toKey(name, toHash('other')) });
      assert.equal(await store.change(other), { result: 'mismatch' });
      assert.is((await idsOf(store, other.workspace))?.length, place.mint ? undefined : 2);
    });

    test(`forgets a key in ${where} when its change would expire`, async ({ store }) => {
      const now = Date.now();
      const { name } = toKey();
      const place = await prepare(store);
      const first = toCreate({ ...place, now, expiresAt: now + 1000, key: toKey(name), reply: 'first' });
      await store.change(first);
      await store.change(toCreate({ workspace: first.workspace, mint: false }));
      const sized = (await store.open(first.workspace, now))!.bytes;
      const early = toCreate({ ...place, now: now + 999, key: toKey(name) });
      assert.equal(await store.change(early), { result: 'replay', reply: 'first' });
      const late = toCreate({ ...place, now: now + 1000, key: toKey(name), reply: 'second' });
      assert.equal(await store.change(late), done);
      assert.equal(await store.change(late), { result: 'replay', reply: 'second' });
      const size = Buffer.byteLength(JSON.stringify(late.record.fact));
      const { bytes } = (await store.open(late.workspace, now))!;
      assert.is(bytes, place.mint ? size + 6 : sized - 5 + size + 6);
    });
  }

  test('looks at the key before the ceiling, also where the workspace was renamed', async ({ store }) => {
    const ceiling = { records: 2, bytes: 4_096_000 };
    const { workspace } = await make(store, { ceiling });
    const second = toCreate({ workspace, mint: false, ceiling, key: toKey(), reply: 'kept' });
    await store.change(second);
    assert.equal(await store.change(second), { result: 'replay', reply: 'kept' });
    const rename = toHash();
    await store.change(toWrite({ rename }, { workspace, mint: false }));
    assert.equal(await store.change({ ...second, workspace: rename }), { result: 'replay', reply: 'kept' });
    const other = { ...second, workspace: rename, key: { ...second.key!, fingerprint: toHash() } };
    assert.equal(await store.change(other), { result: 'mismatch' });
  });

  test('removes replies that expired as a workspace goes on, and counts them no more', async ({ store }) => {
    const now = Date.now();
    const { workspace } = await make(store, { now });
    const toBytes = async () => (await store.open(workspace, now))!.bytes;
    const keyed = (reply: string, expiresAt: number) =>
      store.change(toWrite({ reply }, { workspace, mint: false, now, expiresAt, key: toKey() }));
    const bytes = await toBytes();
    for (let count = 0; count < 110; count += 1) await keyed('Zoë', now + 1000);
    await keyed('kept', now + 1001);
    assert.is(await toBytes(), bytes + 110 * 4 + 4);
    const ceiling = { records: 9, bytes: bytes + 4 };
    const next = toCreate({ workspace, mint: false, now: now + 1000, ceiling });
    assert.equal(await store.change(next), { result: 'full' });
    assert.is(await toBytes(), bytes + 10 * 4 + 4, 'the first hundred go, also where the change is full');
    await store.change(toWrite({}, { workspace, mint: false, now: now + 1000 }));
    assert.is(await toBytes(), bytes + 4);
    await store.change(toWrite({}, { workspace, mint: false, now: now + 1001 }));
    assert.is(await toBytes(), bytes);
  });

  test('does not keep a key for what it turned down, nor for what has no reply', async ({ store }) => {
    const key = toKey();
    assert.equal(await store.change(toCreate({ mint: false, key, reply: '' })), { result: 'unknown' });
    const ceiling = { records: 0, bytes: 1 };
    assert.equal(await store.change(toCreate({ key, ceiling, reply: '' })), { result: 'full' });
    const { workspace } = await make(store, { key });
    assert.equal(await store.change(toCreate({ key, workspace, mint: false })), done);
    assert.equal(await store.change(toCreate({ key, workspace, mint: false, reply: '' })), done);
    const again = toCreate({ key, workspace, mint: false, reply: '1' });
    assert.equal(await store.change(again), { result: 'replay', reply: '' });
  });
}

const hour = 3_600_000;

/** Holds a driver to what it says of names that lead to a workspace without its id. */
export function testPoints(test: Test<{ store: Store; other: Store }>): void {
  test('follows a name to its workspace, until either expires', async ({ store, other }) => {
    const { workspace, write, now, expiresAt } = await make(store);
    const [name, later] = [toHash(), toHash()];
    assert.is(await store.follow(name, now), undefined);
    await write({
      points: {
        [name]: { to: 'plc_1', expiresAt: now + 1000 },
        [later]: { to: 'plc_1', expiresAt: expiresAt + hour },
      },
    });
    const head = (await store.open(workspace, now))!;
    assert.equal(await other.follow(name, now), { ...head, hash: workspace, to: 'plc_1' });
    assert.is((await other.follow(name, now + 999))?.key, head.key);
    assert.is(await other.follow(name, now + 1000), undefined);
    assert.is((await other.follow(later, expiresAt - 1))?.key, head.key);
    assert.is(await other.follow(later, expiresAt), undefined);
    assert.is(await other.follow(workspace, now), undefined, 'a hash is no such name');
    assert.is(await other.follow(toHash(), now), undefined);
  });

  test('makes one with a fresh workspace, moves it, and takes it away', async ({ store, other }) => {
    const [name, second] = [toHash(), toHash()];
    const made = toWrite({ points: { [name]: { to: 'plc_1', expiresAt: Date.now() + hour } } });
    await store.change(made);
    assert.is((await other.follow(name, made.now))?.hash, made.workspace);
    const more = { workspace: made.workspace, mint: false };
    await store.change(
      toWrite({ points: { [second]: { to: 'plc_1', expiresAt: made.now + hour } }, unpoints: [name] }, more),
    );
    assert.is(await other.follow(name, made.now), undefined);
    assert.is((await other.follow(second, made.now))?.hash, made.workspace);
  });

  test('follows a name after the workspace was renamed, and nowhere once it is forgotten', async ({
    store,
    other,
  }) => {
    const { workspace, write, now } = await make(store);
    const [name, rename] = [toHash(), toHash()];
    await write({ points: { [name]: { to: 'plc_1', expiresAt: now + hour } } });
    const { key } = (await store.open(workspace, now))!;
    await write({ rename });
    const followed = (await other.follow(name, now))!;
    assert.equal([followed.hash, followed.key], [rename, key]);
    await write({}, followed.hash);
    await write({ forget: true }, rename);
    assert.is(await other.follow(name, now), undefined);
    await make(store);
    assert.is(await other.follow(name, now), undefined);
  });
}
