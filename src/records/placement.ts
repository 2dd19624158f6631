import * as v from 'valibot';
import { Refusal } from '../kernel/refusal.ts';
import { blocked } from '../kernel/replies.ts';
import { addDays, CalendarDate, Href, maxCharacters, toText } from '../kernel/text.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { offer } from '../pricing/offer.ts';
import { synthetic, toId, toKind, toOccupationHref, toRecordEntries } from './kind.ts';

/** Days after the start by which a placement's outcome is to be validated. */
const outcomeDays = 90;

/** What a caller sends to create a placement. */
const PlacementBody = v.object({
  candidateId: toText(200, 'Candidate', 'The id of a candidate, `cand_…`.'),
  jobOrderId: toText(200, 'Job order', 'The id of a job order, `job_…`.'),
  onetCode: OnetCode,
  startDate: v.optional(
    v.pipe(CalendarDate, v.title('Start'), v.description('First day of work, YYYY-MM-DD (UTC).')),
  ),
  feeModel: v.optional(
    toText(200, 'Fee model', 'Usual values: `perm-fee`, `contract-markup`, `contract-to-hire`.'),
  ),
});

const prefix = 'plc_';
/** Derived, never stored. */
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
    status: common.status,
    outcome: PlacementOutcome,
    example: common.example,
    links,
  }),
  v.title('Placement'),
  v.description('One candidate at work on one job order, with an outcome to validate within 90 days.'),
);

/** What is kept of a placement; only seed placements have an outcome of their own. */
type PlacementFact = v.InferOutput<typeof PlacementBody> & {
  id: string;
  outcome?: { result: v.InferOutput<typeof OutcomeResult>; validated: boolean };
};

function toOutcome({ startDate, outcome }: PlacementFact): v.InferOutput<typeof PlacementOutcome> {
  return {
    result: outcome?.result ?? 'pending',
    validateBy: startDate ? addDays(startDate, outcomeDays) : null,
    validated: outcome?.validated ?? false,
  };
}

/** `ended-early` if attrited, else by how the start and the 90th day after it stand to `today`. */
function toStatus(fact: PlacementFact, today: string): (typeof statuses)[number] {
  const { result, validateBy } = toOutcome(fact);
  if (result === 'attrited') return 'ended-early';
  if (!fact.startDate || fact.startDate > today) return 'scheduled';
  return validateBy !== null && validateBy <= today ? 'completed' : 'active';
}

/** What its list can be asked beside what every list can. */
const query = {
  scope: v.optional(
    v.pipe(
      v.string('must be a string'),
      maxCharacters(200),
      v.title('Scope'),
      v.description('public: the seed only. workspace: yours only. admin and internal are refused.'),
    ),
  ),
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
  references: { candidateId: 'candidate', jobOrderId: 'jobOrder' },
  holds: (fact: PlacementFact, today) => toStatus(fact, today) !== 'ended-early',
  present({ outcome, ...fields }: PlacementFact, { today, example, isKnown }) {
    const { candidateId, jobOrderId } = fields;
    return {
      ...fields,
      status: toStatus({ outcome, ...fields }, today),
      outcome: toOutcome({ outcome, ...fields }),
      example,
      links: {
        self: `/placements/${fields.id}`,
        candidate: isKnown('candidate', candidateId) ? `/candidates/${candidateId}` : null,
        jobOrder: isKnown('jobOrder', jobOrderId) ? `/job-orders/${jobOrderId}` : null,
        occupation: toOccupationHref(fields.onetCode),
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
  },
  list: {
    query,
    replies: {
      402: offer('spendCeiling', 'spend is above the hard ceiling.'),
      403: blocked('forbidden_scope', 'scope is admin or internal.'),
    },
    gate({ scope }) {
      if (scope === 'admin' || scope === 'internal') throw new Refusal('forbidden_scope');
    },
    answer({ spend = 0 }, { catalogue: { pricing, offers } }) {
      return (spend as number) > pricing.hardCeiling ? { status: 402, body: offers.spendCeiling } : undefined;
    },
  },
});
