import * as v from 'valibot';
import { blocked, type Contracts, emptyRecord, ok } from '../kernel/contract.ts';
import { NonNegativeInteger, say, Time } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import { buildCreateExample } from '../records/write/create-example.ts';
import { createdEntries, keptFor } from '../records/write/created-entries.ts';
import type { BriefService } from './brief.ts';
import { BriefEntry, createVariant, explainRun } from './brief.ts';
import { createGradedCheckSchema, evaluate } from './evaluate.ts';
import { briefRefusals } from './refusals.ts';

const tag = 'briefs';
const idText = 'Id of a brief, as the list has it.';

const createBriefSchema = () =>
  v.pipe(
    v.object({
      ...v.omit(BriefEntry, ['checks', 'links']).entries,
      text: say(v.string(), 'The task, as a person would write it.'),
      rules: say(v.array(say(v.string(), 'One rule.')), 'What an agent must keep to.'),
    }),
    v.title('Brief'),
    v.description('A task, and its rules.'),
  );

const createGradeSchema = () =>
  v.pipe(
    v.object({
      brief: say(v.string(), 'Its id.'),
      variant: say(v.number(), 'The variant that was started.'),
      passed: say(v.boolean(), 'Whether every check passed.'),
      calls: say(NonNegativeInteger, 'Calls in the workspace until then.'),
      refused: say(NonNegativeInteger, 'Those that were refused.'),
      seconds: say(NonNegativeInteger, 'From the start to this grade.'),
      checks: say(v.array(createGradedCheckSchema()), 'Check by check.'),
      startedAt: say(Time, 'When it was started.'),
      gradedAt: say(Time, 'When it was first graded.'),
    }),
    v.title('Grade'),
    v.description('How the workspace is in the end.'),
  );

export const briefContracts: Contracts = {
  getBrief: {
    tag,
    summary: 'Read a brief',
    description: 'A brief in variant 0, its days counted from the start.',
    idText,
    sample: { id: 'messy-titles' },
    replies: {
      200: ok(
        'The brief.',
        { brief: createBriefSchema(), run: say(v.string(), 'How to start it and be graded.') },
        async ({ catalogue }: BriefService) => {
          const { id } = catalogue.briefs[0]!;
          return { brief: await catalogue.brief(id), run: explainRun(id) };
        },
      ),
      400: blocked('invalid_request', 'The query is not valid.'),
      404: emptyRecord('No such brief.'),
    },
  },
  startBrief: {
    tag,
    summary: 'Start a brief',
    description:
      'Makes a workspace with the records of the brief, and answers its text. Give your agent the text, the address and the workspace. Keep `grader`: an agent that can grade itself would try until it passes.',
    idText,
    sample: { id: 'messy-titles' },
    replies: {
      201: ok(
        'The workspace, the text and the token that grades.',
        {
          grader: v.pipe(v.string(), v.description('Send it as X-Grader to GET /grade. Shown only once.')),
          brief: createBriefSchema(),
          ...createdEntries,
        },
        async (service: BriefService) => {
          const { workspace, retention } = buildCreateExample(kinds[0]!, kinds[0]!.sample, service);
          const brief = await service.catalogue.brief(service.catalogue.briefs[0]!.id);
          return { grader: `grd_${'0'.repeat(32)}`, brief, workspace, retention };
        },
        ['X-Workspace'],
      ),
      404: emptyRecord('No such brief.'),
    },
    tool: {
      description: `Start a graded task: get its text, its rules, a new workspace with its records, and a grader token. ${keptFor}`,
    },
  },
  gradeBrief: {
    tag,
    summary: 'Grade a brief',
    description:
      'Grades the workspace of your token, check by check. The first grade is kept, and is the answer from then on.',
    replies: {
      200: ok('The grade.', { grade: createGradeSchema() }, async ({ catalogue, seed }: BriefService) => {
        const { briefs, names } = await catalogue.briefBook();
        const [first] = evaluate(createVariant(briefs[0]!, names, 0), { records: [], entries: [] });
        const times = { startedAt: `${seed.today}T09:00:00.000Z`, gradedAt: `${seed.today}T09:05:00.000Z` };
        const counts = { calls: 12, refused: 1, seconds: 300 };
        const result = { brief: briefs[0]!.id, variant: 0, passed: false };
        return { grade: { ...result, ...counts, checks: [first], ...times } };
      }),
      401: blocked(briefRefusals.unknown_grader, 'No such token: unknown or expired.'),
    },
    tool: {
      description: 'Grade a brief at its end, check by check. The first grade is final.',
      // The first call stores the grade.
      hints: { readOnlyHint: false, idempotentHint: true },
    },
  },
};
