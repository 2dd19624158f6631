import * as v from 'valibot';
import { listSchema, may, mayNamed, wholeSchema } from '../../../kernel/text.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import { createEqualFilter } from '../filters.ts';
import type { Member } from '../member.ts';

/** Hours a week of a candidate or a job order that states none. */
export const fullTimeHours = 40;

export const weeksPerYear = 52;

const Workplace = v.picklist(['onsite', 'hybrid', 'remote'], 'must be one of onsite, hybrid, remote');

export const workplace = {
  schema: mayNamed(Workplace, 'Workplace', 'Where the work is done.'),
  filters: {
    workplace: {
      ...createEqualFilter('workplace', 'Workplace', 'The work is done there.'),
      values: Workplace,
    },
  },
  file: { form: 'choice', of: 'workplace' },
} satisfies Member;

export const workplaces = {
  schema: may(listSchema(Workplace, 3, 'workplaces'), 'Where the candidate would work.'),
  filters: {
    workplace: {
      title: 'Workplace',
      description: 'The candidate would work there.',
      values: Workplace,
      createTest:
        (value) =>
        ({ workplaces = [] }: StoredRecord & { workplaces?: readonly string[] }) =>
          workplaces.includes(value),
    },
  },
  file: { form: 'choices', of: 'workplace' },
} satisfies Member;

/** The member for hours a week. `usual` says what counts if a record states none. */
/* @__NO_SIDE_EFFECTS__ */
export const defineHours = (description: string, usual = `${fullTimeHours}`) =>
  ({
    schema: v.optional(wholeSchema(1, 80, 'Hours a week', `${description}, 1 to 80; ${usual} unless said.`)),
    file: { form: 'whole' },
  }) satisfies Member;
