import * as assert from 'uvu/assert';
import type { Kind } from './doors.ts';
import type { Body } from './http.ts';

/** A placement in one of these is not accepted yet. */
const openStages = ['proposed', 'interviewing', 'offered'];

/** From which statuses a record may be moved to each. */
const moves: Record<Kind, Record<string, readonly string[]>> = {
  candidate: { withdrawn: ['available'], available: ['withdrawn'] },
  jobOrder: { closed: ['open', 'filled'], open: ['closed'] },
  placement: {
    interviewing: ['proposed'],
    offered: ['proposed', 'interviewing'],
    scheduled: openStages,
    declined: openStages,
    'ended-early': ['scheduled', 'active'],
  },
};

/** Holds the rows of a workspace to what can never be, whatever was asked. */
export function holdToSense(rows: Record<Kind, Body[]>): void {
  const { candidate, jobOrder, placement } = rows;
  const standing = placement.filter(({ status }) => ['scheduled', 'active', 'completed'].includes(status));
  const count = (member: string, id: string) => standing.filter((row) => row[member] === id).length;
  for (const { id, status, openings, openingsLeft, proposals } of jobOrder) {
    const taken = count('jobOrderId', id);
    if (status === 'filled') assert.ok(taken >= openings, `${id} is filled, ${taken} of ${openings} taken`);
    if (status === 'open') assert.ok(taken < openings, `${id} is open, ${taken} of ${openings} taken`);
    assert.is(openingsLeft, Math.max(0, openings - taken), `openings left of ${id}`);
    const proposed = placement.filter((row) => row.jobOrderId === id && openStages.includes(row.status));
    assert.is(proposals, proposed.length, `proposals of ${id}`);
  }
  for (const { id, status } of candidate) {
    const held = count('candidateId', id);
    if (status === 'placed') assert.ok(held > 0, `${id} is placed, and nothing holds it`);
    if (status === 'available') assert.is(held, 0, `${id} is available, and ${held} hold it`);
  }
  for (const [kind, own] of Object.entries(rows)) {
    for (const { id, transitions } of own) {
      for (const { from, to } of transitions)
        assert.ok(moves[kind as Kind][to]?.includes(from), `${id} went from ${from} to ${to}`);
    }
  }
}
