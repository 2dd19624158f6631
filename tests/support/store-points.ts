import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/records/store.ts';
import { toCreate, toHash, toWrite } from './changes.ts';

const hour = 3_600_000;

/** Holds a driver to what it says of names that lead to a workspace without its id. */
export function testPoints(test: Test<{ store: Store; other: Store }>): void {
  const make = async (store: Store, more: Parameters<typeof toCreate>[0] = {}) => {
    const change = toCreate(more);
    await store.change(change);
    const write = (writing: Parameters<typeof toWrite>[0], workspace = change.workspace) =>
      store.change(
        toWrite(writing, { workspace, mint: false, now: change.now, expiresAt: change.expiresAt }),
      );
    return { ...change, write };
  };

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
