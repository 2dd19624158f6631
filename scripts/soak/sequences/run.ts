import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Store } from '../../../src/workspace/store.ts';
import { collections, inside, type Kind, kinds, paths } from '../../../tests/support/doors.ts';
import type { Body, Reply } from '../../../tests/support/http.ts';
import { change, isThere, toHeaders, toPlace } from './change.ts';
import { openWorlds, type Side, toBody, toId, toSide } from './side.ts';
import { type Changed, type Members, type Step, step } from './steps.ts';
import {
  ask,
  count,
  holdAlike,
  isAlive,
  look,
  nowOf,
  toRowsOf,
  type World,
  walk,
  workspaceOf,
} from './world.ts';

/** A sequence has at most this many steps. */
const mostSteps = 30;
const dayMs = 86_400_000;

/** Changes one record, or deletes it if there is no `body`. */
async function changeOne(world: World, { op, kind, target, how, body }: ToOne): Promise<void> {
  if (!isThere(world, kind, target)) return;
  const addresses = world.sides.map((side) => `${paths[kind]}/${toId(side, kind, target).replace('#', '')}`);
  const read = () => ask(world, (_, at) => ({ method: 'GET', target: addresses[at]! }));
  const before = how.ifMatch === 'fresh' ? await read() : [];
  const replies = await change(world, op, (side, at) => {
    const tag =
      how.ifMatch && (how.ifMatch === 'fresh' ? (before[at]!.headers.get('etag') ?? '*') : '"stale"');
    return {
      method: body ? 'PATCH' : 'DELETE',
      target: addresses[at]!,
      headers: toHeaders(world, side.workspace, how, tag),
      body: body && toBody(side, body),
    };
  });
  if (!body || replies[0]!.status !== 200 || replies[0]!.headers.get('idempotency-replayed')) return;
  if (kind === 'jobOrder' && body.declineProposals === true) {
    count(world, 'declined proposals');
    assert.is(replies[0]!.body.jobOrder.proposals, 0, 'no proposal stays open');
  }
  for (const [at, { headers, body: now }] of (await read()).entries())
    holdAlike(
      [headers.get('etag'), now[kind]],
      [replies[at]!.headers.get('etag'), replies[at]!.body[kind]],
      addresses[at]!,
    );
}
type ToOne = Omit<Extract<Step, { op: 'update' | 'remove' }>, 'body'> & { body?: Members };

function toChange(side: Side, { kind, target, body, revision }: Changed): Body {
  const id = toId(side, kind, target);
  const read = side.rows[kind].find((row) => row.id === id)?.revision ?? 1;
  return { ...toBody(side, body), id, ...(revision && { revision: revision === 'fresh' ? read : read + 7 }) };
}

/** Lists the moves of a record. An import leaves out by which link one came. */
const toMoves = ({ transitions }: Body) => transitions.map(({ by: _, ...move }: Body) => move);

const toSought = ({ jobOrder }: Side['rows']) => jobOrder.toSorted((a, b) => b.proposals - a.proposals);

type Runs = { [op in Step['op']]: (world: World, step: Extract<Step, { op: op }>) => Promise<unknown> };

/** What each step does. */
const runs: Runs = {
  create: (world, { kind, body, isFresh, how }) =>
    change(world, 'create', (side) => ({
      method: 'POST',
      target: paths[kind],
      headers: toHeaders(world, toPlace(world, side, isFresh), how),
      body: toBody(side, body),
    })),

  batch(world, { items, isFresh, how }) {
    const toRefs = (kind: Kind) => items[kind].flatMap(({ ref }) => (typeof ref === 'string' ? [ref] : []));
    const refs = { candidate: toRefs('candidate'), jobOrder: toRefs('jobOrder') };
    return change(world, 'batch', (side) => ({
      method: 'POST',
      target: '/batch',
      headers: toHeaders(world, toPlace(world, side, isFresh), how),
      body: Object.fromEntries(
        kinds.map((kind) => [collections[kind], items[kind].map((one) => toBody(side, one, refs))]),
      ),
    }));
  },

  /** Creates and changes records in one step. What it shows of each must be what the lists then show. */
  async changes(world, { changes, items, how }) {
    if (!isAlive(world)) return;
    const replies = await change(world, 'changes', (side) => ({
      method: 'POST',
      target: '/batch',
      headers: toHeaders(world, side.workspace, how),
      body: {
        ...Object.fromEntries(
          kinds.map((kind) => [collections[kind], items[kind].map((one) => toBody(side, one))]),
        ),
        changes: changes.map((one) => toChange(side, one)),
      },
    }));
    const { status, headers } = replies[0]!;
    if (status >= 300 || headers.has('idempotency-replayed')) return;
    for (const [at, side] of world.sides.entries())
      for (const shown of replies[at]!.body.changes) {
        const [kind, row] = Object.entries(shown)[0] as [Kind, Body];
        holdAlike(
          row,
          side.rows[kind].find(({ id }) => id === row.id),
          row.id,
        );
      }
  },

  update: changeOne,
  remove: changeOne,

  async erase(world, { how }) {
    if (workspaceOf(world) === undefined) return;
    await change(world, 'erase', ({ workspace }) => ({
      method: 'DELETE',
      target: '/workspace',
      headers: toHeaders(world, workspace, how),
    }));
  },

  /** Sends a call with a key again, as it was or with another body. */
  async repeat(world, { pick, isOther }) {
    const sent = world.sent[pick % Math.max(world.sent.length, 1)];
    if (!sent) return;
    const isKept = isAlive(world) && sent.workspace === workspaceOf(world) && nowOf(world) < sent.until;
    const more = isOther && sent.calls[0]!.body;
    const replies = await change(world, 'repeat', (_, at) => {
      const call = sent.calls[at]!;
      return more
        ? { ...call, body: { ...call.body, ref: `other-${world.sent.length}`, candidates: [] } }
        : call;
    });
    if (!isKept) return;
    if (more) return assert.ok(replies[0]!.status >= 400, 'a key belongs to one body');
    for (const [at, { text, headers }] of replies.entries()) {
      assert.is(headers.get('idempotency-replayed'), 'true');
      assert.equal(text, sent.texts[at]);
    }
    count(world, 'replayed');
  },

  /** Makes a link for an order, often the one with most proposals, and replaces the old link if asked. */
  async share(world, { pick, isReplaced }) {
    const { length } = world.sides[0]!.rows.jobOrder;
    if (!isAlive(world) || length === 0) return;
    const replies = await change(world, 'share', ({ rows, workspace }) => ({
      method: 'POST',
      target: `/job-orders/${toSought(rows)[pick % length]!.id}/shortlist`,
      headers: inside(workspace),
      body: { replace: isReplaced },
    }));
    if (replies[0]!.status !== 201) return;
    for (const [at, { links, workspace }] of world.sides.entries())
      links.push({ workspace, token: replies[at]!.body.shortlist.token });
  },

  /** Decides on one of the placements of a link that was made earlier. */
  async decide(world, { pick, row, decision, isStale }) {
    const { links } = world.sides[0]!;
    if (links.length === 0) return;
    const chosen = pick % links.length;
    const toHeld = ({ links: own }: Side) => ({ 'X-Shortlist': own[chosen]!.token });
    const shown = await ask(world, (side) => ({
      method: 'GET',
      target: '/shortlist',
      headers: toHeld(side),
    }));
    const rowsOf = ({ body }: Reply): Body[] => body.shortlist?.placements ?? [];
    if (rowsOf(shown[0]!).length === 0) return;
    const toRow = (at: number) => rowsOf(shown[at]!)[row % rowsOf(shown[at]!).length];
    const replies = await ask(world, (side, at) => {
      const { id, tag } = toRow(at);
      const body = { placementId: id, decision, reason: 'Because.', tag: isStale ? 'x' : tag };
      return { method: 'POST', target: '/shortlist', headers: toHeld(side), body };
    });
    const { status, body } = replies[0]!;
    count(world, `decide ${status}`);
    if (status === 200) assert.is(body.placement.decision, decision);
    const isMade = status === 200 && toRow(0).decision !== decision;
    await look(world, isMade && links[chosen]!.workspace === workspaceOf(world));
  },

  /** Imports every page of an export into a new workspace, and continues there. */
  async carry(world, { limit, isStrict }) {
    if (!isAlive(world)) return;
    const pages = await walk(world, '/workspace/export', {}, limit);
    for (let page = 0; page < pages[0]!.length; page += 1) {
      const replies = await change(world, 'carry', (side, at) => ({
        method: 'POST',
        target: '/batch',
        headers: toHeaders(world, page === 0 ? undefined : side.workspace, { isStrict }),
        body: pages[at]![page],
      }));
      if (replies[0]!.status !== 201) return;
    }
    const { rows } = world.sides[0]!;
    assert.is(Object.values(rows).flat().length, pages[0]![0]!.total);
    for (const kind of kinds)
      holdAlike(
        rows[kind].toReversed().map(toMoves),
        toRowsOf(pages[0]!, kind).map(toMoves),
        `moves of ${kind}`,
      );
  },

  async pass(world, { ms }) {
    for (const side of world.sides) side.world.pass(ms);
    if (world.seen) world.seen.rows = '';
    await look(world, false);
  },

  /** Checks that a list is the same in pages of any size. */
  async list(world, { kind, filters, limit }) {
    if (!isAlive(world)) return;
    const usual = Object.entries(filters).filter(([name]) =>
      kind === 'placement'
        ? ['status', 'occupation', 'scope', 'q', 'client', 'updatedSince'].includes(name)
        : name !== 'client',
    );
    const query = Object.fromEntries(usual);
    const pages = await walk(world, paths[kind], query, limit);
    const whole = await walk(world, paths[kind], query, 200);
    for (const at of world.sides.keys())
      holdAlike(toRowsOf(pages[at]!, kind), toRowsOf(whole[at]!, kind), `${kind} ${JSON.stringify(query)}`);
    assert.is(toRowsOf(whole[0]!, kind).length, whole[0]![0]!.total);
  },

  async get(world, { kind, target }) {
    if (!isAlive(world)) return;
    const ids = world.sides.map((side) => toId(side, kind, target).replace('#', ''));
    const read = (tags: (string | undefined)[]) =>
      ask(world, ({ workspace }, at) => ({
        method: 'GET',
        target: `${paths[kind]}/${ids[at]}`,
        headers: { ...inside(workspace), ...(tags[at] && { 'If-None-Match': tags[at] }) },
      }));
    const replies = await read([]);
    const own = world.sides[0]!.rows[kind].find(({ id }) => id === ids[0]);
    if (own) holdAlike(replies[0]!.body[kind], own, ids[0]!);
    if (replies[0]!.status !== 200) return;
    assert.is((await read(replies.map(({ headers }) => headers.get('etag') ?? undefined)))[0]!.status, 304);
  },
};

/**
 * Runs random sequences of calls against the service over each store. All must answer alike, and what is read
 * after each step must not contradict itself. Throws at the first failure, with the seed and path that repeat
 * it. Returns how often each change got each status.
 */
export async function runSequences(
  stores: readonly Store[],
  sequences: number,
  seed: number,
): Promise<World['tally']> {
  const worlds = await openWorlds(stores);
  const tally: World['tally'] = {};
  const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
  let number = 0;
  const property = fc.asyncProperty(
    fc.noBias(fc.array(step, { maxLength: mostSteps, size: 'max' })),
    async (steps) => {
      number += 1;
      for (const { clock } of worlds) clock.now = noon;
      const name = `a-sequence-${seed}-${number}`;
      const world: World = { name, sides: worlds.map(toSide), isErased: false, sent: [], tally };
      for (const one of steps) {
        for (const { clock } of worlds) clock.now += 1;
        await runs[one.op](world, one as never);
      }
    },
  );
  await fc.assert(property, { numRuns: sequences, seed, includeErrorInReport: true });
  return tally;
}
