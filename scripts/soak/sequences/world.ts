import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import { collections, inside, type Kind, kinds, paths } from '../../../tests/support/doors.ts';
import type { Body } from '../../../tests/support/http.ts';
import { holdToSense } from '../../../tests/support/sense.ts';
import { askAll, type Call, type Side, toNoRows } from './side.ts';

/** A change that was made under a key. */
interface Sent {
  calls: Call[];
  texts: string[];
  workspace: string | undefined;
  until: number;
}

/** One sequence: what each side knows, and the last view of the current workspace. */
export interface World {
  name: string;
  sides: Side[];
  isErased: boolean;
  seen?: { revision: number; expiresAt: string; rows: string } | undefined;
  sent: Sent[];
  tally: Record<string, number>;
}

export const nowOf = ({ sides }: World) => sides[0]!.world.clock.now;
export const workspaceOf = ({ sides }: World) => sides[0]!.workspace;
export const isAlive = (world: World) =>
  workspaceOf(world) !== undefined &&
  !world.isErased &&
  (!world.seen || nowOf(world) < Date.parse(world.seen.expiresAt));

export function count({ tally }: World, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1;
}

/** Makes one call on each side, in the current workspace unless it names another. */
export const ask = ({ sides }: World, toCall: (side: Side, at: number) => Call) =>
  askAll(
    sides,
    sides.map((side, at) => {
      const call = toCall(side, at);
      return { ...call, headers: call.headers ?? inside(side.workspace) };
    }),
  );

/** Reads a list as a caller with a cache. If the answer is 304, the cached list must be current. */
async function readList(world: World, kind: Kind): Promise<void> {
  const target = `${paths[kind]}?scope=workspace&limit=200`;
  const kept = world.sides.map(({ lists, workspace }) => lists.get(`${workspace} ${target}`));
  const asked = await ask(world, ({ workspace }, at) => ({
    method: 'GET',
    target,
    headers: { ...inside(workspace), ...(kept[at] && { 'If-None-Match': kept[at].tag }) },
  }));
  const isSame = asked[0]!.status === 304;
  const replies = isSame ? await ask(world, () => ({ method: 'GET', target })) : asked;
  for (const [at, side] of world.sides.entries()) {
    const { text, body, headers } = replies[at]!;
    if (isSame) assert.is(text, kept[at]!.text, `${target} is unchanged, as its 304 said`);
    side.lists.set(`${side.workspace} ${target}`, { tag: headers.get('etag')!, text });
    side.rows[kind] = body[collections[kind]] ?? [];
    assert.is(body.total, side.rows[kind].length);
    for (const { id } of side.rows[kind]) side.ids.add(id);
  }
}

/**
 * Reads the pages of a list or an export by their cursors on each side. Every page but the last must be full.
 */
export async function walk(world: World, path: string, query: object, limit: number): Promise<Body[][]> {
  const pages: Body[][] = world.sides.map(() => []);
  for (let cursors: string[] | undefined = []; cursors; ) {
    const from = cursors;
    const replies = await ask(world, (_, at) => {
      const more = from[at] && { cursor: from[at] };
      return {
        method: 'GET',
        target: `${path}?${new URLSearchParams({ ...query, limit: `${limit}`, ...more })}`,
      };
    });
    for (const [at, { status, body }] of replies.entries()) {
      assert.is(status, 200);
      pages[at]!.push(body);
    }
    const size = kinds.reduce((sum, kind) => sum + (replies[0]!.body[collections[kind]] ?? []).length, 0);
    const isLast = replies[0]!.body.nextCursor === undefined;
    assert.ok(isLast ? size <= limit : size === limit, `${size} records on a page of ${limit}`);
    cursors = isLast ? undefined : replies.map(({ body }) => body.nextCursor);
  }
  return pages;
}

export const toRowsOf = (pages: readonly Body[], kind: Kind): Body[] =>
  pages.flatMap((page) => page[collections[kind]] ?? []);

export function holdAlike(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  assert.unreachable(`${what}\nis:  ${JSON.stringify(actual)}\nnot: ${JSON.stringify(expected)}`);
}

/** Checks an export against the lists: oldest first, each with a ref, and references as plain ids. */
function holdExport(pages: readonly Body[], { rows }: Side): void {
  const all = Object.values(rows).flat();
  for (const kind of kinds) {
    // A link belongs to its workspace, so an export has none.
    const expected = rows[kind].toReversed().map(({ shortlist: _, ...row }) => {
      const named = (['candidateId', 'jobOrderId'] as const).flatMap((member) =>
        row[member] === undefined ? [] : [[member, row[member].replace(/^#/, '')]],
      );
      return { ...row, ref: row.ref ?? row.id, ...Object.fromEntries(named) };
    });
    holdAlike(toRowsOf(pages, kind), expected, `export of ${kind}`);
  }
  assert.is(pages[0]!.total, all.length);
}

/** Reads a whole workspace, and checks its totals against its lists and its export. */
export async function look(world: World, wasChanged: boolean): Promise<void> {
  if (workspaceOf(world) === undefined) return;
  const [told] = await ask(world, () => ({ method: 'GET', target: '/workspace' }));
  assert.is(told!.status, isAlive(world) ? 200 : 401);
  if (told!.status === 401) {
    for (const side of world.sides) side.rows = toNoRows();
    return;
  }
  for (const kind of kinds) await readList(world, kind);
  const [first] = world.sides;
  holdToSense(first!.rows, new Date(nowOf(world)).toISOString().slice(0, 10));
  const exported = await walk(world, '/workspace/export', { history: false }, 200);
  for (const [at, side] of world.sides.entries()) holdExport(exported[at]!, side);
  const { records, revision, expiresAt } = told!.body.workspace;
  const counts = kinds.map((kind) => [collections[kind], first!.rows[kind].length]);
  assert.equal(records, Object.fromEntries(counts));
  const rows = JSON.stringify(first!.rows);
  const { seen } = world;
  if (!seen) assert.is(revision, 1);
  else if (wasChanged)
    assert.ok(revision > seen.revision && expiresAt >= seen.expiresAt, 'a change raises the revision');
  else {
    assert.equal(revision, seen.revision);
    assert.equal(expiresAt, seen.expiresAt);
    assert.equal(rows, seen.rows || rows);
  }
  world.seen = { revision, expiresAt, rows };
}
