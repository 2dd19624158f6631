import * as assert from 'uvu/assert';
import type { Kind } from './doors.ts';
import type { Body } from './http.ts';
import {
  expectFreeFrom,
  expectOrderStatus,
  expectStatus,
  isAcceptedRow,
  isLiveRow,
  isOpenRow,
} from './placement-oracle.ts';

const openStages = ['proposed', 'interviewing', 'offered'];
const over = ['completed', 'ended-early'];
const acceptedStatuses = ['scheduled', 'active', ...over];

/** From which statuses a record may be moved to each. */
const moves: Record<Kind, Record<string, readonly string[]>> = {
  candidate: { withdrawn: ['available'], available: ['withdrawn', 'placed'] },
  jobOrder: { closed: ['open', 'filled'], open: ['closed'] },
  placement: {
    interviewing: ['proposed'],
    offered: ['proposed', 'interviewing'],
    scheduled: [...openStages, ...over],
    active: over,
    declined: openStages,
    completed: acceptedStatuses,
    'ended-early': acceptedStatuses,
  },
};

type Rows = Record<Kind, Body[]>;

/** Returns whether the record that a placement refers to exists in the workspace or the seed. */
const isThere = (rows: readonly Body[], id: string): boolean =>
  /_\d{3}$/.test(id) || rows.some((row) => row.id === id);

/** Returns the accepted placements whose candidate and order both exist. */
const listHolding = ({ candidate, jobOrder, placement }: Rows): Body[] =>
  placement.filter(
    (row) => isAcceptedRow(row) && isThere(candidate, row.candidateId) && isThere(jobOrder, row.jobOrderId),
  );

function holdOrders(rows: Rows, holding: readonly Body[], today: string): void {
  for (const order of rows.jobOrder) {
    const { id, status, openings, openingsLeft, proposals } = order;
    const own = holding.filter(({ jobOrderId }) => jobOrderId === id);
    const taken = own.filter((row) => row.status !== 'ended-early').length;
    const expected = expectOrderStatus(order, own, today);
    if (status !== 'closed') assert.is(status, expected, `${id}, ${taken} of ${openings} taken`);
    if (expected === 'closed') assert.is(status, 'closed', `${id} ended on ${order.endDate}`);
    const left = status === 'closed' ? 0 : Math.max(0, openings - taken);
    assert.is(openingsLeft, left, `openings left of ${id}`);
    const proposed = rows.placement.filter((row) => row.jobOrderId === id && isOpenRow(row));
    assert.is(proposals, proposed.length, `proposals of ${id}`);
  }
}

function holdPeople({ candidate }: Rows, holding: readonly Body[], today: string): void {
  for (const { id, status, availableFrom, freeFrom } of candidate) {
    const own = holding.filter(({ candidateId }) => candidateId === id);
    const hasLive = own.some(isLiveRow);
    const wasTakenOn = own.some(({ endReason }) => endReason === 'converted');
    if (status === 'placed') assert.ok(hasLive || wasTakenOn, `${id} is placed, but nothing holds it`);
    if (status === 'available') assert.not(hasLive, `${id} is available, but something holds it`);
    if (!wasTakenOn) assert.is(freeFrom, expectFreeFrom(own, today, availableFrom), `${id} is free`);
    else if (status === 'placed' && !hasLive) assert.is(freeFrom, null, `${id} was taken on by its client`);
  }
}

/** Checks the rows of a workspace on a UTC day against the rules, whatever the query. */
export function holdToSense(rows: Rows, today: string): void {
  for (const row of rows.placement.filter(isAcceptedRow))
    assert.is(row.status, expectStatus(row, today), `${row.id} ${JSON.stringify(row)}`);
  const holding = listHolding(rows);
  holdOrders(rows, holding, today);
  holdPeople(rows, holding, today);
  for (const [kind, own] of Object.entries(rows)) {
    for (const { id, transitions } of own) {
      for (const { from, to } of transitions)
        assert.ok(moves[kind as Kind][to]?.includes(from), `${id} went from ${from} to ${to}`);
    }
  }
}
