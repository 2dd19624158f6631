import * as assert from 'uvu/assert';
import type { Body } from '../http.ts';
import { type KindName, kindNames, kindOf, toLegal } from './members.ts';
import { inside } from './send.ts';
import { fromUsage, hold } from './subject.ts';
import { isAlive, type Space, toRows, type World } from './world.ts';

type Rows = Record<KindName, Body[]>;

/** Holds what lists show to what can never be, whatever was asked. */
export function holdToSense({ candidate, jobOrder, placement }: Rows): void {
  const standing = placement.filter(({ status }) => ['scheduled', 'active', 'completed'].includes(status));
  const count = (member: string, id: string) => standing.filter((row) => row[member] === id).length;
  for (const { id, status, openings } of jobOrder) {
    const taken = count('jobOrderId', id);
    if (status === 'filled') assert.ok(taken >= openings, `${id} is filled, ${taken} of ${openings} taken`);
    if (status === 'open') assert.ok(taken < openings, `${id} is open, ${taken} of ${openings} taken`);
  }
  for (const { id, status } of candidate) {
    const held = count('candidateId', id);
    if (status === 'placed') assert.ok(held > 0, `${id} is placed, and nothing holds it`);
    if (status === 'available') assert.is(held, 0, `${id} is available, and ${held} hold it`);
  }
  for (const kind of kindNames) {
    for (const { id, transitions } of { candidate, jobOrder, placement }[kind]) {
      for (const { from, to } of transitions) {
        assert.ok(toLegal(kind, from).includes(to), `${id} went from ${from} to ${to}`);
      }
    }
  }
}

/** A list as its caller would keep it; where it is said to be as it was, it has to be. */
async function readList({ subject, lists }: World, space: Space, target: string): Promise<Body> {
  const headers = inside(space);
  const name = `${space.id} ${target}`;
  const before = lists.get(name);
  const asked = await subject.ask('GET', target, {
    ...headers,
    ...(before && { 'If-None-Match': before.tag }),
  });
  const reply = asked.status === 304 ? await subject.ask('GET', target, headers) : asked;
  if (asked.status === 304) assert.is(reply.text, before!.text, `${target} is said to be as it was`);
  lists.set(name, { tag: reply.headers.ETag!, text: reply.text });
  return reply.body;
}

/** What a workspace's lists show of its own records. */
async function readLists(world: World, space: Space): Promise<Rows> {
  const rows: [string, Body[]][] = [];
  for (const kind of kindNames) {
    const { path, collection } = kindOf[kind];
    const body = await readList(world, space, `${path}?scope=workspace&limit=200`);
    assert.is(body.total, (body[collection] ?? []).length);
    rows.push([kind, body[collection] ?? []]);
  }
  return Object.fromEntries(rows) as Rows;
}

/** The pages of an export, of so many records each. */
export async function readExport({ subject }: World, space: Space, limit: number): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor = ''; ; ) {
    const query = new URLSearchParams({ limit: `${limit}`, ...(cursor && { cursor }) });
    const { body } = await subject.ask('GET', `/workspace/export?${query}`, inside(space));
    const count = kindNames.reduce((sum, kind) => sum + body[kindOf[kind].collection].length, 0);
    assert.ok(count <= limit, `${count} records on a page of ${limit}`);
    pages.push(body);
    assert.ok(pages.length <= Math.max(body.total, 1), `${pages.length} pages of ${body.total} records`);
    if (body.nextCursor === undefined) return pages;
    assert.is(count, limit, 'a page that is not the last is full');
    cursor = body.nextCursor;
  }
}

/** Holds an export to what the lists show: oldest first, each with a ref, and references by it where there is one. */
function holdExport(pages: readonly Body[], rows: Rows): void {
  const refs = new Map(
    Object.values(rows)
      .flat()
      .map(({ id, ref = id }) => [id, `#${ref}`]),
  );
  const kinds = ['candidate', 'jobOrder'] as const;
  for (const kind of kindNames) {
    const { collection } = kindOf[kind];
    // A link belongs to its workspace: an export has none.
    const expected = rows[kind].toReversed().map(({ shortlist: _, ...row }) => {
      const references = kinds.flatMap((of) => {
        const id = row[`${of}Id`];
        if (kind !== 'placement') return [];
        const isThere = rows[of].some((one) => one.id === id);
        return [[`${of}Id`, isThere ? refs.get(id) : id.replace(/^#/, '')]];
      });
      return { ...row, ref: row.ref ?? row.id, ...Object.fromEntries(references) };
    });
    hold(
      pages.flatMap((page) => page[collection]),
      expected,
      `export of ${collection}`,
    );
  }
  const total = Object.values(rows).flat().length;
  for (const page of pages) assert.is(page.total, total);
}

/** Holds a workspace to the model, and what it says of itself to what its lists show. */
export async function check(world: World, space: Space, wasChanged: boolean): Promise<void> {
  const { body, status } = await world.subject.ask('GET', '/workspace', inside(space));
  if (!isAlive(world, space)) return assert.is(status, 401);
  const charged = world.subject.ledger.read(space.id, world.subject.clock.now);
  hold(fromUsage(body.workspace.usage), charged, 'the meter');
  const rows = await readLists(world, space);
  for (const kind of kindNames) hold(rows[kind], toRows(world, space, kind).own, kind);
  holdToSense(rows);
  holdExport(await readExport(world, space, 200), rows);
  const { revision, expiresAt, createdAt, records } = body.workspace;
  const counts = kindNames.map((kind) => [kindOf[kind].collection, rows[kind].length]);
  const times = [space.createdAt, space.expiresAt].map((at) => new Date(at).toISOString());
  hold([records, createdAt, expiresAt], [Object.fromEntries(counts), ...times], 'the workspace');
  const { seen } = space;
  if (seen) {
    const isRight = wasChanged ? revision > seen.revision : revision === seen.revision;
    assert.ok(isRight, `revision ${seen.revision} became ${revision}, changed: ${wasChanged}`);
    assert.ok(expiresAt >= seen.expiresAt, 'time was taken away');
  } else assert.is(revision, 1);
  space.seen = { revision, expiresAt };
}
