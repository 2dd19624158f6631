import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Durability } from '../../../src/kernel/service.ts';
import { openStore } from '../../../src/stores/open-store.ts';
import { make, openRedis, toCreate, toHash, toName, toWord, toWrite } from '../../support/changes.ts';
import { askRedis, skipsRedis, startRedis } from '../../support/redis.ts';
import { withServer } from '../../support/server.ts';

if (!skipsRedis()) {
  const server = await startRedis();
  const ask = (...args: string[]) => askRedis(server.port, ...args).trim();
  const redis = suite('data in Redis');

  const open = () => openRedis(`redis://127.0.0.1:${server.port}`);
  const shorten = (hex: string) => Buffer.from(hex.slice(0, 32), 'hex').toString('base64url');
  const toKey = (hash: string) => `careers:3:{${shorten(hash)}}`;
  const toTokenKey = (name: string) => `careers:3:token:{${shorten(name)}}`;
  const toAliasKey = (hash: string) => `careers:3:hash:{${shorten(hash)}}`;
  const toKeyed = (more: Parameters<typeof toCreate>[0] = {}) =>
    toCreate({ key: { name: toName(), fingerprint: toName() }, reply: '{}', ...more });

  redis('keeps a workspace and its replies in one key, which expires by itself', async () => {
    const store = await open();
    const first = toKeyed();
    const { hash } = first;
    await store.change(first);
    await store.change(toKeyed({ hash, mint: false }));
    const renamed = toHash();
    await store.change(toWrite({ rename: renamed }, { hash, mint: false }));
    const names = ask('KEYS', `${toKey(hash)}*`).split('\n');
    assert.equal(names, [toKey(hash)]);
    for (const name of [...names, toAliasKey(renamed), toTokenKey(first.key!.name)]) {
      const ttl = Number(ask('PTTL', name));
      assert.ok(ttl > 3_600_000 && ttl <= 3_660_000, `${name} lives for ${ttl} ms`);
    }
    const expiresAt = Date.now() + 7_200_000;
    await store.change(toCreate({ hash: renamed, mint: false, expiresAt }));
    for (const name of [...names, toAliasKey(renamed)])
      assert.is(Number(ask('PEXPIRETIME', name)), expiresAt + 60_000, name);
    await store.change(toWrite({ deletesWorkspace: true }, { hash: renamed, mint: false }));
    assert.is(ask('KEYS', `${toKey(hash)}*`), '');
    await store.close();
  });

  redis('repeats under its key what was cut short before the key was stored', async () => {
    const store = await open();
    const first = toKeyed({ reply: '{"first":1}' });
    await store.change(first);
    ask('DEL', toTokenKey(first.key!.name));
    const again = toKeyed({ key: first.key!, reply: '{"second":1}' });
    assert.is((await store.change(again)).result, 'done');
    assert.equal(await store.change(first), { result: 'replay', reply: '{"second":1}' });
    assert.is((await store.readWhole(again.hash))?.records[0]?.record.id, again.record.id);
    await store.close();
  });

  redis('refuses by name a server with keys of an earlier format, and leaves them', async () => {
    const url = `redis://127.0.0.1:${server.port}/1`;
    for (const earlier of [
      'careers:1:{abc}',
      'careers:2:{abc}',
      'careers:{abc}:places',
      'careers:v2:{abc}',
    ]) {
      ask('-n', '1', 'SET', earlier, 'x');
      for (let count = 0; count < 20; count += 1) ask('-n', '1', 'SET', `careers:3:{${count}}`, 'x');
      const error = await openStore({ url, dataDir: '' }).catch((reason) => reason);
      assert.match(
        error.message,
        /^STORE_URL cannot be used: earlier_format: .*wait until they have expired/,
      );
      assert.is(ask('-n', '1', 'GET', earlier), 'x');
      ask('-n', '1', 'DEL', earlier);
    }
  });

  redis('refuses by name a server that persists less than is promised, or evicts', async () => {
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
    const { hash } = await make(store);
    const more = () => toWord(store, toCreate({ hash, mint: false }));
    const words = Promise.all([more(), more(), more()]);
    for (const end = performance.now() + 2500; performance.now() < end; );
    assert.equal(await words, ['done', 'done', 'done']);
    await store.close();
  });

  redis('says what a crash may lose if the setting says so', async () => {
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
