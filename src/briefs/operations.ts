import * as v from 'valibot';
import { defineOperation, type OperationRow } from '../kernel/operation.ts';
import { wholeSchema } from '../kernel/text.ts';
import type { BriefContext, BriefService } from './brief.ts';
import { explainRun, explainUnknownBrief, graderToken, lastVariant } from './brief.ts';
import { gradeBrief, startBrief } from './run-brief.ts';

/** The path of briefs. */
export const path = '/briefs';

const findBrief = ({ catalogue }: BriefService, id: string | undefined) =>
  catalogue.briefs.some((one) => one.id === id) ? catalogue.brief(id!) : undefined;

async function writeBriefMarkdown(service: BriefService, id: string | undefined) {
  const brief = await findBrief(service, id);
  if (!brief) return undefined;
  const rules = brief.rules.map((rule) => `- ${rule}`).join('\n');
  return `# ${brief.title}\n\nA graded brief of level ${brief.level}, one of [these](${path}.md).\n\n${brief.text}\n\n## Rules\n\n${rules}\n\n## Run it\n\n${explainRun(brief.id)} See [the guide](/guides/briefs.md).\n`;
}

const getBrief = defineOperation({
  operationId: 'getBrief',
  method: 'GET',
  path: `${path}/{id}`,
  caching: {
    rule: 'public',
    frozen: ({ catalogue: { briefs } }: BriefService) => briefs.map(({ id }) => `${path}/${id}`),
  },
  markdown: writeBriefMarkdown,
  page: true,
  async run({ id }, { service }: BriefContext) {
    const brief = await findBrief(service, id);
    if (!brief) return explainUnknownBrief(service);
    return { status: 200, body: { type: 'OK', brief, run: explainRun(id) } };
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
