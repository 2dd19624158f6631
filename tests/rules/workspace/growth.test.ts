import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Growth } from '../../../src/kernel/service.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import { make, TestedStore, toHash, toName, toRecord, toWrite } from '../../support/changes.ts';

const growth = suite('how much larger a change makes the store');

/** Bytes of a row or a token beside its text. */
const bytesOfRow = 200;
const measure = (value: object) => Buffer.byteLength(JSON.stringify(value));

/** A store, and a change in it that says what it adds. */
async function open() {
  const tested = new TestedStore(new SqliteStore(':memory:'));
  const made = await make(tested, { record: toRecord({ id: 'cand_1', name: 'Zoë' }) });
  let durable = 0;
  const write = async (
    effects: Parameters<typeof toWrite>[0],
    draft?: Parameters<typeof toWrite>[2],
    more: Parameters<typeof toWrite>[1] = {},
  ): Promise<Growth | undefined> => {
    let added: Growth | undefined;
    const admit = (growth: Growth) => {
      added = growth;
      assert.is(durable, before, 'it is not durable yet');
      return () => {
        durable += 1;
      };
    };
    const before = durable;
    const request = { hash: made.hash, mint: false, admit, ...more };
    const { result } = await tested.change(toWrite(effects, request, draft));
    assert.is(result, 'done');
    assert.is(durable, before + (added ? 1 : 0));
    return added;
  };
  return { ...made, tested, write };
}

growth('a new record adds a row and its text', async () => {
  const { write } = await open();
  const record = toRecord({ name: 'Bo 😀' });
  const added = await write({}, (draft) => draft.put('candidate', record));
  assert.equal(added, { rows: 1, bytes: measure(record) + bytesOfRow });
});

growth(
  'a changed record adds the bytes that are more, and nothing is asked if there are not more',
  async () => {
    const { write, record } = await open();
    const change = (name: string) =>
      write({}, (draft) => draft.put('candidate', { ...record, name }, draft.findOwn('candidate', 'cand_1')));
    assert.equal(await change('Zoë Hart'), { rows: 0, bytes: 5 });
    assert.is(await change('Bo Smith'), undefined);
    assert.is(await change('Bo'), undefined);
  },
);

growth('a removed record adds nothing, and makes room for another', async () => {
  const { write, record } = await open();
  const other = toRecord({ id: 'cand_2', name: 'Zoë' });
  const swapped = await write({}, (draft) => {
    draft.remove(draft.findOwn('candidate', 'cand_1')!);
    draft.put('candidate', other);
  });
  assert.equal(swapped, { rows: 1, bytes: measure(other) - measure(record) + bytesOfRow });
  assert.is(await write({}, (draft) => draft.remove(draft.findOwn('candidate', 'cand_2')!)), undefined);
});

growth('a stored reply and each token add a row', async () => {
  const { write } = await open();
  const key = () => ({ name: toName(), fingerprint: toName() });
  const expiresAt = Date.now() + 1000;
  const tokens = { [toHash()]: { to: 'a', expiresAt }, [toHash()]: { to: 'b', expiresAt } };
  assert.equal(await write({ keptReply: 'é' }, undefined, { key: key() }), {
    rows: 1,
    bytes: 2 + bytesOfRow,
  });
  assert.equal(await write({ addedTokens: tokens }), { rows: 0, bytes: 2 * bytesOfRow });
  assert.is(await write({ keptReply: 'no key' }), undefined);
});

growth('the state of a workspace counts with its bytes', async () => {
  const { write } = await open();
  assert.equal(await write({ state: { a: 1 } }), { rows: 0, bytes: measure({ a: 1 }) - 2 });
  assert.is(await write({ state: { a: 2 } }), undefined);
});

growth('a deleted workspace adds nothing', async () => {
  const { write } = await open();
  const deleted = await write({ deletesWorkspace: true, keptReply: 'x'.repeat(999) }, undefined, {
    key: { name: toName(), fingerprint: toName() },
  });
  assert.is(deleted, undefined);
});

growth('a new workspace adds a row at least, and the token of its key', async () => {
  const { write } = await open();
  const mint = (more = {}, draft?: Parameters<typeof write>[1]) =>
    write({}, draft, { hash: toHash(), mint: true, ...more });
  assert.equal(await mint(), { rows: 1, bytes: bytesOfRow });
  const [one, two] = [toRecord(), toRecord()];
  const both = await mint({}, (draft) => {
    draft.put('candidate', one);
    draft.put('candidate', two);
  });
  assert.equal(both, { rows: 2, bytes: measure(one) + measure(two) + 2 * bytesOfRow });
  assert.equal(await mint({ key: { name: toName(), fingerprint: toName() } }), {
    rows: 1,
    bytes: 2 * bytesOfRow,
  });
});

growth('at most 100 expired replies make room in one change, those that expired first', async () => {
  const { tested, write, hash } = await open();
  const now = Date.now();
  for (let at = 0; at < 103; at += 1)
    await write({ keptReply: 'four' }, undefined, {
      key: { name: toName(), fingerprint: toName() },
      now,
      expiresAt: now + 1000 + at,
    });
  const before = (await tested.open(hash, now))!.bytes;
  const countGone = async (later: number) => {
    await write({}, undefined, { now: now + later });
    return (before - (await tested.open(hash, now))!.bytes) / 4;
  };
  assert.is(await countGone(999), 0);
  assert.is(await countGone(1000), 1);
  assert.is(await countGone(1001), 2);
  assert.is(await countGone(2000), 102);
  assert.is(await countGone(2000), 103);
});

growth('the own reply of a key that has expired makes room even behind 100 others', async () => {
  const { tested, write, hash } = await open();
  const now = Date.now();
  const keys = Array.from({ length: 103 }, () => ({ name: toName(), fingerprint: toName() }));
  for (const [at, key] of keys.entries())
    await write({ keptReply: 'four' }, undefined, { key, now, expiresAt: now + 1000 + at });
  const { bytes } = (await tested.open(hash, now))!;
  await write({ keptReply: 'new' }, undefined, { key: keys.at(-1)!, now: now + 2000, expiresAt: now + 9000 });
  assert.is((await tested.open(hash, now))!.bytes, bytes - 101 * 4 + 3);
});

growth.run();
