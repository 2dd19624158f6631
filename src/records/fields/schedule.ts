import * as v from 'valibot';
import { CalendarDate, listSchema, may, mayNamed } from '../../kernel/text.ts';
import { equals } from '../filters.ts';
import type { Member } from '../kind.ts';
import type { StoredRecord } from '../record.ts';

const Shift = v.picklist(
  ['day', 'evening', 'night', 'weekend'],
  'must be one of day, evening, night, weekend',
);

/** A day that a record tells: YYYY-MM-DD (UTC). */
/* @__NO_SIDE_EFFECTS__ */
export const daySchema = (title: string, description: string) =>
  mayNamed(CalendarDate, title, `${description}, YYYY-MM-DD (UTC).`);

/** A day with a filter for the records that tell it or an earlier one. */
const dayMember = (
  member: string,
  [title, description]: readonly [string, string],
  filter: readonly [name: string, title: string, description: string],
) => ({
  schema: daySchema(title, description),
  filters: {
    [filter[0]]: {
      title: filter[1],
      description: filter[2],
      values: CalendarDate,
      toTest: (day: string) => (record: StoredRecord) => ((record[member] as string) ?? '~') <= day,
    },
  },
});

export const availableFrom = dayMember(
  'availableFrom',
  ['Available from', 'First day that the candidate can work'],
  ['availableBy', 'Available by', 'Says to be available by this day.'],
) satisfies Member;

export const startDate = dayMember(
  'startDate',
  ['Start', 'First day of the work'],
  ['startsBy', 'Starts by', 'Says to start by this day.'],
) satisfies Member;

export const shifts = {
  schema: may(listSchema(Shift, 4, 'shifts'), 'The shifts that the candidate works.'),
  filters: {
    shift: {
      title: 'Shift',
      description: 'Says to work this shift.',
      values: Shift,
      toTest:
        (value) =>
        ({ shifts = [] }: StoredRecord & { shifts?: readonly string[] }) =>
          shifts.includes(value),
    },
  },
} satisfies Member;

export const shift = {
  schema: mayNamed(Shift, 'Shift', 'When the work is.'),
  filters: { shift: { ...equals('shift', 'Shift', 'Is for this shift.'), values: Shift } },
} satisfies Member;
