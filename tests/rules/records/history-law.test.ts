import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IndexedDbStore } from '../../../src/stores/indexeddb.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Store } from '../../../src/workspace/store.ts';
import { openRedisStore } from '../../support/changes.ts';
import type { Body } from '../../support/http.ts';
import { RandomDesk } from '../../support/random-desk.ts';
import { skipsRedis, startRedis } from '../../support/redis.ts';
import { World } from '../../support/world.ts';

const law = suite('the history of a random desk');

/** What a row shows that no history tells: times, counters, and what follows from other records. */
const untold = new Set(
  'id revision createdAt updatedAt transitions links example candidateName client title freeFrom openingsLeft proposals'.split(
    ' ',
  ),
);
const ownTitle = ['client', 'title'];
const toldOfOutcome = ['result', 'asOf', 'validated', 'disputed'];

/** Returns what the history tells of a row, by the name of the member. */
function readTold(row: Body): Map<string, unknown> {
  const told = new Map<string, unknown>();
  const isPlacement = row.id.startsWith('plc_');
  for (const [name, value] of Object.entries(row)) {
    if (name === 'outcome')
      for (const part of toldOfOutcome) told.set(`outcome.${part}`, (value as Body)[part] ?? null);
    else if (!untold.has(name) || (!isPlacement && ownTitle.includes(name))) told.set(name, value);
  }
  return told;
}

const show = (value: unknown) => JSON.stringify(value ?? null);

/** Compares a change with the rows before and after it. */
function checkChange(change: Body, before: Body, after: Body): void {
  const { member } = change;
  const read = (row: Body) => readTold(row).get(member) ?? row[member];
  const [from, to] = [read(before), read(after)];
  assert.is.not(show(from), show(to), `${member} did not change`);
  if (member === 'note') assert.equal(Object.keys(change), ['id', 'member']);
  else if (Array.isArray(from ?? to)) {
    const earlier = ((from ?? []) as string[]).filter((item) => !change.removed.includes(item));
    const both = new Set([...earlier, ...change.added]);
    assert.equal([...both].sort(), [...new Set((to ?? []) as string[])].sort(), member);
  } else assert.equal([show(change.from), show(change.to)], [show(from), show(to)], member);
}

/** Compares the newest entry with all records before and after it. */
function checkEntry(entry: Body, before: Map<string, Body>, after: Map<string, Body>): void {
  const changes: Body[] = entry.changes ?? [];
  for (const change of changes) checkChange(change, before.get(change.id)!, after.get(change.id)!);
  const told = new Set(changes.map(({ id, member }) => `${id} ${member}`));
  for (const [id, row] of after) {
    const earlier = before.get(id);
    if (!earlier || earlier.revision === row.revision) continue;
    const names = new Set([...readTold(earlier).keys(), ...readTold(row).keys()]);
    for (const name of names)
      if (show(readTold(earlier).get(name)) !== show(readTold(row).get(name)))
        assert.ok(told.has(`${id} ${name}`), `${id} ${name} is not told`);
  }
}

/** Returns the part of a row of which a reply to a change of another record says that it reads differently. */
function readShown({
  id: _,
  revision: __,
  updatedAt: ___,
  transitions,
  links,
  outcome,
  ...rest
}: Body): string {
  return show([rest, toldOfOutcome.map((part) => outcome?.[part])]);
}

/** Checks that a reply names all other records that read differently, as they read now, and none else. */
function checkAffected(reply: Body, before: Map<string, Body>, after: Map<string, Body>): void {
  const affected: Body[] = reply.affected ?? [];
  const records = [reply.candidate, reply.jobOrder, reply.placement, ...(reply.changes ?? [])];
  const text = JSON.stringify(records);
  const expected = [...after.values()].filter((row) => {
    const earlier = before.get(row.id);
    return earlier && !text.includes(`"id":"${row.id}"`) && readShown(earlier) !== readShown(row);
  });
  assert.equal(
    affected.map(({ id }) => id).sort(),
    expected.map(({ id }) => id).sort(),
    JSON.stringify(reply),
  );
  for (const { id, status, openingsLeft, changes } of affected) {
    const row = after.get(id)!;
    assert.is(status, row.status);
    assert.is(openingsLeft, row.openingsLeft);
    for (const change of changes) checkChange({ id, ...change }, before.get(id)!, row);
  }
}

/** Reads the revisions of the activity page by page, by the link of each to the next. */
async function readRevisions(desk: RandomDesk, query: string, total: number): Promise<number[]> {
  const revisions: number[] = [];
  for (let next: string | undefined = `/workspace/activity?${query}`; next; ) {
    const { body, headers } = await desk.ask('GET', next);
    revisions.push(...(body.activity ?? []).map(({ revision }: Body) => revision));
    assert.is(body.total, total, next);
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return revisions;
}

/** Compares the pages of the activity, and of the history of each record, with all entries. */
async function checkPages(desk: RandomDesk): Promise<void> {
  const whole = await desk.readActivity();
  const ids = new Set<string>(whole.flatMap(({ records }) => records.map(({ id }: Body) => id)));
  const middle: number = whole[Math.floor(whole.length / 2)]!.revision;
  for (const record of [undefined, ...ids]) {
    const own = whole.filter(({ records }) => !record || records.some(({ id }: Body) => id === record));
    const revisions = own.map(({ revision }) => revision as number);
    const after = revisions.filter((revision) => revision > middle);
    const query = record ? `record=${record}&limit=2` : 'limit=7';
    assert.equal(await readRevisions(desk, query, revisions.length), revisions.toReversed());
    assert.equal(await readRevisions(desk, `${query}&since=${middle}`, after.length), after);
  }
}

async function readStored(store: Store, world: World, desk: RandomDesk): Promise<string> {
  const { workspace } = desk;
  const { hash } = (await world.service.openWorkspace(workspace, {})) as { hash: string };
  const head = (await store.open(hash))!;
  return JSON.stringify(await store.readActivity(head, { after: 0, limit: 1000 }));
}

async function checkDesk(store: Store, seed: number, steps: number): Promise<void> {
  const world = new World({ store, now: Date.now() });
  const desk = new RandomDesk(world, seed);
  for (const kind of ['candidate', 'jobOrder', 'placement', 'candidate', 'placement'] as const)
    await desk.create(kind);

  for (let step = 0; step < steps; step += 1) {
    world.clock.now += 1000;
    const before = await desk.readAll();
    const revision = (await desk.readActivity()).at(-1)!.revision;
    const reply = await desk.step();
    const entries = (await desk.readActivity()).filter((entry) => entry.revision > revision);
    const after = await desk.readAll();
    checkAffected(reply, before, after);
    assert.ok(entries.length <= 1, 'one call is one entry');
    if (entries[0]) checkEntry(entries[0], before, after);
    else assert.equal([...after.values()], [...before.values()], 'what changes nothing has no entry');
  }

  await checkPages(desk);
  const texts = [JSON.stringify(await desk.readActivity()), await readStored(store, world, desk)];
  for (const mark of desk.deleted)
    for (const text of texts) assert.not.match(text, mark, 'nothing of a deleted record can be read');
  assert.ok(desk.deleted.length > 0);
}

law('agrees with the records before and after each entry, in SQLite', async () => {
  for (let seed = 0; seed < 3; seed += 1) await checkDesk(new SqliteStore(':memory:'), seed, 50);
});

law('agrees with the records before and after each entry, in IndexedDB', async () => {
  await checkDesk(new IndexedDbStore(`careers-${randomUUID()}`), 7, 30);
});

if (!skipsRedis())
  law('agrees with the records before and after each entry, in Redis', async () => {
    const redis = await startRedis();
    const store = await openRedisStore(`redis://127.0.0.1:${redis.port}`);
    try {
      await checkDesk(store, 8, 30);
    } finally {
      await store.close();
      await redis.stop();
    }
  });

law.run();
