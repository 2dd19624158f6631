import type { Warning } from '../kernel/envelope.ts';
import { toOpenings } from './job-order.ts';
import { isEnded, type PlacementFact } from './placement-course.ts';
import type { RecordsInView } from './records-in-view.ts';

/** What its candidate makes of a placement that is about to be. No name of a person is said. */
function ofCandidate({ candidateId: id }: PlacementFact, near: RecordsInView): Warning[] {
  const fact = near.factOf('candidate', id);
  if (!fact) return [];
  const path = 'candidateId';
  const placed = {
    code: 'already_placed',
    path,
    message: 'is placed already, by a placement that has not ended',
  };
  const withdrawn = { code: 'withdrawn', path, message: 'has withdrawn; make it available again first' };
  return [...(near.occupantsOf(id) > 0 ? [placed] : []), ...(fact.asked === 'withdrawn' ? [withdrawn] : [])];
}

function ofJobOrder({ jobOrderId: id }: PlacementFact, near: RecordsInView): Warning[] {
  const fact = near.factOf('jobOrder', id);
  if (!fact) return [];
  const path = 'jobOrderId';
  const openings = toOpenings(fact);
  const filled = {
    code: 'already_filled',
    path,
    message: `is filled already: ${openings === 1 ? 'its one opening is' : `all of its ${openings} openings are`} taken`,
  };
  const closed = { code: 'closed', path, message: 'is closed; open it again first' };
  return [
    ...(near.occupantsOf(id) >= openings ? [filled] : []),
    ...(fact.asked === 'closed' ? [closed] : []),
  ];
}

function ofCode({ candidateId, jobOrderId, onetCode }: PlacementFact, near: RecordsInView): Warning[] {
  const facts = [near.factOf('candidate', candidateId), near.factOf('jobOrder', jobOrderId)];
  const codes = facts.flatMap((fact) => (fact ? [fact.onetCode] : []));
  if (codes.length === 0 || codes.includes(onetCode)) return [];
  const message = `is neither that of its candidate nor that of its job order (${[...new Set(codes)].join(', ')})`;
  return [{ code: 'code_mismatch', path: 'onetCode', message }];
}

/**
 * What a placement that is about to be disagrees with: its candidate is placed already or has withdrawn, its job
 * order is filled or closed, its code is neither's. One that has ended disagrees with nothing.
 */
export function toPlacementWarnings(fact: PlacementFact, near: RecordsInView): Warning[] {
  if (isEnded(fact)) return [];
  return [...ofCandidate(fact, near), ...ofJobOrder(fact, near), ...ofCode(fact, near)];
}
