import * as v from 'valibot';
import { Href, mayNamed, say, textSchema, wholeSchema } from '../kernel/text.ts';
import { toOccupationHref } from '../occupations/code.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { presentOffer } from '../pricing/offer.ts';
import { note, rateSchema } from '../records/kind/fields/common.ts';
import { daySchema } from '../records/kind/fields/schedule.ts';
import { defineHours } from '../records/kind/fields/work.ts';
import { createEqualFilter } from '../records/kind/filters.ts';
import { defineKind } from '../records/kind/kind.ts';
import { sortByDerived } from '../records/kind/sort.ts';
import { commentsEntry, presentComments } from './client-words.ts';
import { endEntries } from './ending.ts';
import { referredFilters } from './filters.ts';
import {
  OutcomeResult,
  outcomeFilters,
  PlacementOutcome,
  presentExportExtras,
  presentOutcome,
} from './outcome.ts';
import type { PlacementRecord } from './placement-record.ts';
import { lifecycle, rules } from './rules.ts';
import { listPatchesOfEnd } from './sent-again.ts';
import { statusesByTime } from './stages.ts';
import { readGuaranteeDays, readStatus, readValidateBy, usualGuaranteeDays } from './status.ts';

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

export const placement = defineKind({
  name: 'placement',
  noun: 'placement',
  plural: 'placements',
  collection: 'placements',
  path: '/placements',
  prefix: 'plc_',
  description:
    'One candidate proposed for, or at work on, one job order, with an outcome to validate within its guarantee.',
  about: 'One candidate at work on one job order, with the outcome of its guarantee period.',
  members: {
    candidateId: {
      schema: textSchema(200, 'Candidate', 'The id of a candidate, `cand_…`, or `#ref`.'),
      filters: { candidateId: createEqualFilter('candidateId', 'Candidate', 'Its id, or #ref.') },
    },
    jobOrderId: {
      schema: textSchema(200, 'Job order', 'The id of a job order, `job_…`, or `#ref`.'),
      filters: { jobOrderId: createEqualFilter('jobOrderId', 'Job order', 'Its id, or #ref.') },
    },
    onetCode: OnetCode,
    startDate: { schema: daySchema('Start', 'First day of work'), isSortable: true },
    plannedEndDate: daySchema('Planned end', 'Planned last day of the work'),
    billRateUsdHour: rateSchema('Bill rate', 'that the client is billed'),
    payRateUsdHour: rateSchema('Pay rate', 'that is paid'),
    hoursPerWeek: defineHours('Of the work', 'those of the order'),
    guaranteeDays: {
      schema: v.optional(
        wholeSchema(
          1,
          usualGuaranteeDays,
          'Guarantee',
          `Days of the guarantee period after startDate, 1 to ${usualGuaranteeDays}; ${usualGuaranteeDays} unless said.`,
        ),
      ),
      isCore: false,
    },
    feeModel: {
      schema: v.optional(
        textSchema(200, 'Fee model', 'Usual values: `perm-fee`, `contract-markup`, `contract-to-hire`.'),
      ),
      isCore: false,
    },
    note,
  },
  derived: {
    candidateName: say(v.nullable(v.string()), 'The name of its candidate; null if that is gone.'),
    client: say(v.nullable(v.string()), 'The client of its job order; null if that is gone.'),
    title: say(v.nullable(v.string()), 'The title of its job order; null if that is gone.'),
    outcome: PlacementOutcome,
    comments: commentsEntry,
  },
  links: { candidate: v.nullable(Href), jobOrder: v.nullable(Href), occupation: Href },
  seedMembers: {
    ...endEntries,
    outcome: v.strictObject({ result: OutcomeResult, validated: v.boolean() }),
  },
  privateMembers: ['comments'],
  toldMembers: ['outcome.result', 'outcome.asOf', 'outcome.validated', 'outcome.disputed'],
  lifecycle,
  rules,
  transfer: {
    toPatches: listPatchesOfEnd,
    presentExtras: presentExportExtras,
    derivedColumns: ['endDate', 'endReason', 'candidateName', 'client', 'title', 'result', 'validated'],
  },
  period: ['startDate', 'plannedEndDate'],
  references: { candidateId: 'candidate', jobOrderId: 'jobOrder' },
  tokens: ({ evidence }: PlacementRecord) => (evidence?.confirmations ?? []).map(({ token }) => token),
  readStatus: (record: PlacementRecord, _view, today) => readStatus(record, today),
  present(record: PlacementRecord, view, today) {
    const { candidateId, jobOrderId } = record;
    const candidate = view.find('candidate', candidateId);
    const order = view.find('jobOrder', jobOrderId);
    const comments = presentComments(record);
    return {
      candidateName: candidate?.name ?? null,
      client: order?.client ?? null,
      title: order?.title ?? null,
      guaranteeDays: readGuaranteeDays(record),
      status: readStatus(record, today),
      outcome: presentOutcome(record, today),
      ...(comments.length > 0 && { comments }),
      links: {
        candidate: candidate ? `/candidates/${candidateId}` : null,
        jobOrder: order ? `/job-orders/${jobOrderId}` : null,
        occupation: toOccupationHref(record.onetCode),
      },
    };
  },
  sample: {
    candidateId: 'cand_036',
    jobOrderId: 'job_034',
    onetCode: '29-1141.00',
    startDate: '2026-12-01',
    hoursPerWeek: 36,
    status: 'proposed',
  },
  changeSample: { status: 'interviewing', reason: 'The client wants to meet.' },
  texts: {
    list: {
      description:
        'Placements, filtered by status and occupation: those of your workspace, or without one those of the public seed. Each has the outcome of its guarantee.',
      tool: 'See who is proposed or placed where, and how the guarantee period went: filter by status and O*NET-SOC code.',
    },
    create: {
      description:
        'Proposes a candidate for a job order of your workspace (status `proposed`), or records that one is placed: without a status it is accepted. Without X-Workspace it mints an ephemeral workspace and answers its id.',
      tool: 'Propose a candidate for a job order (status "proposed"), or record that one is placed. Pass the workspace that holds them.',
      isCore: true,
    },
    get: {
      description: 'One placement by id, its candidate, job order and occupation resolved as links.',
      tool: 'Read one placement whose id you have.',
      isCore: true,
    },
    update: {
      description:
        'Changes one of your placements, moves a proposal on, or ends a placement: endDate and endReason, with or without a status.',
      tool: 'Change a placement, move a proposal on ("scheduled" accepts it), end it (endDate and endReason), or correct its end.',
      isCore: true,
    },
    delete: {
      description: 'Deletes one of your placements. Its candidate and job order are free again.',
      tool: 'Delete a placement you created. It frees its candidate and job order.',
    },
  },
  filters: { ...referredFilters, ...outcomeFilters },
  sorts: {
    ...sortByDerived('candidateName', 'client', 'title'),
    status: (viewed) => statusesByTime.indexOf(viewed.status()),
    validateBy: ({ record }) => readValidateBy(record as PlacementRecord),
  },
  canWait: true,
  list: {
    query,
    offer: { boundary: 'spendCeiling', description: 'spend is above the hard ceiling.' },
    answer({ spend = 0 }, service) {
      const { hardCeiling } = service.catalogue.pricing;
      if ((spend as number) <= hardCeiling) return undefined;
      return { status: 402, body: presentOffer(service, 'spendCeiling') };
    },
  },
});
