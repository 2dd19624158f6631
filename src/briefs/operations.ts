import * as v from 'valibot';
import { defineOperation, type OperationRow } from '../kernel/operation.ts';
import { wholeSchema } from '../kernel/text.ts';
import type { BriefContext, BriefService } from './brief.ts';
import { explainUnknownBrief, graderToken, lastVariant } from './brief.ts';
import { gradeBrief, startBrief } from './run-brief.ts';

/** The path of briefs. */
export const path = '/briefs';

const getBrief = defineOperation({
  operationId: 'getBrief',
  method: 'GET',
  path: `${path}/{id}`,
  caching: {
    rule: 'public',
    frozen: ({ catalogue: { briefs } }: BriefService) => briefs.map(({ id }) => `${path}/${id}`),
  },
  page: true,
  async run({ id }, { service }: BriefContext) {
    const { catalogue } = service;
    const isListed = catalogue.briefs.some((one) => one.id === id);
    const brief = isListed ? await catalogue.brief(id) : undefined;
    return brief ? { status: 200, body: { type: 'OK', brief } } : explainUnknownBrief(service);
  },
});

const runBrief = defineOperation({
  operationId: 'startBrief',
  method: 'POST',
  path: `${path}/{id}/start`,
  input: v.object({
    variant: v.optional(
      wholeSchema(0, lastVariant, 'Variant', 'Changes names, cities, days and order; 0 is the default.'),
    ),
  }),
  access: { mints: true },
  run: ({ id, variant = 0 }, context: BriefContext) => startBrief(id, variant, context),
});

const grade = defineOperation({
  operationId: 'gradeBrief',
  method: 'GET',
  path: '/grade',
  access: { capability: graderToken },
  run: (_, context: BriefContext) => gradeBrief(context),
});

/** The operations of graded briefs, except the list. */
export const briefOperations: readonly OperationRow[] = [getBrief, runBrief, grade];
