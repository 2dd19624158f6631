import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RedisEnd } from '../../../src/stores/redis-end.ts';
import { openRedisStore } from '../../support/changes.ts';
import { runWell } from '../../support/data-commands.ts';
import { facts, holdToFacts, holdToSizes, readRows, writeKeptRedis } from '../../support/kept-stores.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { makeFolder } from '../../support/server.ts';
import { name } from '../../support/stored-files.ts';
import { World } from '../../support/world.ts';

const older = suite('a server with records of an earlier release');

if (!skipsRedis()) {
  const redis = await startRedis();
  let databases = 0;

  /** Writes the kept store to a database that no other test uses. */
  async function useKept() {
    const number = databases++;
    const url = `redis://127.0.0.1:${redis.port}/${number}`;
    await writeKeptRedis(url);
    return { url, ask: (...args: string[]) => askRedis(redis.port, '-n', String(number), ...args) };
  }

  /** Lists the placements of a database as they are stored. */
  function listPlacements(ask: (...args: string[]) => string): string[] {
    const keys = ask('KEYS', 'careers:3:{*').split('\n').filter(Boolean).sort();
    const lines = keys.flatMap((key) => ask('HVALS', key).split('\n'));
    return lines.filter((line) => line.startsWith('placement ')).sort();
  }

  const isFree = () => askRedis(redis.port, 'PUBSUB', 'NUMSUB', 'careers:3:changed').trim().endsWith('0');

  /** Runs a service over a server, and stops it. */
  async function serve(url: string, use: (world: World) => Promise<unknown>) {
    const store = await openRedisStore(url);
    await use(new World({ store }));
    await store.close();
    await until(isFree, 'the store has gone');
  }

  const desk = { 'x-workspace': facts.desk };

  older('serves everything as before, and writes no record for a read', async () => {
    const { url, ask } = await useKept();
    const before = listPlacements(ask);
    await serve(url, holdToFacts);
    assert.equal(listPlacements(ask), before);
  });

  older('gets the new form of a record with its next change', async () => {
    const { url, ask } = await useKept();
    const { withoutReason: id } = facts.stated;
    const before = listPlacements(ask);
    await serve(url, async ({ ask: call }) => {
      assert.is((await call('PATCH', `/placements/${id}`, { note: 'Call her.' }, desk)).status, 200);
    });
    const written = listPlacements(ask).filter((line) => !before.includes(line));
    assert.is(written.length, 1);
    const record = JSON.parse(written[0]!.replace('placement ', ''));
    assert.is(record.id, id);
    assert.is(record.endDate, record.evidence.stated.asOf);
    assert.is(record.evidence.stated.wroteEnd, true);
  });

  older('counts the bytes of its records right, however they are changed and deleted', async () => {
    const { url } = await useKept();
    const { withReason, withoutReason } = facts.stated;
    await serve(url, async ({ ask: call }) => {
      await call('PATCH', `/placements/${withoutReason}`, { note: 'Call her.' }, desk);
      assert.is((await call('DELETE', `/placements/${withReason}`, undefined, desk)).status, 200);
    });
    const to = makeFolder();
    runWell('transfer', ['--from', url, '--to', to]);
    holdToSizes(join(to, name));
  });

  older('is transferred to a file in the new form, and stays as it is', async () => {
    const { url, ask } = await useKept();
    const before = listPlacements(ask);
    const to = makeFolder();
    assert.match(runWell('transfer', ['--from', url, '--to', to]), 'Copied 5 workspaces');
    assert.equal(listPlacements(ask), before);
    holdToSizes(join(to, name));
    const stated = readRows(join(to, name)).records!.filter(({ text }) => String(text).includes('attrited'));
    assert.ok(stated.length > 0);
    for (const { text } of stated) assert.ok('endDate' in JSON.parse(String(text)), String(text));
  });

  older('is transferred to another server, where an earlier copy counts as copied', async () => {
    const { url } = await useKept();
    const to = `redis://127.0.0.1:${redis.port}/${databases++}`;
    await writeKeptRedis(to);
    const said = runWell('transfer', ['--from', url, '--to', to]);
    assert.match(said, '5 workspaces had been copied before');
    const options = { replicas: 0, durability: 'none' } as const;
    const end = await RedisEnd.open(to, 'source', options);
    for await (const keys of end.listKeys())
      for (const key of keys)
        for (const { text } of (await end.read(key))!.records)
          if (text.includes('"attrited"')) assert.ok('endDate' in JSON.parse(text));
    await end.close();
  });

  older.after(() => redis.stop());
}

older.run();
