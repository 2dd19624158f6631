import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Store } from '../../../src/workspace/store.ts';
import { openRedisStore } from '../../support/changes.ts';
import type { Body } from '../../support/http.ts';
import { RandomDesk, readExport } from '../../support/random-desk.ts';
import { skipsRedis, startRedis } from '../../support/redis.ts';
import { World } from '../../support/world.ts';

const law = suite('the history of records that are imported');

const doors = ['HTTP', 'MCP'] as const;
type Door = (typeof doors)[number];

const collections = ['candidates', 'jobOrders', 'placements'] as const;
const listRows = (pages: readonly Body[]): Body[] =>
  collections.flatMap((name) => pages.flatMap((page) => page[name] ?? []));

/** Imports pages over a protocol, into a new workspace or the given one. Returns its id. */
async function importPages(
  { ask, tool }: World,
  pages: readonly Body[],
  door: Door,
  more: { workspace?: string; upsert?: boolean } = {},
): Promise<string> {
  let { workspace } = more;
  for (const page of pages) {
    const sent = { ...page, ...(more.upsert && { upsert: true }) };
    const body: Body =
      door === 'HTTP'
        ? (await ask('POST', '/batch', sent, workspace ? { 'x-workspace': workspace } : {})).body
        : (await tool('createBatch', { ...sent, workspace })).structuredContent;
    assert.is(body.type, 'OK', JSON.stringify(body).slice(0, 600));
    workspace ??= body.workspace as string;
  }
  return workspace!;
}

const readHistory = async ({ ask }: World, workspace: string, id: string): Promise<Body[]> => {
  const mine = { 'x-workspace': workspace };
  return (await ask('GET', `/workspace/activity?limit=200&record=${id}`, undefined, mine)).body.activity;
};

/** Returns the part of an entry that is about one record. The members that were sent, the move and the count of other changes are of an entry of one record. */
function readTold(entry: Body, id: string): Body {
  const { at, via, client, actor, operation, records, more, changes = [], sentence } = entry;
  const { members, from, to, moreChanges } = records.length === 1 && !more ? entry : ({} as Body);
  const own = changes.flatMap(({ id: of, ...change }: Body) => (of === id ? [change] : []));
  const told = { at, via, client, actor, operation, members, from, to, changes: own, moreChanges, sentence };
  return JSON.parse(JSON.stringify(told));
}

/** Replaces the ids of the records of an export by those of their copies. */
function createRenaming(rows: readonly Body[], copies: readonly Body[]) {
  const idOf = new Map(copies.map(({ ref, id }) => [ref, id]));
  const pairs = rows.map(({ id, ref }) => [id, idOf.get(ref)] as const);
  return <T>(value: T): T =>
    JSON.parse(pairs.reduce((text, [old, id]) => text.replaceAll(old, id), JSON.stringify(value)));
}

/** Makes a workspace by random calls. Some placements get another candidate. */
async function makeDesk(world: World, seed: number, steps: number): Promise<RandomDesk> {
  const desk = new RandomDesk(world, seed);
  for (const kind of ['candidate', 'jobOrder', 'placement', 'candidate', 'placement'] as const)
    await desk.create(kind);
  for (let step = 0; step < steps; step += 1) {
    world.clock.now += 1000;
    await desk.step();
    if (step % 7 > 0) continue;
    const ids = [...desk.marks.keys()];
    const sent = { candidateId: ids.findLast((id) => id.startsWith('cand_')), reason: 'swap' };
    const placed = ids.find((id) => id.startsWith('plc_'));
    if (placed) await desk.ask('PATCH', `/placements/${placed}`, sent, { 'user-agent': 'swapper/1' });
  }
  assert.ok(desk.deleted.length > 0);
  return desk;
}

interface Trip {
  seed: number;
  limit: number;
  door: Door;
  steps?: number;
}

/** Exports a random desk and imports it twice. Compares the history of each record with that of its copy. */
async function checkTrip(store: Store, { seed, limit, door, steps = 40 }: Trip): Promise<void> {
  const world = new World({ store, now: Date.now() });
  const desk = await makeDesk(world, seed, steps);
  const pages = await readExport(world, desk.workspace, limit, door);
  for (const mark of desk.deleted) assert.not.match(JSON.stringify(pages), mark);
  world.clock.now += 1000;
  const workspace = await importPages(world, pages, door);

  world.clock.now += 1000;
  const copiedPages = await readExport(world, workspace, limit, door);
  const [rows, copies] = [listRows(pages), listRows(copiedPages)];
  const rename = createRenaming(rows, copies);
  for (const [index, row] of rows.entries()) {
    const copy = copies[index]!;
    const told = (await desk.readHistory(row.id)).map((entry) => readTold(entry, row.id));
    const [ofImport, ...imported] = await readHistory(world, workspace, copy.id);
    assert.is(ofImport!.operation, 'createBatch');
    assert.not('imported' in ofImport!);
    assert.equal(
      imported.map((entry) => readTold(entry, copy.id)),
      rename(told),
      row.id,
    );
    assert.ok(imported.every(({ imported: isImported, revision }) => isImported && revision === 0));
    assert.equal(copy.history.slice(0, -1), rename(row.history), 'a second export has the same');
  }

  await importPages(world, copiedPages, door, { workspace, upsert: true });
  for (const { id, history } of copies)
    assert.is((await readHistory(world, workspace, id)).length, history.length, 'and a refresh adds nothing');
}

for (const door of doors)
  for (const limit of [3, 200])
    law(`says the same as before, in pages of ${limit}, over ${door}`, async () => {
      for (let seed = 0; seed < 2; seed += 1)
        await checkTrip(new SqliteStore(':memory:'), { seed: 10 * limit + seed, limit, door });
    });

for (const door of doors)
  law(`comes in pages that a batch takes as they are, however long it is, over ${door}`, async () => {
    const world = new World();
    const entry = {
      via: 'http',
      operation: 'updateCandidate',
      changes: [{ member: 'metro', from: 'a', to: 'b' }],
    };
    const history = Array.from({ length: 80 }, (_, index) => ({
      at: new Date(1e12 + index).toISOString(),
      ...entry,
    }));
    const person = (index: number) => ({ ref: `c${index}`, name: `Person ${index}`, onetCode: '15-1252.00' });
    let workspace = '';
    for (let from = 0; from < 60; from += 20) {
      const candidates = Array.from({ length: 20 }, (_, index) => ({ ...person(from + index), history }));
      const more = workspace ? { workspace } : {};
      workspace = await importPages(world, [{ exportedAt: '2026-01-01T00:00:00Z', candidates }], door, more);
    }
    const pages = await readExport(world, workspace, 200, door);
    assert.ok(pages.length > 1);
    const copy = await importPages(world, pages, door);
    assert.is(listRows(await readExport(world, copy, 200, door)).length, 60);
  });

law('says the same as before in IndexedDB', () =>
  checkTrip(new IndexedDbStore(`careers-${randomUUID()}`), { seed: 5, limit: 200, door: 'HTTP' }),
);

if (!skipsRedis())
  law('says the same as before in Redis', async () => {
    const redis = await startRedis();
    const store = await openRedisStore(`redis://127.0.0.1:${redis.port}`);
    try {
      await checkTrip(store, { seed: 6, limit: 200, door: 'HTTP' });
    } finally {
      await store.close();
      await redis.stop();
    }
  });

law.run();
