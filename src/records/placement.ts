import * as v from 'valibot';
import type { Issue, Warning } from '../kernel/envelope.ts';
import { toReplies } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { CalendarDate, Href, mayNamed, textSchema } from '../kernel/text.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { offer, toOffer } from '../pricing/offer.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { note } from './fields/common.ts';
import { daySchema } from './fields/schedule.ts';
import { equals } from './filters.ts';
import { explainGate, readGate } from './gate.ts';
import { toOpenings } from './job-order.ts';
import { toKind, toOccupationHref } from './kind.ts';
import {
  amendEvidence,
  countPlacements,
  countProposals,
  isAccepted,
  isEnded,
  isHolding,
  isOpen,
  mostProposals,
  moves,
  OutcomeResult,
  outcomeFilters,
  PlacementOutcome,
  type PlacementRecord,
  stages,
  toOutcome,
  toValidateBy,
} from './placement-outcome.ts';

/** The statuses of a placement: they follow from the days, but for `ended-early` and its stages, as asked. */
const statuses = ['scheduled', 'active', 'completed', 'ended-early', ...stages] as const;

const ending = {
  endDate: mayNamed(CalendarDate, 'End', 'Last day of work, YYYY-MM-DD (UTC), not in the future.'),
  endReason: mayNamed(
    v.picklist(
      ['candidate-left', 'client-ended', 'cancelled', 'other'],
      'must be candidate-left, client-ended, cancelled or other',
    ),
    'End reason',
    'Why it ended early.',
  ),
  declineReason: mayNamed(
    v.picklist(['client', 'candidate', 'closed', 'other'], 'must be client, candidate, closed or other'),
    'Decline reason',
    'Who declined it, or why; with status declined.',
  ),
};

/** A change may correct the day or the reason of an end alone; a record that is created has both or none. */
const endingNeeds = {
  change: { declineReason: ['status'] },
  batch: {
    endDate: ['status', 'endReason'],
    endReason: ['status', 'endDate'],
    declineReason: ['status'],
  },
};

/** What its job order must have, and its candidate does not show. */
function toUnmet(order: StoredRecord, candidate: StoredRecord, { startDate }: PlacementRecord): Warning[] {
  const asked = readGate({ ...order, ...(startDate !== undefined && { startDate }) });
  const { unmet } = explainGate(asked, readGate(candidate));
  return unmet.map(({ code, text }) => ({ code, path: 'candidateId', message: text }));
}

/**
 * What a placement that is about to be disagrees with, no person named. An open one holds nobody, one that is over
 * disagrees with nothing. Throws the Refusal `too_many_proposals`.
 */
function toWarnings(fact: PlacementRecord, view: View): Warning[] {
  const { id, candidateId, jobOrderId, onetCode } = fact;
  if (!isOpen(fact) && !isHolding(fact)) return [];
  const candidate = view.find('candidate', candidateId);
  const order = view.find('jobOrder', jobOrderId);
  const unmet = candidate && order ? toUnmet(order, candidate, fact) : [];
  if (isOpen(fact)) {
    if (countProposals(view, jobOrderId, id) >= mostProposals)
      throw new Refusal('too_many_proposals', {
        reason: `This job order has ${mostProposals} open placements, as many as it takes. Accept or decline some first.`,
      });
    const message = 'is proposed to this job order already, by a placement that is open';
    const again = { code: 'already_proposed', path: 'candidateId', message };
    return isProposed(fact, view) ? [...unmet, again] : unmet;
  }
  const openings = order ? toOpenings(order) : 0;
  const taken = openings === 1 ? 'its one opening is' : `all of its ${openings} openings are`;
  const codes = [...new Set([candidate, order].flatMap((one) => one?.onetCode ?? []))];
  const found: Warning[] = [];
  const warn = (code: string, path: string, message: string) => found.push({ code, path, message });
  if (candidate && countPlacements(view, candidateId, id) > 0)
    warn('already_placed', 'candidateId', 'is placed already, by a placement that has not ended');
  if (candidate?.asked === 'withdrawn')
    warn('withdrawn', 'candidateId', 'has withdrawn; make it available again first');
  if (order && countPlacements(view, jobOrderId, id) >= openings)
    warn('already_filled', 'jobOrderId', `is filled already: ${taken} taken`);
  if (order?.asked === 'closed') warn('closed', 'jobOrderId', 'is closed; open it again first');
  if (codes.length > 0 && !codes.includes(onetCode)) {
    const message = `is neither that of its candidate nor that of its job order (${codes.join(', ')})`;
    warn('code_mismatch', 'onetCode', message);
  }
  return [...found, ...unmet];
}

/** Whether another open placement proposes the same candidate for the same job order. */
const isProposed = ({ id, candidateId, jobOrderId }: PlacementRecord, view: View): boolean =>
  view.countReferring(
    'placement',
    candidateId,
    (one) => one.id !== id && one.jobOrderId === jobOrderId && isOpen(one),
  ) > 0;

/** Its last day, where only a statement ended it. */
const toStatedEnd = ({ asked, evidence }: PlacementRecord) =>
  asked === undefined && evidence?.stated?.result === 'attrited' ? evidence.stated.asOf : undefined;

/** As asked, or by how the start and the 90th day after it stand to `today`. */
function toStatus(fact: PlacementRecord, today: string): (typeof statuses)[number] {
  const validateBy = toValidateBy(fact);
  if (!isAccepted(fact)) return fact.asked as (typeof stages)[number];
  if (isEnded(fact)) return 'ended-early';
  if (!fact.startDate || fact.startDate > today) return 'scheduled';
  return validateBy !== null && validateBy <= today ? 'completed' : 'active';
}

function checkEnding(
  { asked, startDate, endDate, endReason, declineReason }: PlacementRecord,
  today: string,
): Issue[] {
  const ends = Object.entries({ endDate, endReason });
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (declineReason !== undefined && asked !== 'declined')
    add('declineReason', 'declines a placement; send status "declined" with it');
  if (asked !== 'ended-early') {
    for (const [path, value] of ends)
      if (value !== undefined) add(path, 'ends a placement; send status "ended-early" with it');
    return issues;
  }
  for (const [path, value] of ends) if (value === undefined) add(path, 'is missing; an early end needs it');
  if (endDate === undefined) return issues;
  if (endDate > today) add('endDate', `must not be in the future; today is ${today} (UTC)`);
  // One that never started ends before its start.
  if (startDate !== undefined && startDate <= today && endDate < startDate)
    add('endDate', `must not be before startDate, ${startDate}`);
  return issues;
}

const query = {
  spend: mayNamed(
    v.pipe(
      v.number('must be a number'),
      v.check((spend) => Number.isFinite(spend), 'must be a finite number'),
      v.minValue(0, 'must be at least 0'),
    ),
    'Spend',
    'What you mean to spend a month; above hardCeiling: an OFFER.',
  ),
};

export const placement = toKind({
  name: 'placement',
  noun: 'placement',
  plural: 'placements',
  collection: 'placements',
  path: '/placements',
  prefix: 'plc_',
  description:
    'One candidate proposed for, or at work on, one job order, with an outcome to validate within 90 days.',
  about: 'One candidate at work on one job order, with the outcome of its guarantee period.',
  members: {
    candidateId: {
      schema: textSchema(200, 'Candidate', 'The id of a candidate, `cand_…`, or `#` and its ref.'),
      filters: { candidateId: equals('candidateId', 'Candidate', 'Its id, or # and its ref.') },
    },
    jobOrderId: {
      schema: textSchema(200, 'Job order', 'The id of a job order, `job_…`, or `#` and its ref.'),
      filters: { jobOrderId: equals('jobOrderId', 'Job order', 'Its id, or # and its ref.') },
    },
    onetCode: OnetCode,
    startDate: daySchema('Start', 'First day of work'),
    plannedEndDate: daySchema('Planned end', 'Planned last day of the work'),
    feeModel: v.optional(
      textSchema(200, 'Fee model', 'Usual values: `perm-fee`, `contract-markup`, `contract-to-hire`.'),
    ),
    note,
  },
  derived: { outcome: PlacementOutcome },
  links: { candidate: v.nullable(Href), jobOrder: v.nullable(Href), occupation: Href },
  seedMembers: { outcome: v.strictObject({ result: OutcomeResult, validated: v.boolean() }) },
  statuses,
  moves,
  kept: ['ended-early', ...stages],
  born: ['proposed'],
  period: ['startDate', 'plannedEndDate'],
  moving: { entries: ending, needs: endingNeeds, check: checkEnding },
  references: { candidateId: 'candidate', jobOrderId: 'jobOrder' },
  amend: amendEvidence,
  tokens: ({ evidence }: PlacementRecord) => (evidence?.confirmations ?? []).map(({ token }) => token),
  hold(fact: PlacementRecord) {
    if (isOpen(fact)) return 'proposes';
    return isHolding(fact) ? 'places' : '';
  },
  warn: toWarnings,
  present(fact: PlacementRecord, view, today) {
    const { candidateId, jobOrderId } = fact;
    const endDate = toStatedEnd(fact);
    return {
      ...(endDate !== undefined && { endDate }),
      status: toStatus(fact, today),
      outcome: toOutcome(fact, today),
      links: {
        candidate: view.find('candidate', candidateId) ? `/candidates/${candidateId}` : null,
        jobOrder: view.find('jobOrder', jobOrderId) ? `/job-orders/${jobOrderId}` : null,
        occupation: toOccupationHref(fact.onetCode),
      },
    };
  },
  sample: {
    candidateId: 'cand_036',
    jobOrderId: 'job_034',
    onetCode: '29-1141.00',
    startDate: '2026-12-01',
  },
  texts: {
    list: {
      description:
        'Placements, filtered by status and occupation; those of your workspace come first. Each has its 90-day outcome.',
      tool: 'See who is proposed or placed where, and how the first 90 days went: filter by status and O*NET-SOC code.',
    },
    create: {
      description:
        'Records a placement of a candidate on a job order in your workspace, or proposes one: status `proposed`. Without X-Workspace it mints an ephemeral workspace and answers its id.',
      tool: 'Propose a candidate for a job order (status "proposed"), or record that one is placed. Pass the workspace that holds them; without it a new one is minted.',
      isCore: true,
    },
    get: {
      description: 'One placement by id, its candidate, job order and occupation resolved as links.',
      tool: 'Read one placement whose id you have.',
      isCore: true,
    },
    update: {
      description: 'Changes one of your placements, moves a proposal on, or ends a placement early.',
      tool: 'Change a placement, move a proposal on ("scheduled" accepts it), or end it early (with endDate and endReason).',
      isCore: true,
    },
    delete: {
      description: 'Deletes one of your placements. Its candidate and job order are free again.',
      tool: 'Delete a placement you created. It frees its candidate and job order.',
    },
  },
  filters: outcomeFilters,
  canWait: true,
  list: {
    query,
    replies: toReplies({
      402: offer('spendCeiling', 'spend is above the hard ceiling.'),
    }),
    answer({ spend = 0 }, service) {
      const { hardCeiling } = service.catalogue.pricing;
      if ((spend as number) <= hardCeiling) return undefined;
      return { status: 402, body: toOffer(service, 'spendCeiling') };
    },
  },
});
