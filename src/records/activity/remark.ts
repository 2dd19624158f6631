import * as v from 'valibot';
import { CalendarDate, mayNamed, textSchema } from '../../kernel/text.ts';

/** Why something changes. */
export const reasonEntry = v.optional(
  textSchema(200, 'Reason', 'Why; kept in the activity, and of a move in `transitions`.'),
);

/** What any change of a record can say of itself. The activity keeps it, the record does not. */
export const remarkEntries = {
  reason: reasonEntry,
  effectiveDate: mayNamed(CalendarDate, 'Effective date', 'The day from which it counts, for the activity.'),
};

export const remarkNames = ['reason', 'effectiveDate'] as const;
