import * as v from 'valibot';
import { CalendarDate, listSchema, may, mayNamed } from '../../../kernel/text.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import { createEqualFilter, type Filter } from '../filters.ts';
import type { Member } from '../member.ts';

const Shift = v.picklist(
  ['day', 'evening', 'night', 'weekend'],
  'must be one of day, evening, night, weekend',
);

/** The schema of a day: YYYY-MM-DD (UTC). */
/* @__NO_SIDE_EFFECTS__ */
export const daySchema = (title: string, description: string) =>
  mayNamed(CalendarDate, title, `${description}, YYYY-MM-DD.`);

/**
 * Returns a filter for records whose member holds this day or an earlier one. A record without a day does not pass.
 */
const createDayFilter = (member: string, title: string, description: string): Filter => ({
  title,
  description,
  values: CalendarDate,
  createTest: (day) => (record) => ((record[member] as string) ?? '~') <= day,
});

export const availableFrom = {
  schema: daySchema('Available from', 'First day that the candidate can work'),
  filters: {
    availableBy: createDayFilter('availableFrom', 'Available by', 'Says to be available by this day.'),
  },
  isSortable: true,
  client: 'shown',
  file: { form: 'day' },
} satisfies Member;

export const startDate = {
  schema: daySchema('Start', 'First day of the work'),
  filters: { startsBy: createDayFilter('startDate', 'Starts by', 'Says to start by this day.') },
  isSortable: true,
  client: 'shown',
  file: { form: 'day' },
} satisfies Member;

export const shifts = {
  schema: may(listSchema(Shift, 4, 'shifts'), 'The shifts that the candidate works.'),
  filters: {
    shift: {
      title: 'Shift',
      description: 'Says to work this shift.',
      values: Shift,
      createTest:
        (value) =>
        ({ shifts = [] }: StoredRecord & { shifts?: readonly string[] }) =>
          shifts.includes(value),
    },
  },
  client: 'shown',
  file: { form: 'choices', of: 'shift' },
} satisfies Member;

export const shift = {
  schema: mayNamed(Shift, 'Shift', 'When the work is.'),
  filters: { shift: { ...createEqualFilter('shift', 'Shift', 'Is for this shift.'), values: Shift } },
  client: 'shown',
  file: { form: 'choice', of: 'shift' },
} satisfies Member;
