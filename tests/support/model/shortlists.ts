import * as fc from 'fast-check';
import { check } from './check.ts';
import { isHere, toCommands } from './command.ts';
import { inside } from './send.ts';
import { hold, retentionSeconds } from './subject.ts';
import {
  countProposals,
  current,
  isAlive,
  lookUp,
  nowOf,
  type Rec,
  type Space,
  toRow,
  type World,
} from './world.ts';

const lifeMs = 14 * 86_400_000;
const decisions = { interview: 'interviewing', decline: 'declined' } as const;

const ordersOf = ({ records }: Space) => records.filter(({ kind }) => kind === 'jobOrder');

/** Notes a change of a record that was made now. */
function note(world: World, space: Space, rec: Rec): void {
  const now = nowOf(world);
  rec.updatedAt = now;
  rec.revision += 1;
  space.expiresAt = Math.max(space.expiresAt, now + retentionSeconds * 1000);
}

/** A link to those proposed for an order, in the place of the one before where that is asked. */
export const shares = toCommands(
  'share',
  fc.record({ pick: fc.nat({ max: 9 }), replace: fc.boolean() }),
  async (world, { pick, replace }) => {
    const space = current(world)!;
    const orders = ordersOf(space);
    const order = orders[pick % orders.length]!;
    const path = `/job-orders/${order.id}/shortlist`;
    const { status, body } = await world.subject.ask('POST', path, inside(space), { replace });
    const now = nowOf(world);
    const isOut = order.link !== undefined && order.link.expiresAt > now;
    const expected =
      countProposals(space.records, order.id) === 0
        ? [409, 'nothing_proposed']
        : isOut && !replace
          ? [409, 'pending']
          : [201, undefined];
    hold([status, body.code], expected, `POST ${path}`);
    if (status === 201) {
      const { token } = body.shortlist;
      order.link = { token, expiresAt: now + lifeMs };
      note(world, space, order);
      world.links.push({ space, orderId: order.id, token });
    }
    world.tally[`share ${status}`] = (world.tally[`share ${status}`] ?? 0) + 1;
    await check(world, space, status === 201);
  },
  (world) => isHere(world) && ordersOf(current(world)!).length > 0,
);

const toDecision = ({ transitions }: Rec) => {
  const last = transitions.findLast(({ by }) => by === 'shortlist');
  return last && (last.to === 'declined' ? 'decline' : 'interview');
};

/** The placements that a link has to show. */
const toShown = (world: World, { records }: Space, orderId: string) =>
  records.filter(
    (one) =>
      one.kind === 'placement' &&
      one.members.jobOrderId === orderId &&
      (one.asked === 'proposed' || one.asked === 'interviewing' || toDecision(one) !== undefined) &&
      lookUp(world, records, 'candidate', one.members.candidateId) !== undefined,
  );

/** A decision by whoever has a link that was made once, on one of the placements that it shows. */
export const decides = toCommands(
  'decide',
  fc.record({
    pick: fc.nat({ max: 9 }),
    row: fc.nat({ max: 9 }),
    decision: fc.constantFrom('interview' as const, 'decline' as const),
    isStale: fc.nat({ max: 5 }).map((chance) => chance === 0),
  }),
  async (world, { pick, row, decision, isStale }) => {
    const { space, orderId, token } = world.links[pick % world.links.length]!;
    const now = nowOf(world);
    const order = space.records.find(({ id }) => id === orderId);
    const held = { 'X-Shortlist': token };
    const seen = await world.subject.ask('GET', '/shortlist', held);
    const isOpen = isAlive(world, space) && order?.link?.token === token && order.link.expiresAt > now;
    hold(
      [seen.status, seen.body.code],
      isOpen ? [200, undefined] : [401, 'unknown_shortlist'],
      'GET /shortlist',
    );
    if (!isOpen) return;
    const rows = seen.body.shortlist.placements as { id: string; tag: string }[];
    const shown = toShown(world, space, orderId).map(({ id }) => id);
    hold(rows.map(({ id }) => id).sort(), shown.sort(), 'GET /shortlist');
    if (rows.length === 0) return;
    const { id, tag } = rows[row % rows.length]!;
    const rec = space.records.find((one) => one.id === id)!;
    const from = toRow(world, space.records, rec).status;
    const sent = { placementId: id, decision, reason: 'Because.', tag: isStale ? 'x' : tag };
    const { status, body } = await world.subject.ask('POST', '/shortlist', held, sent);
    const before = toDecision(rec);
    const to = decisions[decision];
    const refusal = isStale
      ? [412, 'changed']
      : before !== undefined || from === to
        ? [409, 'already_decided']
        : order.asked === 'closed'
          ? [409, 'order_closed']
          : undefined;
    const isSame = before === decision;
    hold(
      [status, body.code],
      isSame ? [200, undefined] : (refusal ?? [200, undefined]),
      JSON.stringify(sent),
    );
    const isMade = !isSame && refusal === undefined;
    if (isMade) {
      rec.asked = to;
      rec.transitions = [...rec.transitions, { at: now, from, to, reason: 'Because.', by: 'shortlist' }];
      if (decision === 'decline') rec.members = { ...rec.members, declineReason: 'client' };
      note(world, space, rec);
      hold([body.placement.status, body.placement.decision], [to, decision], JSON.stringify(sent));
    }
    world.tally[`decide ${status}`] = (world.tally[`decide ${status}`] ?? 0) + 1;
    await check(world, space, isMade);
  },
  ({ links }) => links.length > 0,
);
