import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RedisStore } from '../../../src/stores/redis.ts';
import { StoreFault } from '../../../src/stores/store-fault.ts';
import { openSqlite, TestedStore, toCreate, toFault, toWord } from '../../support/changes.ts';
import { connect } from '../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { findPort, makeFolder, withServer } from '../../support/server.ts';

const causes = suite('the reported cause of a store fault');

/** Waits for a fault with this code. It must have a text, be counted, and contain no login. */
async function holdToCause(store: TestedStore, word: string): Promise<void> {
  let fault: StoreFault | undefined;
  await until(async () => {
    fault = await toFault(store.change(toCreate()));
    return fault?.word === word;
  }, `the cause is ${word}`).catch((error) => assert.unreachable(`${error.message}; it is ${fault}`));
  assert.instance(fault, StoreFault);
  assert.match(String(fault), new RegExp(`^StoreFault: ${word}: \\w+ \\w+.* \\(.+\\)$`));
  assert.not.match(String(fault), /sesame|operator/);
  assert.is(fault!.stack, String(fault));
  assert.ok(store.faults()[word]! > 0);
}

const openUrl = (url: string) => new TestedStore(new RedisStore(url));
const holdUrlTo = (url: string, word: string) => holdToCause(openUrl(url), word);

causes('a locked SQLite file, and one that refuses writes', async () => {
  const path = join(makeFolder(), 'workspaces.sqlite');
  const store = openSqlite(path);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  await holdToCause(store, 'locked');
  other.exec('ROLLBACK');
  other.exec("CREATE TRIGGER fault BEFORE INSERT ON records BEGIN SELECT RAISE(ABORT, 'no'); END");
  await holdToCause(store, 'other');
  other.exec('DROP TRIGGER fault');
  assert.is(await toWord(store), 'done');
  other.close();
  store.close();
});

causes('an unknown host name, and a port where nothing listens', async () => {
  await holdUrlTo(`redis://operator:open%20sesame@no-such-host.invalid:${await findPort()}`, 'unknown_host');
  await holdUrlTo(`redis://127.0.0.1:${await findPort()}`, 'refused');
  await holdUrlTo(`redis-cluster://127.0.0.1:${await findPort()}`, 'refused');
});

if (!skipsRedis()) {
  const start = (...more: string[]) => startRedis(more);

  causes('a wrong or missing login, and one that the server would repeat', async () => {
    const { port } = await start('--requirepass', 'another');
    await holdUrlTo(`redis://:open%20sesame@127.0.0.1:${port}`, 'wrong_password');
    await holdUrlTo(`redis://127.0.0.1:${port}`, 'no_password');
    await holdUrlTo(`redis-cluster://:open%20sesame@127.0.0.1:${port}`, 'wrong_password');
    const old = await start('--rename-command', 'HELLO', '');
    await holdUrlTo(`redis://operator:open%20sesame@127.0.0.1:${old.port}`, 'other');
  });

  causes('memory, replicas, rights, databases and modes', async () => {
    const { port } = await start();
    const store = openUrl(`redis://127.0.0.1:${port}`);
    await until(async () => (await toWord(store)) === 'done', 'creates succeed');
    askRedis(port, 'CONFIG', 'SET', 'maxmemory', '1');
    await holdToCause(store, 'out_of_memory');
    askRedis(port, 'CONFIG', 'SET', 'maxmemory', '0');
    askRedis(port, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
    await holdToCause(store, 'too_few_replicas');
    askRedis(port, 'CONFIG', 'SET', 'min-replicas-to-write', '0');
    askRedis(port, 'ACL', 'SETUSER', 'default', 'resetkeys');
    await holdToCause(store, 'no_permission');
    askRedis(port, 'ACL', 'SETUSER', 'default', 'allkeys');
    assert.is(await toWord(store), 'done');
    await holdUrlTo(`redis://127.0.0.1:${port}/99`, 'wrong_database');
    await holdUrlTo(`redis-cluster://127.0.0.1:${port}`, 'wrong_mode');
    const cluster = await start('--cluster-enabled', 'yes');
    await holdUrlTo(`redis://127.0.0.1:${cluster.port}`, 'wrong_mode');
    await holdUrlTo(`redis-cluster://127.0.0.1:${cluster.port}`, 'cluster_down');
  });

  causes('a replica without its master, and a disk that cannot be written to', async () => {
    const nowhere = String(await findPort());
    const replica = await start('--replicaof', '127.0.0.1', nowhere, '--replica-serve-stale-data', 'no');
    await holdUrlTo(`redis://127.0.0.1:${replica.port}`, 'master_down');
    const { port } = await start();
    askRedis(port, 'CONFIG', 'SET', 'save', '3600 1');
    rmSync(askRedis(port, 'CONFIG', 'GET', 'dir').trim().split('\n')[1]!, { recursive: true });
    askRedis(port, 'BGSAVE');
    await holdUrlTo(`redis://127.0.0.1:${port}`, 'disk_io');
  });

  causes('a server that is loading its data, until it has finished', async () => {
    const options: string[] = [];
    const redis = await startRedis(options);
    const fill = "for n = 1, 1000 do redis.call('SET', n, string.rep('x', 2000)) end";
    askRedis(redis.port, 'EVAL', fill, '0');
    askRedis(redis.port, 'BGREWRITEAOF');
    const isWritten = () => /aof_rewrite_in_progress:0/.test(askRedis(redis.port, 'INFO', 'persistence'));
    await until(isWritten, 'the server has enough data to load');
    await redis.stop();
    options.push('--key-load-delay', '50000', '--loading-process-events-interval-bytes', '1024');
    const started = redis.start();
    const store = openUrl(`redis://127.0.0.1:${redis.port}`);
    await holdToCause(store, 'loading');
    askRedis(redis.port, 'CONFIG', 'SET', 'key-load-delay', '0');
    await started;
    await until(async () => (await toWord(store)) === 'done', 'creates succeed');
  });

  causes('an operator reads the cause on stderr, and a caller does not', async () => {
    const { port } = await start('--requirepass', 'another');
    const STORE_URL = `redis://operator:open%20sesame@127.0.0.1:${port}`;
    const printed = await withServer({ STORE_URL }, async ({ origin, output }) => {
      const client = await connect(origin);
      await until(async () => {
        const { status, text } = await client.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' });
        assert.is(status, 503);
        assert.not.match(text, /password|STORE_URL/);
        return output().includes('wrong_password');
      }, 'the cause is reported');
    });
    assert.match(printed, /"error":"StoreFault: wrong_password: [^"]* STORE_URL \(WRONGPASS [^"]*"/);
    assert.not.match(printed, /sesame|operator|\s+at /);
  });
}

causes.run();
