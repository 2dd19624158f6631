import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Durability } from '../../src/kernel/service.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { make, openRedis, readWhole, toCreate, toHash, toWord, toWrite } from '../support/changes.ts';
import { askRedis, skipsRedis, startRedis } from '../support/redis.ts';
import { withServer } from '../support/server.ts';

if (!skipsRedis()) {
  const server = await startRedis();
  const ask = (...args: string[]) => askRedis(server.port, ...args).trim();
  const redis = suite('what Redis keeps');

  const open = () => openRedis(`redis://127.0.0.1:${server.port}`);
  const toKey = (hash: string) =>
    `careers:1:{${Buffer.from(hash, 'hex').toString('base64url').slice(0, 22)}}`;
  const toDoorKey = (what: string, hash: string) => `careers:1:door:{${what}:${hash.slice(0, 33)}}`;
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
    const names = ask('KEYS', `${toKey(workspace)}*`).split('\n');
    assert.is(names.length, 3);
    assert.is(new Set(names.map((name) => ask('CLUSTER', 'KEYSLOT', name))).size <= 1, true);
    for (const name of [...names, toDoorKey('hash', renamed), toDoorKey('key', first.key!.name)]) {
      const ttl = Number(ask('PTTL', name));
      assert.ok(ttl > 3_600_000 && ttl <= 3_660_000, `${name} lives for ${ttl} ms`);
    }
    const expiresAt = Date.now() + 7_200_000;
    await store.change(toCreate({ workspace: renamed, mint: false, expiresAt }));
    for (const name of [...names, toDoorKey('hash', renamed)])
      assert.is(Number(ask('PEXPIRETIME', name)), expiresAt + 60_000, name);
    await store.change(toWrite({ forget: true }, { workspace: renamed, mint: false }));
    assert.is(ask('KEYS', `${toKey(workspace)}*`), '');
    await store.close();
  });

  redis('makes again, at a repetition, what was cut short before its key was taken', async () => {
    const store = await open();
    const first = toKeyed({ reply: '{"first":1}' });
    await store.change(first);
    ask('DEL', toDoorKey('key', first.key!.name));
    const again = toKeyed({ key: first.key!, reply: '{"second":1}' });
    assert.is((await store.change(again)).result, 'done');
    assert.equal(await store.change(first), { result: 'replay', reply: '{"second":1}' });
    assert.is((await readWhole(store, again.workspace))?.records[0]?.fact.id, again.record.fact.id);
    await store.close();
  });

  redis('refuses a server that has keys of an earlier format by name, and leaves them', async () => {
    const url = `redis://127.0.0.1:${server.port}/1`;
    for (const earlier of ['careers:2:{abc}', 'careers:{abc}:places']) {
      ask('-n', '1', 'SET', earlier, 'x');
      for (let count = 0; count < 20; count += 1) ask('-n', '1', 'SET', `careers:1:{${count}}`, 'x');
      const error = await openStore({ url, dataDir: '' }).catch((reason) => reason);
      assert.match(
        error.message,
        /^STORE_URL cannot be used: earlier_format: .*wait until they have expired/,
      );
      assert.is(ask('-n', '1', 'GET', earlier), 'x');
      ask('-n', '1', 'DEL', earlier);
    }
  });

  redis('refuses a server that keeps less than is promised, or evicts, by name', async () => {
    const url = `redis://127.0.0.1:${server.port}/2`;
    const open = (durability: Durability) =>
      openStore({ url, dataDir: '', durability }).then(
        (store) => store.close(),
        ({ message }) => message.split(':')[1].trim(),
      );
    const settings: [name: string, value: string, kept: Durability[], word: string][] = [
      ['appendfsync', 'everysec', ['second', 'none'], 'not_durable'],
      ['appendfsync', 'no', ['none'], 'not_durable'],
      ['appendfsync', 'always', ['always', 'second', 'none'], ''],
      ['appendonly', 'no', ['none'], 'not_durable'],
      ['appendonly', 'yes', ['always', 'second', 'none'], ''],
      ['maxmemory-policy', 'allkeys-lru', [], 'evicts'],
      ['maxmemory-policy', 'noeviction', ['always', 'second', 'none'], ''],
    ];
    for (const [name, value, kept, word] of settings) {
      ask('CONFIG', 'SET', name, value);
      for (const promised of ['always', 'second', 'none'] as const)
        assert.is(await open(promised), kept.includes(promised) ? undefined : word, `${name} ${value}`);
    }
  });

  redis('keeps what was answered while its process did not run', async () => {
    const store = await open();
    const { workspace } = await make(store);
    const more = () => toWord(store, toCreate({ workspace, mint: false }));
    const words = Promise.all([more(), more(), more()]);
    for (const end = performance.now() + 2500; performance.now() < end; );
    assert.equal(await words, ['done', 'done', 'done']);
    await store.close();
  });

  redis('says what a crash may lose where it is told of', async () => {
    ask('CONFIG', 'SET', 'appendfsync', 'everysec');
    const env = { STORE_URL: `redis://127.0.0.1:${server.port}/3`, STORE_DURABILITY: 'second', LOG: 'off' };
    await withServer(env, async ({ origin }) => {
      const body = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
      const made = await (await fetch(`${origin}/candidates`, { method: 'POST', body })).json();
      assert.match(made.retention.statement, /may lose the last second/);
      assert.is((await (await fetch(`${origin}/readyz`)).json()).durability, 'second');
      for (const path of ['/llms.txt', '/.well-known/agent-skills/careers-placement/SKILL.md', '/'])
        assert.match(
          await (await fetch(origin + path, { headers: { accept: 'text/markdown' } })).text(),
          /may lose the last second/,
          path,
        );
    });
    ask('CONFIG', 'SET', 'appendfsync', 'always');
  });

  redis.run();
}
