import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredRecord } from '../../src/records/record.ts';
import { openRedisStore } from '../../src/stores/redis.ts';
import { toHeadKey, toMintKey, toPlace, toShort } from '../../src/stores/redis-keys.ts';
import { readWhole, toCreate, toFact, toHash, toWrite } from '../support/changes.ts';
import { askRedis, skipsRedis, startRedis, until } from '../support/redis.ts';

if (!skipsRedis()) {
  const server = await startRedis();
  const ask = (...args: string[]) => askRedis(server.port, ...args).trim();
  const redis = suite('what Redis keeps');

  async function open() {
    const store = openRedisStore(`redis://127.0.0.1:${server.port}`);
    const isUp = () =>
      Promise.resolve(store.check()).then(
        () => true,
        () => false,
      );
    await until(isUp, 'it answers');
    return store;
  }

  const toKeyed = (more: Parameters<typeof toCreate>[0] = {}) =>
    toCreate({ key: { name: toHash(), fingerprint: toHash() }, reply: '{}', ...more });

  redis('puts a workspace and its replies in one hash slot, and expires all of it by itself', async () => {
    const store = await open();
    const first = toKeyed();
    const { workspace } = first;
    await store.change(first);
    await store.change(toKeyed({ workspace, mint: false }));
    const renamed = toHash();
    await store.change(toWrite({ rename: renamed }, { workspace, mint: false }));
    const names = ask('KEYS', `*{${toPlace(workspace)}}*`).split('\n');
    assert.is(names.length, 3);
    assert.is(new Set(names.map((name) => ask('CLUSTER', 'KEYSLOT', name))).size <= 1, true);
    for (const name of [...names, toHeadKey(toPlace(renamed)), toMintKey(toShort(first.key!.name))]) {
      const ttl = Number(ask('PTTL', name));
      assert.ok(ttl > 3_600_000 && ttl <= 3_660_000, `${name} lives for ${ttl} ms`);
    }
    const expiresAt = Date.now() + 7_200_000;
    await store.change(toCreate({ workspace: renamed, mint: false, expiresAt }));
    for (const name of [...names, toHeadKey(toPlace(renamed))])
      assert.is(Number(ask('PEXPIRETIME', name)), expiresAt + 60_000, name);
    await store.change(toWrite({ forget: true }, { workspace: renamed, mint: false }));
    assert.equal(ask('KEYS', `*{${toPlace(workspace)}}*`).split('\n'), [toHeadKey(toPlace(workspace))]);
    assert.ok(Number(ask('PTTL', toHeadKey(toPlace(workspace)))) <= 60_000);
    await store.close();
  });

  redis('takes little more memory than what it is to keep', async () => {
    const store = await open();
    const measure = () => {
      const sizes = ask('KEYS', '*{*')
        .split('\n')
        .map((name) => Number(ask('MEMORY', 'USAGE', name)));
      return sizes.reduce((sum, size) => sum + size);
    };
    ask('FLUSHDB');
    const toText = () => toFact({ name: 'x'.repeat(86) });
    const { workspace, ...first } = toCreate({ fact: toText() });
    assert.is(JSON.stringify(first.record.fact).length, 150);
    await store.change({ ...first, workspace });
    const one = measure();
    assert.ok(one <= 620, `a workspace of one record takes ${one} bytes`);
    for (let count = 0; count < 20; count += 1)
      await store.change(toCreate({ workspace, mint: false, fact: toText() }));
    const each = (measure() - one) / 20;
    assert.ok(each <= 300, `a record takes ${each} bytes`);
    await store.close();
  });

  redis('forgets replies that expired as a workspace goes on, and counts them no more', async () => {
    const store = await open();
    const now = Date.now();
    const first = toKeyed({ now, expiresAt: now + 1000, reply: '12345' });
    const { workspace } = first;
    await store.change(first);
    await store.change(toCreate({ workspace, mint: false }));
    const { bytes } = (await store.open(workspace, now))!;
    for (let count = 0; count < 20; count += 1)
      await store.change(toKeyed({ workspace, mint: false, now, expiresAt: now + 1000, fact: toFact() }));
    const all = (await store.open(workspace, now))!.bytes;
    const size = JSON.stringify(toFact()).length;
    assert.is(all, bytes + 20 * (size + 2));
    const toBytes = async () => (await store.open(workspace, now + 1000))!.bytes;
    assert.is(await toBytes(), all - 5 - 8 * 2);
    for (const left of [16, 8, 0]) {
      const change = toWrite({}, { workspace, mint: false, now: now + 1000 });
      await store.change(change);
      const { bytes: after } = (await store.open(workspace, now))!;
      assert.is(after, bytes - 5 + 20 * size + 2 * Math.max(0, left - 4));
    }
    assert.is(ask('EXISTS', `${toHeadKey(toPlace(workspace))}:=`), '0');
    assert.is(await toBytes(), bytes - 5 + 20 * size);
    await store.close();
  });

  redis('makes anew, at a repetition, what was cut short before its key was taken', async () => {
    const store = await open();
    const first = toKeyed({ reply: '{"first":1}' });
    await store.change(first);
    ask('DEL', toMintKey(toShort(first.key!.name)));
    const again = toKeyed({ key: first.key!, reply: '{"second":1}' });
    assert.is((await store.change(again)).result, 'done');
    assert.equal(await store.change(first), { result: 'replay', reply: '{"second":1}' });
    assert.is((await readWhole(store, again.workspace))?.records[0]?.fact.id, again.record.fact.id);
    await store.close();
  });

  redis('reads a workspace, its meter and a reply as they were kept at greater length', async () => {
    const store = await open();
    const first = toKeyed({ reply: '{"first":1}' });
    await store.change(first);
    const { workspace, now } = first;
    const place = toHeadKey(toPlace(workspace));
    const hash = Buffer.from(workspace, 'hex').toString('base64url');
    ask('HSET', place, 'o', hash, 'u', '["2026-11",{"createCandidate":7,"getCandidate":9}]');
    const mintKey = toMintKey(toShort(first.key!.name));
    ask('SET', mintKey, `${first.expiresAt} ${toShort(first.key!.fingerprint)} {"first":1}`);
    assert.equal(await store.change(first), { result: 'replay', reply: '{"first":1}' });
    const used = async () => (await store.open(workspace, now))?.used;
    const before = { period: '2026-11', calls: { createCandidate: 7, getCandidate: 9 } };
    assert.equal(await used(), before);
    const limit = { rates: { getCandidate: { price: 1, included: 9 } }, authorised: 1 };
    const { key } = (await store.open(workspace, now))!;
    const charge = { period: '2026-11', calls: { getCandidate: 1 }, limit };
    assert.is(await store.charge(key, charge), true);
    assert.is(await store.charge(key, charge), false);
    assert.equal(await used(), { ...before, calls: { createCandidate: 7, getCandidate: 10 } });
    await store.charge(key, { period: '2026-12', calls: { match: 1 } });
    assert.equal(await used(), { period: '2026-12', calls: { match: 1 } });
    assert.is(ask('HEXISTS', place, 'u2'), '0');
    await store.close();
  });

  const made = Date.now() - 5000;
  const hour = 3_600_000;
  /** Writes a workspace as the version before did. */
  function writeBefore(): {
    workspace: string;
    before: string[];
    records: { kind: string; fact: StoredRecord }[];
  } {
    const workspace = (made % 2 ** 35).toString(16).padStart(9, '0') + toHash().slice(9);
    const before = [`careers:{${workspace}}`, `careers:{${workspace}}:places`];
    const placement = toFact({ id: 'plc_1', candidateId: 'cand_1', jobOrderId: 'job_036' });
    const records = [
      { kind: 'candidate', fact: toFact({ id: 'cand_1', name: 'Zoë "\ud800' }) },
      { kind: 'placement', fact: placement },
    ];
    const texts = records.map((record) => JSON.stringify(record));
    ask('RPUSH', before[0]!, String(made + hour), ...texts);
    ask('HSET', before[1]!, 'size', '2', 'bytes', '200', 'cand_1', '1', 'plc_1', '2', '>cand_1', '2');
    return { workspace, before, records };
  }

  redis('brings a workspace of the version before over when it is first used', async () => {
    const [store, other] = [await open(), await open()];
    const { workspace, before, records } = writeBefore();
    const whole = await Promise.all([store, other].map((one) => readWhole(one, workspace)));
    assert.equal(whole[0], whole[1]);
    const { key, bytes, ...head } = whole[0]!;
    assert.equal(
      head.records,
      records.map(({ kind, fact }, at) => ({ kind, seq: at + 1, fact: { ...fact, createdAt: made } })),
    );
    assert.equal([head.createdAt, head.expiresAt, head.revision], [made, made + hour, 2]);
    assert.equal(head.counts, { candidate: 1, placement: 1 });
    const sizes = head.records.map(({ fact }) => Buffer.byteLength(JSON.stringify(fact)));
    assert.is(bytes, sizes[0]! + sizes[1]!);
    const held = (await store.find(key, ['cand_1', 'job_036', 'plc_1'])).map((found) => found.occupants);
    assert.equal(held, [1, 1, 0]);
    assert.is(ask('EXISTS', ...before), '0');
    const second = writeBefore();
    const more = [store, other].map((one) =>
      one.change(toCreate({ workspace: second.workspace, mint: false })),
    );
    assert.equal(await Promise.all(more), Array(2).fill({ result: 'done', answer: null }));
    assert.is((await readWhole(store, second.workspace))?.records.length, 4);
    assert.is(await store.open(writeBefore().workspace, made + hour), undefined);
    await Promise.all([store.close(), other.close()]);
  });

  redis('does not bring over what was forgotten meanwhile', async () => {
    const store = await open();
    const { workspace, before } = writeBefore();
    ask('COPY', before[0]!, 'another');
    await store.change(toWrite({ forget: true }, { workspace, mint: false }));
    ask('RENAME', 'another', before[0]!);
    assert.is(await store.open(workspace, 0), undefined);
    await store.close();
  });

  redis.after(() => server.stop());
  redis.run();
}
