import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { make, toHash, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

const hour = 3_600_000;

/** Tests tokens that lead to a workspace without its id. */
export function testTokens(test: Test<Instances>): void {
  test('follows a token to its workspace, until either expires', async ({ first, other }) => {
    const { hash, write, now, expiresAt } = await make(first);
    const [token, later] = [toHash(), toHash()];
    assert.is(await first.follow(token, now), undefined);
    const addedTokens = {
      [token]: { to: 'plc_1', expiresAt: now + 1000 },
      [later]: { to: 'plc_1', expiresAt: expiresAt + hour },
    };
    await write({ addedTokens });
    const { key } = (await first.open(hash, now))!;
    const followed = (await other.follow(token, now))!;
    assert.is(followed.key, key);
    assert.is(followed.hash, hash);
    assert.is(followed.to, 'plc_1');
    assert.is((await other.follow(token, now + 999))?.key, key);
    assert.is(await other.follow(token, now + 1000), undefined);
    assert.is((await other.follow(later, expiresAt - 1))?.key, key);
    assert.is(await other.follow(later, expiresAt), undefined);
    assert.is(await other.follow(hash, now), undefined, 'a hash does not work as a token');
  });

  test('adds a token with a fresh workspace, and replaces it by another', async ({ first, other }) => {
    const [token, second] = [toHash(), toHash()];
    const target = { to: 'plc_1', expiresAt: Date.now() + hour };
    const made = toWrite({ addedTokens: { [token]: target } });
    await first.change(made);
    assert.is((await other.follow(token))?.hash, made.hash);
    const more = { hash: made.hash, mint: false };
    await first.change(toWrite({ addedTokens: { [second]: target }, removedTokens: [token] }, more));
    assert.is(await other.follow(token), undefined);
    assert.is((await other.follow(second))?.hash, made.hash);
  });

  test('keeps a token that was added by the delete of its workspace, until it expires', async ({
    first,
    other,
  }) => {
    const { hash, write, now } = await make(first);
    const token = toHash();
    await write({ deletesWorkspace: true, addedTokens: { [token]: { to: 'reply', expiresAt: now + hour } } });
    assert.is(await first.open(hash, now), undefined);
    assert.is((await other.store.follow(token, now))?.to, 'reply');
    assert.is(await other.follow(token, now), undefined, 'it leads to no workspace');
    assert.is(await other.store.follow(token, now + hour), undefined);
  });

  test('follows a token after its workspace was renamed, but not once that is deleted', async ({
    first,
    other,
  }) => {
    const { write, now } = await make(first);
    const [token, rename] = [toHash(), toHash()];
    await write({ addedTokens: { [token]: { to: 'plc_1', expiresAt: now + hour } } });
    await write({ rename });
    assert.is((await other.follow(token))?.hash, rename);
    await write({ deletesWorkspace: true }, undefined, rename);
    assert.is(await other.follow(token), undefined);
    await make(first);
    assert.is(await other.follow(token), undefined);
  });
}
