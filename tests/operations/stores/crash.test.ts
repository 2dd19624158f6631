import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SqliteStore } from '../../../src/stores/sqlite.ts';
import { make, toCreate } from '../../support/changes.ts';
import { makeFolder } from '../../support/server.ts';
import { checkpoint, copyAsKilled, makeMany, name, open, useDatabase } from '../../support/stored-files.ts';

const crash = suite('a kill');

/**
 * Returns the same sequence of numbers from 0 to below 1 in each run (a linear congruential generator modulo
 * 2^32).
 */
function createRandom(state: number): () => number {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Makes the main file of a checkpoint that ended after some of its pages, in any order. */
function mixPages(before: Buffer, after: Buffer, random: () => number): Buffer {
  const pageSize = 4096;
  const mixed = Buffer.concat([before, Buffer.alloc(Math.max(0, after.length - before.length))]);
  const share = random();
  for (let at = 0; at < after.length; at += pageSize)
    if (random() < share) after.copy(mixed, at, at, at + pageSize);
  return mixed;
}

crash('in the middle of any checkpoint leaves a database and a log that start', async () => {
  const random = createRandom(7);
  const folder = makeFolder();
  const store = await open(folder);
  const made: string[] = [];
  for (let round = 0; round < 12; round += 1) {
    made.push(...(await makeMany(store, 1 + Math.floor(random() * 40))));
    const before = readFileSync(join(folder, name));
    const log = readFileSync(join(folder, `${name}-wal`));
    checkpoint(folder);
    const after = readFileSync(join(folder, name));
    for (let trial = 0; trial < 5; trial += 1) {
      const killed = makeFolder();
      writeFileSync(join(killed, name), mixPages(before, after, random));
      writeFileSync(join(killed, `${name}-wal`), log);
      const again = await open(killed);
      assert.ok(await again.open(made.at(-1)!, Date.now()), 'the last workspace before the kill');
      assert.ok(await again.open(made[Math.floor(random() * made.length)]!, Date.now()), 'any other');
      await again.close();
    }
  }
  await store.close();
});

crash('in the middle of any write to the log leaves a database and a log that start', async () => {
  const random = createRandom(11);
  const folder = makeFolder();
  const store = await open(folder);
  const [first] = await makeMany(store, 1);
  checkpoint(folder);
  await makeMany(store, 30);
  const log = readFileSync(join(folder, `${name}-wal`));
  for (let trial = 0; trial < 60; trial += 1) {
    const killed = copyAsKilled(folder);
    writeFileSync(join(killed, `${name}-wal`), log.subarray(0, Math.floor(random() * log.length)));
    const again = await open(killed);
    assert.ok(await again.open(first!, Date.now()));
    await again.close();
  }
  await store.close();
});

crash('between sweeps that return pages leaves a database and a log that start', async () => {
  const folder = makeFolder();
  const store = await open(folder);
  const now = Date.now();
  const kept = (await make(store)).hash;
  await Promise.all(Array.from({ length: 1000 }, () => store.change(toCreate({ now, expiresAt: now + 1 }))));
  for (let isMore = true; isMore; ) {
    isMore = await (store.store as SqliteStore).sweep(now + 1000);
    const again = await open(copyAsKilled(folder));
    assert.ok(await again.open(kept, now));
    await again.close();
    checkpoint(folder);
  }
  await store.close();
});

for (const [what, after] of [
  ['before the next change', 0],
  ['after a change', 1],
  ['after many changes', 1500],
] as const)
  crash(`after an operator ran VACUUM, ${what}, leaves a database and a log that start`, async () => {
    const folder = makeFolder();
    const store = await open(folder);
    const made = await makeMany(store, 30);
    useDatabase(folder, (database) => database.exec('VACUUM'));
    for (const step of [() => {}, checkpoint]) {
      step(folder);
      made.push(...(await makeMany(store, after)));
      const again = await open(copyAsKilled(folder));
      for (const hash of [made[0]!, made.at(-1)!]) assert.ok(await again.open(hash, Date.now()));
      await again.close();
    }
    await store.close();
  });

crash('after a kill, again and again, leaves a database and a log that start', async () => {
  let folder = makeFolder();
  const made: string[] = [];
  for (let round = 0; round < 25; round += 1) {
    const store = await open(folder);
    made.push(...(await makeMany(store, round % 5)));
    const killed = copyAsKilled(folder);
    await store.close();
    folder = killed;
  }
  const store = await open(folder);
  for (const hash of made) assert.ok(await store.open(hash, Date.now()));
  await store.close();
});

crash.run();
