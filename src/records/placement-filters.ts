import * as v from 'valibot';
import { CalendarDate } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { OutcomeResult, toOutcome } from './placement-outcome.ts';
import type { StoredRecord } from './record.ts';

const results = OutcomeResult.options;

/** What a list of placements can be asked of their outcomes. */
export const outcomeFilters = {
  outcome: {
    title: 'Outcome',
    description: 'Result of the first 90 days.',
    values: v.picklist(results, `must be one of ${results.join(', ')}`),
    toTest: (value: string) => (fact: StoredRecord) => toOutcome(fact).result === value,
  },
  validated: {
    title: 'Validated',
    description: 'Whether the outcome is validated.',
    values: v.picklist(['true', 'false'], 'must be true or false'),
    toTest: (value: string) => (fact: StoredRecord) => String(toOutcome(fact).validated) === value,
  },
  dueBefore: {
    title: 'Due before',
    description: 'Not validated, with validateBy before this day.',
    values: CalendarDate,
    toTest: (value: string) => (fact: StoredRecord) => {
      const { validated, validateBy } = toOutcome(fact);
      return !validated && validateBy !== null && validateBy < value;
    },
  },
} satisfies Kind['filters'];
