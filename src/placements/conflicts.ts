import { explainGate } from '../job-orders/gate/gate.ts';
import { readNeed } from '../job-orders/gate/need.ts';
import { readOffer } from '../job-orders/gate/offer.ts';
import { type Rates, warnOfMargin } from '../job-orders/margin.ts';
import { explainClosed, readOpenings } from '../job-orders/openings.ts';
import type { Warning } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { dayOf } from '../records/kind/day-of.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { countProposals, countTaken, listHolds, readHoursPerWeek } from './holding.ts';
import { describeClash, findClash, type Hold } from './period.ts';
import type { PlacementRecord } from './placement-record.ts';
import { placementRefusals } from './refusals.ts';
import { isAccepted, isOpen } from './stages.ts';
import { hasEndedEarly, isOver, isWithinGuarantee, readEnd, readPeriod, readValidateBy } from './status.ts';

/** One job order has at most this many open placements. */
export const mostProposals = 50;

/** A placement that is about to be written, and the two records that it refers to. If one is gone, it holds neither. */
interface Surroundings {
  placement: PlacementRecord;
  candidate: StoredRecord | undefined;
  order: StoredRecord | undefined;
  view: View;
  /** The UTC day for which the placement is checked. */
  today: string;
}

/** Throws the Refusal `too_many_proposals` if a proposal would be one too many for its job order. */
export function refuseTooManyProposals(placement: PlacementRecord, view: View): void {
  if (!isOpen(placement) || countProposals(view, placement.jobOrderId, placement.id) < mostProposals) return;
  throw new Refusal(placementRefusals.too_many_proposals, {
    reason: `This job order has ${mostProposals} open placements, as many as it takes. Accept or decline some first.`,
  });
}

/**
 * Returns the job order with the days, guarantee, hours and pay that a placement states instead. A rate replaces all pay.
 */
export function readAgreedTerms(placement: PlacementRecord, order: StoredRecord): StoredRecord {
  const { startDate: agreedStart, hoursPerWeek = order.hoursPerWeek, payRateUsdHour } = placement;
  const { plannedEndDate: endDate = order.endDate, guaranteeDays } = placement;
  const terms: StoredRecord = { ...order, agreedStart, endDate, hoursPerWeek, guaranteeDays };
  if (payRateUsdHour === undefined) return terms;
  const { payRateMaxUsdHour: _, salaryUsdYear: __, salaryMaxUsdYear: ___, ...otherTerms } = terms;
  return { ...otherTerms, payRateUsdHour };
}

/** Warns of each gate that the candidate does not meet, and advises of each credential that expires soon. */
function warnOfGate({ placement, candidate, order, today }: Surroundings): Warning[] {
  if (!candidate || !order) return [];
  const need = readNeed(readAgreedTerms(placement, order));
  // `warnOfPlaced` compares the other placements of the candidate.
  const held = { holds: [], today };
  const { unmet, expiring, endsDuring } = explainGate(need, readOffer(candidate), { held });
  const path = 'candidateId';
  return [
    ...unmet.map(({ code, text }) => ({ code, path, message: text })),
    ...expiring.map((message) => ({ code: 'expires_soon', path, message, advice: true as const })),
    ...endsDuring.map(({ requirement, until }) => ({
      code: 'ends_during_work',
      path,
      message: `shows "${requirement}" until ${until} only, before the work or its guarantee ends`,
      advice: true as const,
    })),
  ];
}

/** Returns the days on which a placement would hold its candidate. What a proposal does not state, its order does. */
function readTakenPeriod({ placement, order, today }: Surroundings): Hold | undefined {
  if (!order || !isOpen(placement)) return readPeriod(placement, today, order);
  const { startDate: first, endDate: last } = order as { startDate?: string; endDate?: string };
  // Without a start, or with a past one of its order, the work begins today.
  const { startDate = first !== undefined && first > today ? first : today } = placement;
  const { plannedEndDate = last } = placement;
  const days = { startDate, ...(plannedEndDate !== undefined && { plannedEndDate }) };
  return readPeriod({ ...placement, ...days }, today, order);
}

/** Warns if the placement and others add up to more hours a week than the candidate works. */
function warnOfPlaced(around: Surroundings): Warning[] {
  const { placement, candidate, order, view, today } = around;
  const period = readTakenPeriod(around);
  if (!candidate || !order || !period) return [];
  const holds = listHolds(candidate, view, today, placement.id);
  const clash = findClash(period, holds, readHoursPerWeek(candidate));
  if (!clash) return [];
  return [{ code: 'already_placed', path: 'candidateId', message: describeClash(clash) }];
}

function warnOfWithdrawn({ candidate }: Surroundings): Warning[] {
  if (candidate?.asked !== 'withdrawn') return [];
  const message = 'has withdrawn; make it available again first';
  return [{ code: 'withdrawn', path: 'candidateId', message }];
}

function warnOfFilled({ placement, candidate, order, view }: Surroundings): Warning[] {
  if (!candidate || !order) return [];
  const openings = readOpenings(order);
  if (countTaken(view, order.id, placement.id) < openings) return [];
  const taken = openings === 1 ? 'its one opening is' : `all of its ${openings} openings are`;
  const message = `is filled already: ${taken} taken. A placement that completed keeps its opening; to fill it again, raise openings`;
  return [{ code: 'already_filled', path: 'jobOrderId', message }];
}

function warnOfClosed({ order, view, today }: Surroundings): Warning[] {
  const closed = order && explainClosed(order, dayOf(order, view, today));
  return closed ? [{ code: 'closed', path: 'jobOrderId', message: closed }] : [];
}

function warnOfCode({ placement, candidate, order }: Surroundings): Warning[] {
  const codes = [...new Set([candidate, order].flatMap((record) => record?.onetCode ?? []))];
  if (codes.length === 0 || codes.includes(placement.onetCode)) return [];
  const message = `is neither that of its candidate nor that of its job order (${codes.join(', ')})`;
  return [{ code: 'code_mismatch', path: 'onetCode', message }];
}

/** Lists the other placements of the same pair. */
const listSamePair = ({
  placement: { id, candidateId, jobOrderId },
  view,
}: Surroundings): PlacementRecord[] =>
  (view.listReferring('placement', candidateId) as PlacementRecord[]).filter(
    (other) => other.id !== id && other.candidateId === candidateId && other.jobOrderId === jobOrderId,
  );

/** Finds another placement of the same pair that is open, or accepted and not over. */
export function findLiveTwin(placement: PlacementRecord, view: View, today: string): string | undefined {
  const around = { placement, candidate: undefined, order: undefined, view, today };
  const isLive = (other: PlacementRecord) => isOpen(other) || (isAccepted(other) && !isOver(other, today));
  return listSamePair(around).find(isLive)?.id;
}

/** Warns if the same pair has another placement that is live. */
function warnOfLivePair({ placement, view, today }: Surroundings): Warning[] {
  const id = findLiveTwin(placement, view, today);
  if (id === undefined) return [];
  const message = `is proposed to this job order already, by the placement ${id}; change that one, or delete this`;
  return [{ code: 'already_proposed', path: 'candidateId', message }];
}

/** Warns if a party declined the same pair before. */
function warnOfDeclinedPair(around: Surroundings): Warning[] {
  const declined = listSamePair(around).filter(({ asked }) => asked === 'declined');
  const parties = ['client', 'candidate'].filter((party) =>
    declined.some(({ declineReason }) => declineReason === party),
  );
  return parties.map((party) => ({
    code: 'already_declined',
    path: 'candidateId',
    message: `was proposed to this job order before, and the ${party} declined`,
  }));
}

/** Advises to state the outcome of a placement that ended within its guarantee, while that is possible. */
function adviseOutcome({ placement, today }: Surroundings): Warning[] {
  const end = readEnd(placement);
  if (!end || end.endReason === 'cancelled' || placement.evidence?.stated) return [];
  if (!isWithinGuarantee(placement, end) || today > readValidateBy(placement)!) return [];
  const { endReason } = end;
  const result = endReason === 'finished' || endReason === 'converted' ? endReason : 'attrited';
  const message = `is within the guarantee, and no outcome is stated; state ${result} by POST /placements/${placement.id}/outcome (stateOutcome)`;
  return [{ code: 'outcome_open', path: 'endDate', message, advice: true }];
}

/** Advises if a placement that states a rate leaves a negative margin. What it does not state, its order does. */
function adviseMargin({ placement, order }: Surroundings): Warning[] {
  const { billRateUsdHour, payRateUsdHour } = placement;
  if (billRateUsdHour === undefined && payRateUsdHour === undefined) return [];
  const orderRates = (order ?? {}) as Rates;
  const rates = {
    billRateUsdHour: billRateUsdHour ?? orderRates.billRateUsdHour,
    payRateUsdHour: payRateUsdHour ?? orderRates.payRateUsdHour,
    // A rate of the placement replaces the salary of its order.
    salaryUsdYear: payRateUsdHour === undefined ? orderRates.salaryUsdYear : undefined,
    hoursPerWeek: placement.hoursPerWeek ?? orderRates.hoursPerWeek,
  };
  return warnOfMargin(rates, billRateUsdHour === undefined ? 'payRateUsdHour' : 'billRateUsdHour');
}

/** Advises if the days of a placement are outside those of its order. */
function adviseOutside({ placement, order }: Surroundings): Warning[] {
  const { startDate: first, endDate: last } = (order ?? {}) as { startDate?: string; endDate?: string };
  return (['startDate', 'plannedEndDate'] as const).flatMap((path) => {
    const day = placement[path];
    if (day === undefined) return [];
    const isEarly = first !== undefined && day < first;
    if (!isEarly && (last === undefined || day <= last)) return [];
    const limit = isEarly
      ? `before the first day of its job order, ${first}`
      : `after the last day of its job order, ${last}`;
    return [{ code: 'outside_order', path, message: `is ${limit}`, advice: true as const }];
  });
}

type Rule = (around: Surroundings) => Warning[];

const proposalRules: readonly Rule[] = [
  warnOfPlaced,
  warnOfWithdrawn,
  warnOfFilled,
  warnOfClosed,
  warnOfGate,
  warnOfLivePair,
  warnOfDeclinedPair,
  adviseMargin,
  adviseOutside,
];

const acceptedRules: readonly Rule[] = [
  warnOfPlaced,
  warnOfWithdrawn,
  warnOfFilled,
  warnOfClosed,
  warnOfCode,
  warnOfGate,
  adviseMargin,
  adviseOutside,
];

/**
 * The rules of a placement that is over. One that ended early takes no opening, so it cannot overfill its order.
 *
 * Advice about rates and days applies after the end too. Otherwise a statement that undoes an end would raise it again.
 */
function listRulesOfOver(placement: PlacementRecord): readonly Rule[] {
  const rules = [warnOfPlaced, adviseOutcome, adviseMargin, adviseOutside];
  return hasEndedEarly(placement) ? rules : [...rules, warnOfFilled];
}

function listRules(placement: PlacementRecord, today: string): readonly Rule[] {
  if (isOpen(placement)) return proposalRules;
  if (!isAccepted(placement)) return [];
  return isOver(placement, today) ? listRulesOfOver(placement) : acceptedRules;
}

/** Warns of the conflicts of a placement that is about to be written. A proposal is checked as if it were accepted. */
export function warnOfConflicts(placement: PlacementRecord, view: View, today: string): Warning[] {
  const candidate = view.find('candidate', placement.candidateId);
  const order = view.find('jobOrder', placement.jobOrderId);
  const around: Surroundings = { placement, candidate, order, view, today };
  return listRules(placement, today).flatMap((warn) => warn(around));
}
