import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RedisStore } from '../../../src/stores/redis.ts';
import { openRedis, openRedisStore, TestedStore, toChecked, toWord } from '../../support/changes.ts';
import { askRedis, skipsRedis, until } from '../../support/redis.ts';
import { findMaster, startClusterSet, startSentinelSet } from '../../support/redis-sets.ts';
import { testStore } from '../../support/store-contract.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const open = (url: string) => openRedis(url, 1);

if (!skipsRedis()) {
  const cluster = await startClusterSet();
  // The login of redis-cli from here on.
  process.env.REDISCLI_AUTH = 'sesame';
  const sentinels = await startSentinelSet(1, { password: 'sesame' });
  testStore('Redis behind sentinels', () => openRedisStore(sentinels.url, 1), { shared: true });
  testStore('Redis, a cluster of six', () => openRedisStore(cluster.url, 1), { shared: true });

  const sets = suite('Redis with several servers');

  sets('names what is wrong with the server that it was sent to', async () => {
    const causes: [url: string, word: string][] = [
      [sentinels.url.replace('/careers', '/another'), 'wrong_mode'],
      [`redis-sentinel://:sesame@127.0.0.1:${sentinels.servers[0]!.port}/careers`, 'wrong_mode'],
      [`redis://:sesame@127.0.0.1:${sentinels.sentinels[0]!.port}`, 'wrong_mode'],
      ...cluster.started.map((node): [string, string] => [`redis://127.0.0.1:${node.port}`, 'wrong_mode']),
      [`redis-cluster://:sesame@127.0.0.1:${sentinels.sentinels[0]!.port}`, 'wrong_mode'],
      [sentinels.url.replace('sesame', 'open'), 'wrong_password'],
      [sentinels.url.replace(':sesame@', ''), 'no_password'],
    ];
    for (const [url, word] of causes) {
      const store = new TestedStore(new RedisStore(url));
      let told = '';
      const isTold = async () => {
        told = await toWord(store);
        return told === word && (await toChecked(store)) === word;
      };
      await until(isTold, `${url} is ${word}`).catch(({ message }) =>
        assert.unreachable(`${message}, not ${told}`),
      );
      await store.close();
    }
  });

  sets('acknowledges nothing that no replica has', async () => {
    const store = new TestedStore(new RedisStore(sentinels.url, 2));
    await until(async () => (await toWord(store)) === 'too_few_replicas', 'one replica is too few');
    await store.close();
  });

  sets('connects again by itself, however often connections end', async () => {
    const store = await open(sentinels.url);
    await pause(1000);
    for (let times = 0; times < 2; times += 1) {
      askRedis(findMaster(sentinels)!.port, 'CLIENT', 'KILL', 'TYPE', 'normal');
      await pause(350);
    }
    await until(async () => (await toWord(store)) === 'done', 'it is connected again');
    await store.close();
  });

  sets.run();
}
