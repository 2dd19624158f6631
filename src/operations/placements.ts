import * as v from 'valibot';
import type { Context, Operation, Outcome } from '../core/operation.ts';
import { Refusal } from '../core/refusal.ts';
import { maxCharacters } from '../model/text.ts';
import { list, listView, toRecordOperations } from './records.ts';
import { blocked, offer } from './replies.ts';

const forbidden = ['admin', 'internal'];

const extraQuery = {
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

function gate({ scope }: Readonly<Record<string, unknown>>): void {
  if (typeof scope === 'string' && forbidden.includes(scope)) throw new Refusal('forbidden_scope');
}

type Input = { scope?: string; spend?: number; status?: string; occupation?: string };

function run(input: Input, context: Context): Outcome | Promise<Outcome> {
  const { catalogue } = context.service;
  const { scope, spend = 0 } = input;
  if (spend > (catalogue.pricing.hardCeiling ?? Number.POSITIVE_INFINITY)) {
    return { status: 402, body: catalogue.offers.spendCeiling };
  }
  const { service, warnings } = context;
  if (scope !== undefined && scope !== 'workspace' && scope !== 'public') {
    warnings.push({ path: 'scope', message: 'is not public or workspace and was ignored' });
  }
  if (scope === 'public') return list('placement', service.seed.placement, input, context);
  return listView(context, ({ placement: all }) => {
    const rows = scope === 'workspace' ? all.filter(({ position }) => position < 0) : all;
    return list('placement', rows, input, context);
  });
}

const [listRow, ...otherRows] = toRecordOperations('placement', {
  sample: {
    candidateId: 'cand_036',
    jobOrderId: 'job_034',
    onetCode: '29-1141.00',
    startDate: '2026-12-01',
    feeModel: 'contract-markup',
  },
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
});

/** Placements list as the other records do, but also know scopes and a spend. */
export const placements: Operation[] = [
  {
    ...listRow,
    input: v.object({ ...listRow.input.entries, ...extraQuery }),
    replies: {
      ...listRow.replies,
      402: offer('spendCeiling', 'spend is above the hard ceiling.'),
      403: blocked('forbidden_scope', 'scope is admin or internal.'),
    },
    gate,
    run,
  },
  ...otherRows,
];
