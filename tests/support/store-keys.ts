import { randomUUID } from 'node:crypto';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { done, make, type TestedStore, toCreate, toHash, toName, toWrite } from './changes.ts';
import type { Instances } from './store-contract.ts';

const toKey = (name = toName(), fingerprint = 'f'.repeat(32)) => ({ name, fingerprint });

/** Tests changes under a key. */
export function testKeys(test: Test<Instances>): void {
  for (const where of ['a fresh workspace', 'a workspace']) {
    const prepare = async (tested: TestedStore) =>
      where === 'a fresh workspace' ? { mint: true } : { mint: false, hash: (await make(tested)).hash };

    test(`under one key in ${where}, changes once and replays the first reply`, async ({ first, other }) => {
      const { name } = toKey();
      const place = await prepare(first);
      const changes = Array.from({ length: 20 }, () =>
        toCreate({ ...place, key: toKey(name), reply: `{"of": "${randomUUID()}"}` }),
      );
      const answers = await Promise.all(
        changes.map((one, at) => changeUntilSettled(at % 2 === 0 ? first : other, one)),
      );
      assert.is(answers.filter(({ result }) => result === 'done').length, 1);
      const replies = answers.flatMap((one) => (one.result === 'replay' ? one.reply : []));
      assert.is(replies.length, 19);
      assert.is(new Set(replies).size, 1);
    });

    test(`under a key used for another request in ${where}, changes nothing`, async ({ first }) => {
      const { name } = toKey();
      const place = await prepare(first);
      await first.change(toCreate({ ...place, key: toKey(name), reply: '' }));
      const other = toCreate({ ...place, key: toKey(name, toName()) });
      assert.equal(await first.change(other), { result: 'mismatch' });
    });

    test(`forgets a key in ${where} when its change would expire`, async ({ first }) => {
      const now = Date.now();
      const { name } = toKey();
      const place = await prepare(first);
      const one = toCreate({ ...place, now, expiresAt: now + 1000, key: toKey(name), reply: 'first' });
      await first.change(one);
      await first.change(toCreate({ hash: one.hash, mint: false }));
      const early = toCreate({ ...place, now: now + 999, key: toKey(name) });
      assert.equal(await first.change(early), { result: 'replay', reply: 'first' });
      const late = toCreate({ ...place, now: now + 1000, key: toKey(name), reply: 'second' });
      assert.equal(await first.change(late), done);
      assert.equal(await first.change(late), { result: 'replay', reply: 'second' });
    });
  }

  test('checks the key before the ceiling, also if the workspace was renamed', async ({ first, other }) => {
    const ceiling = { records: 2, bytes: 4_096_000 };
    const { hash } = await make(first, { ceiling });
    const second = toCreate({ hash, mint: false, ceiling, key: toKey(), reply: 'kept' });
    await first.change(second);
    assert.equal(await other.change(second), { result: 'replay', reply: 'kept' });
    const rename = toHash();
    await first.change(toWrite({ rename }, { hash, mint: false }));
    assert.equal(await other.change({ ...second, hash: rename }), { result: 'replay', reply: 'kept' });
  });

  test('removes replies that have expired, and counts their bytes no more', async ({ first }) => {
    const now = Date.now();
    const { hash } = await make(first, { now });
    const readBytes = async () => (await first.open(hash, now))!.bytes;
    const keep = (reply: string, expiresAt: number) =>
      first.change(toWrite({ keptReply: reply }, { hash, mint: false, now, expiresAt, key: toKey() }));
    const bytes = await readBytes();
    for (let count = 0; count < 110; count += 1) await keep('Zoë', now + 1000);
    await keep('kept', now + 1001);
    assert.is(await readBytes(), bytes + 110 * 4 + 4);
    await first.change(toWrite({}, { hash, mint: false, now: now + 1000 }));
    assert.is(await readBytes(), bytes + 10 * 4 + 4, 'a change removes a hundred');
    await first.change(toWrite({}, { hash, mint: false, now: now + 1000 }));
    assert.is(await readBytes(), bytes + 4);
    await first.change(toWrite({}, { hash, mint: false, now: now + 1001 }));
    assert.is(await readBytes(), bytes);
  });

  test('keeps no reply under a key for a refusal, nor for a change without a reply', async ({ first }) => {
    const key = toKey();
    assert.equal(await first.change(toCreate({ mint: false, key, reply: '' })), { result: 'unknown' });
    const ceiling = { records: 0, bytes: 1 };
    assert.equal(await first.change(toCreate({ key, ceiling, reply: '' })), { result: 'full' });
    const { hash } = await make(first);
    assert.equal(await first.change(toCreate({ key, hash, mint: false })), done);
    assert.equal(await first.change(toCreate({ key, hash, mint: false, reply: '' })), done);
    const again = toCreate({ key, hash, mint: false, reply: '1' });
    assert.equal(await first.change(again), { result: 'replay', reply: '' });
  });
}

/** Sends a change again, as the service does, if another with its key makes the workspace first. */
async function changeUntilSettled(tested: TestedStore, change: ReturnType<typeof toCreate>) {
  for (let tries = 0; tries < 10; tries += 1) {
    const changed = await tested.change(change);
    if (changed.result !== 'taken') return changed;
  }
  throw new Error('it was taken ten times');
}
