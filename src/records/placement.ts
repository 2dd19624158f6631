import * as v from 'valibot';
import { addDays, CalendarDate, Href, toText } from '../kernel/text.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { offer } from '../pricing/offer.ts';
import type { Fact } from './fact.ts';
import { synthetic, toId, toKind, toOccupationHref, toRecordEntries } from './kind.ts';
import { toPlacementWarnings } from './placement-warnings.ts';

/** Days after the start by which a placement's outcome is to be validated. */
const outcomeDays = 90;

/** What a caller sends to create a placement. */
const PlacementBody = v.object({
  candidateId: toText(200, 'Candidate', 'The id of a candidate, `cand_…`, or `#` and its ref.'),
  jobOrderId: toText(200, 'Job order', 'The id of a job order, `job_…`, or `#` and its ref.'),
  onetCode: OnetCode,
  startDate: v.optional(
    v.pipe(CalendarDate, v.title('Start'), v.description('First day of work, YYYY-MM-DD (UTC).')),
  ),
  feeModel: v.optional(
    toText(200, 'Fee model', 'Usual values: `perm-fee`, `contract-markup`, `contract-to-hire`.'),
  ),
});

const prefix = 'plc_';
/** Follows from the days, but for `ended-early`, as asked. */
const statuses = ['scheduled', 'active', 'completed', 'ended-early'] as const;

/** How the first 90 days went. */
const OutcomeResult = v.picklist(['pending', 'retained', 'converted', 'attrited']);

/** The 90-day outcome of a placement. */
const PlacementOutcome = v.pipe(
  v.object({
    result: OutcomeResult,
    validateBy: v.pipe(
      v.nullable(v.string()),
      v.description('The day 90 days after startDate, or null without one.'),
    ),
    validated: v.boolean(),
  }),
  v.description('How the first 90 days went, and whether somebody validated it in that time.'),
);

/** How one ended before its 90 days were over. */
const ending = {
  endDate: v.optional(
    v.pipe(
      CalendarDate,
      v.title('End'),
      v.description('Last day of work, YYYY-MM-DD (UTC), not in the future.'),
    ),
  ),
  endReason: v.optional(
    v.pipe(
      v.picklist(
        ['candidate-left', 'client-ended', 'cancelled', 'other'],
        'must be candidate-left, client-ended, cancelled or other',
      ),
      v.title('End reason'),
      v.description('Why it ended early.'),
    ),
  ),
};

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

/** What is kept of a placement; only seed placements have an outcome of their own. */
type PlacementFact = v.InferOutput<typeof PlacementBody> &
  Fact & {
    endDate?: string;
    endReason?: string;
    outcome?: { result: v.InferOutput<typeof OutcomeResult>; validated: boolean };
  };

function toOutcome({ startDate, outcome }: PlacementFact): v.InferOutput<typeof PlacementOutcome> {
  return {
    result: outcome?.result ?? 'pending',
    validateBy: startDate ? addDays(startDate, outcomeDays) : null,
    validated: outcome?.validated ?? false,
  };
}

/** Whether it ended early, as asked or because its candidate left. */
const isEnded = ({ asked, outcome }: PlacementFact) => asked !== undefined || outcome?.result === 'attrited';

/** `ended-early`, or by how the start and the 90th day after it stand to `today`. */
function toStatus(fact: PlacementFact, today: string): (typeof statuses)[number] {
  const { validateBy } = toOutcome(fact);
  if (isEnded(fact)) return 'ended-early';
  if (!fact.startDate || fact.startDate > today) return 'scheduled';
  return validateBy !== null && validateBy <= today ? 'completed' : 'active';
}

/** What is amiss in how one is said to end. */
function checkEnding({ asked, startDate, endDate, endReason }: PlacementFact, today: string) {
  if (asked === undefined) {
    const sent = Object.entries({ endDate, endReason }).filter(([, value]) => value !== undefined);
    return sent.map(([path]) => ({ path, message: 'ends a placement; send status "ended-early" with it' }));
  }
  const missing = Object.entries({ endDate, endReason }).filter(([, value]) => value === undefined);
  const issues = missing.map(([path]) => ({ path, message: 'is missing; an early end needs it' }));
  const late = { path: 'endDate', message: `must not be in the future; today is ${today} (UTC)` };
  const early = { path: 'endDate', message: `must not be before startDate, ${startDate}` };
  // One that never started ends before its start.
  const hasStarted = startDate !== undefined && startDate <= today;
  if (endDate !== undefined && endDate > today) issues.push(late);
  if (endDate !== undefined && hasStarted && endDate < startDate) issues.push(early);
  return issues;
}

/** What its list can be asked beside what every list can. */
const query = {
  spend: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.check((spend) => Number.isFinite(spend), 'must be a finite number'),
      v.minValue(0, 'must be at least 0'),
      v.title('Spend'),
      v.description(
        'What you mean to spend a month, in the unit of hardCeiling; above it the answer is an OFFER.',
      ),
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
  about:
    'One candidate at work on one job order, with a 90-day outcome. The seed has outcomes of every kind; that of a record of yours stays pending, because no operation judges it.',
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
  holds: (fact: PlacementFact) => !isEnded(fact),
  warn: toPlacementWarnings,
  present(fact: PlacementFact, { today, isKnown }) {
    const { candidateId, jobOrderId } = fact;
    return {
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
      description: 'Placements of the candidate with this id.',
      toTest: (value) => (fact) => fact.candidateId === value,
    },
    jobOrderId: {
      title: 'Job order',
      description: 'Placements on the job order with this id.',
      toTest: (value) => (fact) => fact.jobOrderId === value,
    },
  },
  list: {
    query,
    replies: {
      402: offer('spendCeiling', 'spend is above the hard ceiling.'),
    },
    answer({ spend = 0 }, { catalogue: { pricing, offers } }) {
      return (spend as number) > pricing.hardCeiling ? { status: 402, body: offers.spendCeiling } : undefined;
    },
  },
});
