import type { Warning } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { explainGate, readGate } from './gate.ts';
import { toOpenings } from './job-order.ts';
import {
  isAccepted,
  isOpen,
  mostProposals,
  type PlacementRecord,
  toOutcome,
  toPairName,
  toProposalsName,
} from './placement-outcome.ts';
import type { StoredRecord } from './record.ts';
import type { RecordsInView } from './records-in-view.ts';

/** Whether it ended early, as asked or because its candidate left, as stated. */
export const isEnded = (fact: PlacementRecord) =>
  fact.asked === 'ended-early' || toOutcome(fact).result === 'attrited';

/** What its job order must have, and its candidate does not show. */
function toUnmet(order: StoredRecord, candidate: StoredRecord, { startDate }: PlacementRecord): Warning[] {
  const asked = readGate({ ...order, ...(startDate !== undefined && { startDate }) });
  const { unmet } = explainGate(asked, readGate(candidate));
  return unmet.map(({ code, text }) => ({ code, path: 'candidateId', message: text }));
}

/**
 * What a placement that is about to be disagrees with: its candidate is placed already, has withdrawn or does not meet
 * the order, which is filled or closed; its code is neither's. One that is open holds nobody, so that only what the
 * order must have and another proposal of the pair count. One that is over disagrees with nothing. No name of a person
 * is said. Throws where the order takes no more proposals.
 */
export function toPlacementWarnings(fact: PlacementRecord, near: RecordsInView): Warning[] {
  const { candidateId, jobOrderId, onetCode } = fact;
  if (!isOpen(fact) && (!isAccepted(fact) || isEnded(fact))) return [];
  const candidate = near.recordOf('candidate', candidateId);
  const order = near.recordOf('jobOrder', jobOrderId);
  const unmet = candidate && order ? toUnmet(order, candidate, fact) : [];
  if (isOpen(fact)) {
    if (near.occupantsOf(toProposalsName(jobOrderId)) >= mostProposals)
      throw new Refusal('too_many_proposals', {
        reason: `This job order has ${mostProposals} open placements, as many as it takes. Accept or decline some first.`,
      });
    const message = 'is proposed to this job order already, by a placement that is open';
    const again = { code: 'already_proposed', path: 'candidateId', message };
    return near.occupantsOf(toPairName(fact)) > 0 ? [...unmet, again] : unmet;
  }
  const openings = order ? toOpenings(order) : 0;
  const taken = openings === 1 ? 'its one opening is' : `all of its ${openings} openings are`;
  const codes = [...new Set([candidate, order].flatMap((one) => one?.onetCode ?? []))];
  const rules: [applies: boolean | undefined, code: string, path: string, message: string][] = [
    [
      candidate && near.occupantsOf(candidateId) > 0,
      'already_placed',
      'candidateId',
      'is placed already, by a placement that has not ended',
    ],
    [
      candidate?.asked === 'withdrawn',
      'withdrawn',
      'candidateId',
      'has withdrawn; make it available again first',
    ],
    [
      order && near.occupantsOf(jobOrderId) >= openings,
      'already_filled',
      'jobOrderId',
      `is filled already: ${taken} taken`,
    ],
    [order?.asked === 'closed', 'closed', 'jobOrderId', 'is closed; open it again first'],
    [
      codes.length > 0 && !codes.includes(onetCode),
      'code_mismatch',
      'onetCode',
      `is neither that of its candidate nor that of its job order (${codes.join(', ')})`,
    ],
  ];
  const found = rules.filter(([applies]) => applies);
  return [...found.map(([, code, path, message]) => ({ code, path, message })), ...unmet];
}
