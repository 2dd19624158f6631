import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { done, make, type TestedStore, toCreate, toHash, toName, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

const hour = 3_600_000;
const unknown = { result: 'unknown' };

/** Makes a workspace, and renames it three times. Returns its hashes, the newest last. */
async function makeRenamed(first: TestedStore) {
  const { hash, record, write } = await make(first);
  const hashes = [hash];
  for (const rename of [toHash(), toHash(), toHash()]) {
    await write({ rename }, undefined, hashes.at(-1)!);
    hashes.push(rename);
  }
  return { hashes, record, write };
}

/** Tests how workspaces are made, renamed, kept and deleted. */
export function testWholes(test: Test<Instances>): void {
  test('makes one workspace if several are made with the same hash', async ({ first, other }) => {
    const hash = toHash();
    const changes = Array.from({ length: 6 }, (_, at) => (at % 2 ? other : first).change(toCreate({ hash })));

    const results = (await Promise.all(changes)).map(({ result }) => result);

    assert.is(results.filter((result) => result === 'done').length, 1);
    assert.is(results.filter((result) => result === 'taken').length, 5);
    assert.is((await first.listIds(hash))?.length, 1);
  });

  test('keeps a workspace until the millisecond of its expiry', async ({ first, other }) => {
    const now = Date.now();
    const { hash } = await make(first, { now, expiresAt: now + hour });
    assert.is((await other.open(hash, now + hour - 1))?.expiresAt, now + hour);
    assert.is(await other.open(hash, now + hour), undefined);
  });

  test('changes no workspace that has expired', async ({ first }) => {
    const now = Date.now();
    const { hash } = await make(first, { now, expiresAt: now + hour });
    const late = toCreate({ hash, mint: false, now: now + hour, expiresAt: now + 2 * hour });
    assert.equal(await first.change(late), unknown);
  });

  test('never shortens the expiry', async ({ first, other }) => {
    const now = Date.now();
    const { hash } = await make(first, { now, expiresAt: now + hour });
    await first.change(toCreate({ hash, mint: false, now, expiresAt: now + 500 }));
    assert.is((await other.open(hash, now))?.expiresAt, now + hour);
  });

  test('opens a renamed workspace by its new hash', async ({ first, other }) => {
    const { hashes, record } = await makeRenamed(first);
    assert.equal(await other.listIds(hashes.at(-1)!), [record.id]);
  });

  test('does not open a renamed workspace by an old hash', async ({ first, other }) => {
    const { hashes } = await makeRenamed(first);
    for (const hash of hashes.slice(0, -1)) {
      assert.is(await first.open(hash), undefined);
      assert.is(await other.open(hash), undefined);
    }
  });

  test('does not change a renamed workspace by an old hash', async ({ first, other }) => {
    const { hashes } = await makeRenamed(first);
    for (const hash of hashes.slice(0, -1))
      assert.equal(await other.change(toCreate({ hash, mint: false })), unknown);
  });

  test('keeps the key of a workspace that is renamed', async ({ first, other }) => {
    const { hash, write } = await make(first);
    const { key } = (await first.open(hash))!;
    const rename = toHash();
    await write({ rename });
    assert.is((await other.open(rename))?.key, key);
  });

  test('renames a workspace back to its first hash', async ({ first, other }) => {
    const { hashes, record, write } = await makeRenamed(first);
    assert.equal(await write({ rename: hashes[0]! }, undefined, hashes.at(-1)!), done);
    assert.is(await other.open(hashes.at(-1)!), undefined);
    assert.equal(await other.listIds(hashes[0]!), [record.id]);
  });

  test('of two renames of a workspace at once, the second does not find it', async ({ first, other }) => {
    const { hash } = await make(first);
    const place = { hash, mint: false };

    const changes = await Promise.all([
      first.change(toWrite({ rename: toHash() }, place)),
      other.change(toWrite({ rename: toHash() }, place)),
    ]);

    assert.equal(changes.map(({ result }) => result).sort(), ['done', 'unknown']);
  });

  test('makes changes beside a rename before it or not at all', async ({ first, other }) => {
    const { hash } = await make(first);
    const place = { hash, mint: false };
    const rename = toHash();

    const [creates] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, (_, at) => (at % 2 ? other : first).change(toCreate(place)))),
      first.change(toWrite({ rename }, place)),
    ]);

    const made = creates.filter(({ result }) => result === 'done').length;
    const refused = creates.filter(({ result }) => result === 'unknown').length;
    assert.is(made + refused, 10);
    assert.is((await other.listIds(rename))?.length, 1 + made);
  });

  test('does not open a workspace that was deleted', async ({ first, other }) => {
    const { hash, write } = await make(first);
    await other.open(hash);
    await write({ deletesWorkspace: true });
    assert.is(await other.open(hash), undefined);
    assert.equal(await other.change(toCreate({ hash, mint: false })), unknown);
  });

  test('forgets the key that made a workspace once that is deleted', async ({ first, other }) => {
    const key = { name: toName(), fingerprint: toName() };
    const { write } = await make(first, { key, reply: 'minted' });
    await write({ deletesWorkspace: true });
    const again = toCreate({ key, reply: 'again' });
    assert.equal(await other.change(again), done);
    assert.is((await first.listIds(again.hash))?.length, 1);
  });
}
