import * as v from 'valibot';
import { CalendarDate, Href, textSchema } from '../kernel/text.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { offer, toOffer } from '../pricing/offer.ts';
import { synthetic, toId, toKind, toOccupationHref, toRecordEntries } from './kind.ts';
import {
  checkEnding,
  ending,
  isEnded,
  type PlacementFact,
  statuses,
  toStatedEnd,
  toStatus,
} from './placement-course.ts';
import { outcomeFilters } from './placement-filters.ts';
import { amendEvidence, OutcomeResult, PlacementOutcome, toOutcome } from './placement-outcome.ts';
import { toPlacementWarnings } from './placement-warnings.ts';

/** What a caller sends to create a placement. */
const PlacementBody = v.object({
  candidateId: textSchema(200, 'Candidate', 'The id of a candidate, `cand_…`, or `#` and its ref.'),
  jobOrderId: textSchema(200, 'Job order', 'The id of a job order, `job_…`, or `#` and its ref.'),
  onetCode: OnetCode,
  startDate: v.optional(
    v.pipe(CalendarDate, v.title('Start'), v.description('First day of work, YYYY-MM-DD (UTC).')),
  ),
  feeModel: v.optional(
    textSchema(200, 'Fee model', 'Usual values: `perm-fee`, `contract-markup`, `contract-to-hire`.'),
  ),
});

const prefix = 'plc_';
const { links, ...common } = toRecordEntries(statuses, {
  candidate: v.nullable(Href),
  jobOrder: v.nullable(Href),
  occupation: Href,
});

/** A placement as it is read; its references are resolved as links, null where nothing is found. */
const Placement = v.pipe(
  v.object({
    id: toId(prefix),
    ...PlacementBody.entries,
    ...ending,
    ...common,
    outcome: PlacementOutcome,
    links,
  }),
  v.title('Placement'),
  v.description('One candidate at work on one job order, with an outcome to validate within 90 days.'),
);

/** What its list can be asked beside what every list can. */
const query = {
  spend: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.check((spend) => Number.isFinite(spend), 'must be a finite number'),
      v.minValue(0, 'must be at least 0'),
      v.title('Spend'),
      v.description('What you mean to spend a month; above hardCeiling: an OFFER.'),
    ),
  ),
};

export const placement = toKind({
  name: 'placement',
  noun: 'placement',
  plural: 'placements',
  collection: 'placements',
  path: '/placements',
  prefix,
  about: 'One candidate at work on one job order, with the outcome of its guarantee period.',
  body: PlacementBody,
  record: Placement,
  seed: v.strictObject({
    ...synthetic,
    ...PlacementBody.entries,
    outcome: v.strictObject({ result: OutcomeResult, validated: v.boolean() }),
  }),
  statuses,
  moves: [{ from: ['scheduled', 'active'], to: 'ended-early' }],
  kept: ['ended-early'],
  moving: { entries: ending, check: checkEnding },
  references: { candidateId: 'candidate', jobOrderId: 'jobOrder' },
  amend: amendEvidence,
  leading: ({ evidence }: PlacementFact) => (evidence?.confirmations ?? []).map(({ token }) => token),
  occupies: (fact: PlacementFact) => !isEnded(fact),
  warn: toPlacementWarnings,
  present(fact: PlacementFact, { today, isKnown }) {
    const { candidateId, jobOrderId } = fact;
    const endDate = toStatedEnd(fact);
    return {
      ...(endDate !== undefined && { endDate }),
      status: toStatus(fact, today),
      outcome: toOutcome(fact),
      links: {
        self: `/placements/${fact.id}`,
        candidate: isKnown('candidate', candidateId) ? `/candidates/${candidateId}` : null,
        jobOrder: isKnown('jobOrder', jobOrderId) ? `/job-orders/${jobOrderId}` : null,
        occupation: toOccupationHref(fact.onetCode),
      },
    };
  },
  sample: {
    candidateId: 'cand_036',
    jobOrderId: 'job_034',
    onetCode: '29-1141.00',
    startDate: '2026-12-01',
    feeModel: 'contract-markup',
  },
  texts: {
    list: {
      operationId: 'listPlacements',
      description:
        'Placements, filtered by status and occupation; those of your workspace come first. Each has its 90-day outcome.',
      tool: 'See who is placed where and how the first 90 days went: filter by status (scheduled, active, completed, ended-early) and O*NET-SOC code.',
    },
    create: {
      operationId: 'createPlacement',
      description:
        'Records a placement of a candidate on a job order in your workspace. Without X-Workspace it mints an ephemeral workspace and answers its id.',
      tool: 'Record that a candidate is placed on a job order. Pass the workspace that holds them; without it a new one is minted.',
    },
    get: {
      operationId: 'getPlacement',
      description: 'One placement by id, its candidate, job order and occupation resolved as links.',
      tool: 'Read one placement whose id you have.',
    },
    update: {
      operationId: 'updatePlacement',
      description: 'Changes members of a placement of yours, or ends it early.',
      tool: 'Mend a placement that you made, or end it early (status "ended-early" with endDate and endReason).',
    },
    delete: {
      operationId: 'deletePlacement',
      description: 'Erases a placement of yours; its candidate and job order are free again.',
    },
  },
  filters: {
    candidateId: {
      title: 'Candidate',
      description: 'Those of the candidate with this id.',
      toTest: (value) => (fact) => fact.candidateId === value,
    },
    jobOrderId: {
      title: 'Job order',
      description: 'Those on the job order with this id.',
      toTest: (value) => (fact) => fact.jobOrderId === value,
    },
    ...outcomeFilters,
  },
  list: {
    query,
    replies: {
      402: offer('spendCeiling', 'spend is above the hard ceiling.'),
    },
    answer({ spend = 0 }, service) {
      const { hardCeiling } = service.catalogue.pricing;
      if ((spend as number) <= hardCeiling) return undefined;
      return { status: 402, body: toOffer(service, 'spendCeiling') };
    },
  },
});
