import type { Warning } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { explainGate, readGate } from './gate.ts';
import { toOpenings } from './job-order.ts';
import { type PlacementRecord, toOutcome } from './placement-outcome.ts';
import { isAccepted, isOpen, mostProposals, toPairName, toProposalsName } from './placement-stages.ts';
import type { RecordsInView } from './records-in-view.ts';

/** Whether it ended early, as asked or because its candidate left, as stated. */
export const isEnded = (fact: PlacementRecord) =>
  fact.asked === 'ended-early' || toOutcome(fact).result === 'attrited';

/** What its candidate makes of a placement that is about to be. No name of a person is said. */
function ofCandidate({ candidateId: id }: PlacementRecord, near: RecordsInView): Warning[] {
  const fact = near.recordOf('candidate', id);
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

function ofJobOrder({ jobOrderId: id }: PlacementRecord, near: RecordsInView): Warning[] {
  const fact = near.recordOf('jobOrder', id);
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

function ofCode({ candidateId, jobOrderId, onetCode }: PlacementRecord, near: RecordsInView): Warning[] {
  const facts = [near.recordOf('candidate', candidateId), near.recordOf('jobOrder', jobOrderId)];
  const codes = facts.flatMap((fact) => (fact ? [fact.onetCode] : []));
  if (codes.length === 0 || codes.includes(onetCode)) return [];
  const message = `is neither that of its candidate nor that of its job order (${[...new Set(codes)].join(', ')})`;
  return [{ code: 'code_mismatch', path: 'onetCode', message }];
}

/** What its job order must have, and its candidate does not show. */
function ofGate({ candidateId, jobOrderId, startDate }: PlacementRecord, near: RecordsInView): Warning[] {
  const candidate = near.recordOf('candidate', candidateId);
  const order = near.recordOf('jobOrder', jobOrderId);
  if (!candidate || !order) return [];
  const asked = readGate({ ...order, ...(startDate !== undefined && { startDate }) });
  return explainGate(asked, readGate(candidate)).unmet.map(({ code, text }) => ({
    code,
    path: 'candidateId',
    message: text,
  }));
}

/** What another proposal of its candidate makes of it. Throws where its job order takes no more. */
function ofProposals(fact: PlacementRecord, near: RecordsInView): Warning[] {
  const { jobOrderId } = fact;
  if (near.countOf(toProposalsName(jobOrderId), [jobOrderId]) >= mostProposals)
    throw new Refusal('too_many_proposals', {
      reason: `This job order has ${mostProposals} open placements, as many as it takes. Accept or decline some first.`,
    });
  if (near.countOf(toPairName(fact), [jobOrderId, fact.candidateId]) === 0) return [];
  const message = 'is proposed to this job order already, by a placement that is open';
  return [{ code: 'already_proposed', path: 'candidateId', message }];
}

/**
 * What a placement that is about to be disagrees with: its candidate is placed already, has withdrawn or does not meet
 * the order, which is filled or closed; its code is neither's. One that is open holds nobody, so that only what the
 * order must have and another proposal of the pair count. One that is over disagrees with nothing.
 */
export function toPlacementWarnings(fact: PlacementRecord, near: RecordsInView): Warning[] {
  if (isOpen(fact)) return [...ofGate(fact, near), ...ofProposals(fact, near)];
  if (!isAccepted(fact) || isEnded(fact)) return [];
  return [
    ...ofCandidate(fact, near),
    ...ofJobOrder(fact, near),
    ...ofCode(fact, near),
    ...ofGate(fact, near),
  ];
}
